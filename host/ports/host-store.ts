import type { PairingExpectation } from '../../app/contract/host/pairing.ts';
import type { Payment, PaymentStatus, PaymentType } from '../../app/contract/host/payment.ts';
import type { SessionDeviceEvent, SessionStatus } from '../../app/contract/host/payment-session.ts';
import type { SettlementExportRow } from '../../app/contract/host/settlement-export.ts';
import type { TerminalTipConfigRequest } from '../../app/contract/host/tip-config.ts';
import type { SettlementStatus } from '../../app/contract/settlements.ts';
import type { BusinessDayRule } from '../../app/domain/business-day.ts';
import type { PaymentTrigger } from '../../app/domain/payment.machine.ts';
import type { MoneyEvent } from '../../app/domain/posting.ts';
import type {
  AcquirerAnswerRecord,
  AcquirerMessage,
  ApiKeyRecord,
  BatchCloseRecord,
  BatchTotals,
  CloudCallRecord,
  CloudCallRef,
  EntryRecord,
  IdempotencyRecord,
  IdempotencyRef,
  Lease,
  LinkLease,
  MerchantRecord,
  NewIdempotency,
  NewPayment,
  PairingCode,
  PaymentOperation,
  PaymentRecord,
  PosClientRecord,
  RecoveryTaskRecord,
  ReversalRecord,
  SessionEventRecord,
  SessionRecord,
  SessionTicketRecord,
  SettlementRecord,
  StoredAcquirerMessage,
  StoredAnswer,
  TerminalRecord,
  TerminalState,
  TipConfigRecord,
} from './host-records.ts';

/** Which terminal of which merchant. */
export interface TerminalRef {
  readonly merchantId: string;
  readonly terminalId: string;
}

export interface PaymentRef {
  readonly merchantId: string;
  readonly paymentId: string;
}

interface SessionRef {
  readonly merchantId: string;
  readonly sessionId: string;
}

interface SettlementRef {
  readonly merchantId: string;
  readonly settlementId: string;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Cursor of the next page; null at the end. */
  readonly nextCursor: string | null;
}

/** Bounds of a page; `fromMs` is included, `toMs` is not. */
interface PageRequest {
  readonly cursor?: string;
  readonly limit: number;
  readonly fromMs?: number;
  readonly toMs?: number;
}

export interface PaymentFilter extends PageRequest {
  readonly merchantId: string;
  readonly referenceId?: string;
  readonly status?: PaymentStatus;
  readonly type?: PaymentType;
  readonly acceptanceChannel?: Payment['acceptanceChannel'];
  readonly terminalId?: string;
  readonly settlementId?: string;
  readonly originalTransactionId?: string;
}

export interface SettlementFilter extends PageRequest {
  readonly merchantId: string;
  readonly terminalId?: string;
  readonly currency?: string;
}

/** Reads. Each sees what was committed before it began. @throws StoreUnavailable from every one */
export interface HostReader {
  findMerchant(merchantId: string): Promise<MerchantRecord | undefined>;
  listMerchants(): Promise<readonly MerchantRecord[]>;
  findTerminal(ref: TerminalRef): Promise<TerminalRecord | undefined>;
  /** Of a merchant, oldest first. */
  listTerminals(merchantId: string): Promise<readonly TerminalRecord[]>;
  /** The terminal that holds this device token, while it is PAIRED. */
  findTerminalByToken(tokenHash: string): Promise<TerminalRecord | undefined>;
  /** A key that is neither revoked nor past its end. */
  findKey(keyHash: string, nowMs: number): Promise<ApiKeyRecord | undefined>;
  listKeys(merchantId: string): Promise<readonly ApiKeyRecord[]>;
  /** Revoked ones included, oldest first. */
  listPosClients(merchantId: string): Promise<readonly PosClientRecord[]>;
  /** The client whose key has this hash, or had it before a rotation and still may; revoked ones are not found. */
  findPosClient(keyHash: string, nowMs: number): Promise<PosClientRecord | undefined>;
  findCloudCall(ref: CloudCallRef): Promise<CloudCallRecord | undefined>;
  /** The call that starts this transaction. */
  findCloudCallOf(merchantId: string, transactionId: string): Promise<CloudCallRecord | undefined>;
  /** Rises by one with each change of the list; 0 where there never was a client. */
  posClientsVersion(merchantId: string): Promise<number>;

