// What is known of an attached terminal, and what of it can be seen.
import type { DeviceState } from '../../app/contract/device.ts';

/** What is known of the terminal now. */
export interface LineState {
  readonly state: DeviceState;
  /** Open, or at rest in the ordinary way of a line on demand. */
  readonly isConnected: boolean;
  readonly firmwareVersion?: string;
  readonly serialNumber?: string;
  /** Milliseconds since the Unix epoch. */
  readonly lastSeenMs?: number;
  /** What keeps it from working, as a sentence for the person at the till. */
  readonly problem?: string;
}

/** What a protocol has learned of its terminal; what is left out stays as it was. */
export interface LineNews {
  /** Set up (registered …). From then on the pauses before a new connection begin small again. */
  readonly isReady?: boolean;
  /** It said so itself: it is in the middle of something that the till did not start. */
  readonly isTerminalBusy?: boolean;
  /** What it says that it lacks, as a sentence; null when it lacks nothing (any more). */
  readonly problem?: string | null;
  readonly firmwareVersion?: string | undefined;
  readonly serialNumber?: string | undefined;
}

export interface LineFacts {
  readonly isOpening: boolean;
  readonly isReady: boolean;
  /** The line on demand ended in the ordinary way: that the terminal is ready is presumed until it is asked again. */
  readonly isPresumedReady: boolean;
  readonly isBusy: boolean;
  readonly isTerminalBusy: boolean;
  /** What the terminal says that it lacks. */
  readonly problem: string | undefined;
  /** Why there is, or was, no connection; the terminal has told nothing since. */
  readonly lineProblem: string | undefined;
  readonly firmwareVersion: string | undefined;
  readonly serialNumber: string | undefined;
  readonly lastSeenMs: number | undefined;
}

/** Before anything was heard. */
export function initialFacts(serialNumber: string | undefined): LineFacts {
  return {
    isOpening: false,
    isReady: false,
    isPresumedReady: false,
    isBusy: false,
    isTerminalBusy: false,
    problem: undefined,
    lineProblem: undefined,
    firmwareVersion: undefined,
    serialNumber,
    lastSeenMs: undefined,
  };
}

/** @param isLive the connection is open and not being closed */
export function stateOf(facts: LineFacts, isLive: boolean): LineState {
  const { firmwareVersion, serialNumber, lastSeenMs } = facts;
  const problem = facts.problem ?? facts.lineProblem;
  return {
    state: deviceState(facts, isLive),
    isConnected: isLive || facts.isPresumedReady,
    ...(firmwareVersion === undefined ? {} : { firmwareVersion }),
    ...(serialNumber === undefined ? {} : { serialNumber }),
    ...(lastSeenMs === undefined ? {} : { lastSeenMs }),
    ...(problem === undefined ? {} : { problem }),
  };
}

function deviceState(facts: LineFacts, isLive: boolean): DeviceState {
  if (!isLive && !facts.isPresumedReady) return facts.isOpening ? 'CONNECTING' : 'DISCONNECTED';
  if (facts.isBusy || facts.isTerminalBusy) return 'BUSY';
  if (facts.problem !== undefined) return 'ERROR';
  return facts.isReady || facts.isPresumedReady ? 'IDLE' : 'CONNECTING';
}

/** The terminal has told something, so that its line is no problem any more. */
export function afterNews(facts: LineFacts, news: LineNews): LineFacts {
  return {
    ...facts,
    lineProblem: undefined,
    isReady: news.isReady ?? facts.isReady,
    isPresumedReady: news.isReady === undefined && facts.isPresumedReady,
    isTerminalBusy: news.isTerminalBusy ?? facts.isTerminalBusy,
    problem: news.problem === undefined ? facts.problem : (news.problem ?? undefined),
    firmwareVersion: news.firmwareVersion ?? facts.firmwareVersion,
    serialNumber: news.serialNumber ?? facts.serialNumber,
  };
}
