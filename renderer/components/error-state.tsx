import { Button } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useRefusalText } from '../hooks/use-refusal-text.ts';
import { useTexts } from '../hooks/use-texts.ts';
import { StatePanel } from './state-panel.tsx';

export interface ErrorStateProps {
  /** What the call was rejected with. */
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** What could not be had: in a sentence, with a way on, and the code small for support. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const { t } = useTexts();
  const { sentence, code } = useRefusalText()(error);
  return (
    <StatePanel
      icon={IconPlugConnectedX}
      role="alert"
      title={sentence}
      actions={onRetry === undefined ? undefined : <Button onClick={onRetry}>{t('common:tryAgain')}</Button>}
      text={code}
    />
  );
}
