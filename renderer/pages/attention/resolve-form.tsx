import { Alert, Button, Group, Radio, Stack, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Approval } from '../../../app/contract/console/console-parts.ts';
import { MAX_EVIDENCE_CHARACTERS } from '../../../app/contract/limits.ts';
import type { RecoveryTaskView } from '../../../app/contract/recovery.ts';
import { ConfirmWithPin } from '../../components/confirm-with-pin.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useApprovedCall } from '../../hooks/use-approved-call.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';

export interface ResolveFormProps {
  readonly task: RecoveryTaskView;
  readonly onClose: () => void;
}

interface Finding {
  readonly charged: boolean;
  readonly evidence: string;
}

/** What a person has found out: which of the two it is, and what that is known from. Journaled with their name. */
export function ResolveForm({ task, onClose }: ResolveFormProps) {
  const { t } = useTexts();
  const [answer, setAnswer] = useState('');
  const [evidence, setEvidence] = useState('');
  const resolve = useResolve(task.subject.id, onClose);
  const { sentence } = useRefusalText()(resolve.error);
  const isClose = task.subject.kind === 'DAY_CLOSE';
  const isComplete = answer !== '' && evidence.trim() !== '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) resolve.start({ charged: answer === 'YES', evidence: evidence.trim() });
      }}
    >
      <Stack gap="md">
        <Radio.Group size="md" label={t('attention:resolve.question')} value={answer} onChange={setAnswer}>
          <Group mt="xs" gap="lg">
            <Radio
              value="YES"
              size="md"
              label={t(isClose ? 'attention:resolve.closed' : 'attention:resolve.charged')}
            />
            <Radio
              value="NO"
              size="md"
              label={t(isClose ? 'attention:resolve.notClosed' : 'attention:resolve.notCharged')}
            />
          </Group>
        </Radio.Group>
        <Textarea
          size="md"
          label={t('attention:resolve.evidence')}
          description={t('attention:resolve.evidenceHint')}
          maxLength={MAX_EVIDENCE_CHARACTERS}
          minRows={2}
          value={evidence}
          onChange={(event) => setEvidence(event.currentTarget.value)}
        />
        {resolve.error === null ? null : <Alert color="yellow" role="alert" title={sentence} />}
        <Group justify="flex-end">
          <Button variant="default" size="lg" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" size="lg" disabled={!isComplete} loading={resolve.isBusy}>
            {t('attention:resolve.confirm')}
          </Button>
        </Group>
      </Stack>
      <ConfirmWithPin title={t('attention:resolve.confirm')} {...resolve.dialog} />
    </form>
  );
}

function useResolve(subjectId: string, onDone: () => void) {
  const api = useConsole();
  const queryClient = useQueryClient();
  return useApprovedCall({
    call: (finding: Finding, approval: Approval | undefined) =>
      api.call('attention.resolve', {
        transactionId: subjectId,
        ...finding,
        ...(approval === undefined ? {} : { approval }),
      }),
    onSuccess() {
      void queryClient.invalidateQueries({ queryKey: ['attention.list'] });
      void queryClient.invalidateQueries({ queryKey: ['day.preview'] });
      onDone();
    },
  });
}
