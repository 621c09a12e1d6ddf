import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { VerificationView } from '../../../app/contract/console/support.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './support.module.css';
import { useSizes } from './use-sizes.ts';
import { useSupportWork } from './use-support-work.ts';
import { WorkProgress } from './work-progress.tsx';

const pollMs = 5_000;
/** Seconds between two clocks that nobody minds. */
const maxClockSeconds = 5;

/** How the till is, and whether its journal is as it was written. */
export function StateSection() {
  const { t } = useTexts();
  const api = useConsole();
  const sizes = useSizes();
  const query = useQuery({
    queryKey: ['support.diagnostics'],
    queryFn: async () => {
      const facts = await api.call('support.diagnostics', {});
      return { ...facts, clockSeconds: Math.round((Date.now() - Date.parse(facts.now)) / 1000) };
    },
    refetchInterval: pollMs,
  });
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return <LoadingState />;
  const facts = query.data;
  const clockIsGood = Math.abs(facts.clockSeconds) <= maxClockSeconds;
  const rows: readonly (readonly [label: string, value: string])[] = [
    [t('support:fact.version'), `${facts.version} · ${facts.runtime} · ${facts.platform}`],
    [t('support:fact.up'), sizes.duration(facts.upSeconds)],
    [t('support:fact.memory'), sizes.bytes(facts.memoryBytes)],
    [
      t('support:fact.disk'),
      t('support:fact.diskOf', { free: sizes.bytes(facts.diskFreeBytes), size: sizes.bytes(facts.diskBytes) }),
    ],
    [t('support:fact.journal'), `${sizes.bytes(facts.journalBytes)} + ${sizes.bytes(facts.walBytes)}`],
    [t('support:fact.logs'), sizes.bytes(facts.logBytes)],
    [t('support:fact.folder'), facts.dataDir],
    [t('support:fact.address'), facts.posUrl],
    [t('support:fact.zone'), facts.timeZone],
  ];
  return (
    <Stack>
      <div className={styles.card}>
        <Group>
          <StatusBadge tone={clockIsGood ? 'GOOD' : 'WARN'}>
            {clockIsGood ? t('support:clock.good') : t('support:clock.bad', { seconds: facts.clockSeconds })}
          </StatusBadge>
          {facts.terminals.map(({ terminalId, connected }) => (
            <StatusBadge key={terminalId} tone={connected ? 'GOOD' : 'WARN'}>
              {t(connected ? 'support:terminal.reachable' : 'support:terminal.unreachable', { terminal: terminalId })}
            </StatusBadge>
          ))}
        </Group>
        <dl className={styles.facts}>
          {rows.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
      <JournalCheck />
    </Stack>
  );
}

function JournalCheck() {
  const { t } = useTexts();
  const api = useConsole();
  const client = useQueryClient();
  const work = useSupportWork();
  const verify = useMutation({
    mutationFn: () => api.call('support.verify', {}),
    onSuccess: () => client.invalidateQueries({ queryKey: ['support.work'] }),
  });
  const error = verify.error ?? work.error;
  const state = work.data?.verification;
  return (
    <div className={styles.card}>
      <Title order={2}>{t('support:journal.title')}</Title>
      <Text>{t('support:journal.text')}</Text>
      {error === null ? null : <ErrorState error={error} />}
      {state?.kind === 'RUNNING' ? <WorkProgress progress={state} what="VERIFICATION" /> : null}
      {state === undefined ? null : <JournalResult state={state} />}
      {state?.kind === 'RUNNING' ? null : (
        <Group>
          <Button onClick={() => verify.mutate()} disabled={verify.isPending}>
            {t('support:journal.check')}
          </Button>
        </Group>
      )}
    </div>
  );
}

function JournalResult({ state }: { readonly state: VerificationView }) {
  const { t } = useTexts();
  const time = useLocalTime();
  if (state.kind === 'FAILED')
    return (
      <div role="alert">
        <StatusBadge tone="WARN">{t('support:journal.failed')}</StatusBadge>
        <Text className={styles.code}>{state.reason}</Text>
      </div>
    );
  if (state.kind === 'CANCELLED') return <Text>{t('support:stopped')}</Text>;
  if (state.kind !== 'VERIFIED') return null;
  return (
    <Stack gap="sm" role="status">
      <Group>
        <StatusBadge tone={state.ok ? 'GOOD' : 'BAD'}>
          {t(state.ok ? 'support:journal.good' : 'support:journal.bad')}
        </StatusBadge>
        <Text c="dimmed">{t('support:journal.rows', { count: state.rows, time: time(state.at) })}</Text>
      </Group>
      {state.ok ? null : <Text>{t('support:journal.advice')}</Text>}
      {state.findings.map((finding) => (
        <Text key={finding} className={styles.code} lang="en">
          {finding}
        </Text>
      ))}
    </Stack>
  );
}
