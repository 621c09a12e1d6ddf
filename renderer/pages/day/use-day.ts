import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { Approval } from '../../../app/contract/console/console-parts.ts';
import type { DayReport } from '../../../app/contract/console/day.ts';
import type { ProcedureRequest } from '../../../app/contract/console/procedures.ts';
import { DEFAULT_PAGE_ITEMS } from '../../../app/contract/limits.ts';
import type { ReconciliationResponse } from '../../../app/contract/settlements.ts';
import { useConsole, useConsoleEvents } from '../../hooks/console-context.ts';
import { useApprovedCall } from '../../hooks/use-approved-call.ts';

/** Milliseconds between looks at the scheduled close, which the till does by itself. */
const lookAgainMs = 10_000;

/** A sale that is to be captured; without tipAmount as it was authorized. */
interface CaptureWish {
  readonly transactionId: string;
  /** Minor units. */
  readonly tipAmount?: number;
}

/** From the first instant, up to the last one excluded; ISO 8601. */
export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

/** The open day of a terminal, asked for again whenever a payment ends. */
export function useDayPreview(terminalId: string) {
  const api = useConsole();
  const query = useQuery({
    queryKey: ['day.preview', terminalId],
    queryFn: () => api.call('day.preview', { terminalId }),
  });
  useConsoleEvents(({ event }) => {
    if (['waiting_for_card', 'result', 'cancelled', 'outcome_resolved'].includes(event)) void query.refetch();
  });
  return query;
}

/** Captures sales that wait for their tip, one after the other; ends at the first that the host has not taken. */
export function useCapture(terminalId: string) {
  const api = useConsole();
  const queryClient = useQueryClient();
  // One key per sale and tip, so that a second press captures nothing a second time.
  const keys = useRef(new Map<string, string>());
  return useMutation({
    mutationFn: async (captures: readonly CaptureWish[]) => {
      for (const wish of captures) {
        const name = `${wish.transactionId} ${wish.tipAmount ?? ''}`;
        const idempotencyKey = keys.current.get(name) ?? crypto.randomUUID();
        keys.current.set(name, idempotencyKey);
        const answer = await api.call('day.capture', { ...wish, idempotencyKey });
        if (answer.status !== 'APPROVED') return { isKnown: false };
      }
      return { isKnown: true };
    },
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['day.xReport', terminalId] });
      return queryClient.invalidateQueries({ queryKey: ['day.preview', terminalId] });
    },
  });
}

/** The day so far, by the same calculation as its close. */
export function useXReport(terminalId: string) {
  const api = useConsole();
  const query = useQuery({
    queryKey: ['day.xReport', terminalId],
    queryFn: () => api.call('day.xReport', { terminalId }),
  });
  useConsoleEvents(({ event }) => {
    if (event === 'result' || event === 'outcome_resolved') void query.refetch();
  });
  return query;
}

/** Closes the day of a terminal. The key stays the same until there is an answer, so that a repeat closes nothing a second time. */
export function useDayClose(terminalId: string, onClosed: (settlementId: string) => void) {
  const api = useConsole();
  const queryClient = useQueryClient();
  const key = useRef(crypto.randomUUID());
  const [end, setEnd] = useState<ReconciliationResponse>();
  const close = useApprovedCall({
    call: (of: { readonly terminalId: string }, approval: Approval | undefined) =>
      api.call('day.close', {
        ...of,
        idempotencyKey: key.current,
        ...(approval === undefined ? {} : { approval }),
      }),
    onSuccess(response) {
      const { settlementId } = response;
      setEnd(response);
      key.current = crypto.randomUUID();
      for (const name of ['day.preview', 'day.xReport', 'day.settlements', 'day.history', 'attention.list']) {
        void queryClient.invalidateQueries({ queryKey: [name] });
      }
      if (settlementId !== undefined) onClosed(settlementId);
    },
  });
  return { ...close, end, start: () => close.start({ terminalId }) };
}

/** The closed days, newest first. */
export function useClosedDays(range?: TimeRange) {
  const api = useConsole();
  return useInfiniteQuery({
    queryKey: ['day.settlements', range?.from, range?.to],
    queryFn: ({ pageParam }) =>
      api.call('day.settlements', {
        limit: DEFAULT_PAGE_ITEMS,
        ...range,
        ...(pageParam === undefined ? {} : { cursor: pageParam }),
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.nextCursor ?? undefined,
  });
}

/** Sums of the closed days, newest first. */
export function useDayHistory(range: TimeRange) {
  const api = useConsole();
  return useQuery({
    queryKey: ['day.history', range.from, range.to],
    queryFn: () => api.call('day.history', range),
  });
}

/** The report of a closed day; it never changes. */
export function useDayReport(settlementId: string) {
  const api = useConsole();
  return useQuery({
    queryKey: ['day.report', settlementId],
    queryFn: () => api.call('day.report', { settlementId }),
    // A closed day stays as it is, but for the host's column where that is still to come.
    staleTime: ({ state }) => (isHostToCome(state.data) ? 0 : 'static'),
    refetchInterval: ({ state }) => (isHostToCome(state.data) ? HOST_COLUMN_LOOK_MS : false),
  });
}

/** Milliseconds between two looks for a host's column that is to come. */
const HOST_COLUMN_LOOK_MS = 5_000;

function isHostToCome(report: DayReport | undefined): boolean {
  return report?.columns?.host?.state === 'NOT_YET';
}

/** When the day is closed by itself, and what came of it last. */
export function useDaySchedule() {
  const api = useConsole();
  return useQuery({
    queryKey: ['day.schedule'],
    queryFn: () => api.call('day.schedule', {}),
    refetchInterval: lookAgainMs,
  });
}

export function useChangeDaySettings(onDone: () => void) {
  const api = useConsole();
  const queryClient = useQueryClient();
  return useApprovedCall({
    call: (settings: Omit<ProcedureRequest<'day.changeSettings'>, 'approval'>, approval: Approval | undefined) =>
      api.call('day.changeSettings', { ...settings, ...(approval === undefined ? {} : { approval }) }),
    onSuccess() {
      void queryClient.invalidateQueries({ queryKey: ['day.schedule'] });
      void queryClient.invalidateQueries({ queryKey: ['day.preview'] });
      onDone();
    },
  });
}
