import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Payment } from '../../../app/contract/host/payment.ts';
import { Secret } from '../../../app/domain/secret.ts';
import type { Clock } from '../../../app/ports/clock.ts';
import type { Journal } from '../../../app/ports/journal.ts';
import type { Terminal } from '../../../app/ports/terminal.ts';
import { nodeIds } from '../../../app/programs/node-ports.ts';
import type { CallContext } from '../../../app/services/till.ts';
import { createHostClient } from '../../../app/sync/host-client.ts';
import { createHostRefusals } from '../../../app/sync/host-refusals.ts';
import { createHostTerminal } from '../../../app/sync/host-terminal.ts';
import { createOutbox, type Outbox } from '../../../app/sync/outbox.ts';
import { createOutboxStore } from '../../../app/sync/outbox-store.ts';
import { createTerminal, parseTerminalUrl } from '../../../drivers/registry.ts';
import type { HidHandle, HidLibrary } from '../../../drivers/transport/hid-library.ts';
import type { TestCard } from '../../../drivers/virtual/cards.ts';
import { createSimulatorAcquirer } from '../../../host/acquirers/simulator-acquirer.ts';
import { createHost } from '../../../host/create-host.ts';
import { openDemo } from '../../../host/program/demo.ts';
import { startSimulator } from '../../../host/simulator/start-simulator.ts';
import { openHostStore } from '../../../host/storage/open-host-store.ts';
import { type SimulatorControl, simulatorControl } from '../../host/support/simulator-control.ts';
import type { CrashPoints } from '../../support/crash-points.ts';
import { createHarness, type Harness, quietLog } from '../../support/engine-harness.ts';
import { createFastClock } from '../../support/fast-clock.ts';
import { standingAtAcquirer, standingAtHost, standingInJournal, totalOf } from '../../support/standing.ts';
import { HID_IDENTITY, type HidReader, startHidReader } from '../../virtual/neo2/hid-reader.ts';
import { liveJournal } from './live-journal.ts';

/** Times as fast as the machine's clock. Faster, and a busy machine would take an answer that is a little late for a lost one. */
const SPEED = 8;
const READER_URL = 'neo2+hid://0ACD:3810/123T456789?currency=EUR';
/** Longer than an answer is waited for anywhere but at the acquirer. */
const SLOW_MS = 5_000;

export const context: CallContext = {
  clientId: 'client-1',
  actor: 'pos:till one',
  requestId: 'request-1',
  route: 'POST /v1/transaction/sale',
};

