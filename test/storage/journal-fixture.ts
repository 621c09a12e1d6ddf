import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RecoveryTask, SettlementRecord } from '../../app/domain/records.ts';
import type { TransactionRecord } from '../../app/domain/transaction.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Journal } from '../../app/ports/journal.ts';
import type { Log } from '../../app/ports/log.ts';
import { createJournal } from '../../app/storage/create-journal.ts';

const startMs = Date.UTC(2026, 10, 27, 9, 0, 0);
export const terminalId = 'T1';

/** A clock that moves by a millisecond with each look, so that rows have times of their own. */
export function tickingClock(): Clock {
  let now = startMs;
  return { nowMs: () => now++, monotonicMs: () => now, after: () => () => {} };
}

/** Collects what is logged at `warn` and above. */
export function collectingLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (message: string) => {
    lines.push(message);
  };
  return { lines, debug: () => {}, info: () => {}, warn: keep, error: keep };
}

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'journal-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A journal in `dataDir`, closed after the test unless the test has closed it. */
export function openJournal(dataDir: string, log: Log = collectingLog()): Journal {
  const journal = createJournal({ dataDir, clock: tickingClock(), log, pid: process.pid });
  let isOpen = true;
  const close = () => {
    if (isOpen) journal.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { ...journal, close };
}

/** An approved sale of 10.00, or what `overrides` make of it. */
export function transaction(overrides: Partial<TransactionRecord> = {}): TransactionRecord {
  return {
    transactionId: 'tx-1',
    terminalId,
    merchantId: 'M1',
    actor: 'pos:till',
    clientId: 'client-1',
    type: 'SALE',
    mode: 'ORCHESTRATED',
    state: 'APPROVED',
    revision: 1,
    amountMinor: 1000,
    tipAmountMinor: 0,
    cashbackAmountMinor: 0,
    currency: 'EUR',
    businessDate: '2026-11-27',
    batchNumber: 1,
    createdAt: '2026-11-27T09:00:00.000Z',
    updatedAt: '2026-11-27T09:00:00.000Z',
    recoveryMark: {},
    card: {},
    receipts: [],
    outcome: outcomeOf(overrides.state ?? 'APPROVED'),
    evidence: [],
    simulated: false,
    ...overrides,
  };
}

function outcomeOf(state: TransactionRecord['state']): TransactionRecord['outcome'] {
  const charged = state === 'APPROVED' ? 'YES' : state === 'DECLINED' || state === 'CANCELLED' ? 'NO' : 'UNKNOWN';
  return { charged, safeToRetry: charged === 'NO', evidence: 'test' };
}

/** What became unknown: ERROR with OUTCOME_UNKNOWN. */
export function unknownOutcome(overrides: Partial<TransactionRecord> = {}): TransactionRecord {
  return transaction({ state: 'ERROR', errorCode: 'OUTCOME_UNKNOWN', ...overrides });
}

export function task(overrides: Partial<RecoveryTask> = {}): RecoveryTask {
  return {
    taskId: 'task-1',
    terminalId,
    subject: { kind: 'TRANSACTION', id: 'tx-1' },
    state: 'ASKING',
    revision: 1,
    reason: 'the line was lost',
    attempts: 0,
    openedAt: '2026-11-27T09:00:00.000Z',
    updatedAt: '2026-11-27T09:00:00.000Z',
    evidence: [],
    ...overrides,
  };
}

export function settlement(
  overrides: {
    readonly id?: string;
    readonly batchNumber?: number;
    readonly closedAt?: string;
    readonly terminalId?: string;
  } = {},
): Omit<SettlementRecord, 'journalHead'> {
  return {
    settlement: {
      id: overrides.id ?? 'settlement-1',
      closedAt: overrides.closedAt ?? '2026-11-27T20:00:00.000Z',
      status: 'SETTLED',
      currency: 'EUR',
      saleCount: 0,
      saleAmount: 0,
      refundCount: 0,
      refundAmount: 0,
      voidCount: 0,
      voidAmount: 0,
      netAmount: 0,
      merchantId: 'M1',
      terminalId: overrides.terminalId ?? terminalId,
      acquirerBatchRef: 'batch-ref',
    },
    batchNumber: overrides.batchNumber ?? 1,
    businessDate: '2026-11-27',
    preAuthCount: 0,
    preAuthAmount: 0,
  };
}

/** The error that `work` throws; fails when it throws none. */
export function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
