import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ConsoleEvent } from '../../../app/contract/console/channel.ts';
import type { Approval } from '../../../app/contract/console/console-parts.ts';
import type { ProcedureRequest } from '../../../app/contract/console/procedures.ts';
import type { TransactionResponse } from '../../../app/contract/transactions.ts';
import { ConnectionLost } from '../../api/console.ts';
import { useConsole, useConsoleEvents } from '../../hooks/console-context.ts';
import { useApprovedCall } from '../../hooks/use-approved-call.ts';
import type { GiveBackPlan } from './give-back-plan.ts';

/**
 * One void or refund at the terminal. Its key is fixed with the first press; after a lost connection only the very same request can be sent again,
 * which gets the first answer, so that nothing is given back twice.
 */
export function useGiveBack(terminalId: string) {
  const api = useConsole();
  const queryClient = useQueryClient();
  const attempt = useRef<{ readonly plan: GiveBackPlan; readonly key: string }>(undefined);
  const [result, setResult] = useState<TransactionResponse>();
  const [lastEvent, setLastEvent] = useState<ConsoleEvent>();
  useConsoleEvents((event) => {
    if (event.requestId !== undefined && event.requestId === attempt.current?.key) setLastEvent(event);
  });
  const approved = useApprovedCall({
    call: ({ plan, key }: { readonly plan: GiveBackPlan; readonly key: string }, approval: Approval | undefined) => {
      const call = { terminalId, idempotencyKey: key, ...(approval === undefined ? {} : { approval }) };
      const request: ProcedureRequest<'sell.start'> = { ...plan.request, ...call };
      return api.call('sell.start', request);
    },
    onSuccess(response) {
      setResult(response);
      void queryClient.invalidateQueries({ queryKey: ['activity.detail'] });
      void queryClient.invalidateQueries({ queryKey: ['attention.list'] });
    },
  });
  const isAnswerLost = approved.error instanceof ConnectionLost;
  const runningId = lastEvent !== undefined && 'transactionId' in lastEvent ? lastEvent.transactionId : undefined;
  return {
    ...approved,
    result,
    lastEvent,
    /** The connection was lost before the answer: whether the terminal has given the money back is to be asked, not tried anew. */
    isAnswerLost,
    start(plan: GiveBackPlan) {
      if (!isAnswerLost || attempt.current === undefined) attempt.current = { plan, key: crypto.randomUUID() };
      setLastEvent(undefined);
      approved.start(attempt.current);
    },
    abort:
      runningId === undefined
        ? undefined
        : () => void api.call('sell.abort', { transactionId: runningId }).catch(() => undefined),
  };
}
