// The attached terminal between payments: connects, registers, keeps alive, reconnects, serves what the terminal begins by itself.
import type { DeviceState } from '../../app/contract/device.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type { TerminalBatchTotals } from '../../app/ports/terminal.ts';
import { backOffMs } from '../session/back-off.ts';
import type { LinkFactory } from '../session/link.ts';
import { createTurns, type Turns } from '../session/turns.ts';
import { TransportError } from '../transport/transport.ts';
import { BUSY, fellSilent, isBusyAnswer, isUnableToRepeat, markFromAnswer, registrationProblem } from './answers.ts';
import { type TerminalStatusMeaning, terminalStatusOf } from './codec/status-tables.ts';
import { createConnection, type ZvtConnection } from './connection.ts';
import { type Mark, UNKNOWN_MARK } from './mark.ts';
import {
  type AbortPatience,
  createQuestions,
  type Questions,
  type Refused,
  type Registered,
  type Silent,
} from './questions.ts';
import { createUnaskedMessages } from './unasked.ts';
import { type ZvtSettings, zvtLimits } from './zvt-settings.ts';

/** What is known of the terminal now. */
interface AttachmentState {
  readonly state: DeviceState;
  readonly isConnected: boolean;
  readonly softwareVersion?: string;
  readonly zvtTerminalId?: string;
  readonly lastSeenMs?: number;
  /** What keeps it from working, as a sentence for the person at the till. */
  readonly problem?: string;
}

/** A live connection and the questions that can be put through it. */
export interface Attached {
  readonly connection: ZvtConnection;
  readonly questions: Questions;
}

export interface Attachment {
  readonly turns: Turns;
  start(): void;
  stop(): Promise<void>;
  state(): AttachmentState;
  /** The open connection, registered or not. */
  current(): Attached | undefined;
  /** Waits for an open connection, trying at once; undefined when none came. */
  waitForLink(signal: AbortSignal, maxWaitMs: number): Promise<Attached | undefined>;
  /** Registers unless that was done on this connection. The caller holds the turn. */
  ensureRegistered(attached: Attached): Promise<Registered | Refused | Silent>;
  /** Registers anew. The caller holds the turn. */
  register(attached: Attached): Promise<Registered | Refused | Silent>;
  /** Asks for the last receipt and remembers it. The caller holds the turn. */
  learnMark(attached: Attached): Promise<Awaited<ReturnType<Questions['lastReceipt']>>>;
  /** Asks for the totals of the open batch, unless the terminal is known to fall silent at that. The caller holds the turn. */
  learnTurnover(
    attached: Attached,
  ): Promise<Awaited<ReturnType<Questions['turnover']>> | { readonly kind: 'NOT_TOLD' }>;
  /** Asks for the status and remembers it. The caller holds the turn. */
  askStatus(attached: Attached): Promise<Awaited<ReturnType<Questions['status']>>>;
  mark(): Mark;
  setMark(mark: Mark): void;
  /** An exchange of the till begins or ends: the terminal counts as busy. */
  setBusy(isBusy: boolean): void;
  /** The answer to a command was lost: on the next connection the abort comes before everything but the registration. */
  abortOnReconnect(): void;
}

export interface AttachmentDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly terminalId: string;
  readonly settings: ZvtSettings;
  readonly createLink: LinkFactory;
  onChange(): void;
  onBatchClosed(batch: TerminalBatchTotals): void;
}

/** Status enquiries without an answer after which the link counts as dead. */
const MAX_MISSED_ENQUIRIES = 2;
/** After an enquiry that was answered late or not at all: silence in which its answer may still arrive, to be taken as nothing. */
const SETTLE_MS = 500;
const MISSED_RETRY_MS = 5_000;