/** A till with the real driver on a virtual reader, the real host behind it, and the acquirer's simulator with its book. */
export interface ReaderTill {
  readonly harness: Harness;
  readonly reader: HidReader;
  readonly acquirer: SimulatorControl;
  /** Reports that have gone over the cable, in both directions. */
  reports(): number;
  /** The cable is pulled before so many more reports have gone over it, and plugged in again a little later. */
  unplugAt(report: number): void;
  /** Whether a fault still waits for what meets it. */
  isArmed(): Promise<boolean>;
  /** The till goes on with these points: it is gone once it has come to the one that it is dropped at. */
  crashAt(points: (onCrash: () => void) => CrashPoints): Promise<void>;
  hasCrashed(): boolean;
  /** A new till on the same folder, at the same reader. */
  restart(): Promise<void>;
  /** As the host has them, newest first. */
  payments(): Promise<readonly Payment[]>;
  /** What is still open, and what the four books do not agree on. Nothing, once all is over. */
  disagreements(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

/** One process of the till. */
interface Generation {
  readonly terminal: Terminal;
  readonly outbox: Outbox;
  readonly hostTerminal: (reader: Terminal) => Terminal;
  readonly points: CrashPoints | undefined;
  kill(): void;
}

/** @param cards what customers bring: the first that fits is presented; the reader's own where left out */
export async function openReaderTill({ cards }: { readonly cards?: readonly TestCard[] } = {}): Promise<ReaderTill> {
  const clock = createFastClock(SPEED);
  const folder = mkdtempSync(join(tmpdir(), 'reader-till-'));
  const simulator = await startSimulator(
    { port: 0, controlPort: 0, bookPath: join(folder, 'book.jsonl'), slowMs: SLOW_MS },
    { clock, onEnd: () => {} },
  );
  const acquirer = simulatorControl(simulator.ready.controlUrl);
  const database = `sqlite:${join(folder, 'host.db')}`;
  const store = await openHostStore({ database, nowMs: clock.nowMs() });
  const demo = await openDemo({ store, clock, ids: nodeIds }, folder);
  const host = await createHost({
    ...{ store, database, clock, ids: nodeIds, log: quietLog },
    acquirer: createSimulatorAcquirer({ host: '127.0.0.1', port: simulator.ready.port }, { clock, log: quietLog }),
    acquirerName: 'simulator',
    hmac: (text) => createHmac('sha256', 'key of this bench').update(text).digest('hex'),
    version: 'test',
  });
  const hostUrl = await host.start({ host: '127.0.0.1', port: 0 });
  const reader = await startHidReader(
    { slowMs: 3_000, outageMs: 3_000, ...(cards === undefined ? {} : { cards }) },
    HID_IDENTITY,
    clock,
  );
  const cable = createCable(reader.hid.library, () => reader.reader.causeFault('unplug'));
  let generation = await nextGeneration();
  const harness = createHarness({
    makeTerminals: () => [generation.terminal],
    wrapTerminal: (terminal) => generation.hostTerminal(terminal),
    wrapClock: () => clock,
  });
  generation.outbox.start();

  async function nextGeneration(makePoints?: (onCrash: () => void) => CrashPoints): Promise<Generation> {
    const plug = cable.plug();
    let isDead = false;
    const kill = () => {
      isDead = true;
      plug.pull();
      outbox.stop();
    };
    const points = makePoints?.(kill);
    const journal = (): Journal => {
      if (isDead) throw new Error('this till is gone');
      return points === undefined ? harness.journal : points.wrapJournal(harness.journal);
    };
    const live = liveJournal(journal);
    const client = createHostClient({
      clock,
      access: () => (isDead ? undefined : { url: hostUrl, deviceToken: new Secret(demo.deviceToken) }),
    });
    const outbox = createOutbox({
      store: createOutboxStore(live),
      refusals: createHostRefusals({ journal: live, clock, ids: nodeIds }),
      ...{ hostOf: () => client, clock, ids: nodeIds, log: quietLog },
    });
    const hostTerminal = (made: Terminal) => {
      const whole = createHostTerminal({
        ...{ reader: made, host: client, outbox, clock, log: quietLog },
        openTotals: (id, currency) => harness.journal.totals(id, harness.journal.openBatchNumber(id), currency),
      });
      return points === undefined ? whole : points.wrapTerminal(whole);
    };
    const terminal = await createTerminal(parseTerminalUrl(READER_URL), {
      ...{ terminalId: 'R1', clock, log: quietLog },
      loadHidLibrary: async () => plug.library,
    });
    return { terminal, outbox, hostTerminal, points, kill };
  }

  async function replace(makePoints?: (onCrash: () => void) => CrashPoints): Promise<void> {
    generation.kill();
    generation = await nextGeneration(makePoints);
    const { points } = generation;
    harness.crashAndRestart({
      wrapTerminal: (terminal) => generation.hostTerminal(terminal),
      wrapJournal: (journal) => points?.wrapJournal(journal) ?? journal,
      wrapClock: (): Clock => points?.wrapClock(clock) ?? clock,
    });
    generation.outbox.start();
  }

  async function paymentsAtHost(): Promise<readonly Payment[]> {
    const listed = await fetch(`${hostUrl}/v1/payments?limit=100`, { headers: { 'x-api-key': demo.secretKey } });
    return ((await listed.json()) as { readonly data: readonly Payment[] }).data;
  }

  async function disagreements(): Promise<readonly string[]> {
    const { journal, till } = harness;
    const open = [
      ...journal.openTransactions().map(({ transactionId }) => `${transactionId} is open`),
      ...journal.openTasks().map(({ reason }) => `a task is open: ${reason}`),
      ...journal.openOutboxItems().map(({ kind, trouble }) => `the host is owed: ${kind} ${trouble}`),
    ];
    if (open.length > 0) return open;
    const transactions = till.transactions(context, { limit: 100 }).data;
    const payments = await paymentsAtHost();
    const inJournal = JSON.stringify(sorted(standingInJournal(transactions)));
    const atHost = JSON.stringify(sorted(standingAtHost(payments)));
    const atAcquirer = JSON.stringify(sorted(standingAtAcquirer(await acquirer.book())));
    // What a chip has approved by itself is at the host, and at no acquirer yet (decisions: offline-complete).
    const byChip = transactions.filter(
      ({ status, type, rrn }) => status === 'APPROVED' && type === 'SALE' && rrn === undefined,
    );
    const byChipAtHost = payments.filter(({ status, rrn }) => status === 'SUCCEEDED' && rrn === undefined);
    const ofChips = JSON.stringify(byChip.map((each) => [each.transactionId, totalOf(each)]));
    const ofChipsAtHost = JSON.stringify(byChipAtHost.map(({ id, amountMinor }) => [id, amountMinor]));
    const { steps, open: waiting } = reader.book();
    const unread = transactions.filter(
      (transaction) =>
        transaction.status === 'APPROVED' &&
        ['SALE', 'PRE_AUTH', 'REFUND'].includes(transaction.type) &&
        !steps.some(
          ({ order, end }) =>
            order.amountMinor === totalOf(transaction) && (end === 'APPROVED' || end === 'LEFT_TO_ISSUER'),
        ),
    );
    return [
      ...(atHost === inJournal ? [] : [`journal ${inJournal}, host ${atHost}`]),
      ...(atAcquirer === inJournal ? [] : [`journal ${inJournal}, acquirer ${atAcquirer}`]),
      ...(ofChipsAtHost === ofChips ? [] : [`approved by chips: journal ${ofChips}, host ${ofChipsAtHost}`]),
      ...unread.map(({ amount }) => `${amount} was approved, and no card has approved it`),
      ...waiting.map((id) => `card step ${id} still waits for its issuer`),
    ];
  }

  return {
    harness,
    reader,
    acquirer,
    reports: cable.reports,
    unplugAt: cable.unplugAt,
    async isArmed() {
      const { armed } = (await acquirer.send('GET', '/state')).body as { readonly armed: readonly unknown[] };
      return armed.length > 0 || reader.reader.view().armed !== null || cable.isArmed();
    },
    crashAt: replace,
    hasCrashed: () => generation.points?.hasCrashed ?? false,
    restart: () => replace(),
    payments: paymentsAtHost,
    disagreements,
    async stop() {
      generation.outbox.stop();
      await harness.stop();
      await host.stop();
      await simulator.stop();
      await reader.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function sorted(standing: object): readonly (readonly [string, unknown])[] {
  return Object.entries(standing).sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Counts what goes over the cable, and can be pulled at any report. A process that dies leaves no open handle. */
function createCable(library: HidLibrary, unplug: () => void) {
  let reports = 0;
  let unplugsAt = 0;
  const pass = () => {
    reports += 1;
    if (reports === unplugsAt) unplug();
  };
  return {
    reports: () => reports,
    isArmed: () => reports < unplugsAt,
    unplugAt(report: number) {
      unplugsAt = reports + report;
    },
    /** The end of one process. */
    plug() {
      const handles = new Set<HidHandle>();
      let isPulled = false;
      const gated = (handle: HidHandle): HidHandle => ({
        on(event: 'data' | 'error', listener: (value: never) => void) {
          if (event === 'error') return handle.on('error', listener as (error: unknown) => void);
          return handle.on('data', (report) => {
            pass();
            if (!isPulled) listener(report as never);
          });
        },
        async write(report) {
          if (isPulled) throw new TypeError('this process is gone');
          pass();
          return await handle.write(report);
        },
        close: () => handle.close(),
      });
      return {
        library: {
          devicesAsync: () => library.devicesAsync(),
          HIDAsync: {
            async open(path: string) {
              if (isPulled) throw new TypeError('this process is gone');
              const handle = await library.HIDAsync.open(path);
              handles.add(handle);
              return gated(handle);
            },
          },
        } satisfies HidLibrary,
        pull() {
          isPulled = true;
          for (const handle of handles) void handle.close();
        },
      };
    },
  };
}
