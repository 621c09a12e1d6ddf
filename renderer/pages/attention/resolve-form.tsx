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
import type { TextKey } from '../../i18n/text-key.ts';

export interface ResolveFormProps {
  readonly task: RecoveryTaskView;
  readonly onClose: () => void;
}

/** One answer that a person may give: its words, and what it says of the money. */
interface Choice {
  readonly value: string;
  readonly label: TextKey;
  readonly charged: boolean;
  /** Whether the words are part of what is recorded: they say more than yes or no. */
  readonly isRecorded?: true;
}

const choicesOf = ({ subject, reasonCode }: RecoveryTaskView): readonly Choice[] => {
  if (reasonCode === 'OFFLINE_DECLINED') {
    // The issuer has said no: what is left to tell is who bears it.
    return [
      { value: 'PAID', label: 'attention:resolve.paidOtherwise', charged: false, isRecorded: true },
      { value: 'LOST', label: 'attention:resolve.writtenOff', charged: false, isRecorded: true },
    ];
  }
  const isClose = subject.kind === 'DAY_CLOSE';
  return [
    { value: 'YES', label: isClose ? 'attention:resolve.closed' : 'attention:resolve.charged', charged: true },
    { value: 'NO', label: isClose ? 'attention:resolve.notClosed' : 'attention:resolve.notCharged', charged: false },
  ];
};

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
  const choices = choicesOf(task);
  const isOffline = task.reasonCode === 'OFFLINE_DECLINED';
  const chosen = choices.find(({ value }) => value === answer);
  const said = chosen?.isRecorded === undefined ? '' : `${t(chosen.label)}. `;
  // Who paid otherwise needs no more words than that.
  const isComplete = chosen !== undefined && (isOffline || evidence.trim() !== '');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen === undefined || !isComplete) return;
        resolve.start({ charged: chosen.charged, evidence: `${said}${evidence.trim()}`.trim() });
      }}
    >
      <Stack gap="md">
        <Radio.Group
          size="md"
          label={t(isOffline ? 'attention:resolve.howSettled' : 'attention:resolve.question')}
          value={answer}
          onChange={setAnswer}
        >
          <Group mt="xs" gap="lg">
            {choices.map(({ value, label }) => (
              <Radio key={value} value={value} size="md" label={t(label)} />
            ))}
          </Group>
        </Radio.Group>
        <Textarea
          size="md"
          label={t(isOffline ? 'attention:resolve.note' : 'attention:resolve.evidence')}
          description={t(isOffline ? 'attention:resolve.noteHint' : 'attention:resolve.evidenceHint')}
          maxLength={MAX_EVIDENCE_CHARACTERS - said.length}
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
