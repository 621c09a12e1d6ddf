import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TransactionEvent } from '../../app/contract/session.ts';
import type { TransactionRequest, TransactionResponse } from '../../app/contract/transactions.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { HostBooks } from '../../app/ports/host-books.ts';
import type { Ids } from '../../app/ports/ids.ts';
import type { Journal } from '../../app/ports/journal.ts';
import type { Log } from '../../app/ports/log.ts';
import type { Terminal } from '../../app/ports/terminal.ts';
import type { TipCaptures } from '../../app/ports/tip-captures.ts';
import type { TipsOf } from '../../app/ports/tips.ts';
import { createTill, type TillEngine } from '../../app/services/create-till.ts';
import type { Answer, CallContext } from '../../app/services/till.ts';
import type { AttachedTerminal, TillSettings } from '../../app/services/till-deps.ts';
import { createJournal } from '../../app/storage/create-journal.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createMemoryDevice, type MemoryDevice } from './memory-terminal.ts';
import { createSeededIds } from './seeded-ids.ts';

export const quietLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

export interface HarnessOptions {
  readonly devices?: readonly MemoryDevice[];
  readonly terminals?: readonly Terminal[];
  /** Made anew at each start, on the harness's clock. */
  readonly makeTerminals?: () => readonly Terminal[];
  readonly clock?: ManualClock;
  readonly log?: Log;
  readonly attached?: Partial<AttachedTerminal>;
  readonly settings?: Partial<TillSettings>;
  readonly startIso?: string;
  /** Put between the engine and its journal. */
  readonly wrapJournal?: (journal: Journal) => Journal;
  readonly wrapTerminal?: (terminal: Terminal) => Terminal;
  readonly wrapClock?: (clock: Clock) => Clock;
  readonly ids?: Ids;
  /** The host that is told of the terminals' own payments, made anew at each start, on the engine's own journal. */
  readonly makeHostBooks?: (journal: Journal) => HostBooks;
  readonly tipsOf?: TipsOf;
  /** The host that captures held sales, made anew at each start. */
  readonly makeTipCaptures?: () => TipCaptures;
}

/** The engine with the real storage in a folder of its own, memory terminals and a manual clock. */
export interface Harness {
  readonly till: TillEngine;
  readonly device: MemoryDevice;
  readonly clock: ManualClock;
  readonly journal: Journal;
  readonly dataDir: string;
  readonly events: readonly TransactionEvent[];
  names(): string[];
  /** The engine is dropped as it stands (the line to the terminal is cut, nothing is stopped) and a new one starts on the same folder. */
  crashAndRestart(options?: HarnessOptions): void;
  stop(): Promise<void>;
}

const defaultContext: CallContext = {
  clientId: 'client-1',
  actor: 'pos:till one',
  requestId: 'request-1',
  route: 'POST /v1/transaction/sale',
};

export function createHarness(options: HarnessOptions = {}): Harness {
  const dataDir = mkdtempSync(join(tmpdir(), 'engine-'));
  const clock = options.clock ?? createManualClock(options.startIso);
  const log = options.log ?? quietLog;
  const devices =
    options.devices ??
    (options.terminals === undefined && options.makeTerminals === undefined ? [createMemoryDevice()] : []);
  const ids = options.ids ?? createSeededIds(dataDir);
  let journal = open();
  let events: TransactionEvent[] = [];
  let till = start(options);

  function open(): Journal {
    return createJournal({ dataDir, clock, log, pid: process.pid });
  }

  function start(now: HarnessOptions): TillEngine {
    const wrapTerminal = now.wrapTerminal ?? ((terminal: Terminal) => terminal);
    const made = options.makeTerminals?.() ?? [];
    const terminals = [...devices.map((device) => device.attach()), ...(options.terminals ?? []), ...made];
    const engineJournal = now.wrapJournal?.(journal) ?? journal;
    const hostBooks = (now.makeHostBooks ?? options.makeHostBooks)?.(engineJournal);
    const engine = createTill({
      journal: engineJournal,
      ...(hostBooks === undefined ? {} : { hostBooks }),
      ...(options.tipsOf === undefined ? {} : { tipsOf: options.tipsOf }),
      ...(options.makeTipCaptures === undefined ? {} : { tipCaptures: options.makeTipCaptures() }),
      terminals: terminals.map((terminal) => ({
        terminal: wrapTerminal(terminal),
        currency: 'EUR',
        simulated: false,
        ...options.attached,
      })),
      clock: now.wrapClock?.(clock) ?? clock,
      ids,
      log,
      hmac: (text) => createHmac('sha256', 'test').update(text).digest('hex'),
      settings: {
        merchantId: 'M1',
        merchantName: 'Corner Shop',
        timeZone: 'Europe/Berlin',
        dayCutOff: '00:00',
        stopGraceMs: 1_000,
        ...options.settings,
      },
    });
    events = [];
    engine.subscribe((event) => events.push(event));
    engine.start();
    return engine;
  }

  return {
    get till() {
      return till;
    },
    get device() {
      const [first] = devices;
      if (first === undefined) throw new Error('this harness has no memory device');
      return first;
    },
    clock,
    get journal() {
      return journal;
    },
    dataDir,
    get events() {
      return events;
    },
    names: () => events.filter((event) => event.event !== 'status_changed').map((event) => event.event),
    crashAndRestart(now = {}) {
      for (const device of devices) device.cut();
      journal.close();
      journal = open();
      till = start(now);
    },
    async stop() {
      const stopped = till.stop();
      await clock.advance(5_000);
      await stopped;
      journal.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export type SaleFields = Partial<TransactionRequest>;

export function saleOf(fields: SaleFields = {}): TransactionRequest {
  return { type: 'SALE', amount: 1_000, currency: 'EUR', ...fields };
}

const routes: Readonly<Record<TransactionRequest['type'], string>> = {
  SALE: 'sale',
  PRE_AUTH: 'pre-auth',
  PRE_AUTH_COMPLETE: 'pre-auth/complete',
  REFUND: 'refund',
  VOID: 'void',
  CARD_READ: 'card-read',
  BALANCE_INQUIRY: 'balance-inquiry',
};

/** One call as the server would make it. */
export function call(
  till: TillEngine,
  request: TransactionRequest,
  context: Partial<CallContext> = {},
): Promise<Answer> {
  return till.run({ ...defaultContext, route: `POST /v1/transaction/${routes[request.type]}`, ...context }, request);
}

export function bodyOf(answer: Answer): TransactionResponse {
  return JSON.parse(answer.body) as TransactionResponse;
}

/** Calls and reads the answer. */
export async function ask(
  till: TillEngine,
  request: TransactionRequest,
  context: Partial<CallContext> = {},
): Promise<TransactionResponse> {
  return bodyOf(await call(till, request, context));
}

/** Waits for a state, never for a time. */
export async function until(condition: () => boolean, what = 'the state'): Promise<void> {
  for (let turn = 0; turn < 2_000; turn += 1) {
    if (condition()) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`${what} was not reached`);
}
