import type { DisplayRequest, InputRequest, InputResult } from '../../app/contract/device.ts';
import { BridgeError } from '../../app/contract/errors.ts';
import type { CardFacts } from '../../app/domain/transaction.ts';
import type {
  ExchangeHooks,
  PreparedExchange,
  RecoveryAnswer,
  RecoveryQuestion,
  Terminal,
  TerminalBatchTotals,
  TerminalCapabilities,
  TerminalCommand,
  TerminalNotice,
  TerminalOperation,
  TerminalOutcome,
  TerminalProgress,
  TerminalStatus,
} from '../../app/ports/terminal.ts';

/** What the terminal itself did: the judge of every money test, never our own echo. */
interface BookEntry {
  readonly receipt: number;
  readonly transactionId: string;
  readonly operation: TerminalOperation;
  readonly amountMinor: number;
  /** Approved and not taken back. */
  stands: boolean;
  reversed?: 'NOT_ACKNOWLEDGED' | 'VOID';
}

/** Where an exchange can be held by a test, in order. */
export type Stage = 'PREPARE' | 'COMMAND' | 'CARD' | 'HOST' | 'STATUS' | 'ACKNOWLEDGED';

/** The hop at which a reply is lost on its way to the till. */
export type LostReply = 'COMMAND_NOT_SENT' | 'COMMAND_ACCEPTED' | 'STATUS' | 'COMPLETION';

/** What the next exchange meets; one script is used once. */
export interface Script {
  readonly hold?: readonly Stage[];
  readonly lose?: LostReply;
  /** Instead of the approval. */
  readonly outcome?: TerminalOutcome;
  /** What the terminal says it charged; the asked amount when left out. */
  readonly chargedMinor?: number;
  readonly card?: CardFacts;
  /** Progress told before the host is asked; a full course when left out. */
  readonly progress?: readonly TerminalProgress[];
  /** prepare refuses with this. */
  readonly refusal?: BridgeError;
  readonly abort?: 'REQUESTED' | 'TOO_LATE';
  /** The amount in the book instead of the asked one. */
  readonly bookedMinor?: number;
  /** Batch figures of a day close, instead of what the book holds. */
  readonly batch?: TerminalBatchTotals;
}

export interface MemoryDevice {
  readonly book: readonly BookEntry[];
  /** Amounts of charges that stand: sales and completions. */
  standing(): number[];
  /** Commands that ran, by transaction: none may run twice. */
  readonly commands: readonly string[];
  readonly questions: readonly RecoveryQuestion[];
  readonly shown: readonly string[];
  /** What its cardholder was asked. */
  readonly asked: readonly InputRequest[];
  /** What he does at the next questions. Afterwards, and where nothing was said, he types 42. HANGS: nothing, until the question is given up. */
  enter(...results: (InputResult | 'HANGS' | 'FAILS')[]): void;
  next(...scripts: Script[]): void;
  /** Lets a held exchange go on. */
  release(stage: Stage): void;
  /** Whether an exchange is held there now. */
  isHeld(stage: Stage): boolean;
  /** Answers that recovery gets before the book decides again. */
  answer(...answers: RecoveryAnswer[]): void;
  /** From now on the book answers. */
  clearAnswers(): void;
  setConnected(isConnected: boolean): void;
  notify(notice: TerminalNotice): void;
  /** The port object of one engine; the line to an earlier one is dead from now on. */
  attach(): Terminal;
  /** The line is cut: nothing more reaches the till, and the terminal misses its acknowledgement. */
  cut(): void;
}

export const testCard: CardFacts = {
  authorizationCode: '123456',
  cardScheme: 'VISA',
  maskedPan: '411111******1111',
  entryMode: 'CONTACTLESS',
  aid: 'A0000000031010',
  applicationLabel: 'Visa Debit',
  cvmResult: 'NO_CVM',
};

