import { Box, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TraceView } from '../../../app/contract/console/support.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './support.module.css';

const pollMs = 1_000;

/** What went over the line of a terminal, newest first, without card data. */
export function TracesSection() {
  const { t, formats } = useTexts();
  const api = useConsole();
  const { terminals } = useSession();
  const [chosen, setChosen] = useState<string>();
  const [isPaused, setIsPaused] = useState(false);
  const terminalId = chosen ?? terminals[0]?.terminalId;
  const query = useQuery({
    queryKey: ['support.traces', terminalId],
    queryFn: () => (terminalId === undefined ? { traces: [] } : api.call('support.traces', { terminalId })),
    enabled: !isPaused,
    refetchInterval: pollMs,
  });
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return <LoadingState />;
  const clock = formats.dateTime({ timeStyle: 'medium' });
  return (
    <Stack>
      <Text>{t('support:traces.text')}</Text>
      <Group align="end">
        <NativeSelect
          label={t('support:traces.terminal')}
          value={terminalId ?? ''}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={terminals.map((terminal) => terminal.terminalId)}
        />
        <Button variant="default" aria-pressed={isPaused} onClick={() => setIsPaused(!isPaused)}>
          {t(isPaused ? 'support:log.resume' : 'support:log.pause')}
        </Button>
      </Group>
      {query.data.traces.length === 0 ? (
        <EmptyState title={t('support:traces.empty')} />
      ) : (
        <Box component="section" className={styles.scroller} tabIndex={0} aria-label={t('support:section.traces')}>
          <ul className={styles.list}>
            {query.data.traces.toReversed().map((trace) => (
              <li key={trace.sequence} className={styles.trace}>
                <span className="figures">{clock.format(new Date(trace.at))}</span>
                <span>{t(trace.direction === 'TO_TERMINAL' ? 'support:traces.sent' : 'support:traces.received')}</span>
                <span className={styles.code}>{[trace.name, ...trace.fields.map(fieldText)].join('  ')}</span>
              </li>
            ))}
          </ul>
        </Box>
      )}
    </Stack>
  );
}

/** Pairs of digits as a support person reads them; a dot for each byte that is not shown. */
function fieldText({ tag, shown, hiddenBytes = 0 }: TraceView['fields'][number]): string {
  return `${tag}=${shown ?? `•(${hiddenBytes})`}`;
}
