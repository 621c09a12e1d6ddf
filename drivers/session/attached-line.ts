// The line to a terminal between exchanges: opens, sets up, keeps alive, reconnects with a new object, lends turns.
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import { TransportError } from '../transport/transport.ts';
import { backOffMs } from './back-off.ts';
import { afterNews, initialFacts, type LineFacts, type LineNews, type LineState, stateOf } from './line-facts.ts';
import type { LinkListeners } from './link.ts';
import { createLinkWaiters } from './link-waiters.ts';
import { createTurns, type Turns } from './turns.ts';

/** What is attached: a protocol's connection, or what it builds upon one. Used once, like the link under it. */
export interface LineConnection {
  /** @throws TransportError */
  open(signal: AbortSignal): Promise<void>;
  /** False as soon as it is being closed. */
  isOpen(): boolean;
  close(reason: string): Promise<void>;
}

/** What a connection tells its line. */
export interface LineEvents extends Pick<LinkListeners, 'onDown' | 'onReport'> {
  /** The terminal gave a sign of life. */
  onReceived(): void;
}

/** Waits of a line, in milliseconds. */
interface LineLimits {
  /** First and longest pause before a new connection. */
  readonly minReconnectMs: number;
  readonly maxReconnectMs: number;
  /** How long a stop waits for the end of what is being asked. */
  readonly stopWaitMs: number;
  /** How long an exchange may hold the turn while a new connection waits to be set up. */
  readonly maxHoldMs: number;
}

export interface LineDeps<C extends LineConnection> {
  readonly clock: Clock;
  readonly log: Log;
  readonly terminalId: string;
  /** What a person calls it, in messages and in the log. */
  readonly noun: 'terminal' | 'reader';
  readonly limits: LineLimits;
  /** What is known before the terminal tells it. */
  readonly serialNumber?: string;
  makeConnection(events: LineEvents): C;
  /**
   * Under the turn, after a new connection is open: what has to be asked before the terminal serves the till. It says by `learn` that the terminal is
   * ready, and closes the connection of a terminal that is silent. `current() === made` tells whether it is still worth asking. Must not reject.
   */
  setUp(made: C): Promise<void>;
  /** The turn for the set-up did not come within `maxHoldMs`; where it is left out, the next keep-alive has to set up. */
  onHeld?(made: C): Promise<void>;
  /** Absent where the protocol has no question that does no harm. */
  readonly keepAlive?: {
    /** Pause before the next sign of life is asked for. */
    delayMs(): number;
    /** Under the turn. It closes the connection of a terminal that is silent. Must not reject. */
    ask(made: C): Promise<void>;
  };
  /** For a terminal that does not stay connected between exchanges. */
  readonly onDemand?: LineOnDemand<C>;
  /** A connection is lost, before that can be seen. */
  onLost?(made: C): void;
  /** Something of `state()` has changed; the time of the last sign of life alone does not count. */
  onChange(): void;
}

/** A line that need not be open while nothing is asked. */
interface LineOnDemand<C extends LineConnection> {
  /** How long `openNow` waits for the connection. */
  readonly maxOpenMs: number;
  /**
   * True when the end of this connection is no fault, such as that of a terminal that closes after each operation. A line that was set up then rests:
   * it counts as connected and idle, and nothing is opened until somebody asks (or its keep-alive is due). Anything else is a loss, and is tried again.
   */
  isOrdinaryEnd(made: C, reason: string): boolean;
}

export interface AttachedLine<C extends LineConnection> {
  /** One conversation at a time: whoever speaks holds the turn. */
  readonly turns: Turns;
  start(): void;
  /** Hears a question that runs to its end, then closes. A payment is not waited for. */
  stop(): Promise<void>;
  state(): LineState;
  /** The open connection, set up or not. */
  current(): C | undefined;
  /** The open connection of a terminal that is set up. */
  ready(): C | undefined;
  /** Whether this connection is the one that is attached, even if it is just being closed: news of another are stale. */
  isAttached(made: C): boolean;
  /** Waits for an open connection, trying at once and again after each pause; undefined when none came. Set-up needs the turn: whoever holds it sets up. */
  waitForLink(signal: AbortSignal, maxWaitMs: number): Promise<C | undefined>;
  /** The open connection or, of a line on demand, the one that a single try opens; undefined when there is none. Never waits for a pause. */
  openNow(signal: AbortSignal): Promise<C | undefined>;
  /** Whether a line without a connection is opened for whoever asks. */
  readonly isOnDemand: boolean;
  /** Whether the terminal is set up over this connection, even if it is just being closed. */
  isReady(made: C): boolean;
  /** Takes what the terminal told over this connection; news of a connection that is no longer attached are dropped. */
  learn(made: C, news: LineNews): void;
  /** An exchange of the till begins or ends: the terminal counts as busy. */
  setBusy(isBusy: boolean): void;
}

