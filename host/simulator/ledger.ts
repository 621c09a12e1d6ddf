import type { StoredEntry } from './entries.ts';
import type {
  AuthorizeRequest,
  BookedRequest,
  CloseBatchRequest,
  FollowUpRequest,
  SimulatorReply,
  Totals,
} from './protocol.ts';

/** What stands of an authorization or a refund. RELEASED: a hold that was voided. */
type TransactionState = 'HELD' | 'CAPTURED' | 'RELEASED' | 'VOIDED' | 'REVERSED' | 'DECLINED';

/** A payment or refund with everything that later messages made of it. */
export interface Transaction {
  /** of its AUTHORIZE or REFUND message */
  readonly reference: string;
  readonly merchantId: string;
  readonly terminalId: string;
  readonly currencyCode: string;
  readonly operation: AuthorizeRequest['operation'];
  readonly state: TransactionState;
  readonly responseCode: string;
  readonly authorizationCode?: string;
  readonly rrn: string;
  /** what is held, or was when it was captured */
  readonly heldMinor: number;
  /** what was charged, or given back by a refund; stays when it is voided */
  readonly capturedMinor: number;
  readonly cashbackMinor: number;
  /** refunds of it that stand */
  readonly refundedMinor: number;
  /** number of the batch in which it was captured */
  readonly batch?: number;
  /** the payment that a refund gives back */
  readonly originalReference?: string;
  /** the message that acted on it last */
  readonly lastAct: string;
}

/** A message that changed a transaction, and how it was before. */
interface Act {
  readonly transactionReference: string;
  readonly before: Transaction;
}

interface ClosedBatch {
  readonly merchantId: string;
  readonly terminalId: string;
  readonly currencyCode: string;
  readonly batch: number;
  readonly totals: Totals;
  readonly isAgreed: boolean;
  readonly batchReference: string;
}

interface Message {
  readonly request: BookedRequest;
  readonly reply: SimulatorReply;
}

/** One merchant's terminal in one currency. */
export interface Lane {
  readonly merchantId: string;
  readonly terminalId: string;
  readonly currencyCode: string;
}

export interface LedgerView {
  message(reference: string): Message | undefined;
  transaction(reference: string): Transaction | undefined;
  act(reference: string): Act | undefined;
  /** A reversal came before the message: it is refused should it still come. */
  isTombstoned(reference: string): boolean;
  /** The batch that is open, and what it adds up to. */
  openBatch(lane: Lane): { readonly batch: number; readonly totals: Totals };
  isSettled(transaction: Transaction): boolean;
  nextSequence(): number;
}

export interface Ledger extends LedgerView {
  apply(entry: StoredEntry): void;
  transactions(): readonly Transaction[];
  batches(): readonly ClosedBatch[];
  counts(): { readonly repeated: number; readonly conflicts: number };
}

/** The state that the entries of a book add up to. Applying the entries of a file in order rebuilds it. */
export function createLedger(): Ledger {
  const messages = new Map<string, Message>();
  const transactions = new Map<string, Transaction>();
  const acts = new Map<string, Act>();
  const tombstones = new Set<string>();
  const open = new Map<string, { batch: number; readonly references: Set<string> }>();
  const batches: ClosedBatch[] = [];
  let sequence = 0;
  let repeated = 0;
  let conflicts = 0;

  const laneOf = (lane: Lane) => {
    const key = JSON.stringify([lane.merchantId, lane.terminalId, lane.currencyCode]);
    const known = open.get(key) ?? { batch: 1, references: new Set<string>() };
    open.set(key, known);
    return known;
  };
  const put = (transaction: Transaction) => {
    transactions.set(transaction.reference, transaction);
    const { batch, references } = laneOf(transaction);
    if (transaction.batch === batch) references.add(transaction.reference);
    else references.delete(transaction.reference);
  };
  const change = (actReference: string, targetReference: string, changed: (target: Transaction) => Transaction) => {
    const before = transactions.get(targetReference);
    if (before === undefined) return;
    acts.set(actReference, { transactionReference: targetReference, before });
    put({ ...changed(before), lastAct: actReference });
  };
  const addRefund = (
    request: AuthorizeRequest | FollowUpRequest,
    reply: SimulatorReply,
    originalReference?: string,
  ) => {
    put({
      ...newTransaction(request, reply, 'refund', laneOf(request).batch),
      ...(originalReference === undefined ? {} : { originalReference }),
    });
    if (originalReference === undefined || !isApproval(reply)) return;
    const original = transactions.get(originalReference);
    if (original !== undefined) put({ ...original, refundedMinor: original.refundedMinor + request.amountMinor });
  };
  const takeBackAct = (reference: string, act: Act) => {
    acts.delete(reference);
    const target = transactions.get(act.transactionReference);
    if (target?.lastAct === reference && target.state !== 'REVERSED') put(act.before);
  };
  const takeBack = (reference: string) => {
    const act = acts.get(reference);
    if (act !== undefined) return takeBackAct(reference, act);
    const transaction = transactions.get(reference);
    if (transaction === undefined || !stands(transaction)) return;
    const { batch: _, ...rest } = transaction;
    put({ ...rest, state: 'REVERSED' });
    const original = transactions.get(transaction.originalReference ?? '');
    if (original !== undefined) put({ ...original, refundedMinor: original.refundedMinor - transaction.capturedMinor });
  };
  const close = (request: CloseBatchRequest, reply: SimulatorReply) => {
    if (reply.type !== 'CLOSED') return;
    const lane = laneOf(request);
    const { merchantId, terminalId, currencyCode } = request;
    const { totals, isAgreed, batchReference } = reply;
    batches.push({ merchantId, terminalId, currencyCode, batch: lane.batch, totals, isAgreed, batchReference });
    lane.batch++;
    lane.references.clear();
  };
  const applyMessage = (request: BookedRequest, reply: SimulatorReply) => {
    messages.set(request.reference, { request, reply });
    switch (request.type) {
      case 'AUTHORIZE':
        if (request.operation === 'refund') addRefund(request, reply, request.originalReference);
        else put(newTransaction(request, reply, request.operation, laneOf(request).batch));
        return;
      case 'REFUND':
        addRefund(request, reply, request.originalReference);
        return;
      case 'REVERSE':
        if (reply.type !== 'REVERSED') return;
        if (reply.result === 'UNKNOWN_ORIGINAL') tombstones.add(request.originalReference);
        if (reply.result === 'CONFIRMED') takeBack(request.originalReference);
        return;
      case 'CLOSE_BATCH':
        close(request, reply);
        return;
      case 'CAPTURE':
      case 'ADJUST_TIP':
      case 'VOID':
        if (!isApproval(reply)) return;
        change(request.reference, request.originalReference, (target) =>
          followed(target, request, laneOf(target).batch),
        );
    }
  };

  const inBatch = (lane: Lane) =>
    [...laneOf(lane).references].flatMap((reference) => transactions.get(reference) ?? []);
  return {
    apply(entry) {
      sequence = entry.sequence;
      if (entry.kind === 'MESSAGE') applyMessage(entry.request, entry.reply);
      else if (entry.kind === 'REPEATED') repeated++;
      else if (entry.kind === 'CONFLICT') conflicts++;
    },
    message: (reference) => messages.get(reference),
    transaction: (reference) => transactions.get(reference),
    act: (reference) => acts.get(reference),
    isTombstoned: (reference) => tombstones.has(reference),
    openBatch: (lane) => ({ batch: laneOf(lane).batch, totals: totalsOf(inBatch(lane)) }),
    isSettled: (transaction) => transaction.batch !== undefined && transaction.batch < laneOf(transaction).batch,
    nextSequence: () => sequence + 1,
    transactions: () => [...transactions.values()],
    batches: () => batches,
    counts: () => ({ repeated, conflicts }),
  };
}

