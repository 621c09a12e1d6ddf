import type { ErrorCode } from '../contract/errors.ts';
import { EVENT_RETENTION_DAYS, IDEMPOTENCY_RETENTION_DAYS } from '../contract/limits.ts';
import type { ReconciliationResponse } from '../contract/settlements.ts';
import type { DayCloseRecord, SettlementRecord } from '../domain/records.ts';
import { compareBatch, differenceText, netAmountOf, sideOf } from '../domain/totals.ts';
import type { Evidence } from '../domain/transaction.ts';
import type { JournalUnit } from '../ports/journal.ts';
import type { TerminalBatchTotals } from '../ports/terminal.ts';
import { type OpenQuestion, withEvidence } from './apply-outcome.ts';
import { openPreAuthsOf } from './day-close-blockers.ts';
import { otherColumns } from './day-columns.ts';
import { type Engine, nowIso } from './engine.ts';
import type { Reservation } from './idempotency-gate.ts';
import { closeTask, keepTaskOpen } from './recovery-tasks.ts';
import { defined } from './response.ts';
import type { Answer } from './till.ts';

const dayMs = 86_400_000;

/** What became of a day close. CLOSED without `batch`: the terminal has no figures of its own to compare. */
export type DayCloseEnd = { readonly evidence: readonly Evidence[]; readonly asked?: number } & (
  | { readonly kind: 'CLOSED'; readonly batch?: TerminalBatchTotals | undefined; readonly message?: string }
  | { readonly kind: 'FAILED'; readonly errorCode: ErrorCode; readonly message: string }
  | { readonly kind: 'OPEN'; readonly question: OpenQuestion }
);

/**
 * One commit: the close, its settlement (which opens the next batch), what the host is owed of it, its task, and the stored answer (decisions: Day close). FAILED moves nothing.
 * @param record the close as it is to be saved before its end is written into it (its next revision). @param reservation of a close that has no intent row of its own
 * @throws BridgeError JOURNAL_UNAVAILABLE
 */