export function createAttachment(deps: AttachmentDeps): Attachment {
  const { clock, log, settings, terminalId } = deps;
  const turns = createTurns(clock);
  const unasked = createUnaskedMessages({
    onBatchClosed: deps.onBatchClosed,
    mark: () => mark,
    onMark: setMark,
  });

  const patience: AbortPatience = { endMs: zvtLimits.abortEndMs };

  let isStarted = false;
  let attached: Attached | undefined;
  let isRegistered = false;
  let isOpening = false;
  let isBusy = false;
  /** It said so itself: it is in the middle of something that the till did not start. */
  let isTerminalBusy = false;
  let attempt = 0;
  let problem: string | undefined;
  let softwareVersion: string | undefined;
  let zvtTerminalId: string | undefined;
  let lastSeenMs: number | undefined;
  let mark: Mark = UNKNOWN_MARK;
  let canRepeatReceipts = true;
  let canTellTurnover = true;
  let missedEnquiries = 0;
  let isAbortDue = false;
  let stopTimer = (): void => undefined;
  let opening: Promise<void> = Promise.resolve();
  const abort = new AbortController();
  const linkWaiters = new Set<(attached: Attached | undefined) => void>();

  /** The connection, unless it is being closed. */
  function live(): Attached | undefined {
    return attached?.connection.isOpen() === true ? attached : undefined;
  }

  function setMark(next: Mark): void {
    mark = next;
  }

  /** Runs `change` and tells about it when it changed what can be seen. */
  function changing(change: () => void): void {
    const before = JSON.stringify({ ...state(), lastSeenMs: 0 });
    change();
    if (before !== JSON.stringify({ ...state(), lastSeenMs: 0 })) deps.onChange();
  }

  function state(): AttachmentState {
    return {
      state: deviceState(),
      isConnected: live() !== undefined,
      ...(softwareVersion === undefined ? {} : { softwareVersion }),
      ...(zvtTerminalId === undefined ? {} : { zvtTerminalId }),
      ...(lastSeenMs === undefined ? {} : { lastSeenMs }),
      ...(problem === undefined ? {} : { problem }),
    };
  }

  function deviceState(): DeviceState {
    if (live() === undefined) return isOpening ? 'CONNECTING' : 'DISCONNECTED';
    if (isBusy || isTerminalBusy) return 'BUSY';
    if (!isRegistered) return problem === undefined ? 'CONNECTING' : 'ERROR';
    return problem === undefined ? 'IDLE' : 'ERROR';
  }

  function plan(delayMs: number, task: () => void): void {
    stopTimer();
    if (!isStarted) return;
    stopTimer = clock.after(delayMs, task);
  }

  function connect(): void {
    if (!isStarted || attached !== undefined || isOpening) return;
    stopTimer();
    changing(() => {
      isOpening = true;
    });
    opening = open();
  }

  async function open(): Promise<void> {
    const made = makeAttached();
    try {
      await made.connection.open(abort.signal);
    } catch (error) {
      if (!isStarted) return;
      const words = error instanceof TransportError ? error.message : 'The line cannot be opened.';
      log.warn('terminal cannot be connected', { terminalId, attempt, reason: words });
      changing(() => {
        isOpening = false;
        problem = words;
      });
      return reconnectLater();
    }
    if (!isStarted) return made.connection.close('the till stops');
    log.info('terminal connected', { terminalId, attempt });
    changing(() => {
      isOpening = false;
      isRegistered = false;
      problem = undefined;
      attached = made;
    });
    tellWaiters(made);
    void setUp(made);
  }

  function makeAttached(): Attached {
    const connection: ZvtConnection = createConnection({
      clock,
      createLink: deps.createLink,
      serve: (message) => unasked.serve(message),
      onReceived() {
        lastSeenMs = clock.nowMs();
      },
      onReport: (what, byteCount) => log.debug('terminal line', { terminalId, reason: what, byteCount }),
      onDown: (reason) => down(connection, reason),
    });
    return {
      connection,
      questions: createQuestions(connection, settings, patience, (message) => unasked.serve(message)),
    };
  }

  function down(connection: ZvtConnection, reason: string): void {
    if (attached?.connection !== connection) return;
    unasked.linkLost();
    log.warn('terminal link lost', { terminalId, reason });
    changing(() => {
      attached = undefined;
      isRegistered = false;
      isTerminalBusy = false;
      missedEnquiries = 0;
      problem = `The link to the terminal was lost: ${reason}.`;
    });
    if (!isStarted) return;
    // Somebody waits for the new connection: recovery does not wait for the pause.
    if (linkWaiters.size > 0) connect();
    else reconnectLater();
  }

  function reconnectLater(): void {
    const delayMs = backOffMs(attempt, zvtLimits.minReconnectMs, zvtLimits.maxReconnectMs);
    attempt++;
    plan(delayMs, connect);
  }

  function tellWaiters(made: Attached | undefined): void {
    for (const tell of [...linkWaiters]) tell(made);
  }

  /** After a new connection: register, learn the status and the last receipt. */
  async function setUp(made: Attached): Promise<void> {
    const turn = await turns.take(zvtLimits.completionTimeoutMs, abort.signal);
    try {
      if (turn === undefined || attached !== made) return;
      const goesOn = () => isStarted && attached === made;
      const answer = await ensureRegistered(made);
      if (answer.kind === 'SILENT' && attached === made) await made.connection.close('no answer to the registration');
      if (isAbortDue && goesOn()) {
        isAbortDue = false;
        await made.questions.abort();
      }
      if (answer.kind !== 'REGISTERED' || !goesOn()) return;
      const status = await askStatus(made);
      if (status.kind === 'STATUS' && goesOn()) await repairIfAsked(made, terminalStatusOf(status.code));
      if (goesOn()) await learnMark(made);
    } finally {
      turn?.release();
      if (attached === made) planKeepAlive();
    }
  }

  async function repairIfAsked(made: Attached, meaning: TerminalStatusMeaning): Promise<void> {
    if (meaning.action !== 'initialise' && meaning.action !== 'diagnose') return;
    await made.questions.repair(meaning.action === 'initialise' ? 'initialisation' : 'diagnosis');
    if (attached === made) await askStatus(made);
  }

  async function ensureRegistered(made: Attached): Promise<Registered | Refused | Silent> {
    return isRegistered && attached === made ? { kind: 'REGISTERED' } : register(made);
  }

  async function register(made: Attached): Promise<Registered | Refused | Silent> {
    const answer = await made.questions.register();
    changing(() => {
      if (attached !== made) return;
      isRegistered = answer.kind === 'REGISTERED';
      isTerminalBusy = answer.kind === 'REFUSED' && answer.code === BUSY;
      if (answer.kind === 'REFUSED') problem = isTerminalBusy ? undefined : registrationProblem(answer, settings);
      if (answer.kind === 'REGISTERED') {
        problem = undefined;
        attempt = 0;
        zvtTerminalId = answer.terminalId ?? zvtTerminalId;
      }
    });
    return answer;
  }

  async function askStatus(made: Attached): Promise<Awaited<ReturnType<Questions['status']>>> {
    const wasMissed = missedEnquiries > 0;
    const answer = await made.questions.status();
    if (attached !== made) return answer;
    if (answer.kind === 'SILENT') {
      missedEnquiries++;
      changing(() => {
        problem = 'The terminal does not answer.';
      });
      if (missedEnquiries >= MAX_MISSED_ENQUIRIES) await made.connection.close('the terminal does not answer');
      return answer;
    }
    missedEnquiries = 0;
    // The answer to an enquiry that seemed lost may be this one; its own would then be taken for the end of a payment.
    if (wasMissed) await settle();
    changing(() => {
      isTerminalBusy = isBusyAnswer(answer);
      if (answer.kind !== 'STATUS') return;
      softwareVersion = answer.softwareVersion ?? softwareVersion;
      const meaning = terminalStatusOf(answer.code);
      problem = meaning.isReady || meaning.action === 'wait' ? undefined : `The terminal reports: ${meaning.meaning}.`;
    });
    return answer;
  }

  function settle(): Promise<void> {
    return new Promise((resolve) => {
      clock.after(SETTLE_MS, resolve);
    });
  }

  async function learnMark(made: Attached): Promise<Awaited<ReturnType<Questions['lastReceipt']>>> {
    if (!canRepeatReceipts) return { kind: 'NOTHING' };
    const answer = await made.questions.lastReceipt();
    const told = markFromAnswer(answer);
    // "Not possible" says less than a receipt that is known already.
    if (told !== undefined && (told.knowledge !== 'REFUSED' || mark.knowledge === 'UNKNOWN')) mark = told;
    // A terminal that cannot do this is not asked again before each payment: a try without an answer costs the link.
    if (isUnableToRepeat(answer)) canRepeatReceipts = false;
    return answer;
  }

  async function learnTurnover(made: Attached): ReturnType<Attachment['learnTurnover']> {
    if (!canTellTurnover) return { kind: 'NOT_TOLD' };
    const answer = await made.questions.turnover();
    // Asked again it would cost the link at every try to close the day.
    if (!fellSilent(answer)) return answer;
    canTellTurnover = false;
    return { kind: 'NOT_TOLD' };
  }

  function planKeepAlive(): void {
    plan(missedEnquiries > 0 || !isRegistered ? MISSED_RETRY_MS : zvtLimits.keepAliveMs, () => void keepAlive());
  }

  async function keepAlive(): Promise<void> {
    const made = attached;
    if (made === undefined) return;
    const turn = turns.takeIfFree();
    if (turn === undefined) return planKeepAlive();
    try {
      const answer = await ensureRegistered(made);
      if (answer.kind === 'REGISTERED') await askStatus(made);
    } finally {
      turn.release();
      if (attached === made) planKeepAlive();
    }
  }

  return {
    turns,
    start() {
      if (isStarted) return;
      isStarted = true;
      connect();
    },
    async stop() {
      isStarted = false;
      stopTimer();
      abort.abort();
      tellWaiters(undefined);
      // A terminal whose message nobody takes repeats it to whoever opens the line next: the question that runs is heard to its end.
      // A payment is not waited for: whether anything is in flight was asked before.
      const isAsking = attached !== undefined && !isBusy && turns.isTaken();
      const turn = isAsking ? await turns.take(zvtLimits.stopWaitMs) : undefined;
      await attached?.connection.close('the till stops');
      turn?.release();
      await opening;
    },
    state,
    // Nothing new begins on a line that is about to be closed.
    current: () => (isStarted ? live() : undefined),
    waitForLink(signal, maxWaitMs) {
      if (live() !== undefined || signal.aborted || !isStarted) return Promise.resolve(live());
      return new Promise((resolve) => {
        const done = (made: Attached | undefined): void => {
          stopWaiting();
          signal.removeEventListener('abort', giveUp);
          linkWaiters.delete(done);
          resolve(made);
        };
        const giveUp = (): void => done(undefined);
        const stopWaiting = clock.after(maxWaitMs, giveUp);
        signal.addEventListener('abort', giveUp, { once: true });
        linkWaiters.add(done);
        connect();
      });
    },
    abortOnReconnect() {
      isAbortDue = true;
    },
    ensureRegistered,
    register,
    learnMark,
    learnTurnover,
    askStatus,
    mark: () => mark,
    setMark,
    setBusy(next) {
      changing(() => {
        isBusy = next;
      });
    },
  };
}