/** Whether money is held or has moved. */
export function stands({ state }: Transaction): boolean {
  return state === 'HELD' || state === 'CAPTURED';
}

/** Whether an answer approves, if only in part. */
export function isApproval(reply: SimulatorReply): boolean {
  return reply.type === 'ANSWER' && (reply.answer.responseCode === '00' || reply.answer.responseCode === '10');
}

function newTransaction(
  request: AuthorizeRequest | FollowUpRequest,
  reply: SimulatorReply,
  operation: AuthorizeRequest['operation'],
  batch: number,
): Transaction {
  const answer = reply.type === 'ANSWER' ? reply.answer : undefined;
  const amountMinor = isApproval(reply) ? (answer?.amountMinor ?? 0) : 0;
  const isHeld =
    request.type === 'AUTHORIZE' &&
    operation !== 'refund' &&
    (request.captureMethod === 'MANUAL' || operation === 'pre_auth');
  const isCaptured = isApproval(reply) && !isHeld;
  const { merchantId, terminalId, currencyCode, reference, rrn } = request;
  return {
    reference,
    merchantId,
    terminalId,
    currencyCode,
    operation,
    state: isApproval(reply) ? (isHeld ? 'HELD' : 'CAPTURED') : 'DECLINED',
    responseCode: answer?.responseCode ?? '',
    ...(answer?.authorizationCode === undefined ? {} : { authorizationCode: answer.authorizationCode }),
    rrn,
    heldMinor: isHeld ? amountMinor : 0,
    capturedMinor: isCaptured ? amountMinor : 0,
    cashbackMinor: request.type === 'AUTHORIZE' ? request.cashbackMinor : 0,
    refundedMinor: 0,
    ...(isCaptured ? { batch } : {}),
    lastAct: reference,
  };
}

function followed(target: Transaction, request: FollowUpRequest, batch: number): Transaction {
  switch (request.type) {
    case 'CAPTURE':
      return { ...target, state: 'CAPTURED', capturedMinor: request.amountMinor, batch };
    case 'ADJUST_TIP':
      return { ...target, heldMinor: request.amountMinor };
    default:
      return { ...target, state: target.state === 'HELD' ? 'RELEASED' : 'VOIDED' };
  }
}

/** Sales count also when they were voided later; what was reversed counts in none (decisions: Totals). */
function totalsOf(transactions: readonly Transaction[]): Totals {
  const refunds = transactions.filter(({ operation }) => operation === 'refund');
  const sales = transactions.filter(({ operation }) => operation !== 'refund');
  const voids = sales.filter(({ state }) => state === 'VOIDED');
  const sum = (list: readonly Transaction[]) => list.reduce((total, { capturedMinor }) => total + capturedMinor, 0);
  return {
    saleCount: sales.length,
    saleAmountMinor: sum(sales),
    refundCount: refunds.length,
    refundAmountMinor: sum(refunds),
    voidCount: voids.length,
    voidAmountMinor: sum(voids),
  };
}
