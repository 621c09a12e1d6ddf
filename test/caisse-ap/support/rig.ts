// The driver on a memory line with a terminal that plays a script. It speaks hand-written text and specified messages, never anything made by our
// encoder, and it counts every request.
import type {
  ExchangeHooks,
  PreparedExchange,
  RecoveryQuestion,
  Terminal,
  TerminalCommand,
  TerminalNotice,
  TerminalOutcome,
  TerminalProgress,
} from '../../../app/ports/terminal.ts';
import type { CaisseApSettings } from '../../../drivers/caisse-ap/caisse-ap-settings.ts';
import { createCaisseApTerminal } from '../../../drivers/caisse-ap/caisse-ap-terminal.ts';
import { createMemoryTransport, type MemoryPeer } from '../../../drivers/transport/memory-transport.ts';
import { TransportError } from '../../../drivers/transport/transport.ts';
import { bytesOf } from '../../support/hex.ts';
import { createManualClock, type ManualClock, settle } from '../../support/manual-clock.ts';
import { vectorHex } from '../../support/vectors.ts';
import { silentLog } from '../../support/zvt-terminal.ts';

export const settings: CaisseApSettings = {
  currency: 'EUR',
  currencyNumeric: '978',
  tillNumber: '01',
  protocolId: '000000000001',
  answerMode: 'WAIT',
};

export const never = (): AbortSignal => new AbortController().signal;

/** One step of an answer: characters to send, a pause in milliseconds, or the end of the connection. */
type Step = string | number | 'DROP';

/** A specified message as characters. @param id in test/fixtures/protocols */
export function message(id: string): string {
  return Array.from(bytesOf(vectorHex(id)), (byte) => String.fromCharCode(byte)).join('');
}

/** A sale of 10.00, as the specified replies answer it. */
export function sale(amountMinor = 1_000, metadata?: Readonly<Record<string, string>>): TerminalCommand {
  return {
    transactionId: 'T1',
    operation: 'SALE',
    amountMinor,
    tipAmountMinor: 0,
    cashbackAmountMinor: 0,
    currency: 'EUR',
    entryMode: 'AUTO',
    ...(metadata === undefined ? {} : { metadata }),
  };
}

export function refund(amountMinor = 1_000): TerminalCommand {
  const original = { transactionId: 'T0', kind: 'SALE', amountMinor, reference: {} } as const;
  return { transactionId: 'T2', operation: 'REFUND', amountMinor, currency: 'EUR', original };
}

export interface Rig {
  readonly clock: ManualClock;
  readonly terminal: Terminal;
  readonly notices: readonly TerminalNotice[];
  /** What came over the line, one entry for each write of the till. */
  readonly requests: readonly string[];
  connections(): number;
  isConnected(): boolean;
  /** The answers to the requests, one after the other; the last one stays. */
  answers(...scripts: readonly (readonly Step[])[]): void;
  /** Whether the terminal can be reached. */
  plug(isIn: boolean): void;
  /** Something happens at the open connection. */
  say(text: string): void;
  drop(): void;
  ready(): Promise<void>;
  prepared(command?: TerminalCommand): Promise<PreparedExchange>;
  /** Prepares and runs a command, and lets the time pass that it takes. */
  pay(command?: TerminalCommand, waitMs?: number): Promise<TerminalOutcome>;
}

export interface HeardHooks extends ExchangeHooks {
  readonly progress: readonly TerminalProgress[];
}

export function hooks(): HeardHooks {
  const progress: TerminalProgress[] = [];
  return {
    progress,
    onProgress: (step) => void progress.push(step),
    async onProvisional() {
      throw new Error('the protocol acknowledges nothing');
    },
  };
}

export function question(command: TerminalCommand): RecoveryQuestion {
  return { command, mark: {}, state: 'INTENT', startedAt: '2026-11-27T10:00:00.000Z' };
}

export function createRig(change: Partial<CaisseApSettings> = {}): Rig {
  const clock = createManualClock();
  const notices: TerminalNotice[] = [];
  const requests: string[] = [];
  let scripts: (readonly Step[])[] = [[]];
  let peer: MemoryPeer | undefined;
  let connections = 0;
  let isIn = true;

  function play(steps: readonly Step[], at: MemoryPeer): void {
    const [step, ...rest] = steps;
    if (step === undefined) return;
    if (typeof step === 'number') {
      clock.after(step, () => play(rest, at));
      return;
    }
    if (step === 'DROP') {
      at.drop('closed by the terminal');
      return;
    }
    at.send(Uint8Array.from(step, (character) => character.charCodeAt(0)));
    play(rest, at);
  }

  const terminal = createCaisseApTerminal({
    terminalId: 'till-1',
    clock,
    log: silentLog,
    settings: { ...settings, ...change },
    createTransport: (listeners) =>
      createMemoryTransport(
        'memory',
        (next) => {
          if (!isIn) throw new TransportError('REFUSED', 'memory refuses the connection.');
          peer = next;
          connections++;
          return {
            onData(bytes) {
              requests.push(String.fromCharCode(...bytes));
              play((scripts.length > 1 ? scripts.shift() : scripts[0]) ?? [], next);
            },
            onClose() {
              if (peer === next) peer = undefined;
            },
          };
        },
        listeners,
      ),
  });
  terminal.subscribe((notice) => notices.push(notice));

  async function prepared(command = sale()): Promise<PreparedExchange> {
    const preparing = terminal.prepare(command, never());
    preparing.catch(() => undefined);
    await settle();
    return preparing;
  }

  return {
    clock,
    terminal,
    notices,
    requests,
    connections: () => connections,
    isConnected: () => peer !== undefined,
    answers(...next) {
      scripts = [...next];
    },
    plug(next) {
      isIn = next;
    },
    say: (text) => void peer?.send(Uint8Array.from(text, (character) => character.charCodeAt(0))),
    drop: () => peer?.drop('unplugged'),
    async ready() {
      terminal.start();
      await settle();
    },
    prepared,
    async pay(command, waitMs = 2_000) {
      const running = (await prepared(command)).run(hooks());
      await clock.advance(waitMs);
      return running;
    },
  };
}
