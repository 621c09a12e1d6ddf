import type { TransactionEvent } from '../contract/session.ts';
import type { Settlement, TransactionTotals } from '../contract/settlements.ts';
import type { TransactionType } from '../contract/transactions.ts';
import type { BatchEvidence } from '../domain/batch-differences.ts';
import type { BatchGroup } from '../domain/breakdown.ts';
import type { CashCount } from '../domain/cash-count.ts';
import type { ScheduledCloseRecord } from '../domain/close-schedule.ts';
import type { DaySuspect, UntoldPayment } from '../domain/day-suspects.ts';
import type { PrintJob, ReceiptCopy } from '../domain/print-job.ts';
import type {
  DayCloseRecord,
  IdempotencyEntry,
  JournalHead,
  PosClient,
  RecoveryTask,
  SettlementRecord,
} from '../domain/records.ts';
import type { AuditEntry, ConsoleSession, StaffMember } from '../domain/staff.ts';
import type { SchemeTotals } from '../domain/totals.ts';
import type { TransactionRecord, TransactionState } from '../domain/transaction.ts';
import type { KeptAccount } from './kept-account.ts';
import type { OutboxItem, OutboxKind } from './outbox.ts';
import type { ClaimedSession } from './payment-sessions.ts';

/** A page of a list and where the next one starts. Every row appears on exactly one page, whatever is inserted meanwhile. */
export interface Page<T> {
  readonly rows: readonly T[];
  /** Opaque; null on the last page. */
  readonly nextCursor: string | null;
}

export interface TransactionFilter {
  readonly terminalId?: string;
  readonly referenceId?: string;
  readonly states?: readonly TransactionState[];
  readonly type?: TransactionType;
  /** createdAt on or after / before, ISO 8601 UTC. */
  readonly from?: string;
  readonly to?: string;
  readonly cursor?: string;
  readonly limit: number;
}

/** What the console searches for. `match` is met by any of its parts; the other conditions are joined by and. */
export interface ActivityFilter extends Omit<TransactionFilter, 'terminalId' | 'referenceId'> {
  /** Who began it, without an approver: `console:Anna`, `pos:till one`. */
  readonly startedBy?: string;
  readonly match?: {
    /** Totals (tip and cash-back included) as the typed amount reads in each currency. */
    readonly amounts: readonly { readonly totalMinor: number; readonly currency: string }[];
    readonly lastFour?: string;
    /** How the reference begins. */
    readonly prefix: string;
    /** How the transactionId begins. */
    readonly idPrefix?: string;
  };
}

/** A transaction of the console's list, and the actor of its first row. */
export interface ActivityEntry {
  readonly record: TransactionRecord;
  readonly startedBy: string;
}

/** Two charged sales of one client, terminal and reference within 24 hours, neither of them taken back. */
export interface DuplicateSale {
  readonly transactionId: string;
  readonly earlierTransactionId: string;
}

export interface SettlementFilter {
  readonly terminalId?: string;
  readonly from?: string;
  readonly to?: string;
  readonly currency?: string;
  readonly cursor?: string;
  readonly limit: number;
}

/** The closes of one business day in one currency. */
export interface SettledDay {
  readonly businessDate: string;
  readonly currency: string;
  readonly closes: number;
  readonly saleCount: number;
  readonly netAmount: number;
}

/** What acts on a transaction: approved, or still possible (INTENT, PROVISIONAL, unknown). */
export interface Dependents {
  /** Sum of the approved and the unresolved refunds, minor units. */
  readonly refundedMinor: number;
  readonly refundCount: number;
  readonly voidedBy?: TransactionRecord;
  readonly completedBy?: TransactionRecord;
}

/** Read access to the journal. All reads see committed rows; inside `commit` they also see the unit's own writes. */
export interface JournalReader {
  findTransaction(transactionId: string): TransactionRecord | undefined;
  /** Newest first. Malformed cursor: BridgeError INVALID_REQUEST naming `cursor`. */
  listTransactions(filter: TransactionFilter): Page<TransactionRecord>;
  /** INTENT, PROVISIONAL or PENDING_ONLINE; at most one per terminal. */
  currentTransaction(terminalId: string): TransactionRecord | undefined;
  lastTransaction(terminalId: string): TransactionRecord | undefined;
  /** All that a crash left open, over all terminals. */
  openTransactions(): readonly TransactionRecord[];
  /** Refunds, void and completion that act on this transaction and are approved or not resolved. */
  dependentsOf(transactionId: string): Dependents;
  /** The newest transaction with this referenceId of the client since `sinceIso`, whatever its state; and whether any of them is unknown. */
  sameReference(
    clientId: string,
    terminalId: string,
    referenceId: string,
    sinceIso: string,
  ): { newest: TransactionRecord; unknown?: TransactionRecord } | undefined;

