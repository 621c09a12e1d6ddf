import { MAX_HISTORY_DAYS } from '../contract/console/console-limits.ts';
import type { DayPreview, WaitingCapture } from '../contract/console/day.ts';
import { BridgeError } from '../contract/errors.ts';
import { countedMinor, denominationsOf } from '../domain/cash-count.ts';
import { lastFourOf } from '../domain/mask.ts';
import { totalMinor } from '../domain/money.ts';
import { isCaptureOwed } from '../domain/tip-capture.ts';
import { netAmountOf } from '../domain/totals.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import { waitingCapturesOf } from '../services/day-close-blockers.ts';
import { defined } from '../services/response.ts';
import { contextOf, type Handlers } from './call.ts';
import { type ConsoleDeps, nowIso } from './console-deps.ts';
import { cashCountOf, dayFigures, reportOf } from './day-figures.ts';
import { pickTerminal } from './pick-terminal.ts';

type DayHandlers = Pick<
  Handlers,
  | 'day.preview'
  | 'day.capture'
  | 'day.xReport'
  | 'day.countCash'
  | 'day.close'
  | 'day.settlements'
  | 'day.history'
  | 'day.report'
>;

/** The open day, its close, and the closed ones. */
export function createDayHandlers({ till, journal, clock, settingsStore }: ConsoleDeps): DayHandlers {
  /** The open batch of the named terminal, or of the only one. */
  function openBatch(terminalId: string | undefined) {
    const picked = pickTerminal(till, terminalId);
    return { ...picked, batchNumber: journal.openBatchNumber(picked.terminalId) };
  }

  function cashOf(batch: ReturnType<typeof openBatch>): Pick<DayPreview, 'cash'> {
    if (!settingsStore.current().blindCashCount) return {};
    const count = cashCountOf(journal, batch);
    return {
      cash: { denominations: [...denominationsOf(batch.currency)], ...(count === undefined ? {} : { count }) },
    };
  }

  return {
    'day.preview'(call, request) {
      const batch = openBatch(request.terminalId);
      const { terminalId } = batch;
      const { totals, timestamp, blockers, openPreAuths } = till.totals(contextOf(call, 'day.preview', { terminalId }));
      return {
        terminalId,
        totals,
        netAmount: netAmountOf(totals),
        timestamp,
        blockers: blockers ?? [],
        openPreAuths: openPreAuths ?? [],
        waitingCaptures: waitingCapturesOf(journal, terminalId).map(waitingView),
        ...cashOf(batch),
      };
    },
    async 'day.capture'(call, { transactionId, tipAmount, idempotencyKey }) {
      // The transaction is part of the scope of the key, as in the POS API's path.
      const context = contextOf(call, `day.capture ${transactionId}`, { idempotencyKey });
      const answer = await till.capture(context, transactionId, defined({ tipAmount }));
      return JSON.parse(answer.body);
    },
    'day.xReport'(_call, request) {
      const batch = openBatch(request.terminalId);
      const { totals, netAmount, schemes, breakdown } = dayFigures(journal, batch);
      return {
        terminalId: batch.terminalId,
        timestamp: nowIso(clock),
        number: batch.batchNumber,
        totals,
        netAmount,
        schemes: schemes.map(({ scheme, count, amountMinor }) => ({ scheme, journal: { count, amount: amountMinor } })),
        journalHead: { ...journal.head() },
        ...breakdown,
      };
    },
    'day.countCash'(call, { terminalId, openingFloat, pieces, other }) {
      const batch = openBatch(terminalId);
      // A sum that is too large is refused before anything is kept.
      countedMinor({ pieces, otherMinor: other });
      journal.commit((unit) =>
        unit.appendCashCount({
          ...{ terminalId: batch.terminalId, batchNumber: batch.batchNumber, currency: batch.currency },
          ...{ countedAt: nowIso(clock), countedBy: call.actor },
          ...{ openingFloatMinor: openingFloat, pieces, otherMinor: other },
        }),
      );
      const count = cashCountOf(journal, batch);
      if (count === undefined) throw new BridgeError('INTERNAL', 'the count was not kept');
      return count;
    },
    async 'day.close'(call, { terminalId, idempotencyKey }) {
      const context = contextOf(call, 'day.close', { terminalId, idempotencyKey });
      const answer = await till.reconcile(context, { closeDay: true });
      return JSON.parse(answer.body);
    },
    'day.settlements': (call, query) => till.settlements(contextOf(call, 'day.settlements'), query),
    'day.history': (_call, range) => ({
      days: journal.settledDays({ ...range, limit: MAX_HISTORY_DAYS }).map((day) => ({ ...day })),
    }),
    'day.report': (_call, { settlementId }) => reportOf(journal, settlementId),
  };
}

function waitingView(record: TransactionRecord): WaitingCapture {
  return defined({
    transactionId: record.transactionId,
    amount: totalMinor(record),
    currency: record.currency,
    timestamp: record.createdAt,
    referenceId: record.referenceId,
    lastFour: lastFourOf(record.card.maskedPan ?? ''),
    isOwed: isCaptureOwed(record),
    refusal: record.tipCapture?.refusal?.errorCode,
  });
}