  findPayment(ref: PaymentRef): Promise<PaymentRecord | undefined>;
  /** By the till's name for it. */
  findPaymentByName(ref: TerminalRef, transactionId: string): Promise<PaymentRecord | undefined>;
  /** Newest first. @throws BridgeError INVALID_REQUEST naming `cursor` or `limit` */
  listPayments(filter: PaymentFilter): Promise<Page<PaymentRecord>>;
  /** What keeps a batch from being closed: unknown outcomes, and sales that wait for their tip (decisions: Day close). Oldest first. */
  closeBlockers(ref: TerminalRef): Promise<readonly PaymentRecord[]>;
  /** Open pre-authorizations, oldest first; they carry over a close. */
  openPreAuths(ref: TerminalRef): Promise<readonly PaymentRecord[]>;
  /** Holds past their end that nobody works on, the longest lapsed first. */
  lapsedHolds(nowMs: number, limit: number): Promise<readonly PaymentRecord[]>;
  /** Payments that are PROCESSING, or about which the acquirer is being asked, and untouched since: those of a process that has died. The oldest first. */
  stalePayments(beforeMs: number, limit: number): Promise<readonly PaymentRecord[]>;

  /** Everything sent for a payment, oldest first. */
  listMessages(ref: PaymentRef): Promise<readonly StoredAcquirerMessage[]>;

  findIdempotency(ref: IdempotencyRef): Promise<IdempotencyRecord | undefined>;
  /** The keys under which a subject was asked for. */
  listIdempotencyOf(merchantId: string, subjectId: string): Promise<readonly IdempotencyRecord[]>;

  findSession(ref: SessionRef): Promise<SessionRecord | undefined>;
  /** By sequence. */
  listSessionEvents(ref: SessionRef): Promise<readonly SessionEventRecord[]>;
  /** The session that waits for a terminal, or is being worked on by it. */
  openSession(ref: TerminalRef): Promise<SessionRecord | undefined>;
  /** Open sessions that some deadline may have passed, the oldest first; overdueMove says which. */
  overdueSessions(nowMs: number, limit: number): Promise<readonly SessionRecord[]>;
  /** In RECOVERY_REQUIRED, and not cleared up by a person, of one merchant or of all; the oldest first. A verified final event ends it. */
  sessionsInRecovery(merchantId: string | undefined, limit: number): Promise<readonly SessionRecord[]>;
  countSessionsInRecovery(): Promise<number>;

  findReversal(ref: PaymentRef): Promise<ReversalRecord | undefined>;
  /** Unconfirmed reversals whose next try is due, the longest due first. */
  dueReversals(nowMs: number, limit: number): Promise<readonly ReversalRecord[]>;
  /** Unconfirmed reversals of a terminal: they leave before its next online authorization (decisions: recovery/reverse). */
  openReversals(ref: TerminalRef): Promise<readonly ReversalRecord[]>;

  findTipConfig(merchantId: string): Promise<TipConfigRecord | undefined>;

  /** Totals of the open batch, by SQL over the entries; app/domain/posting.ts is the reference. @throws BridgeError AMOUNT_TOO_LARGE */
  openTotals(ref: TerminalRef): Promise<BatchTotals>;
  /** What the terminal's till counts of its open day: all since its own last close, what the merchant's server has closed meanwhile included. */
  tillTotals(ref: TerminalRef): Promise<BatchTotals>;
  /** The newest close of the terminal by its till, with the number of the batch that it closed. */
  lastTillClose(ref: TerminalRef): Promise<{ readonly batchNumber: number; readonly closedAtMs: number } | undefined>;
  /** The entries of a batch, open or closed, in the order in which they were written; its totals are sums of them. */
  listEntries(ref: TerminalRef & { readonly batchNumber: number }): Promise<readonly EntryRecord[]>;
  findSettlement(merchantId: string, settlementId: string): Promise<SettlementRecord | undefined>;
  /** Newest first, by (closedAt, id). @throws BridgeError INVALID_REQUEST naming `cursor` or `limit` */
  listSettlements(filter: SettlementFilter): Promise<Page<SettlementRecord>>;
  /** The message by which the acquirer is told of a closed batch; undefined where there is nothing to tell. */
  findBatchClose(ref: SettlementRef): Promise<BatchCloseRecord | undefined>;
  /** Unanswered ones whose next try is due, the longest due first. */
  dueBatchCloses(nowMs: number, limit: number): Promise<readonly BatchCloseRecord[]>;
  /** Payments of a settlement for its export, oldest first. */
  settlementRows(settlement: SettlementRecord): Promise<readonly SettlementExportRow[]>;

