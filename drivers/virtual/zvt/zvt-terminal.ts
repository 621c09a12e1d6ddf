// The pure machine with its surroundings: wire, clock, book.
import type { Clock } from '../../../app/ports/clock.ts';
import type { BookFile } from '../book/book-file.ts';
import type { Ledger } from '../book/ledger.ts';
import type { ControlledTerminal } from '../controlled-terminal.ts';
import type { ByteLink } from '../link/byte-link.ts';
import { localTimeOf } from '../local-time.ts';
import type { TerminalView } from '../terminal-view.ts';
import { step } from './machine.ts';
import {
  initialState,
  type TerminalInput,
  type TerminalOutput,
  type TerminalSettings,
  type TimerName,
} from './state.ts';
import { viewOf } from './view.ts';
import type { Wire, WireEvents } from './wire.ts';

export interface ZvtTerminalDeps {
  readonly settings: TerminalSettings;
  readonly book: BookFile;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly link: ByteLink;
  readonly createWire: (link: ByteLink, events: WireEvents) => Wire;
  /** the book cannot be written or the link does not come back: the terminal is of no use any more */
  readonly onFatal: (error: unknown) => void;
}

export interface ZvtTerminal extends ControlledTerminal {
  /** Takes back what the last run left open and waits for a till. @throws LinkError */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createZvtTerminal(deps: ZvtTerminalDeps): ZvtTerminal {
  const { settings, ledger, clock, link } = deps;
  let state = initialState(settings);
  let power: 'ON' | 'RESTARTING' | 'OFF' = 'ON';
  let isStepping = false;
  const inputs: TerminalInput[] = [];
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
  const take = (input: TerminalInput) => {
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
  const run = (input: TerminalInput) => {
    const result = step({ settings, ledger, now: localTimeOf(clock.nowMs()) }, state, input);
    state = result.state;
    for (const output of result.outputs) perform(output);
  };
  const perform = (output: TerminalOutput) => {
    switch (output.type) {
      case 'book':
        ledger.apply(deps.book.append(output.entry, new Date(clock.nowMs()).toISOString()));
        return;
      case 'send':
        wire.send(output.apdu, output.damage);
        return;
      case 'send-noise':
        wire.sendNoise();
        return;
      case 'flush-link':
        wire.flush();
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
        beginOutage(output.cause, output.durationMs);
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
  /** Unplugged: only the line is gone. Rebooting: nothing happens any more until the start after it. */
  const beginOutage = (cause: 'UNPLUG' | 'REBOOT', durationMs: number) => {
    if (cause === 'REBOOT') {
      power = 'RESTARTING';
      stopTimers();
    }
    link.suspend().catch(deps.onFatal);
    stopOutage();
    stopOutage = clock.after(durationMs, () => {
      link.resume().then(endOutage, deps.onFatal);
    });
  };
  const endOutage = () => {
    if (power !== 'RESTARTING') return;
    power = 'ON';
    take({ type: 'boot' });
    if (isLinkUp) take({ type: 'link-up' });
  };

  let isLinkUp = false;
  const wire = deps.createWire(link, {
    onApdu: (apdu) => take({ type: 'apdu', apdu }),
    onFailed: () => {
      take({ type: 'link-down' });
      take({ type: 'link-up' });
    },
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
    closeDay() {
      if (power !== 'ON' || state.activity.kind !== 'IDLE') return false;
      take({ type: 'auto-close' });
      return true;
    },
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
      if (power === 'ON') take({ type: 'link-down' });
      power = 'OFF';
      stopTimers();
      wire.reset();
      await link.stop();
    },
  };
}
