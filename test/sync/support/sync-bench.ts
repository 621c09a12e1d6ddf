import { createHmac } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceConfigResponse } from '../../../app/contract/host/device-config.ts';
import type { TransactionRequest, TransactionResponse } from '../../../app/contract/transactions.ts';
import { DEFAULT_OFFLINE_LIMITS, type OfflineLimits } from '../../../app/domain/offline-sales.ts';
import { Secret } from '../../../app/domain/secret.ts';
import type { Clock } from '../../../app/ports/clock.ts';
import type { HostClient } from '../../../app/ports/host-client.ts';
import type { Journal } from '../../../app/ports/journal.ts';
import type { PreparedExchange, Terminal } from '../../../app/ports/terminal.ts';
import type { TipsOf } from '../../../app/ports/tips.ts';
import { nodeIds } from '../../../app/programs/node-ports.ts';
import { createHostClient } from '../../../app/sync/host-client.ts';
import { createHostRefusals } from '../../../app/sync/host-refusals.ts';
import { createHostTerminal } from '../../../app/sync/host-terminal.ts';
import { createOfflineSales } from '../../../app/sync/offline-sales.ts';
import { createOutbox, type Outbox } from '../../../app/sync/outbox.ts';
import { createOutboxStore } from '../../../app/sync/outbox-store.ts';
import type { PaymentWaits } from '../../../app/sync/sync-limits.ts';
import { createTipCaptures } from '../../../app/sync/tip-captures.ts';
import { createSimulatorAcquirer } from '../../../host/acquirers/simulator-acquirer.ts';
import { createHost } from '../../../host/create-host.ts';
import type { HostStore } from '../../../host/ports/host-store.ts';
import { type Demo, openDemo } from '../../../host/program/demo.ts';
import type { BookSummary } from '../../../host/simulator/standing.ts';
import { startSimulator } from '../../../host/simulator/start-simulator.ts';
import { openHostStore } from '../../../host/storage/open-host-store.ts';
import { type SimulatorControl, simulatorControl } from '../../host/support/simulator-control.ts';
import { until } from '../../host/support/until.ts';
import { ask, createHarness, type Harness, quietLog } from '../../support/engine-harness.ts';
import { realClock } from '../../support/zvt-clock.ts';
import { type FaultProxy, openFaultProxy } from './fault-proxy.ts';
import { liveJournal } from './live-journal.ts';
import { createScriptedReader, type ScriptedReader } from './scripted-reader.ts';

/** Where a payment of the till can be held, beside the reader's and the line's own places. */
type TillHold = 'BEFORE_PROVISIONAL' | 'AFTER_PROVISIONAL';

/** A till with a reader, a real host with its database and acquirer simulator, and a line between them that fails as it is told. */
export interface SyncBench {
  readonly harness: Harness;
  readonly reader: ScriptedReader;
  readonly line: FaultProxy;
  readonly control: SimulatorControl;
  readonly demo: Demo;
  readonly store: HostStore;
  readonly logged: readonly string[];
  outbox(): Outbox;
  client(): HostClient;
  /** Connections to the host are refused from now on, or taken again. */
  setReachable(isReachable: boolean): void;
  /** Whether the reader has a host at all. */
  serve(isServed: boolean): void;
  /** What the till believes to be the host's configuration; nothing else than the host's own word otherwise. */
  believe(config: DeviceConfigResponse): void;
  holdAt(place: TillHold): void;
  isHeld(): boolean;
  /** The till is gone as if its process had been killed; a new one starts on the same folder. */
  crash(): Promise<void>;
  /** The host's database as it is now; what it returns puts it back, as after a backup was put in. */
  backUpHost(): Promise<() => Promise<void>>;
  /** How much may wait for its authorization; nothing before. */
  allowOffline(limits?: Partial<OfflineLimits>): void;
  /** Later, for the age of what waits only. */
  passHours(hours: number): void;
  run(request: TransactionRequest): Promise<TransactionResponse>;
  /** Lets the engine's clock pass until the state is there. */
  passUntil(condition: () => boolean | Promise<boolean>): Promise<void>;
  acquirerBook(): Promise<BookSummary>;
  stop(): Promise<void>;
}

const shortWaits = { authorizationMs: 3_000, firstRepeatMs: 5, longestRepeatMs: 40 };

interface Generation {
  journal: Journal | undefined;
  isDead: boolean;
  outbox: Outbox;
  client: HostClient;
}

export interface SyncBenchOptions {
  readonly waits?: PaymentWaits;
  readonly tipsOf?: TipsOf;
}