  /** Newest first. Malformed cursor: BridgeError INVALID_REQUEST naming `cursor`. */
  searchTransactions(filter: ActivityFilter): Page<ActivityEntry>;
  /** The actor who began the transaction. */
  startedBy(transactionId: string): string | undefined;
  /** Everybody who ever began a transaction, without approvers: `console:Anna`, `pos:till one`. @param limit most of them */
  starters(limit: number): readonly string[];
  /** Newest first, by the later sale. */
  duplicateSales(sinceIso: string, limit: number): readonly DuplicateSale[];

  findSettlementOfBatch(terminalId: string, batchNumber: number): SettlementRecord | undefined;
  findSettlement(settlementId: string): SettlementRecord | undefined;
  /** Newest first by (closedAt, id). */
  listSettlements(filter: SettlementFilter): Page<Settlement>;
  openBatchNumber(terminalId: string): number;
  /** Totals of one batch by the rules of decisions: Totals; preAuth* are the pre-authorizations open now, whatever their batch. */
  totals(terminalId: string, batchNumber: number, currency: string): TransactionTotals;
  /** Net count and sum per card scheme of one batch, for the comparison with the terminal's own figures (decisions: Day close). */
  schemeTotals(terminalId: string, batchNumber: number, currency: string): readonly SchemeTotals[];
  /** What a batch counts, by who began it and by kind; for X and Z reports. */
  batchGroups(terminalId: string, batchNumber: number, currency: string): readonly BatchGroup[];
  /** Payments that may explain differences of these amounts, in the batch and its neighbours; newest first, the oldest of very many left out. */
  batchEvidence(
    terminalId: string,
    batchNumber: number,
    currency: string,
    amountsMinor: readonly number[],
  ): readonly BatchEvidence[];
  /** Payments that often explain why a terminal counts a batch otherwise: with tips, found out late, voided, and open holds. */
  daySuspects(terminalId: string, batchNumber: number, currency: string): readonly DaySuspect[];
  /** Paid payments and voids of a batch, of which the host was not told all. */
  untoldPayments(terminalId: string, batchNumber: number, currency: string): readonly UntoldPayment[];
  /** Sums of the closes by business day, newest first; `from` and `to` (excluded) of their time, ISO 8601 UTC. */
  settledDays(filter: { readonly from: string; readonly to: string; readonly limit: number }): readonly SettledDay[];
  /** What was counted in the drawer for a batch, oldest first. */
  cashCounts(terminalId: string, batchNumber: number): readonly CashCount[];
  /** How far the newest scheduled close of a terminal has come. */
  scheduledClose(terminalId: string): ScheduledCloseRecord | undefined;
  openPreAuths(terminalId: string): readonly TransactionRecord[];
  /** Approved sales that our host holds and has not captured, without those that are void, oldest first. */
  uncapturedSales(terminalId: string): readonly TransactionRecord[];
  openDayCloses(): readonly DayCloseRecord[];
  findDayClose(dayCloseId: string): DayCloseRecord | undefined;
  /** The newest close of a batch: the one that closed it, once it is closed. */
  findDayCloseOfBatch(terminalId: string, batchNumber: number): DayCloseRecord | undefined;

  findTask(taskId: string): RecoveryTask | undefined;
  findTaskOf(subjectId: string): RecoveryTask | undefined;
  openTasks(terminalId?: string): readonly RecoveryTask[];

