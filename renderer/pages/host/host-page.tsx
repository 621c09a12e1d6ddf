import { Text, Title } from '@mantine/core';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './host.module.css';
import { HostCard } from './host-card.tsx';
import { HostSessions } from './host-sessions.tsx';
import { useHostLinks } from './use-host.ts';

/** Whom each terminal is paired with, how the line to the host is, and what waits for it. */
export function HostPage() {
  const { t } = useTexts();
  const query = useHostLinks();
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return <LoadingState />;
  const { links } = query.data;
  return (
    <div className={styles.page}>
      <Title order={1}>{t('host:navigation')}</Title>
      <Text>{t('host:text')}</Text>
      {links.length === 0 ? (
        <EmptyState title={t('host:noTerminal')} />
      ) : (
        links.map((link) => <HostCard key={link.terminalId} link={link} />)
      )}
      <HostSessions />
    </div>
  );
}