export function createAttachedLine<C extends LineConnection>(deps: LineDeps<C>): AttachedLine<C> {
  const { clock, log, terminalId, noun, limits, keepAlive, onDemand } = deps;
  const turns = createTurns(clock);
  const waiters = createLinkWaiters<C>(clock);
  const abort = new AbortController();
  let isStarted = false;
  let attached: C | undefined;
  let facts = initialFacts(deps.serialNumber);
  let told = visible();
  let attempt = 0;
  let stopTimer = (): void => undefined;
  let opening: Promise<void> = Promise.resolve();

  /** The connection, unless it is being closed. */
  function live(): C | undefined {
    return attached?.isOpen() === true ? attached : undefined;
  }

  function state(): LineState {
    return stateOf(facts, live() !== undefined);
  }

  function visible(): string {
    return JSON.stringify({ ...state(), lastSeenMs: 0 });
  }

  /** Takes what is new and tells about it when it changed what can be seen. */
  function change(next: Partial<LineFacts>): void {
    facts = { ...facts, ...next };
    const now = visible();
    if (now === told) return;
    told = now;
    deps.onChange();
  }

  function plan(delayMs: number, task: () => void): void {
    stopTimer();
    if (isStarted) stopTimer = clock.after(delayMs, task);
  }

  function connect(): void {
    if (!isStarted || attached !== undefined || facts.isOpening) return;
    stopTimer();
    change({ isOpening: true });
    opening = open();
  }

  async function open(): Promise<void> {
    const made: C = deps.makeConnection({
      onReceived() {
        facts = { ...facts, lastSeenMs: clock.nowMs() };
      },
      onReport: (what, byteCount) => log.debug(`${noun} line`, { terminalId, reason: what, byteCount }),
      onDown: (reason) => down(made, reason),
    });
    try {
      await made.open(abort.signal);
    } catch (error) {
      if (isStarted) failed(error instanceof TransportError ? error.message : 'The line cannot be opened.');
      return;
    }
    if (!isStarted) return made.close('the till stops');
    log.info(`${noun} connected`, { terminalId, attempt });
    attached = made;
    change({ isOpening: false });
    waiters.tell(made);
    void setUp(made);
  }

  function failed(words: string): void {
    log.warn(`${noun} cannot be connected`, { terminalId, attempt, reason: words });
    change({ isOpening: false, isPresumedReady: false, lineProblem: words });
    waiters.tellFailed();
    reconnectLater();
  }

  function down(made: C, reason: string): void {
    if (attached !== made) return;
    deps.onLost?.(made);
    const rests = isStarted && canRest(made, reason);
    if (isStarted && !rests) log.warn(`${noun} link lost`, { terminalId, reason });
    attached = undefined;
    change({
      isReady: false,
      isPresumedReady: rests,
      isTerminalBusy: false,
      ...(rests ? {} : { problem: undefined, lineProblem: `The link to the ${noun} was lost: ${reason}.` }),
    });
    if (!isStarted) return;
    // Somebody waits for the new connection: recovery does not wait for the pause.
    if (waiters.count > 0) connect();
    else if (!rests) reconnectLater();
    else if (keepAlive !== undefined) plan(keepAlive.delayMs(), connect);
  }

  function canRest(made: C, reason: string): boolean {
    return (facts.isReady || facts.isPresumedReady) && onDemand?.isOrdinaryEnd(made, reason) === true;
  }

  function reconnectLater(): void {
    const delayMs = backOffMs(attempt, limits.minReconnectMs, limits.maxReconnectMs);
    attempt++;
    plan(delayMs, connect);
  }

  async function setUp(made: C): Promise<void> {
    // An exchange may hold the terminal even over the loss of its link.
    const turn = await turns.take(limits.maxHoldMs, abort.signal);
    try {
      if (!isStarted || attached !== made) return;
      await (turn === undefined ? deps.onHeld?.(made) : deps.setUp(made));
    } finally {
      turn?.release();
      if (attached === made) planKeepAlive();
    }
  }

  function planKeepAlive(): void {
    if (keepAlive !== undefined) plan(keepAlive.delayMs(), () => void stayAlive(keepAlive.ask));
  }

  /** Nothing is sent into an exchange: it holds the turn. */
  async function stayAlive(ask: (made: C) => Promise<void>): Promise<void> {
    const made = attached;
    if (made === undefined) return;
    const turn = turns.takeIfFree();
    if (turn === undefined) return planKeepAlive();
    try {
      await ask(made);
    } finally {
      turn.release();
      if (attached === made) planKeepAlive();
    }
  }

  async function stop(): Promise<void> {
    isStarted = false;
    stopTimer();
    abort.abort();
    waiters.tell(undefined);
    change({ isPresumedReady: false });
    // A terminal whose message nobody takes repeats it to whoever opens the line next: the question that runs is heard to its end.
    const isAsking = attached !== undefined && !facts.isBusy && turns.isTaken();
    const turn = isAsking ? await turns.take(limits.stopWaitMs) : undefined;
    await attached?.close('the till stops');
    turn?.release();
    await opening;
  }

  function wait(signal: AbortSignal, maxWaitMs: number, isForOneTry: boolean): Promise<C | undefined> {
    if (live() !== undefined || signal.aborted || !isStarted) return Promise.resolve(live());
    const waiting = waiters.wait(signal, maxWaitMs, isForOneTry);
    connect();
    return waiting;
  }

  return {
    turns,
    start() {
      if (isStarted) return;
      isStarted = true;
      connect();
    },
    stop,
    state,
    // Nothing new begins on a line that is about to be closed.
    current: () => (isStarted ? live() : undefined),
    ready: () => (isStarted && facts.isReady ? live() : undefined),
    isAttached: (made) => attached === made,
    isReady: (made) => facts.isReady && attached === made,
    waitForLink: (signal, maxWaitMs) => wait(signal, maxWaitMs, false),
    openNow: (signal) =>
      onDemand === undefined ? Promise.resolve(isStarted ? live() : undefined) : wait(signal, onDemand.maxOpenMs, true),
    isOnDemand: onDemand !== undefined,
    learn(made, news) {
      if (attached !== made) return;
      if (news.isReady === true) attempt = 0;
      change(afterNews(facts, news));
    },
    setBusy: (isBusy) => change({ isBusy }),
  };
}
