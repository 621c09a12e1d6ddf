// The attached reader between payments: connects, sets it up, keeps alive, reconnects with a new object.
import type { DeviceState } from '../../app/contract/device.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import { backOffMs } from '../session/back-off.ts';
import type { LinkFactory } from '../session/link.ts';
import { createTurns, type Turns } from '../session/turns.ts';
import { TransportError } from '../transport/transport.ts';
import { createConnection, type NeoConnection } from './connection.ts';
import { neo2Limits } from './neo2-limits.ts';
import type { Neo2Settings } from './neo2-settings.ts';
import { createReaderSetUp, ping } from './set-up.ts';

/** What is known of the reader now. */
interface AttachmentState {
  readonly state: DeviceState;
  readonly isConnected: boolean;
  readonly firmwareVersion?: string;
  readonly lastSeenMs?: number;
  /** What keeps it from working, as a sentence for the person at the till. */
  readonly problem?: string;
}

export interface Attachment {
  readonly turns: Turns;
  start(): void;
  stop(): Promise<void>;
  state(): AttachmentState;
  /** The open connection, set up or not. */
  current(): NeoConnection | undefined;
  /** The open connection of a reader that is set up. */
  ready(): NeoConnection | undefined;
  /** Waits for an open connection, trying at once; undefined when none came. */
  waitForLink(signal: AbortSignal, maxWaitMs: number): Promise<NeoConnection | undefined>;
  /** A payment of the till begins or ends: the reader counts as busy. */
  setBusy(isBusy: boolean): void;
}

export interface AttachmentDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly terminalId: string;
  readonly settings: Neo2Settings;
  readonly createLink: LinkFactory;
  onChange(): void;
}

export function createAttachment(deps: AttachmentDeps): Attachment {
  const { clock, log, terminalId } = deps;
  const turns = createTurns(clock);
  const setUpReader = createReaderSetUp();
  let isStarted = false;
  let connection: NeoConnection | undefined;
  let isSetUp = false;
  let isOpening = false;
  let isBusy = false;
  let attempt = 0;
  let problem: string | undefined;
  let firmwareVersion: string | undefined;
  let lastSeenMs: number | undefined;
  let stopTimer = (): void => undefined;
  let opening: Promise<void> = Promise.resolve();
  const abort = new AbortController();
  const linkWaiters = new Set<(made: NeoConnection | undefined) => void>();

  /** The connection, unless it is being closed. */
  function live(): NeoConnection | undefined {
    return connection?.isOpen() === true ? connection : undefined;
  }

  function state(): AttachmentState {
    return {
      state: deviceState(),
      isConnected: live() !== undefined,
      ...(firmwareVersion === undefined ? {} : { firmwareVersion }),
      ...(lastSeenMs === undefined ? {} : { lastSeenMs }),
      ...(problem === undefined ? {} : { problem }),
    };
  }

  function deviceState(): DeviceState {
    if (live() === undefined) return isOpening ? 'CONNECTING' : 'DISCONNECTED';
    if (isBusy) return 'BUSY';
    return isSetUp ? 'IDLE' : 'CONNECTING';
  }

  /** Runs `change` and tells about it when it changed what can be seen. */
  function changing(change: () => void): void {
    const before = JSON.stringify({ ...state(), lastSeenMs: 0 });
    change();
    if (before !== JSON.stringify({ ...state(), lastSeenMs: 0 })) deps.onChange();
  }

  function plan(delayMs: number, task: () => void): void {
    stopTimer();
    if (isStarted) stopTimer = clock.after(delayMs, task);
  }

  function connect(): void {
    if (!isStarted || connection !== undefined || isOpening) return;
    stopTimer();
    changing(() => {
      isOpening = true;
    });
    opening = open();
  }

  async function open(): Promise<void> {
    const made = makeConnection();
    try {
      await made.open(abort.signal);
    } catch (error) {
      if (!isStarted) return;
      const words = error instanceof TransportError ? error.message : 'The line cannot be opened.';
      log.warn('reader cannot be connected', { terminalId, attempt, reason: words });
      changing(() => {
        isOpening = false;
        problem = words;
      });
      return reconnectLater();
    }
    if (!isStarted) return made.close('the till stops');
    log.info('reader connected', { terminalId, attempt });
    changing(() => {
      isOpening = false;
      isSetUp = false;
      connection = made;
    });
    for (const tell of [...linkWaiters]) tell(made);
    void setUp(made);
  }

  function makeConnection(): NeoConnection {
    const made: NeoConnection = createConnection({
      clock,
      createLink: deps.createLink,
      encryptionExpected: deps.settings.encryption,
      onReceived() {
        lastSeenMs = clock.nowMs();
      },
      onReport: (what, byteCount) => log.debug('reader line', { terminalId, reason: what, byteCount }),
      onDown: (reason) => down(made, reason),
    });
    return made;
  }

  function down(lost: NeoConnection, reason: string): void {
    if (connection !== lost) return;
    if (isStarted) log.warn('reader link lost', { terminalId, reason });
    changing(() => {
      connection = undefined;
      isSetUp = false;
      problem = `The link to the reader was lost: ${reason}.`;
    });
    if (!isStarted) return;
    if (linkWaiters.size > 0) connect();
    else reconnectLater();
  }

  function reconnectLater(): void {
    const delayMs = backOffMs(attempt, neo2Limits.minReconnectMs, neo2Limits.maxReconnectMs);
    attempt++;
    plan(delayMs, connect);
  }

  async function setUp(made: NeoConnection): Promise<void> {
    // A payment that waits for its issuer holds the reader even over the loss of its link.
    const turn = await turns.take(neo2Limits.maxHoldMs, abort.signal);
    try {
      if (!isStarted || connection !== made) return;
      if (turn === undefined) return await made.close('the reader is held by a payment that was lost');
      const told = await setUpReader(made);
      if (told === undefined || connection !== made) return;
      attempt = 0;
      if (told.refusal !== undefined) log.warn('reader set-up refused', { terminalId, reason: told.refusal });
      changing(() => {
        isSetUp = true;
        problem = undefined;
        firmwareVersion = told.firmwareVersion ?? firmwareVersion;
      });
    } finally {
      turn?.release();
      if (connection === made) planKeepAlive();
    }
  }

  function planKeepAlive(): void {
    plan(neo2Limits.keepAliveMs, () => void keepAlive());
  }

  /** Nothing is sent between the steps of a payment: it holds the turn. */
  async function keepAlive(): Promise<void> {
    const made = connection;
    if (made === undefined) return;
    const turn = turns.takeIfFree();
    if (turn === undefined) return planKeepAlive();
    try {
      await ping(made);
    } finally {
      turn.release();
      if (connection === made) planKeepAlive();
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
      for (const tell of [...linkWaiters]) tell(undefined);
      // The question that runs is heard to its end, or its answer would meet whoever opens the line next. A payment is not waited for.
      const isAsking = connection !== undefined && !isBusy && turns.isTaken();
      const turn = isAsking ? await turns.take(neo2Limits.stopWaitMs) : undefined;
      await connection?.close('the till stops');
      turn?.release();
      await opening;
    },
    state,
    // Nothing new begins on a line that is about to be closed.
    current: () => (isStarted ? live() : undefined),
    ready: () => (isStarted && isSetUp ? live() : undefined),
    waitForLink(signal, maxWaitMs) {
      if (live() !== undefined || signal.aborted || !isStarted) return Promise.resolve(live());
      return new Promise((resolve) => {
        const done = (made: NeoConnection | undefined): void => {
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
    setBusy(next) {
      changing(() => {
        isBusy = next;
      });
    },
  };
}
