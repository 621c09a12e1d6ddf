// A pure machine with its surroundings: wire, clock, book.
import type { Clock } from '../../app/ports/clock.ts';
import type { Stored } from './book/entries.ts';
import type { ControlledTerminal } from './controlled-terminal.ts';
import type { ByteLink } from './link/byte-link.ts';
import { localTimeOf } from './local-time.ts';
import type {
  CommonOutput,
  MachineInput,
  MachineOutput,
  MachineTimer,
  MachineTypes,
  OutageCause,
  Step,
} from './machine.ts';
import { viewWithoutPower } from './machine-view.ts';
import type { TerminalView } from './terminal-view.ts';

const COMMON_OUTPUTS: ReadonlySet<string> = new Set<CommonOutput['type']>([
  'book',
  'send-noise',
  'drop-link',
  'start-timer',
  'stop-timer',
  'outage',
]);

/** How the bytes of a link become what the machine takes. */
export interface MachineWire {
  receive(bytes: Uint8Array): void;
  sendNoise(): void;
  /** a new connection begins, or the old one has ended */
  reset(): void;
}

export interface MachineTerminalDeps<T extends MachineTypes, Wire extends MachineWire> {
  readonly settings: T['settings'];
  readonly ledger: T['ledger'] & { apply(entry: Stored<T['entry']>): void };
  readonly book: { append(entry: T['entry'], at: string): Stored<T['entry']> };
  readonly clock: Clock;
  readonly link: ByteLink;
  readonly initialState: T['state'];
  readonly step: Step<T>;
  readonly viewOf: (state: T['state']) => TerminalView;
  /** `take` gives the machine what the till has sent */
  readonly createWire: (take: (input: MachineInput<T>) => void) => Wire;
  /** carries out what only this protocol has: what goes to the till */
  readonly perform: (output: T['output'], wire: Wire) => void;
  /** tells an idle terminal to close its day; absent on one without a batch */
  readonly dayClose?: T['input'];
  /** the book cannot be written or the link does not come back: the terminal is of no use any more */
  readonly onFatal: (error: unknown) => void;
}

export interface MachineTerminal extends ControlledTerminal {
  /** Sets right what the last run left open and waits for a till. @throws LinkError */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createMachineTerminal<T extends MachineTypes, Wire extends MachineWire>(
  deps: MachineTerminalDeps<T, Wire>,
): MachineTerminal {
  const { settings, ledger, clock, link, dayClose } = deps;
  let state = deps.initialState;
  let power: 'ON' | 'RESTARTING' | 'OFF' = 'ON';
  let isStepping = false;
  let isLinkUp = false;
  const inputs: MachineInput<T>[] = [];
  const listeners = new Set<(view: TerminalView) => void>();
  let stopOutage = () => {};

  const view = (): TerminalView => {
    const seen = deps.viewOf(state);
    return power === 'ON' ? seen : viewWithoutPower(seen, settings.texts);
  };
  const announce = () => {
    for (const listener of listeners) listener(view());
  };
  /** One input at a time, in the order of their coming, even when carrying one out causes the next. */
  const take = (input: MachineInput<T>) => {
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
  const run = (input: MachineInput<T>) => {
    const result = deps.step({ settings, ledger, now: localTimeOf(clock.nowMs()) }, state, input);
    state = result.state;
    for (const output of result.outputs) perform(output);
  };
  const perform = (output: MachineOutput<T>) => {
    if (!isCommon<T>(output)) {
      deps.perform(output, wire);
      return;
    }
    switch (output.type) {
      case 'book':
        ledger.apply(deps.book.append(output.entry, new Date(clock.nowMs()).toISOString()));
        return;
      case 'send-noise':
        wire.sendNoise();
        return;
      case 'drop-link':
        link.dropPeer();
        return;
      case 'start-timer':
        timers.start(output.name, output.delayMs);
        return;
      case 'stop-timer':
        timers.stop(output.name);
        return;
      case 'outage':
        beginOutage(output.cause, output.durationMs);
        return;
    }
  };
  const timers = createTimers<MachineTimer<T>>(clock, (name) => take({ type: 'timer', name }));
  const beginOutage = (cause: OutageCause, durationMs: number) => {
    if (cause === 'REBOOT') {
      power = 'RESTARTING';
      timers.stopAll();
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

  const wire = deps.createWire(take);
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
      if (dayClose === undefined || power !== 'ON' || state.activity.kind !== 'IDLE') return false;
      take(dayClose);
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
      timers.stopAll();
      wire.reset();
      await link.stop();
    },
  };
}

function isCommon<T extends MachineTypes>(
  output: MachineOutput<T>,
): output is CommonOutput<T['entry'], MachineTimer<T>> {
  return COMMON_OUTPUTS.has(output.type);
}

/** One timer of each name at most: started again, it begins anew. */
function createTimers<Name extends string>(clock: Clock, onExpired: (name: Name) => void) {
  const running = new Map<Name, () => void>();
  const stop = (name: Name) => {
    running.get(name)?.();
    running.delete(name);
  };
  return {
    stop,
    start(name: Name, delayMs: number) {
      stop(name);
      const expire = () => {
        running.delete(name);
        onExpired(name);
      };
      running.set(name, clock.after(delayMs, expire));
    },
    stopAll: () => {
      for (const name of [...running.keys()]) stop(name);
    },
  };
}
