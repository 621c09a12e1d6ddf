import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_RETENTION_DAYS } from '../contract/limits.ts';
import type { JournalHead } from '../domain/records.ts';
import type { Clock } from '../ports/clock.ts';
import type { Journal, JournalReader, JournalUnit } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';
import { createActivityReader } from './activity.store.ts';
import { type Anchor, openAnchor, readAnchor } from './anchor.ts';
import { createBatchReader } from './batches.store.ts';
import { createCashCountReader, createCashCountWriter } from './cash-counts.store.ts';
import { chainHash, GENESIS } from './chain.ts';
import { createConsoleSessionReader, createConsoleSessionWriter } from './console-sessions.store.ts';
import { lockDataDir } from './data-dir-lock.ts';
import { type JournalDatabase, openDatabase, type ReadHandle } from './database.ts';
import { createDayCloseReader, createDayCloseWriter } from './day-closes.store.ts';
import { createDaySuspectReader } from './day-suspects.store.ts';
import { createEventReader, createEventWriter, pruneAllEvents, reserveEventBlock } from './events.store.ts';
import { journalUnavailable } from './failures.ts';
import { missingRows } from './finding.ts';
import { createIdempotencyReader, createIdempotencyWriter } from './idempotency.store.ts';
import { createJournalWriter, hashAt, newestEntry } from './journal-rows.store.ts';
import { migrate } from './migrate.ts';
import { createOutboxReader, createOutboxWriter } from './outbox.store.ts';
import { createPaymentSessionReader, createPaymentSessionWriter } from './payment-sessions.store.ts';
import { createClientReader, createClientWriter } from './pos-clients.store.ts';
import { createPrintJobReader, createPrintJobWriter } from './print-jobs.store.ts';
import { createTaskReader, createTaskWriter } from './recovery-tasks.store.ts';
import { createScheduledCloseReader, createScheduledCloseWriter } from './scheduled-closes.store.ts';
import { createSettingReader, createSettingWriter } from './settings.store.ts';
import { createSettlementReader, createSettlementWriter } from './settlements.store.ts';
import { createStaffReader, createStaffWriter } from './staff.store.ts';
import { createTotalsReader } from './totals.store.ts';
import { createTransactionReader, createTransactionWriter } from './transactions.store.ts';

/** Name of the journal's database in the data folder. */
export const journalFileName = 'journal.db';
const dayMs = 86_400_000;

export interface JournalOptions {
  /** Made when it is not there. */
  readonly dataDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The till's process, named to a second till that finds the folder taken. */
  readonly pid: number;
}

/**
 * Opens the till's journal, alone: one till per data folder.
 * @throws BridgeError JOURNAL_UNAVAILABLE when the folder cannot be written, another till holds it, a newer program has written it, or rows are
 * missing that the anchor names.
 */
