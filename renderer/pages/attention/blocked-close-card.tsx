import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ScheduledCloseView } from '../../../app/contract/console/day.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { scheduledCloseText } from '../day/scheduled-close-text.ts';
import styles from './attention-page.module.css';

/** A scheduled close that waits: why, how often it was tried, and the way to what keeps it. */
export function BlockedCloseCard({ close }: { readonly close: ScheduledCloseView }) {
  const { t, formats } = useTexts();
  const navigate = useNavigate();
  const localTime = useLocalTime();
  const { terminalId, attempts, lastAttemptAt, errorCode, blockers } = close;
  return (
    <article className={styles.card} aria-labelledby={`close-${terminalId}`}>
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Title order={2} id={`close-${terminalId}`}>
            {scheduledCloseText(close, t, formats)}
          </Title>
          <StatusBadge tone="WARN">{t('day:schedule.badge')}</StatusBadge>
        </Group>
        <div>
          {lastAttemptAt === undefined ? null : (
            <Text>{t('day:schedule.tried', { count: attempts, time: localTime(lastAttemptAt) })}</Text>
          )}
          <Text className="code">{[terminalId, errorCode].filter((part) => part !== undefined).join(' · ')}</Text>
        </div>
        <Group justify="flex-end">
          {blockers.map(({ transactionId }) => (
            <Button
              key={transactionId}
              variant="default"
              size="lg"
              onClick={() => void navigate({ to: `/activity/${transactionId}` })}
            >
              {t('day:open.show')} <span className="code">&nbsp;{transactionId.slice(0, 8)}</span>
            </Button>
          ))}
          <Button size="lg" onClick={() => void navigate({ to: '/day' })}>
            {t('day:schedule.toDay')}
          </Button>
        </Group>
      </Stack>
    </article>
  );
}
