import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { RecoveryTaskView } from '../../../app/contract/recovery.ts';
import { useConsole } from '../../hooks/console-context.ts';
import { useRecoveryTask } from '../attention/use-attention.ts';

/** Closes that may have been made at other terminals meanwhile. */
const lookedThrough = 20;

/**
 * A close of a terminal of which nobody knows whether it was done: also one that was begun before this page was opened. When the answer is found,
 * its report is shown, or that nothing was closed.
 */
export function usePendingClose(terminalId: string, onClosed: (settlementId: string) => void) {
  const api = useConsole();
  const queryClient = useQueryClient();
  const task = useRecoveryTask(({ subject, ...one }) => subject.kind === 'DAY_CLOSE' && one.terminalId === terminalId);
  const [wasNotClosed, setWasNotClosed] = useState(false);
  const seen = useRef<RecoveryTaskView>(undefined);
  const tell = useRef(onClosed);
  tell.current = onClosed;
  useEffect(() => {
    const before = seen.current;
    seen.current = task;
    if (task !== undefined) setWasNotClosed(false);
    if (task !== undefined || before === undefined) return;
    for (const name of ['day.preview', 'day.xReport', 'day.settlements', 'day.history']) {
      void queryClient.invalidateQueries({ queryKey: [name] });
    }
    void api.call('day.settlements', { limit: lookedThrough, from: before.openedAt }).then(({ data }) => {
      const closed = data.find((settlement) => settlement.terminalId === terminalId);
      if (closed === undefined) setWasNotClosed(true);
      else tell.current(closed.id);
    });
  }, [task, terminalId, api, queryClient]);
  return { task, wasNotClosed };
}
