import { Alert, Text } from '@mantine/core';
import { ConfirmWithPin } from '../../components/confirm-with-pin.tsx';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './export-dialog.module.css';
import type { useExport } from './use-export.ts';

export interface ExportDialogProps {
  readonly state: ReturnType<typeof useExport>;
  readonly title: string;
}

/** What goes with an export: a manager's word where it is needed, a word while it is made, and why it could not be made. */
export function ExportDialog({ state, title }: ExportDialogProps) {
  const { t } = useTexts();
  const refusalText = useRefusalText();
  const isRunning = state.isBusy && !state.dialog.isOpen;
  return (
    <>
      <div role="status" className={styles.word}>
        {isRunning ? <Text>{t('day:export.running')}</Text> : null}
        {state.error === null ? null : <Alert color="yellow" title={refusalText(state.error).sentence} />}
      </div>
      <ConfirmWithPin title={title} text={t('day:export.approve')} {...state.dialog} />
    </>
  );
}