export async function openSyncBench({ waits = shortWaits, tipsOf }: SyncBenchOptions = {}): Promise<SyncBench> {
  const folder = mkdtempSync(join(tmpdir(), 'sync-'));
  const simulator = await startSimulator(
    { port: 0, controlPort: 0, bookPath: join(folder, 'book.jsonl'), slowMs: 50 },
    { clock: realClock, onEnd: () => {} },
  );
  const control = simulatorControl(simulator.ready.controlUrl);
  const acquirer = createSimulatorAcquirer(
    { host: '127.0.0.1', port: simulator.ready.port },
    { clock: realClock, log: quietLog },
  );
  const database = `sqlite:${join(folder, 'host.db')}`;
  let store = await openHostStore({ database, nowMs: realClock.nowMs() });
  const demo = await openDemo({ store, clock: realClock, ids: nodeIds }, folder);
  const startHost = async () => {
    const made = await createHost({
      ...{ store, database, acquirer, clock: realClock, ids: nodeIds, log: quietLog },
      acquirerName: 'simulator',
      hmac: (text) => createHmac('sha256', 'key of this bench').update(text).digest('hex'),
      version: 'test',
    });
    return { host: made, url: await made.start({ host: '127.0.0.1', port: 0 }) };
  };
  let served = await startHost();
  const stopHost = () => served.host.stop();
  const openAgain = async () => {
    store = await openHostStore({ database, nowMs: realClock.nowMs() });
    served = await startHost();
  };
  const line = await openFaultProxy(() => served.url);
  const reader = createScriptedReader();
  const logged: string[] = [];
  const note =
    (level: string) =>
    (...parts: readonly unknown[]) =>
      void logged.push(`${level} ${JSON.stringify(parts)}`);
  const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  let isReachable = true;
  let isServed = true;
  let believed: DeviceConfigResponse | undefined;
  let offlineLimits = DEFAULT_OFFLINE_LIMITS;
  let aheadMs = 0;
  /** The outbox's clock: real, and as far ahead as a test has let hours pass. */
  const clock: Clock = { ...realClock, nowMs: () => realClock.nowMs() + aheadMs };
  let hold: TillHold | undefined;
  let letGo: (() => void) | undefined;
  let generation = nextGeneration();

  function nextGeneration(): Generation {
    const made: Pick<Generation, 'journal' | 'isDead'> = { journal: undefined, isDead: false };
    const journal = () => {
      if (made.isDead || made.journal === undefined) throw new Error('this till is gone');
      return made.journal;
    };
    const live = liveJournal(journal);
    const client = createHostClient({
      clock: realClock,
      access: () => {
        const url = isReachable ? line.url : 'http://127.0.0.1:1';
        return made.isDead ? undefined : { url, deviceToken: new Secret(demo.deviceToken) };
      },
    });
    const outbox = createOutbox({
      ...{ store: createOutboxStore(live), hostOf: () => client, clock, ids: nodeIds, log },
      deferredSales: () => (made.isDead ? undefined : harness.till.deferred),
      refusals: createHostRefusals({ journal: live, clock: realClock, ids: nodeIds }),
    });
    return Object.assign(made, { client, outbox });
  }

  function wrapTerminal(terminal: Terminal): Terminal {
    const own = generation;
    const made = createHostTerminal({
      reader: terminal,
      host: own.client,
      outbox: own.outbox,
      isServed: () => isServed,
      offlineSales: createOfflineSales({
        limits: () => offlineLimits,
        openItems: () => harness.journal.openOutboxItems(),
        clock,
      }),
      clock: realClock,
      log,
      waits,
      openTotals: (terminalId, currency) => {
        const { journal } = harness;
        return journal.totals(terminalId, journal.openBatchNumber(terminalId), currency);
      },
    });
    return {
      ...made,
      // It may lose its host meanwhile.
      get capabilities() {
        return made.capabilities;
      },
      prepare: async (command, signal) => held(await made.prepare(command, signal)),
      // A till that is gone hears nothing more.
      recover: async (question, signal) =>
        own.isDead ? await new Promise<never>(() => undefined) : await made.recover(question, signal),
    };
  }

  function held(exchange: PreparedExchange): PreparedExchange {
    const pass = async (place: TillHold) => {
      if (hold !== place) return;
      hold = undefined;
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
      letGo = undefined;
    };
    return {
      ...exchange,
      run: (hooks) =>
        exchange.run({
          onProgress: hooks.onProgress,
          async onProvisional(outcome) {
            await pass('BEFORE_PROVISIONAL');
            await hooks.onProvisional(outcome);
            await pass('AFTER_PROVISIONAL');
          },
        }),
    };
  }

  const makeTipCaptures = () =>
    createTipCaptures({
      outbox: generation.outbox,
      clock: realClock,
      configOf: () => believed,
      isReached: () => isReachable,
    });

  const harness = createHarness({
    terminals: [reader.terminal],
    wrapTerminal,
    makeTipCaptures,
    ...(tipsOf === undefined ? {} : { tipsOf }),
  });
  generation.journal = harness.journal;
  generation.outbox.start();

  async function passUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
    await until(async () => {
      if (await condition()) return true;
      await harness.clock.advance(500);
      return false;
    });
  }

  return {
    harness,
    reader,
    line,
    control,
    demo,
    get store() {
      return store;
    },
    logged,
    outbox: () => generation.outbox,
    client: () => generation.client,
    serve: (now) => {
      isServed = now;
    },
    setReachable: (now) => {
      isReachable = now;
    },
    believe: (config) => {
      believed = config;
    },
    async backUpHost() {
      const backup = join(folder, 'backup.db');
      await stopHost();
      copyFileSync(join(folder, 'host.db'), backup);
      await openAgain();
      return async () => {
        await stopHost();
        copyFileSync(backup, join(folder, 'host.db'));
        await openAgain();
      };
    },
    allowOffline: (limits = {}) => {
      offlineLimits = { ...DEFAULT_OFFLINE_LIMITS, enabled: true, ...limits };
    },
    passHours: (hours) => {
      aheadMs += hours * 3_600_000;
    },
    holdAt: (place) => {
      hold = place;
    },
    isHeld: () => letGo !== undefined,
    async crash() {
      generation.isDead = true;
      generation.outbox.stop();
      reader.abandon();
      letGo = undefined;
      generation = nextGeneration();
      harness.crashAndRestart({ wrapTerminal });
      generation.journal = harness.journal;
      generation.outbox.start();
    },
    run: (request) => ask(harness.till, request),
    passUntil,
    acquirerBook: control.book,
    async stop() {
      reader.release();
      letGo?.();
      generation.outbox.stop();
      await harness.stop();
      await line.close();
      await served.host.stop();
      await simulator.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
