import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MAX_LISTED_LOG_LINES } from '../../../app/contract/console/console-limits.ts';
import type { LogLineView } from '../../../app/contract/console/support.ts';
import { useConsole } from '../../hooks/console-context.ts';

const pollMs = 1_000;
const key = ['support.log'] as const;

interface KnownLog {
  readonly run: string;
  readonly lines: readonly LogLineView[];
}

/** The newest lines of the log; only what is new is asked for. */
export function useLog(isPaused: boolean) {
  const api = useConsole();
  const client = useQueryClient();
  return useQuery({
    queryKey: key,
    queryFn: async (): Promise<KnownLog> => {
      const known = client.getQueryData<KnownLog>(key);
      const after = known?.lines.at(-1)?.sequence ?? 0;
      const { run, lines } = await api.call('support.log', {
        after,
        ...(known === undefined ? {} : { run: known.run }),
      });
      const before = run === known?.run ? known.lines : [];
      return { run, lines: [...before, ...lines].slice(-MAX_LISTED_LOG_LINES) };
    },
    enabled: !isPaused,
    refetchInterval: pollMs,
  });
}