  /** Reversals that were tried often and are not confirmed, of one merchant or of all, the oldest first. */
  reversalsForPerson(merchantId: string | undefined, limit: number): Promise<readonly ReversalRecord[]>;
  openTasks(merchantId: string | undefined, limit: number): Promise<readonly RecoveryTaskRecord[]>;
  /** Open tasks whose next try is due, the longest due first. */
  dueTasks(nowMs: number, limit: number): Promise<readonly RecoveryTaskRecord[]>;
  findTaskOf(ref: PaymentRef): Promise<RecoveryTaskRecord | undefined>;
  /** For the gauges that an alert watches: all that are open, and those that a person is asked about. */
  countOpenTasks(): Promise<{ readonly open: number; readonly forPerson: number }>;
  /** Reversals that nobody has confirmed, and those of them that a person is asked about. */
  countOpenReversals(): Promise<{ readonly open: number; readonly forPerson: number }>;
}

/** A change of a payment from exactly the state that was read. */
export interface PaymentMoveWrite {
  readonly from: Pick<PaymentRecord, 'terminalId' | 'revision'> & {
    readonly payment: Pick<
      Payment,
      | 'id'
      | 'merchantId'
      | 'status'
      | 'acceptanceChannel'
      | 'type'
      | 'createdAt'
      | 'originalTransactionId'
      | 'amountMinor'
    >;
  };
  readonly trigger: PaymentTrigger;
  /** As it is afterwards; id, merchant, type, channel, currency and creation stay. */
  readonly payment: Payment;
  /** What its money did; the entries of posting.ts are written with the move. */
  readonly events: readonly MoneyEvent[];
  readonly atMs: number;
}

export type InsertResult =
  | { readonly kind: 'INSERTED' }
  /** The id or the till's name is that of another payment. */
  | { readonly kind: 'NAME_TAKEN'; readonly paymentId: string }
  /** The session has had its one attempt, or is not in the hands of its terminal. */
  | { readonly kind: 'SESSION_TAKEN' }
  /** A refund that would pass what can be given back, or whose original is not captured, or is being worked on. */
  | { readonly kind: 'CEILING' };

/** An authorization before it is sent: payment, Idempotency-Key and message in one commit. */
export interface AuthorizationIntent {
  readonly payment: NewPayment;
  readonly trigger: PaymentTrigger;
  readonly idempotency: NewIdempotency;
  readonly message?: AcquirerMessage;
}

export type BeginResult = InsertResult | { readonly kind: 'KEY_TAKEN'; readonly found: IdempotencyRecord };

/** What became of it: move, entries, the message's answer and the stored first answer in one commit. */
export interface AuthorizationEnd {
  readonly move: PaymentMoveWrite;
  readonly message?: {
    readonly messageId: string;
    readonly sentAtMs: number;
    readonly answer: AcquirerAnswerRecord;
  };
  readonly answer?: { readonly ref: IdempotencyRef; readonly createdAtMs: number; readonly answer: StoredAnswer };
}

/** A move of a session: one conditional update from exactly the state that was read. */
export interface SessionMoveWrite {
  readonly from: Pick<SessionRecord, 'merchantId' | 'id' | 'status' | 'fence' | 'lastEventSequence'>;
  readonly to: SessionStatus;
  readonly atMs: number;
  readonly set?: Partial<
    Pick<
      SessionRecord,
      | 'claimToken'
      | 'paymentId'
      | 'failureCode'
      | 'finalAmountMinor'
      | 'tipAmountMinor'
      | 'claimedAtMs'
      | 'processingExpiresAtMs'
      | 'completedAtMs'
    >
  >;
}

export type PairingResult =
  | { readonly kind: 'PAIRED'; readonly terminal: TerminalRecord; readonly merchantName: string }
  | { readonly kind: 'INVALID' }
  /** Wrong too often: the code is dead. */
  | { readonly kind: 'LOCKED' }
  /** The code is right, and of another terminal than is expected; it stays as it was. */
  | { readonly kind: 'UNEXPECTED'; readonly field: keyof PairingExpectation };

/** What a till shows for a device token. */
export interface PairingProof {
  /** Finds the code; the hash of the whole proves it. */
  readonly selector: string;
  readonly codeHash: string;
  readonly expected: PairingExpectation;
}

