// The pure machine with its surroundings: wire, clock, book.
import type { Clock } from '../../../app/ports/clock.ts';
import type { BookFile } from '../book/book-file.ts';
import type { ControlledTerminal } from '../controlled-terminal.ts';
import type { ByteLink } from '../link/byte-link.ts';
import { localTimeOf } from '../local-time.ts';
import type { TerminalView } from '../terminal-view.ts';
import type { ReaderEntry } from './book/entries.ts';
import { createReaderLedger } from './book/reader-ledger.ts';
import { step } from './machine.ts';
import { initialState, type ReaderInput, type ReaderOutput, type ReaderSettings, type TimerName } from './state.ts';
import { viewOf } from './view.ts';
import type { CreateReaderWire } from './wire.ts';

export interface ReaderTerminalDeps {
  readonly settings: ReaderSettings;
  readonly book: Pick<BookFile<ReaderEntry>, 'initialEntries' | 'append'>;
  readonly clock: Clock;
  readonly link: ByteLink;
  readonly createWire: CreateReaderWire;
  /** the book cannot be written or the link does not come back: the reader is of no use any more */
  readonly onFatal: (error: unknown) => void;
}

export interface ReaderTerminal extends ControlledTerminal {
  /** Abandons what the last run left open and waits for a till. @throws LinkError */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createReaderTerminal(deps: ReaderTerminalDeps): ReaderTerminal {
  const { settings, clock, link } = deps;
  const ledger = createReaderLedger();
  for (const entry of deps.book.initialEntries) ledger.apply(entry);
  let state = initialState(settings);
  let power: 'ON' | 'AWAY' | 'OFF' = 'ON';
  let isStepping = false;
  let isLinkUp = false;
  const inputs: ReaderInput[] = [];
  const timers = new Map<TimerName, () => void>();
  const listeners = new Set<(view: TerminalView) => void>();
  let stopOutage = () => {};

  const view = (): TerminalView => {
    const seen = viewOf(state);
    return power === 'ON' ? seen : { ...seen, state: 'RESTARTING', display: [settings.texts.restarting], link: 'DOWN' };
  };
  const announce = () => {
    for (const listener of listeners) listener(view());
  };
  /** One input at a time, in the order of their coming, even when carrying one out causes the next. */
  const take = (input: ReaderInput) => {
    inputs.push(input);
    if (isStepping) return;
    isStepping = true;
    try {
      for (let next = inputs.shift(); next !== undefined; next = inputs.shift()) if (power === 'ON') run(next);
    } catch (error) {
      power = 'OFF';
      deps.onFatal(error);
    } finally {
      isStepping = false;
    }
    announce();
  };
  const run = (input: ReaderInput) => {
    const result = step({ settings, ledger, now: localTimeOf(clock.nowMs()) }, state, input);
    state = result.state;
    for (const output of result.outputs) perform(output);
  };
  const perform = (output: ReaderOutput) => {
    switch (output.type) {
      case 'book':
        ledger.apply(deps.book.append(output.entry, new Date(clock.nowMs()).toISOString()));
        return;
      case 'send':
        wire.send(output.frame, output.damage);
        return;
      case 'send-noise':
        wire.sendNoise();
        return;
      case 'drop-link':
        link.dropPeer();
        return;
      case 'start-timer':
        startTimer(output.name, output.delayMs);
        return;
      case 'stop-timer':
        stopTimer(output.name);
        return;
      case 'outage':
        beginOutage(output.durationMs);
        return;
    }
  };
  const stopTimer = (name: TimerName) => {
    timers.get(name)?.();
    timers.delete(name);
  };
  const startTimer = (name: TimerName, delayMs: number) => {
    stopTimer(name);
    const expire = () => {
      timers.delete(name);
      take({ type: 'timer', name });
    };
    timers.set(name, clock.after(delayMs, expire));
  };
  const stopTimers = () => {
    for (const name of [...timers.keys()]) stopTimer(name);
  };
  /** Unplugged or rebooting: a reader has its power from the cable, so that both empty its memory. */
  const beginOutage = (durationMs: number) => {
    power = 'AWAY';
    stopTimers();
    link.suspend().catch(deps.onFatal);
    stopOutage();
    stopOutage = clock.after(durationMs, () => {
      link.resume().then(endOutage, deps.onFatal);
    });
  };
  const endOutage = () => {
    if (power !== 'AWAY') return;
    power = 'ON';
    take({ type: 'boot' });
    if (isLinkUp) take({ type: 'link-up' });
  };

  const wire = deps.createWire(link, clock, {
    onFrame(frame) {
      // An event frame is a reader's: from a till it means nothing.
      if (frame.kind === 'message') take({ type: 'frame', ...frame });
    },
    onBroken: () => take({ type: 'broken-frame' }),
  });
  const linkEvents = {
    onUp: () => {
      isLinkUp = true;
      wire.reset();
      take({ type: 'link-up' });
    },
    onDown: () => {
      isLinkUp = false;
      wire.reset();
      take({ type: 'link-down' });
    },
    onBytes: (bytes: Uint8Array) => {
      if (power === 'ON') wire.receive(bytes);
    },
    onFailed: deps.onFatal,
  };

  return {
    view,
    presentCard: (card) => take({ type: 'card', card }),
    removeCard: () => take({ type: 'card-removed' }),
    pressKey: (key) => take({ type: 'key', key }),
    arm: (rule, times) => take({ type: 'arm', rule, times }),
    disarm: () => take({ type: 'disarm' }),
    takeInHand: (forMs) => take({ type: 'hand', forMs }),
    letGo: () => take({ type: 'let-go' }),
    causeFault: (fault) => take({ type: 'fault', fault }),
    // A reader has no batch.
    closeDay: () => false,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async start() {
      take({ type: 'boot' });
      await link.start(linkEvents);
    },
    async stop() {
      stopOutage();
      power = 'OFF';
      stopTimers();
      wire.reset();
      await link.stop();
    },
  };
}