export function createJournal(options: JournalOptions): Journal {
  const { dataDir, log } = options;
  const lock = lockDataDir(dataDir, options.pid);
  let failure: string | undefined;
  try {
    const database = openDatabase(join(dataDir, journalFileName), (error) => {
      failure ??= error instanceof Error ? error.message : 'unknown';
      log.error('the journal has failed and takes nothing more until the till is started again', { reason: failure });
    });
    try {
      migrate(database);
      const head = openHead(database);
      requireAnchored(dataDir, database, head, log);
      const old = new Date(options.clock.nowMs() - EVENT_RETENTION_DAYS * dayMs).toISOString();
      database.transaction(() => pruneAllEvents(database, old));
      const parts = {
        database,
        anchor: openAnchor(dataDir, head),
        head,
        failure: () => failure,
        release: lock.release,
      };
      return assemble(parts, options);
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

interface Parts {
  readonly database: JournalDatabase;
  readonly anchor: Anchor;
  readonly head: JournalHead;
  failure(): string | undefined;
  release(): void;
}

function assemble(
  { database, anchor, head: openedAt, failure, release }: Parts,
  { clock, log }: JournalOptions,
): Journal {
  const now = () => new Date(clock.nowMs()).toISOString();
  const rows = createJournalWriter(database, openedAt, now);
  const reader: JournalReader = { ...createReader(database), head: rows.head };
  const transactions = createTransactionReader(database);
  const unit: JournalUnit = {
    ...reader,
    ...createTransactionWriter(transactions, rows),
    ...createTaskWriter(rows),
    ...createDayCloseWriter(rows),
    ...createSettlementWriter(database, rows),
    ...createIdempotencyWriter(database),
    ...createEventWriter(database),
    ...createClientWriter(database),
    ...createSettingWriter(database),
    ...createStaffWriter(database),
    ...createConsoleSessionWriter(database),
    ...createCashCountWriter(database),
    ...createScheduledCloseWriter(database),
    ...createPrintJobWriter(database),
    ...createOutboxWriter(database),
    ...createPaymentSessionWriter(database),
  };
  let isCommitting = false;

  /** One database transaction at a time, none after a fatal failure. */
  function exclusively<T>(work: () => T): T {
    if (isCommitting) throw new Error('a commit cannot begin inside another one');
    const reason = failure();
    if (reason !== undefined) throw journalUnavailable(`it failed before (${reason}); start the till again`);
    isCommitting = true;
    try {
      return database.transaction(() => {
        const result = work();
        if (result instanceof Promise) throw new Error('the work of a commit must be synchronous');
        // A failure that the work has swallowed must not be committed.
        const broken = failure();
        if (broken !== undefined) throw journalUnavailable(broken);
        return result;
      });
    } finally {
      isCommitting = false;
    }
  }

  function anchorHead(): void {
    try {
      anchor.write(rows.head());
    } catch (error) {
      // The rows are on disk; the anchor only lags.
      log.error('journal.head cannot be written', { reason: error instanceof Error ? error.message : 'unknown' });
    }
  }

  return {
    ...reader,
    commit(work) {
      const before = rows.head();
      let result: ReturnType<typeof work>;
      try {
        result = exclusively(() => work(unit));
      } catch (error) {
        rows.rewind(before);
        throw error;
      }
      if (rows.head() !== before) anchorHead();
      return result;
    },
    reserveEventBlock: (terminalId, size) => exclusively(() => reserveEventBlock(database, terminalId, size)),
    eraseTraces() {
      if (isCommitting) throw new Error('traces cannot be erased inside a commit');
      return database.emptyLog();
    },
    close() {
      anchor.close();
      database.close();
      release();
    },
  };
}

function createReader(handle: ReadHandle): Omit<JournalReader, 'head'> {
  return {
    ...createTransactionReader(handle),
    ...createTaskReader(handle),
    ...createDayCloseReader(handle),
    ...createSettlementReader(handle),
    ...createTotalsReader(handle),
    ...createIdempotencyReader(handle),
    ...createEventReader(handle),
    ...createClientReader(handle),
    ...createSettingReader(handle),
    ...createStaffReader(handle),
    ...createConsoleSessionReader(handle),
    ...createPrintJobReader(handle),
    ...createOutboxReader(handle),
    ...createPaymentSessionReader(handle),
    ...createActivityReader(handle),
    ...createDaySuspectReader(handle),
    ...createBatchReader(handle),
    ...createCashCountReader(handle),
    ...createScheduledCloseReader(handle),
  };
}

/** The head to go on from. @throws BridgeError JOURNAL_UNAVAILABLE when the newest row does not bear its own hash. */
function openHead(handle: ReadHandle): JournalHead {
  const newest = newestEntry(handle);
  if (newest === undefined) return GENESIS;
  if (chainHash(newest.prevHash, newest) !== newest.hash) {
    throw journalUnavailable(`row ${newest.seq} was changed; run verify-journal`);
  }
  return { sequence: newest.seq, hash: newest.hash };
}

/**
 * The anchor never leads: rows that it names and the database lacks are lost (a damaged log, a file put back). A till must not go on as if they had
 * never been, or it might charge again what they hold.
 */
function requireAnchored(dataDir: string, handle: ReadHandle, head: JournalHead, log: Log): void {
  const anchor = readAnchor(dataDir);
  if (anchor === undefined || anchor === 'damaged') {
    if (head.sequence > 0) log.warn('journal.head is missing or damaged and is made anew', { sequence: head.sequence });
    return;
  }
  if (hashAt(handle, anchor.sequence) === anchor.hash) return;
  const kept = keepLog(dataDir);
  const missing =
    anchor.sequence > head.sequence
      ? missingRows(head.sequence + 1, anchor.sequence)
      : `row ${anchor.sequence} is not the one that was written`;
  throw journalUnavailable(
    `${missing} (journal.head knows better)${kept}; run verify-journal, restore the folder, or move journal.head away to go on without them`,
  );
}

/** SQLite removes its log when it closes the database; what a damaged one still holds is kept for whoever looks into the loss. */
function keepLog(dataDir: string): string {
  const log = join(dataDir, `${journalFileName}-wal`);
  if (!existsSync(log)) return '';
  copyFileSync(log, `${log}.kept`);
  return `; its log is kept as ${journalFileName}-wal.kept`;
}