const allOperations: readonly TerminalOperation[] = [
  ...(['SALE', 'PRE_AUTH', 'PRE_AUTH_COMPLETE', 'REFUND', 'VOID', 'CARD_READ', 'BALANCE_INQUIRY'] as const),
  ...(['DAY_CLOSE', 'DISPLAY', 'INPUT', 'PRINT'] as const),
];

const fullCourse: readonly TerminalProgress[] = [
  { step: 'WAITING_FOR_CARD', message: 'Please present the card' },
  { step: 'CARD_DETECTED', card: testCard },
  { step: 'PROCESSING', message: 'One moment' },
];

export interface MemoryDeviceOptions {
  readonly terminalId?: string;
  readonly capabilities?: Partial<TerminalCapabilities>;
  readonly without?: readonly TerminalOperation[];
}

/** A terminal with its own acquirer, in memory: keeps a book of what it did, and reverses what is not acknowledged. */
export function createMemoryDevice(options: MemoryDeviceOptions = {}): MemoryDevice {
  const terminalId = options.terminalId ?? 'T1';
  const capabilities: TerminalCapabilities = {
    operations: new Set(allOperations.filter((operation) => options.without?.includes(operation) !== true)),
    cashback: true,
    maxAmountMinor: 999_999_999_999,
    inputTypes: new Set(['CONFIRM', 'DIGITS']),
    ...options.capabilities,
  };
  const book: BookEntry[] = [];
  const commands: string[] = [];
  const questions: RecoveryQuestion[] = [];
  const shown: string[] = [];
  const scripts: Script[] = [];
  const answers: RecoveryAnswer[] = [];
  const asked: InputRequest[] = [];
  const entries: (InputResult | 'HANGS' | 'FAILS')[] = [];
  const gates = new Map<Stage, () => void>();
  const released = new Set<Stage>();
  let line = 0;
  let isConnected = true;
  let isBusy = false;
  let isRunning = false;
  let batchStart = 0;
  let notifyLine: (notice: TerminalNotice) => void = () => undefined;

  async function pass(stage: Stage, script: Script): Promise<void> {
    if (script.hold?.includes(stage) !== true || released.delete(stage)) return;
    await new Promise<void>((resolve) => gates.set(stage, resolve));
    gates.delete(stage);
  }

  function enter(command: TerminalCommand, script: Script): BookEntry {
    const asked = 'amountMinor' in command ? command.amountMinor : 0;
    const entry: BookEntry = {
      receipt: book.length + 1,
      transactionId: command.transactionId,
      operation: command.operation,
      amountMinor: script.bookedMinor ?? asked,
      stands: true,
    };
    book.push(entry);
    if (command.operation === 'VOID') setVoided(command.original.transactionId, true);
    return entry;
  }

  function setVoided(transactionId: string, isVoid: boolean): void {
    const original = book.find((entry) => entry.transactionId === transactionId);
    if (original === undefined) return;
    original.stands = !isVoid;
    if (isVoid) original.reversed = 'VOID';
    else delete original.reversed;
  }

  function reverse(entry: BookEntry, command: TerminalCommand): void {
    entry.stands = false;
    entry.reversed = 'NOT_ACKNOWLEDGED';
    if (command.operation === 'VOID') setVoided(command.original.transactionId, false);
  }

  function approval(command: TerminalCommand, entry: BookEntry, script: Script): TerminalOutcome {
    const reference = { receipt: entry.receipt };
    const receipts = [{ kind: 'CUSTOMER', lines: [{ text: `Receipt ${entry.receipt}` }] }] as const;
    const card = script.card ?? testCard;
    if (command.operation === 'DAY_CLOSE') {
      return { kind: 'APPROVED', card: {}, reference, receipts, batch: script.batch ?? batchTotals() };
    }
    const balance = command.operation === 'BALANCE_INQUIRY' ? { balanceMinor: 4_200 } : {};
    const charged = { chargedMinor: script.chargedMinor ?? entry.amountMinor };
    return { kind: 'APPROVED', card, reference, receipts, ...charged, ...balance };
  }

  function batchTotals(): TerminalBatchTotals {
    const rows = book.slice(batchStart).filter((entry) => entry.stands);
    const sum = rows.reduce((total, entry) => {
      if (entry.operation === 'SALE' || entry.operation === 'PRE_AUTH_COMPLETE') return total + entry.amountMinor;
      return entry.operation === 'REFUND' ? total - entry.amountMinor : total;
    }, 0);
    return { totalMinor: sum, schemes: [], batchReference: `B${book.length}` };
  }

  function attach(): Terminal {
    line += 1;
    const myLine = line;
    // What was only made ready is forgotten with the line.
    if (!isRunning) isBusy = false;
    const isAlive = () => line === myLine && isConnected;
    const listeners = new Set<(notice: TerminalNotice) => void>();
    notifyLine = (notice) => {
      for (const listener of listeners) listener(notice);
    };
    const status = (): TerminalStatus => ({
      connected: isAlive(),
      state: isAlive() ? (isBusy ? 'BUSY' : 'IDLE') : 'DISCONNECTED',
    });
    const setBusy = (busy: boolean) => {
      isBusy = busy;
      if (line === myLine) notifyLine({ kind: 'STATUS', status: status() });
    };

    async function prepare(command: TerminalCommand, signal: AbortSignal): Promise<PreparedExchange> {
      const script = scripts.shift() ?? {};
      if (!isAlive()) throw new BridgeError('TERMINAL_UNREACHABLE', 'no line');
      if (script.refusal !== undefined) throw script.refusal;
      if (isBusy) throw new BridgeError('TERMINAL_BUSY', 'still busy with the one before');
      await pass('PREPARE', script);
      if (signal.aborted) throw new BridgeError('TERMINAL_NOT_READY', 'given up');
      setBusy(true);
      return exchangeOf(command, script);
    }

    function exchangeOf(command: TerminalCommand, script: Script): PreparedExchange {
      let isAborted = false;
      let isOver = false;
      const lost = (message: string): TerminalOutcome => ({ kind: 'UNKNOWN', message, evidence: [] });

      async function run(hooks: ExchangeHooks): Promise<TerminalOutcome> {
        isRunning = true;
        try {
          return await course(hooks);
        } finally {
          isRunning = false;
          isOver = true;
          setBusy(false);
        }
      }

      async function course(hooks: ExchangeHooks): Promise<TerminalOutcome> {
        commands.push(command.transactionId);
        await pass('COMMAND', script);
        if (script.lose === 'COMMAND_NOT_SENT' || !isAlive()) return lost('the line broke while the command was sent');
        for (const progress of script.progress ?? fullCourse) if (isAlive()) hooks.onProgress(progress);
        await pass('CARD', script);
        // A terminal that has lost its till gives the card back.
        if (isAborted || !isAlive()) return { kind: 'CANCELLED', reason: 'POS_REQUEST', receipts: [] };
        if (script.outcome !== undefined) return withoutBooking(script.outcome, hooks, isAlive);
        const entry = enter(command, script);
        await pass('HOST', script);
        const outcome = approval(command, entry, script);
        if (script.lose === 'COMMAND_ACCEPTED' || script.lose === 'STATUS' || !isAlive()) {
          reverse(entry, command);
          return lost('the line broke before the result came');
        }
        await pass('STATUS', script);
        try {
          await hooks.onProvisional(outcome);
        } catch {
          reverse(entry, command);
          return lost('the result was not acknowledged');
        }
        if (!isAlive()) {
          reverse(entry, command);
          return lost('the line broke before the acknowledgement left');
        }
        if (command.operation === 'DAY_CLOSE') batchStart = book.length;
        await pass('ACKNOWLEDGED', script);
        return script.lose === 'COMPLETION' || !isAlive() ? lost('the line broke after the acknowledgement') : outcome;
      }

      return {
        mark: { receipt: book.length },
        run,
        async requestAbort() {
          if (script.abort === 'TOO_LATE' || isOver || gates.has('HOST') || gates.has('STATUS')) return 'TOO_LATE';
          isAborted = true;
          gates.get('CARD')?.();
          return 'REQUESTED';
        },
        discard() {
          isOver = true;
          setBusy(false);
        },
      };
    }

    async function recover(question: RecoveryQuestion): Promise<RecoveryAnswer> {
      questions.push(question);
      const scripted = answers.shift();
      if (scripted !== undefined) return scripted;
      const at = '2026-11-27T10:00:00.000Z';
      const told = (answer: string) => [{ at, question: `Receipt after ${JSON.stringify(question.mark)}?`, answer }];
      if (!isAlive()) return { kind: 'ASK_AGAIN', reason: 'The terminal is not reachable.', evidence: told('silence') };
      if (isBusy) return { kind: 'ASK_AGAIN', reason: 'The terminal is busy.', evidence: told('busy') };
      const known = typeof question.mark.receipt === 'number' ? question.mark.receipt : 0;
      const entry = book.find((each) => each.receipt > known && each.operation === question.command.operation);
      if (entry?.stands === true) {
        return {
          kind: 'SETTLED',
          outcome: settledApproval(question.command, entry),
          evidence: told(`receipt ${entry.receipt} stands`),
        };
      }
      const message = entry === undefined ? 'no newer receipt' : `receipt ${entry.receipt} was reversed`;
      return {
        kind: 'SETTLED',
        outcome: { kind: 'FAILED', errorCode: 'TERMINAL_ERROR', message, receipts: [] },
        evidence: told(message),
      };
    }

    function settledApproval(command: TerminalCommand, entry: BookEntry) {
      const outcome = approval(command, entry, {});
      if (outcome.kind !== 'APPROVED') throw new Error('an approval');
      // Afterwards a terminal tells that its batch is closed, not what was in it.
      const { batch: _batch, ...told } = outcome;
      return told;
    }

    return {
      terminalId,
      protocol: 'memory',
      capabilities,
      start: () => undefined,
      stop: async () => {
        if (line === myLine) line += 1;
        for (const resume of [...gates.values()]) resume();
      },
      status,
      probe: async () => status(),
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      prepare,
      recover,
      async display(request: DisplayRequest) {
        shown.push(...request.lines);
      },
      async input(request: InputRequest, signal: AbortSignal): Promise<InputResult> {
        asked.push(request);
        const entry = entries.shift() ?? { status: 'ENTERED', value: '42' };
        if (entry === 'FAILS') throw new BridgeError('OPERATION_NOT_SUPPORTED', 'no keys');
        if (entry !== 'HANGS') return entry;
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        return { status: 'CANCELLED' };
      },
      async print(lines) {
        shown.push(...lines);
      },
    };
  }

  return {
    book,
    commands,
    questions,
    shown,
    asked,
    enter: (...results) => entries.push(...results),
    standing: () =>
      book
        .filter((entry) => entry.stands && (entry.operation === 'SALE' || entry.operation === 'PRE_AUTH_COMPLETE'))
        .map((entry) => entry.amountMinor),
    next: (...more) => scripts.push(...more),
    release(stage) {
      const resume = gates.get(stage);
      if (resume === undefined) released.add(stage);
      else resume();
    },
    isHeld: (stage) => gates.has(stage),
    answer: (...more) => answers.push(...more),
    clearAnswers: () => {
      answers.length = 0;
    },
    setConnected(connected) {
      isConnected = connected;
    },
    notify: (notice) => notifyLine(notice),
    attach,
    cut() {
      line += 1;
      for (const resume of [...gates.values()]) resume();
    },
  };
}

/** A result that books nothing: a decline, a cancellation, a failure, a refusal to start. */
async function withoutBooking(
  outcome: TerminalOutcome,
  hooks: ExchangeHooks,
  isAlive: () => boolean,
): Promise<TerminalOutcome> {
  const isTold = outcome.kind === 'DECLINED' || outcome.kind === 'FAILED';
  if (isTold && isAlive()) await hooks.onProvisional(outcome);
  return outcome;
}
