import { Button, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { HostSession } from '../../../app/contract/console/host.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './host.module.css';
import { sessionOperationWords, sessionStateWords } from './host-words.ts';
import { useHostSessions } from './use-host.ts';

/** What the merchant's server has asked the terminals to do, as it comes; each leads to its payment. A till without any shows nothing. */
export function HostSessions() {
  const { t } = useTexts();
  const sessions = useHostSessions().data?.sessions ?? [];
  if (sessions.length === 0) return null;
  return (
    <section className={styles.card} aria-labelledby="host-sessions">
      <Title order={2} id="host-sessions">
        {t('host:session.title')}
      </Title>
      <Text c="dimmed">{t('host:session.text')}</Text>
      <ul className={styles.sessions}>
        {sessions.map((session) => (
          <SessionRow key={session.sessionId} session={session} />
        ))}
      </ul>
    </section>
  );
}

function SessionRow({ session }: { readonly session: HostSession }) {
  const { t } = useTexts();
  const time = useLocalTime();
  const money = useMoney();
  const navigate = useNavigate();
  const { operation, amountMinor, currency, terminalId, name, state, updatedAt, transactionId, isTold } = session;
  const { badge, tone } = sessionStateWords[state];
  return (
    <li>
      <div>
        <Text fw={600}>{`${t(sessionOperationWords[operation])} · ${money(amountMinor, currency)}`}</Text>
        <Text c="dimmed">
          {`${time(updatedAt)} · ${name ?? terminalId}${isTold ? '' : ` · ${t('host:session.notTold')}`}`}
        </Text>
      </div>
      <StatusBadge tone={tone}>{t(badge)}</StatusBadge>
      {transactionId === undefined ? null : (
        <Button variant="default" onClick={() => void navigate({ to: `/activity/${transactionId}` })}>
          {t('host:session.show')}
        </Button>
      )}
    </li>
  );
}
