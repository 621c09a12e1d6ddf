import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type { Approval } from '../../../app/contract/console/console-parts.ts';
import { sellingRoles } from '../../../app/contract/console/roles.ts';
import type { SettingsChanges } from '../../../app/contract/console/settings.ts';
import { ConfirmWithPin } from '../../components/confirm-with-pin.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useApprovedCall } from '../../hooks/use-approved-call.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './settings-page.module.css';
import type { Edits } from './use-edits.ts';

export interface SettingsCardProps {
  readonly title: string;
  readonly text?: string;
  readonly edits: Edits;
  /** False while a field holds what cannot be saved. */
  readonly isValid?: boolean;
  readonly children: ReactNode;
}

/** One part of the settings: its fields and one Save, which asks for a manager's PIN where the role needs it. */
export function SettingsCard({ title, text, edits, isValid = true, children }: SettingsCardProps) {
  const { t } = useTexts();
  const { signedIn } = useSession();
  const refusalText = useRefusalText();
  const titleId = useId();
  const { save, isSaved } = useSave(edits);
  const isChanged = Object.keys(edits.changes).length > 0;
  const maySave = sellingRoles.includes(signedIn.role);
  return (
    <section className={styles.card} aria-labelledby={titleId}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged && isValid && !save.isBusy) save.start(edits.changes);
        }}
      >
        <Stack gap="md">
          <Title order={2} id={titleId}>
            {title}
          </Title>
          {text === undefined ? null : <Text c="dimmed">{text}</Text>}
          {children}
          {save.error === null ? null : (
            <Alert color="yellow" role="alert" title={refusalText(save.error).sentence}>
              <span className="code">{refusalText(save.error).code}</span>
            </Alert>
          )}
          {maySave ? (
            <div className={styles.foot}>
              <Text role="status" c="dimmed">
                {isSaved && !isChanged ? t('settings:saved') : ''}
              </Text>
              {isChanged ? (
                <Button variant="default" size="lg" onClick={edits.clear}>
                  {t('settings:discard')}
                </Button>
              ) : null}
              <Button type="submit" size="lg" disabled={!isChanged || !isValid} loading={save.isBusy}>
                {t('settings:save')}
              </Button>
            </div>
          ) : null}
        </Stack>
      </form>
      <ConfirmWithPin title={t('settings:approve')} {...save.dialog} />
    </section>
  );
}

function useSave(edits: Edits) {
  const api = useConsole();
  const queryClient = useQueryClient();
  const [isSaved, setIsSaved] = useState(false);
  const save = useApprovedCall({
    call: (changes: SettingsChanges, approval: Approval | undefined) =>
      api.call('settings.update', { changes, ...(approval === undefined ? {} : { approval }) }),
    onSuccess(stored) {
      queryClient.setQueryData(['settings.read'], stored);
      edits.clear();
      setIsSaved(true);
      void queryClient.invalidateQueries({ queryKey: ['session.state'] });
    },
  });
  return { save, isSaved };
}