export function endDayClose(
  engine: Engine,
  record: DayCloseRecord,
  end: DayCloseEnd,
  by: string,
  reservation?: Reservation,
): Answer {
  const { dayCloseId, terminalId } = record;
  const at = nowIso(engine);
  const body = engine.events.commit(terminalId, (unit) => {
    const base = { ...withEvidence(record, end.evidence), updatedAt: at };
    const response = write(unit, base);
    const text = JSON.stringify(response);
    if (reservation !== undefined) unit.reserveIdempotency({ ...reservation, subjectId: dayCloseId, createdAt: at });
    unit.saveAnswer(dayCloseId, { statusCode: 200, body: text });
    unit.expireIdempotency(daysAgo(engine, IDEMPOTENCY_RETENTION_DAYS));
    unit.pruneEvents(terminalId, daysAgo(engine, EVENT_RETENTION_DAYS));
    return text;
  });
  engine.gate.answered(dayCloseId);
  engine.deps.hostBooks?.wake(terminalId);
  engine.deps.log.debug('A day close has ended.', { transactionId: dayCloseId, terminalId, state: end.kind });
  return { statusCode: 200, body, transactionId: dayCloseId, replayed: false };

  function write(unit: JournalUnit, base: DayCloseRecord): ReconciliationResponse {
    switch (end.kind) {
      case 'CLOSED':
        closeTask(unit, dayCloseId, { by, charged: true, text: 'The batch is closed.', at }, end.evidence);
        return settle(unit, base, end.batch, end.message);
      case 'FAILED':
        closeTask(unit, dayCloseId, { by, charged: false, text: 'The batch is not closed.', at }, end.evidence);
        unit.saveDayClose({ ...base, state: 'FAILED', errorCode: end.errorCode, errorMessage: end.message });
        return failedResponse(base, end.errorCode, end.message, at);
      case 'OPEN': {
        const subject = { kind: 'DAY_CLOSE', id: dayCloseId } as const;
        const change = { taskId: engine.deps.ids.next(), nowIso: at, evidence: end.evidence, asked: end.asked ?? 0 };
        keepTaskOpen(unit, { terminalId, subject }, end.question, change);
        const errorMessage = end.question.reason;
        unit.saveDayClose({ ...base, state: 'UNKNOWN', errorCode: 'OUTCOME_UNKNOWN', errorMessage });
        return failedResponse(base, 'OUTCOME_UNKNOWN', errorMessage, at);
      }
    }
  }

  function settle(
    unit: JournalUnit,
    base: DayCloseRecord,
    batch: TerminalBatchTotals | undefined,
    message: string | undefined,
  ): ReconciliationResponse {
    const { batchNumber, totals } = base;
    const schemes = () => unit.schemeTotals(terminalId, batchNumber, totals.currency);
    const side = sideOf(batch ?? { schemes: [] });
    const found = batch === undefined ? [] : compareBatch(totals, schemes(), batch);
    const differences = found.map((difference) => differenceText(difference, side));
    const state: 'SUCCESS' | 'PARTIAL' = differences.length === 0 ? 'SUCCESS' : 'PARTIAL';
    const settlementId = engine.deps.ids.next();
    const { errorCode: _code, errorMessage: _message, ...closed } = base;
    const host = engine.deps.hostBooks?.noteClose(unit, base);
    const told = { ...reportedFields(batch), ...(host === undefined ? {} : { host }) };
    const saved: DayCloseRecord = { ...closed, state, settlementId, differences, ...told };
    unit.saveDayClose(saved);
    const settlement = unit.saveSettlement(settlementOf(base, settlementId, state, at, batch?.batchReference));
    return defined({
      status: state,
      totals: base.totals,
      timestamp: at,
      businessDate: base.businessDate,
      settlementId,
      differences: differences.length === 0 ? undefined : differences,
      ...otherColumns(unit, saved),
      openPreAuths: openPreAuthsOf(unit, terminalId),
      journalHead: { ...settlement.journalHead },
      message: differences.length === 0 ? message : `The totals of the ${side} differ from the journal.`,
    });
  }
}

/** The terminal's own figures, kept so that a report can be held against them line by line. */
function reportedFields(batch: TerminalBatchTotals | undefined): Pick<DayCloseRecord, 'reported'> {
  if (batch === undefined) return {};
  const schemes = batch.schemes.map(({ scheme, count, amountMinor }) => ({ scheme, count, amountMinor }));
  const { totalMinor, hostTotalMinor, totals, businessDate } = batch;
  return {
    reported: {
      schemes,
      ...(totalMinor === undefined ? {} : { totalMinor }),
      ...(hostTotalMinor === undefined ? {} : { hostTotalMinor }),
      ...(totals === undefined ? {} : { totals }),
      ...(businessDate === undefined ? {} : { businessDate }),
    },
  };
}

function daysAgo(engine: Engine, days: number): string {
  return new Date(engine.deps.clock.nowMs() - days * dayMs).toISOString();
}

function settlementOf(
  record: DayCloseRecord,
  id: string,
  state: 'SUCCESS' | 'PARTIAL',
  closedAt: string,
  batchReference: string | undefined,
): Omit<SettlementRecord, 'journalHead'> {
  const { preAuthCount, preAuthAmount, currency, ...settled } = record.totals;
  return {
    settlement: defined({
      id,
      closedAt,
      businessDate: record.businessDate,
      status: state === 'SUCCESS' ? ('SETTLED' as const) : ('PARTIAL' as const),
      currency,
      ...settled,
      netAmount: netAmountOf(record.totals),
      acquirerBatchRef: batchReference,
      merchantId: record.merchantId,
      terminalId: record.terminalId,
    }),
    batchNumber: record.batchNumber,
    businessDate: record.businessDate,
    preAuthCount,
    preAuthAmount,
  };
}

function failedResponse(
  record: DayCloseRecord,
  errorCode: ErrorCode,
  message: string,
  at: string,
): ReconciliationResponse {
  return { status: 'FAILED', totals: record.totals, timestamp: at, errorCode, message };
}
