import type { DeviceStatus, DisplayRequest, InputRequest, InputResult, PrintRequest } from '../contract/device.ts';
import type { RecoveryTaskList, RecoveryTaskView, ResolveRequest } from '../contract/recovery.ts';
import type { TransactionEvent } from '../contract/session.ts';
import type {
  ReconciliationRequest,
  Settlement,
  SettlementList,
  SettlementQuery,
  TotalsResponse,
} from '../contract/settlements.ts';
import type {
  CaptureRequest,
  CompleteRequest,
  TransactionList,
  TransactionQuery,
  TransactionRequest,
  TransactionResponse,
} from '../contract/transactions.ts';
import type { SessionClaim, TransactionRecord } from '../domain/transaction.ts';
import type { TerminalCapabilities } from '../ports/terminal.ts';

/** Who calls, and what the call carries besides its body. Filled by the server (REST, WebSocket) or the console. */
export interface CallContext {
  readonly clientId: string;
  /** `pos:<client name>`, `console:<user>`; goes on every journal row. */
  readonly actor: string;
  /** X-Terminal-Id or `terminalId` of the WebSocket action; may be left out with one terminal. */
  readonly terminalId?: string;
  /** Set for a call that our host passes on: it sees and changes nothing of another terminal, whatever id it names. */
  readonly onlyTerminalId?: string;
  readonly requestId: string;
  /** Echoed in the events of what this call starts (WebSocket `requestId`). */
  readonly eventRequestId?: string;
  readonly idempotencyKey?: string;
  /** `POST /v1/transaction/sale`: method and path with its ids, part of the idempotency scope. */
  readonly route: string;
  /** X-Timeout-Seconds, 10–240; default 240. */
  readonly timeoutSeconds?: number;
  /** Of the transaction that the call starts, where our host has chosen it; the till chooses it else. */
  readonly transactionId?: string;
  /** Set for what our host asked for. */
  readonly paymentSession?: SessionClaim;
  /** How the tip of the request was chosen (specification: tipSource); absent for a tip that the POS has named. */
  readonly tipSource?: string;
}

/** An answer as it goes out: its bytes are fixed, so that a replay is the same byte for byte. */
export interface Answer {
  readonly statusCode: number;
  readonly body: string;
  readonly transactionId: string;
  readonly replayed: boolean;
}

/** The engine as the server and the console see it. Every method throws BridgeError for a refusal. */
export interface Till {
  /** Sale, pre-auth, completion, refund, void, card read, balance inquiry: by `request.type`. Resolves with the final answer, by the deadline at the latest. */
  run(context: CallContext, request: TransactionRequest): Promise<Answer>;
  initiate(context: CallContext, request: TransactionRequest): Promise<Answer>;
  complete(context: CallContext, request: CompleteRequest): Promise<Answer>;
  /** Resolves when the terminal has confirmed that it is idle. @throws ABORT_TOO_LATE, NOT_FOUND, ILLEGAL_STATE */
  abort(context: CallContext, transactionId: string): Promise<TransactionResponse>;
  capture(context: CallContext, transactionId: string, request: CaptureRequest): Promise<Answer>;
  resolve(context: CallContext, transactionId: string, request: ResolveRequest): RecoveryTaskView;
  recoveryTasks(context: CallContext): RecoveryTaskList;

  transaction(context: CallContext, transactionId: string): TransactionResponse;
  transactions(context: CallContext, query: TransactionQuery): TransactionList;
  /** @throws NOT_FOUND when nothing runs. */
  currentTransaction(context: CallContext): TransactionResponse;
  lastTransaction(context: CallContext): TransactionResponse;

  /** @param opensLine see Terminal.probe */
  health(context: CallContext, opensLine?: boolean): Promise<DeviceStatus>;
  /** What is known of the terminal now, without asking it. */
  knownHealth(context: CallContext): DeviceStatus;
  display(context: CallContext, request: DisplayRequest): Promise<void>;
  input(context: CallContext, request: InputRequest): Promise<InputResult>;
  print(context: CallContext, request: PrintRequest): Promise<void>;

  totals(context: CallContext): TotalsResponse;
  reconcile(context: CallContext, request: ReconciliationRequest): Promise<Answer>;
  settlements(context: CallContext, query: SettlementQuery): SettlementList;
  settlement(context: CallContext, settlementId: string): Settlement;

  terminals(): readonly {
    readonly terminalId: string;
    readonly protocol: string;
    readonly currency: string;
    readonly capabilities: TerminalCapabilities;
    /** Whether this payment of the terminal is among those that it can take back now; true where it can take back any. */
    canVoid(record: TransactionRecord): boolean;
  }[];
  /** Events of the picked terminal after `sequence`, stored and still buffered, oldest first. */
  eventsAfter(context: CallContext, sequence: number): readonly TransactionEvent[];
  /** Every event of every terminal, as it happens. */
  subscribe(listener: (event: TransactionEvent) => void): () => void;
}

/** Who calls. */
export interface KnownClient {
  readonly clientId: string;
  readonly name: string;
  /** The terminal whose link the call came over, where our host passes it on: nothing of another is there for it. */
  readonly onlyTerminalId?: string;
  /** Of the transaction that this call starts, where our host passes it on. */
  readonly transactionId?: string;
  /** Echoed in the events of what this call starts, where our host passes a WebSocket action on. */
  readonly eventRequestId?: string;
}

/** Answers who a key belongs to; revoked keys answer undefined. */
export interface Credentials {
  clientOf(key: string): KnownClient | undefined;
  /** Whether this till knows the client and its keys open nothing any more. */
  isRevoked(clientId: string): boolean;
}
