import { Secret } from '../../app/domain/secret.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type {
  ExchangeHooks,
  RecoveryAnswer,
  RecoveryQuestion,
  Terminal,
  TerminalCommand,
  TerminalNotice,
  TerminalOutcome,
  TerminalProgress,
} from '../../app/ports/terminal.ts';
import { createMemoryTransport } from '../../drivers/transport/memory-transport.ts';
import { TransportError, type TransportFactory } from '../../drivers/transport/transport.ts';
import type { ZvtSettings } from '../../drivers/zvt/zvt-settings.ts';
import { createZvtTerminal } from '../../drivers/zvt/zvt-terminal.ts';
import { createManualClock, type ManualClock, settle } from './zvt-clock.ts';
import { createScriptedTerminal, type ScriptedTerminal } from './zvt-peer.ts';

export const settings: ZvtSettings = {
  password: new Secret('000000'),
  currency: 'EUR',
  currencyNumeric: '978',
  completion: 'BOOK_TOTAL',
  issuerCodes: 'BINARY',
  receipts: 'TILL',
};

export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export const never = new AbortController().signal;

export function sale(amountMinor = 1234): TerminalCommand {
  return {
    transactionId: 'T1',
    operation: 'SALE',
    amountMinor,
    tipAmountMinor: 0,
    cashbackAmountMinor: 0,
    currency: 'EUR',
    entryMode: 'AUTO',
  };
}

export interface Rig {
  readonly clock: ManualClock;
  readonly peer: ScriptedTerminal;
  readonly terminal: Terminal;
  readonly notices: TerminalNotice[];
  /** Whether the terminal can be reached. */
  plug(isIn: boolean): void;
  /** Pulls the plug of the open connection. */
  drop(): void;
  /** Connected, registered, last receipt learned. */
  ready(): Promise<void>;
}

export interface RigOptions {
  readonly settings?: Partial<ZvtSettings>;
  /** Changes what the terminal sends on its way: cut, delayed, damaged. */
  readonly outgoing?: (bytes: Uint8Array, deliver: (bytes: Uint8Array) => void) => void;
}

/** The driver on a memory line with a scripted terminal and a manual clock. */
export function createRig(options: RigOptions = {}): Rig {
  const clock = createManualClock();
  const peer = createScriptedTerminal();
  const notices: TerminalNotice[] = [];
  let isIn = true;
  let drop = (): void => undefined;
  const createTransport: TransportFactory = (listeners) =>
    createMemoryTransport(
      'memory',
      (line) => {
        if (!isIn) throw new TransportError('REFUSED', 'memory refuses the connection.');
        drop = () => line.drop('unplugged');
        const deliver = (bytes: Uint8Array): void => void line.send(bytes);
        queueMicrotask(() =>
          peer.connected({
            send: (bytes) => (options.outgoing === undefined ? deliver(bytes) : options.outgoing(bytes, deliver)),
            drop,
          }),
        );
        return {
          onData: (bytes) => peer.received(bytes),
          onClose: () => peer.disconnected(),
        };
      },
      listeners,
    );
  const terminal = createZvtTerminal({
    terminalId: 'till-1',
    clock: clock satisfies Clock,
    log: silentLog,
    settings: { ...settings, ...options.settings },
    line: 'TCP',
    createTransport,
  });
  terminal.subscribe((notice) => notices.push(notice));
  return {
    clock,
    peer,
    terminal,
    notices,
    plug(next) {
      isIn = next;
    },
    drop: () => drop(),
    async ready() {
      terminal.start();
      await settle();
      await settle();
    },
  };
}

export interface HeardHooks extends ExchangeHooks {
  readonly progress: TerminalProgress[];
  readonly provisional: TerminalOutcome[];
}

export function hooks(onProvisional: (outcome: TerminalOutcome) => Promise<void> = async () => {}): HeardHooks {
  const progress: TerminalProgress[] = [];
  const provisional: TerminalOutcome[] = [];
  return {
    progress,
    provisional,
    onProgress: (step) => progress.push(step),
    async onProvisional(outcome) {
      provisional.push(outcome);
      await onProvisional(outcome);
    },
  };
}

/** What the engine would ask after a crash or a lost answer. */
export function question(
  command: TerminalCommand,
  mark: RecoveryQuestion['mark'],
  provisional?: TerminalOutcome,
): RecoveryQuestion {
  return {
    command,
    mark,
    state: provisional === undefined ? 'INTENT' : 'PROVISIONAL',
    ...(provisional === undefined ? {} : { provisional }),
    startedAt: '2026-11-27T12:00:00.000Z',
  };
}

/** Asks and lets the time pass that a question takes. */
export async function recovered(rig: Rig, asked: RecoveryQuestion, waitMs = 2_000): Promise<RecoveryAnswer> {
  const running = rig.terminal.recover(asked, never);
  await rig.clock.advance(waitMs);
  return running;
}