export interface BatchClose extends TerminalRef {
  readonly settlementId: string;
  readonly businessDate: string;
  /** Of the close at the terminal's till, where that is another one. */
  readonly terminalBusinessDate?: string;
  /** Whose close it is: that of the terminal's till, or of the merchant's server. */
  readonly closedBy: 'TILL' | 'SERVER';
  /** What the totals make of it: PENDING, or PARTIAL with its differences. Called once nothing more can come into the batch; of a till with its `tillTotals`. */
  readonly judge: (totals: BatchTotals) => {
    readonly status: SettlementStatus;
    readonly differences: readonly string[];
  };
  readonly atMs: number;
}

/** What the acquirer has told of a closed batch. */
export interface AcquirerWord {
  readonly acquirerBatchRef?: string;
  readonly fundingDateMs?: number;
  /** Where its totals differ, added to what was found at the close. */
  readonly differences?: readonly string[];
}

export type CloseResult =
  | {
      readonly kind: 'CLOSED';
      readonly settlement: SettlementRecord;
      /** What was judged: the totals of the batch, or `tillTotals`. */
      readonly counted: BatchTotals;
    }
  | { readonly kind: 'BLOCKED'; readonly blockers: readonly PaymentRecord[] };

/** Where a call goes on to. */
type CloudCallMove =
  | { readonly state: 'ASSIGNED' | 'SENT'; readonly answer?: undefined }
  | { readonly state: 'ANSWERED'; readonly answer: StoredAnswer };

/** What one transaction does: all of it is committed, or nothing. Reads of a unit see its own writes. */
export interface HostUnit extends HostReader {
  addMerchant(merchant: MerchantRecord): Promise<void>;
  /** Without a business day: calendar days of UTC. */
  addTerminal(
    terminal: Omit<TerminalRecord, 'state' | 'batchNumber' | 'businessDay'> &
      Partial<Pick<TerminalRecord, 'businessDay'>>,
  ): Promise<void>;
  /** Business dates that are stored stay as they are. @returns false when there is no such terminal */
  setBusinessDay(ref: TerminalRef, businessDay: BusinessDayRule, atMs: number): Promise<boolean>;
  /** Revoking forgets the token. @returns false when there is no such terminal */
  setTerminalState(ref: TerminalRef, state: TerminalState, atMs: number): Promise<boolean>;
  /** Replaces the terminal's earlier code, and makes it PAIRING; its token, if it has one, works until the new one is given. */
  offerPairingCode(code: PairingCode, atMs: number): Promise<void>;
  /** Exchanges a code for a token: once, in time, and at most MAX_PAIRING_TRIES times wrong. */
  tryPairing(proof: PairingProof, tokenHash: string, atMs: number): Promise<PairingResult>;
  addKey(key: ApiKeyRecord): Promise<void>;
  /** Makes a client, or replaces name, keys and revocation of one that is there. */
  savePosClient(client: PosClientRecord): Promise<void>;
  /** Adds a call in SENT. @returns false when its key or its transactionId is taken */
  addCloudCall(call: Omit<CloudCallRecord, 'state' | 'answer'>): Promise<boolean>;
  /** @returns false when the call is not in `from` */
  moveCloudCall(ref: CloudCallRef, from: CloudCallRecord['state'], to: CloudCallMove): Promise<boolean>;
  /** Forgets a call that was sent and refused before anything came of it: its key is free again. */
  releaseCloudCall(ref: CloudCallRef): Promise<void>;
  /** @returns false when there is no such key that works */
  revokeKey(merchantId: string, keyId: string, atMs: number): Promise<boolean>;
  /** Adds `next` and lets the old key work until `oldUntilMs`. @returns false when there is no such key that works */
  rotateKey(oldKeyId: string, next: ApiKeyRecord, oldUntilMs: number): Promise<boolean>;

  /** Reads a payment and keeps others from changing it until the end of the unit. */
  lockPayment(ref: PaymentRef): Promise<PaymentRecord | undefined>;
  /** With `events` for one that has moved money already (a kernel's decision, a record). A refund reserves what it gives back. */
  insertPayment(
    payment: NewPayment,
    trigger: PaymentTrigger,
    events: readonly MoneyEvent[],
    atMs: number,
  ): Promise<InsertResult>;
  /** @returns false when the payment is not as it was read. @throws BridgeError ILLEGAL_STATE for a move that the machine does not have */
  movePayment(move: PaymentMoveWrite): Promise<boolean>;
  /** Marks that the acquirer is about to be asked; refunds are refused meanwhile, and every move ends it. @returns the payment with the mark; undefined when it is not as it was read, or is marked */
  beginOperation(from: PaymentRecord, operation: PaymentOperation, atMs: number): Promise<PaymentRecord | undefined>;
  /** Nothing was sent, or nothing came of it. */
  endOperation(ref: PaymentRef, operation: PaymentOperation, atMs: number): Promise<boolean>;

