import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ConsoleEvent } from '../../../app/contract/console/channel.ts';
import type { Approval } from '../../../app/contract/console/console-parts.ts';
import type { ProcedureRequest } from '../../../app/contract/console/procedures.ts';
import type { TransactionResponse } from '../../../app/contract/transactions.ts';
import { ConnectionLost, type ConsoleApi, Refusal } from '../../api/console.ts';
import { useConsole, useConsoleEvents } from '../../hooks/console-context.ts';
import { useApprovedCall } from '../../hooks/use-approved-call.ts';
import type { GiveBackPlan } from './give-back-plan.ts';
import { forgetGiveBack, type GiveBackAttempt, keepGiveBack, keptGiveBack } from './kept-give-back.ts';

const defaultRetrySeconds = 2;

export interface GiveBackOf {
  readonly terminalId: string;
  /** The payment whose money goes back. */
  readonly transactionId: string;
}

/**
 * One void or refund at the terminal. Its key is fixed with the first press and outlives a reload; until there is an answer only the very same request
 * can be sent again, which gets the first answer, so that nothing is given back twice.
 */
export function useGiveBack({ terminalId, transactionId }: GiveBackOf) {
  const api = useConsole();
  const queryClient = useQueryClient();
  const [kept] = useState(() => keptGiveBack(sessionStorage, transactionId));
  const attempt = useRef<GiveBackAttempt>(kept);
  // The terminal may have been told under this key.
  const mayBeSent = useRef(kept !== undefined);
  const [isUnseen, setIsUnseen] = useState(kept !== undefined);
  const [result, setResult] = useState<TransactionResponse>();
  const [lastEvent, setLastEvent] = useState<ConsoleEvent>();
  useConsoleEvents((event) => {
    if (event.requestId !== undefined && event.requestId === attempt.current?.key) setLastEvent(event);
  });
  const approved = useApprovedCall({
    async call(asked: GiveBackAttempt, approval: Approval | undefined) {
      const call = { terminalId, idempotencyKey: asked.key, ...(approval === undefined ? {} : { approval }) };
      const request: ProcedureRequest<'sell.start'> = { ...asked.plan.request, ...call };
      keepGiveBack(sessionStorage, asked);
      try {
        return await startOrJoin(api, request);
      } catch (error) {
        mayBeSent.current = mayBeRunning(error) || (mayBeSent.current && isBeforeTheTerminal(error));
        setIsUnseen(mayBeSent.current);
        if (!mayBeSent.current) forgetGiveBack(sessionStorage);
        throw error;
      }
    },
    onSuccess(response) {
      forgetGiveBack(sessionStorage);
      setIsUnseen(false);
      setResult(response);
      void queryClient.invalidateQueries({ queryKey: ['activity.detail'] });
      void queryClient.invalidateQueries({ queryKey: ['attention.list'] });
    },
  });
  const runningId = lastEvent !== undefined && 'transactionId' in lastEvent ? lastEvent.transactionId : undefined;
  return {
    ...approved,
    result,
    lastEvent,
    /** What was begun before and not answered yet: whether the terminal has given the money back is to be asked, not tried anew. */
    unseen: isUnseen ? attempt.current?.plan : undefined,
    start(plan: GiveBackPlan) {
      const next =
        mayBeSent.current && attempt.current !== undefined ? attempt.current : { plan, key: crypto.randomUUID() };
      attempt.current = next;
      setLastEvent(undefined);
      approved.start(next);
    },
    abort:
      runningId === undefined
        ? undefined
        : () => void api.call('sell.abort', { transactionId: runningId }).catch(() => undefined),
  };
}

/** Waits for the end of the same request where it still runs. */
async function startOrJoin(api: ConsoleApi, request: ProcedureRequest<'sell.start'>): Promise<TransactionResponse> {
  for (;;) {
    try {
      return await api.call('sell.start', request);
    } catch (error) {
      const refusal = error instanceof Refusal ? error.refusal : undefined;
      if (refusal?.error !== 'IDEMPOTENCY_IN_PROGRESS') throw error;
      const seconds = refusal.retryAfterSeconds ?? defaultRetrySeconds;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  }
}

/** Whether the terminal may have been told: only the same key can tell. */
function mayBeRunning(error: unknown): boolean {
  return error instanceof ConnectionLost || (error instanceof Refusal && error.refusal.error === 'INTERNAL');
}

/** The door itself refused, so that an earlier try under the same key stands as it stood. */
function isBeforeTheTerminal(error: unknown): boolean {
  return error instanceof Refusal && error.refusal.reason !== undefined;
}
