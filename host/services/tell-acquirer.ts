import { acquirerDifferences, acquirerTotalsOf } from '../../app/domain/close-differences.ts';
import type { CloseBatchReply } from '../ports/acquirer.ts';
import type { BatchCloseRecord, SettlementRecord } from '../ports/host-records.ts';
import type { TerminalRef } from '../ports/host-store.ts';
import { acquirerCall } from './acquirer-call.ts';
import type { HostDeps } from './host-deps.ts';
import { orphanedAfterMs } from './host-limits.ts';
import { drawTrace } from './traces.ts';

/** Milliseconds from one try to the next, at most: each waits longer than a try may take, and twice as long as the one before. */
const LONGEST_REPEAT_MS = 3_600_000;
/** Milliseconds after which a settlement that its acquirer has not answered for is an error. */
const OVERDUE_AFTER_MS = 24 * 3_600_000;
/** Closes that are repeated in one round of the scheduler. */
const MAX_REPEATED_CLOSES = 20;

interface SettlementRef {
  readonly merchantId: string;
  readonly settlementId: string;
}

/** The message of a close that is about to be stored, with a trace of its own. @throws StoreUnavailable */
export async function newBatchClose(
  deps: HostDeps,
  { merchantId, terminalId }: TerminalRef,
): Promise<Omit<BatchCloseRecord, 'settlementId'>> {
  const trace = await drawTrace(deps, { merchantId, terminalId });
  return {
    merchantId,
    terminalId,
    acquirer: deps.acquirerName,
    ...trace,
    attempts: 1,
    nextAtMs: trace.sentAtMs + orphanedAfterMs(deps),
  };
}

/**
 * Tells the acquirer of a closed batch, once; where there is nothing to tell, nothing is done. A message that was not sent, or has no answer, is
 * repeated by settlePending under the same trace. Whatever happens here, the batch is closed: nothing is thrown.
 */
export async function tellAcquirer(deps: HostDeps, ref: SettlementRef): Promise<void> {
  try {
    const message = await deps.store.read.findBatchClose(ref);
    if (message !== undefined) await send(deps, message);
  } catch (error) {
    deps.log.warn('The answer to a day close could not be kept; it is asked for again.', {
      reason: error instanceof Error ? error.message : 'unknown',
    });
  }
}

/**
 * For the scheduler: repeats the closes that wait for their acquirer's answer and are due, safe with several processes. One that waits for a day is
 * logged as an error with every try.
 * @returns how many were answered. @throws StoreUnavailable
 */
export async function settlePending(deps: HostDeps, nowMs: number): Promise<number> {
  const due = await deps.store.read.dueBatchCloses(nowMs, MAX_REPEATED_CLOSES);
  // At the same time: one that waits for its answer holds up no other.
  const tries = await Promise.allSettled(due.map((found) => repeat(deps, found, nowMs)));
  const failed = tries.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return tries.filter((one) => one.status === 'fulfilled' && one.value).length;
}

/** @returns whether the acquirer has answered; another process may be at it */
async function repeat(deps: HostDeps, found: BatchCloseRecord, nowMs: number): Promise<boolean> {
  const nextAtMs = nowMs + Math.min(LONGEST_REPEAT_MS, orphanedAfterMs(deps) * 2 ** found.attempts);
  const message = await deps.store.transact((unit) => unit.claimBatchCloseAttempt(found, nextAtMs));
  if (message === undefined) return false;
  const { terminalId, attempts: attempt } = message;
  if (nowMs - message.sentAtMs >= OVERDUE_AFTER_MS) {
    deps.log.error('A settlement has waited for its acquirer for more than a day.', { terminalId, attempt });
  }
  return await send(deps, message);
}

/** @returns whether the acquirer has answered */
async function send(deps: HostDeps, message: BatchCloseRecord): Promise<boolean> {
  const { store, acquirer, clock, log } = deps;
  const { merchantId, settlementId, terminalId, reference, stan, rrn, sentAtMs, attempts: attempt } = message;
  const settlement = await store.read.findSettlement(merchantId, settlementId);
  if (settlement === undefined) throw new Error('a message is there without its settlement');
  const { funded } = settlement.totals;
  const reply = await acquirer.closeBatch(
    {
      merchantId,
      terminalId,
      trace: { reference, stan, rrn, sentAtMs },
      currencyCode: funded.currency,
      totals: acquirerTotalsOf(funded),
    },
    acquirerCall(deps, attempt > 1),
  );
  if (reply.kind === 'NOT_SENT' || reply.kind === 'LOST') {
    const { kind: state, reason } = reply;
    log.warn('The acquirer has not answered a day close; it is repeated.', { terminalId, attempt, state, reason });
    return false;
  }
  const word = wordOf(settlement, reply);
  await store.transact(async (unit) => {
    if (!(await unit.answerBatchClose({ merchantId, settlementId }, clock.nowMs()))) return;
    // Read again: a person may have settled it meanwhile.
    const now = (await unit.findSettlement(merchantId, settlementId)) ?? settlement;
    if (now.status === 'PENDING') await unit.moveSettlement(now, word.to, word.told);
    else await unit.noteSettlement(now, word.told);
  });
  if (word.to !== 'SETTLED') log.error('The acquirer does not bear out a day close.', { terminalId, state: word.to });
  return true;
}

/**
 * What an answer makes of a settlement that is PENDING. One that was PARTIAL at its close stays so, although the acquirer agrees: that the terminal's
 * journal counts otherwise is for a person (decisions: Day close, Settlements).
 */
function wordOf({ totals }: SettlementRecord, reply: Extract<CloseBatchReply, { kind: 'CLOSED' | 'REFUSED' }>) {
  if (reply.kind === 'REFUSED') {
    const differences = [`the acquirer refused to close the batch (${reply.responseCode})`];
    return { to: 'FAILED', told: { differences } } as const;
  }
  const { batchReference: acquirerBatchRef, fundingDate, isAgreed } = reply;
  const fundingDateMs = fundingDate === undefined ? Number.NaN : Date.parse(`${fundingDate}T00:00:00Z`);
  const told = {
    ...(acquirerBatchRef === undefined ? {} : { acquirerBatchRef }),
    ...(Number.isNaN(fundingDateMs) ? {} : { fundingDateMs }),
  };
  if (isAgreed) return { to: 'SETTLED', told } as const;
  const differences = acquirerDifferences(acquirerTotalsOf(totals.funded), reply.totals);
  return { to: 'PARTIAL', told: { ...told, differences } } as const;
}