  addMessage(message: AcquirerMessage): Promise<void>;
  answerMessage(
    ref: PaymentRef & { readonly messageId: string; readonly sentAtMs: number },
    answer: AcquirerAnswerRecord,
    atMs: number,
  ): Promise<boolean>;

  /** @returns the earlier record when the key is taken */
  reserveIdempotency(entry: NewIdempotency): Promise<IdempotencyRecord | undefined>;
  /** Another goes on with an unanswered key whose lease has ended. @returns the new fence; undefined when somebody else was faster, or it is answered */
  takeOverIdempotency(found: IdempotencyRecord, leaseUntilMs: number, nowMs: number): Promise<number | undefined>;
  /** Keeps the first answer; a later one changes nothing. @returns what is kept */
  saveAnswer(ref: IdempotencyRef, answer: StoredAnswer): Promise<StoredAnswer | undefined>;
  /** Puts the truth in place of an unknown; that it may is the caller's (mayReplace). @returns false when the stored one is not `stored` */
  replaceAnswer(ref: IdempotencyRef, stored: StoredAnswer, next: StoredAnswer): Promise<boolean>;
  /** Forgets a key that was refused before anything was sent. */
  releaseIdempotency(ref: IdempotencyRef): Promise<void>;

  /** Reads a session and keeps others from changing it until the end of the unit. */
  lockSession(ref: SessionRef): Promise<SessionRecord | undefined>;
  /** @returns false when the terminal has an open session */
  addSession(session: SessionRecord): Promise<boolean>;
  /** Claim, cancel and expiry raise the fence: of several exactly one wins. @returns the session; undefined when it is not as it was read */
  moveSession(move: SessionMoveWrite): Promise<SessionRecord | undefined>;
  /** What a person has found out: it waits for nobody any more; its status stays. @returns false when it does not wait */
  resolveSession(ref: SessionRef, resolution: string, atMs: number): Promise<boolean>;
  /** The next event. @returns false when its number is not the next one */
  appendSessionEvent(ref: SessionRef, event: SessionDeviceEvent, atMs: number): Promise<boolean>;

  /** Stored before it is sent. @returns false when there is one */
  addReversal(reversal: Omit<ReversalRecord, 'state' | 'attempts' | 'confirmedAtMs'>): Promise<boolean>;
  /** Before a send: the attempt is counted and the next one put off, unless another has done so. @returns undefined then */
  claimReversalAttempt(found: ReversalRecord, nowMs: number): Promise<ReversalRecord | undefined>;
  confirmReversal(ref: PaymentRef, atMs: number): Promise<boolean>;
  /** One that was confirmed is repeated: an approval came after it. @returns false when there is none that is confirmed */
  reopenReversal(ref: PaymentRef, nowMs: number): Promise<boolean>;

  /** Replaces the configuration; the version rises by one, unless nothing changes. */
  saveTipConfig(merchantId: string, config: TerminalTipConfigRequest, atMs: number): Promise<TipConfigRecord>;

  /** Closes the open batch: totals are frozen, the next batch opens. */
  closeBatch(close: BatchClose): Promise<CloseResult>;
  /** @throws BridgeError ILLEGAL_STATE for a move that settlement.machine.ts does not have */
  moveSettlement(from: SettlementRecord, to: SettlementStatus, set: AcquirerWord): Promise<boolean>;
  /** Keeps what the acquirer has told, whatever the status. @returns false when the settlement is not as it was read */
  noteSettlement(from: SettlementRecord, set: AcquirerWord): Promise<boolean>;
  /** Stored with the close, before the message leaves. */
  addBatchClose(close: Omit<BatchCloseRecord, 'answeredAtMs'>): Promise<void>;
  /** Before a repeat: the try is counted and the next one put off, unless another has done so. @returns undefined then */
  claimBatchCloseAttempt(found: BatchCloseRecord, nextAtMs: number): Promise<BatchCloseRecord | undefined>;
  /** @returns false when it was answered before */
  answerBatchClose(ref: SettlementRef, atMs: number): Promise<boolean>;