  findIdempotency(scope: string, key: string): IdempotencyEntry | undefined;
  /** Events of the terminals after a sequence, oldest first. */
  eventsAfter(terminalId: string, sequence: number, limit: number): readonly TransactionEvent[];
  /** Sequence of the terminal's last event before a time; 0, or one below the first kept event, when there is none. */
  lastEventBefore(terminalId: string, beforeIso: string): number;
  listClients(): readonly PosClient[];
  /** By its key, or by the one before a rotation: whether that still works is the caller's to judge. */
  findClientByKeyHash(keyHash: string): PosClient | undefined;
  /** Client → when it called last, ISO 8601; kept coarsely. */
  clientUses(): ReadonlyMap<string, string>;
  head(): JournalHead;
  setting(name: string): string | undefined;
  /** Everybody, those who left included, oldest first. */
  listStaff(): readonly StaffMember[];
  findStaff(staffId: string): StaffMember | undefined;
  /** The browsers that were let in, longest untouched first. */
  listConsoleSessions(): readonly ConsoleSession[];
  /** Prints that wait for a printer or for a person, oldest first. */
  openPrintJobs(limit: number): readonly PrintJob[];
  findPrintJob(jobId: string): PrintJob | undefined;
  /** Whether this copy may be on paper already. */
  wasReceiptPrinted(transactionId: string, copy: ReceiptCopy): boolean;
  findOutboxItem(transactionId: string, kind: OutboxKind): OutboxItem | undefined;
  /** The encrypted account of a sale that waits for its authorization. */
  findKeptAccount(transactionId: string): KeptAccount | undefined;
  /** What is owed to the host and not taken yet, in the order in which it came. */
  openOutboxItems(): readonly OutboxItem[];
  /** Claimed payment sessions that are not over, oldest first. */
  openPaymentSessions(): readonly ClaimedSession[];
  /** Whatever became of them, the latest first. */
  latestPaymentSessions(limit: number): readonly ClaimedSession[];
}

/** The writes of one commit. Transactions, tasks, day closes and settlements also become hash-chained journal rows. */
export interface JournalUnit extends JournalReader {
  /** Insert (revision 1) or next revision; a wrong revision throws (a lost update is a defect, not a merge). */
  saveTransaction(record: TransactionRecord): void;
  saveTask(task: RecoveryTask): void;
  saveDayClose(record: DayCloseRecord): void;
  /** Closes the batch: the settlement is frozen and the terminal's next batch opens. */
  saveSettlement(record: Omit<SettlementRecord, 'journalHead'>): SettlementRecord;
  /** Throws when the key is taken: look first, in the same unit. */
  reserveIdempotency(entry: IdempotencyEntry): void;
  /** Stores or replaces the answer of every entry of this subject. `replaceOnlyUnknown` rules are the caller's. */
  saveAnswer(subjectId: string, answer: { statusCode: number; body: string }): void;
  /** Forgets the entries of a subject that was refused before anything was sent. */
  releaseIdempotency(subjectId: string): void;
  /** Drops answered entries created before `beforeIso` whose subject is resolved and settled. */
  expireIdempotency(beforeIso: string): number;
  appendEvents(events: readonly TransactionEvent[]): void;
  /** Drops the oldest events of a terminal up to the first one at or after `beforeIso`; the newest stay whatever their age. Returns how many. */
  pruneEvents(terminalId: string, beforeIso: string): number;
  saveClient(client: PosClient): void;
  saveClientUse(clientId: string, usedAt: string): void;
  saveSetting(name: string, value: string): void;
  saveStaff(member: StaffMember): void;
  appendAudit(entry: AuditEntry): void;
  appendCashCount(count: CashCount): void;
  saveScheduledClose(record: ScheduledCloseRecord): void;
  saveConsoleSession(session: ConsoleSession): void;
  forgetConsoleSession(sessionId: string): void;
  /** Insert, or the job's new state. */
  savePrintJob(job: PrintJob): void;
  /** Insert, or the item's new state; its key and request never change. An item that waits no longer has no account either. */
  saveOutboxItem(item: OutboxItem): void;
  /** Keeps the encrypted account of a sale until its outbox item waits no longer. */
  keepAccount(transactionId: string, account: KeptAccount): void;
  /** What the host refused for good of a transaction has been cleared up. */
  settleOutbox(transactionId: string, nowIso: string): void;
  /** Insert, or what has become of the session. */
  savePaymentSession(session: ClaimedSession): void;
}

/**
 * The till's journal. `commit` runs `work` in one database transaction (BEGIN IMMEDIATE, synchronous=FULL): when it returns, everything is on
 * disk; when it throws, nothing is. Synchronous on purpose: no other code runs between check and reservation.
 * @throws BridgeError JOURNAL_UNAVAILABLE when the database refuses (full, read-only, failing disk); errors thrown by `work` pass through.
 */
export interface Journal extends JournalReader {
  commit<T>(work: (unit: JournalUnit) => T): T;
  /** First number of a durably reserved block of event sequence numbers (decisions: Events). */
  reserveEventBlock(terminalId: string, size: number): number;
  /**
   * Moves the write-ahead log into the database, where what was deleted is overwritten, and empties it: no copy of a deleted row is left in the files.
   * @returns false while something else reads the database: nothing is lost, and it is to be called again
   */
  eraseTraces(): boolean;
  close(): void;
}
