import { Button, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { DayPreview } from '../../../app/contract/console/day.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './close-wizard.module.css';
import { WaitingCaptures } from './waiting-captures.tsx';

const blockerWords = {
  IN_PROGRESS: 'day:open.inProgress',
  OUTCOME_UNKNOWN: 'day:open.outcomeUnknown',
  TIP_CAPTURE_PENDING: 'day:open.tipPending',
  NOT_FORWARDED: 'day:open.notForwarded',
} as const;

/** What keeps the day from being closed, each with the way to it; and the holds that carry over. */
export function OpenStep({ day }: { readonly day: DayPreview }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const localTime = useLocalTime();
  const money = useMoney();
  const { blockers, openPreAuths, waitingCaptures, terminalId } = day;
  // Those have a list of their own, with what is to be done about each.
  const others = blockers.filter(({ reason }) => reason !== 'TIP_CAPTURE_PENDING');
  return (
    <Stack gap="lg">
      <div>
        <Title order={2} mb="sm">
          {blockers.length === 0 ? t('day:open.nothing') : t('day:open.count', { count: blockers.length })}
        </Title>
        <ul className={styles.list}>
          {others.map(({ transactionId, reason, amount, currency, since }) => (
            <li key={transactionId}>
              <span>
                {t(blockerWords[reason])}{' '}
                {amount === undefined || currency === undefined || since === undefined ? null : (
                  <span className="figures">
                    {money(amount, currency)} · {localTime(since)}{' '}
                  </span>
                )}
                <span className="code">{transactionId.slice(0, 8)}</span>
              </span>
              <Button
                variant="default"
                onClick={() =>
                  void navigate({ to: reason === 'OUTCOME_UNKNOWN' ? '/attention' : `/activity/${transactionId}` })
                }
              >
                {t(reason === 'OUTCOME_UNKNOWN' ? 'day:open.resolve' : 'day:open.show')}
              </Button>
            </li>
          ))}
        </ul>
      </div>
      <WaitingCaptures terminalId={terminalId} captures={waitingCaptures} />
      <Holds preAuths={openPreAuths} />
    </Stack>
  );
}

function Holds({ preAuths }: { readonly preAuths: DayPreview['openPreAuths'] }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const localTime = useLocalTime();
  const money = useMoney();
  if (preAuths.length === 0) return null;
  return (
    <div>
      <Title order={3}>{t('day:holds.title')}</Title>
      <Text c="dimmed" mb="sm">
        {t('day:holds.text')}
      </Text>
      <ul className={`${styles.list} ${styles.holds}`}>
        {preAuths.map(({ transactionId, amount, currency, timestamp }) => (
          <li key={transactionId}>
            <span className="figures">{localTime(timestamp)}</span>
            <StatusBadge tone="INFO">{t('day:holds.held')}</StatusBadge>
            <span className="figures">{money(amount, currency)}</span>
            <Button variant="default" onClick={() => void navigate({ to: `/activity/${transactionId}` })}>
              {t('day:open.show')}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