  /** @returns false when the payment has an open task */
  openTask(task: Omit<RecoveryTaskRecord, 'state' | 'attempts' | 'resolvedAtMs' | 'resolution'>): Promise<boolean>;
  /** Before a try: it is counted and the next one put off, unless another has done so. @returns undefined then */
  claimTaskAttempt(found: RecoveryTaskRecord, nowMs: number): Promise<RecoveryTaskRecord | undefined>;
  resolveTask(ref: PaymentRef, resolution: string, atMs: number): Promise<boolean>;
}

/** Whose authorization is about to begin, under which key. */
export interface GroundRef extends TerminalRef, IdempotencyRef {}

/** What every authorization must know before it begins. */
export interface AuthorizationGround {
  readonly isKeyTaken: boolean;
  /** Whether reversals of the terminal wait: they leave before its next online authorization (decisions: recovery/reverse). */
  readonly hasOpenReversals: boolean;
  readonly tips?: TipConfigRecord;
}

export interface TransactOptions {
  /** True for work that must not run twice: it is then not repeated after a deadlock or a serialization failure. */
  readonly once?: boolean;
}

/** The host's store; one per process, several processes on one database. */
export interface HostStore {
  readonly read: HostReader;
  /**
   * Runs `work` in one transaction; what it throws rolls back. Work that sees a deadlock is run again, so it sends nothing.
   * @throws StoreUnavailable; `mayHaveCommitted` says that the commit itself got no answer
   */
  transact<T>(work: (unit: HostUnit) => Promise<T>, options?: TransactOptions): Promise<T>;
  /** One read of all that an authorization must know first; several at the same time may share it, and nothing is kept for a later one. */
  authorizationGround(ref: GroundRef): Promise<AuthorizationGround>;
  /** Stores an authorization before it is sent; several at the same time may share one commit. */
  beginAuthorization(intent: AuthorizationIntent): Promise<BeginResult>;
  /** Stores what became of it. @returns false when the payment is not as it was read */
  endAuthorization(end: AuthorizationEnd): Promise<boolean>;
  /** The next system trace audit number of a terminal at an acquirer: 1 to 999,999 and on from 1; processes draw from blocks of their own. */
  nextStan(ref: TerminalRef & { readonly acquirer: string }): Promise<number>;
  /** Takes or extends a job's lease. @returns undefined while another holds it */
  acquireLease(name: string, owner: string, nowMs: number, untilMs: number): Promise<Lease | undefined>;
  releaseLease(lease: Lease): Promise<void>;
  /** Whoever links last has the terminal: each taking raises the fence, and the lease before it is over. @returns the fence */
  takeLink(terminal: TerminalRef, node: string, lifeMs: number): Promise<number>;
  /** Prolongs what a node still holds. @returns those leases; one that is missing belongs to another node */
  renewLinks(node: string, lifeMs: number): Promise<readonly LinkLease[]>;
  /** Ends a lease, unless another took it. */
  releaseLink(lease: LinkLease): Promise<void>;
  /** The lease in force by the store's clock, and that clock. */
  findLink(terminal: TerminalRef): Promise<(LinkLease & { readonly readAtMs: number }) | undefined>;
  /** That a node is heard by others, for so long by the store's clock; 0 when it is no more. */
  noteNode(node: string, lifeMs: number): Promise<void>;
  /** Whether other nodes than this one are heard by others. */
  isAnotherNodeHeard(node: string): Promise<boolean>;
  /** Keeps a ticket for so long by the store's clock. @returns when it lapses; undefined while about `maxWaiting` of the client wait */
  addSessionTicket(
    ticket: SessionTicketRecord,
    bounds: { readonly lifeMs: number; readonly maxWaiting: number },
  ): Promise<number | undefined>;
  /** Takes a ticket away: of several that use it at the same time one gets it. @returns the hash of the key that drew it */
  takeSessionTicket(ticketHash: string): Promise<string | undefined>;
  /** Fingerprint of the secret that all processes on this database share: the first to ask sets it. @returns what is kept */
  claimSecret(fingerprint: string, nowMs: number): Promise<string>;
  /** What grows by the month is made ready ahead (PostgreSQL), and what is no longer needed is forgotten. */
  maintain(nowMs: number): Promise<void>;
  /** Whether the database answers. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
}
