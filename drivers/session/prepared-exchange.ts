import { BridgeError } from '../../app/contract/errors.ts';
import type { ExchangeHooks, PreparedExchange, TerminalOutcome } from '../../app/ports/terminal.ts';
import type { Turn } from './turns.ts';

/** What a running command and its abort see of each other. */
export interface ExchangeControl {
  /** Whether the till asked for the end: an end by the terminal is then read as that. */
  isAbortRequested(): boolean;
  isRunning(): boolean;
  /** Resolves when `run` has ended, however; undefined when it threw. */
  readonly ended: Promise<TerminalOutcome | undefined>;
}

export interface PreparedExchangeDeps {
  readonly mark: PreparedExchange['mark'];
  /** Held until the exchange has ended or is discarded. */
  readonly turn: Turn;
  /** The terminal counts as busy while the command runs. */
  setBusy(isBusy: boolean): void;
  /** Sends the command, once, and stays with it to its end. */
  run(hooks: ExchangeHooks, control: ExchangeControl): Promise<TerminalOutcome>;
  /** Asks the terminal to end the running command; absent where the protocol cannot: the answer is then TOO_LATE. */
  abort?(control: ExchangeControl): Promise<'REQUESTED' | 'TOO_LATE'>;
}

/**
 * A prepared command with its phases: it runs once, an abort before that sends nothing, and its turn is given back by its end or by `discard`. For
 * exchanges that end with `run`; a card that waits for its issuer has more phases (`drivers/neo2/prepared.ts`).
 */
export function createPreparedExchange(deps: PreparedExchangeDeps): PreparedExchange {
  let phase: 'READY' | 'RUNNING' | 'DONE' = 'READY';
  let isAbortRequested = false;
  let tellEnd = (_outcome: TerminalOutcome | undefined): void => undefined;
  const control: ExchangeControl = {
    isAbortRequested: () => isAbortRequested,
    isRunning: () => phase === 'RUNNING',
    ended: new Promise((resolve) => {
      tellEnd = resolve;
    }),
  };

  async function run(hooks: ExchangeHooks): Promise<TerminalOutcome> {
    if (phase !== 'READY') throw new BridgeError('ILLEGAL_STATE', 'A prepared command runs once.');
    phase = 'RUNNING';
    deps.setBusy(true);
    let outcome: TerminalOutcome | undefined;
    try {
      // Asked to stop before anything was sent: nothing is.
      outcome = isAbortRequested
        ? { kind: 'CANCELLED', reason: 'POS_REQUEST', receipts: [] }
        : await deps.run(hooks, control);
      return outcome;
    } finally {
      phase = 'DONE';
      tellEnd(outcome);
      deps.setBusy(false);
      deps.turn.release();
    }
  }

  /** A positive answer is not the end: that still comes through `run`. */
  async function requestAbort(): Promise<'REQUESTED' | 'TOO_LATE'> {
    if (phase === 'READY') {
      isAbortRequested = true;
      return 'REQUESTED';
    }
    if (phase === 'DONE' || deps.abort === undefined) return 'TOO_LATE';
    const wasRequested = isAbortRequested;
    isAbortRequested = true;
    const answer = await deps.abort(control);
    if (answer === 'TOO_LATE') isAbortRequested = wasRequested;
    return answer;
  }

  return {
    mark: deps.mark,
    run,
    requestAbort,
    discard() {
      if (phase !== 'READY') return;
      phase = 'DONE';
      deps.turn.release();
    },
  };
}
