import { Button, Group, Text } from '@mantine/core';
import type { ConsoleEvent } from '../../../app/contract/console/channel.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { eventWords } from './event-words.ts';

export interface GiveBackRunningProps {
  readonly lastEvent: ConsoleEvent | undefined;
  /** The terminal can be told to stop. */
  readonly knowsAbort: boolean;
  /** Absent until the terminal has begun, and where it no longer works. */
  readonly onAbort: (() => void) | undefined;
}

/** While the terminal works: what it is doing, and nothing to press but Abort, where the terminal can be told to stop. */
export function GiveBackRunning({ lastEvent, knowsAbort, onAbort }: GiveBackRunningProps) {
  const { t } = useTexts();
  const words = lastEvent === undefined ? undefined : eventWords(t, lastEvent);
  return (
    <Group justify="space-between" gap="md" wrap="nowrap">
      <Text size="lg" fw={600} role="status" data-testid="give-back-running">
        {words?.sentence ?? t('activity:giveBack.sent')}
      </Text>
      {knowsAbort ? (
        <Button variant="default" size="lg" disabled={onAbort === undefined} onClick={() => onAbort?.()}>
          {t('activity:giveBack.abort')}
        </Button>
      ) : (
        <Text c="dimmed">{t('common:cancelAtTerminal')}</Text>
      )}
    </Group>
  );
}
