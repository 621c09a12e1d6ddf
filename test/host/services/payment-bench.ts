import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuthorizeRequest, AuthorizeResponse } from '../../../app/contract/host/authorize.ts';
import type { Payment } from '../../../app/contract/host/payment.ts';
import type {
  CreatePaymentSessionRequest,
  TerminalPaymentSession,
} from '../../../app/contract/host/payment-session.ts';
import type { Clock } from '../../../app/ports/clock.ts';
import { nodeIds } from '../../../app/programs/node-ports.ts';
import type { HostStore } from '../../../host/ports/host-store.ts';
import { createClaimSession } from '../../../host/services/claim-session.ts';
import { createCreateSession } from '../../../host/services/create-session.ts';
import { endUnpaidSession } from '../../../host/services/end-session.ts';
import type { DeviceCaller, Host, HostAnswer, HostCall, SecretCaller } from '../../../host/services/host.ts';
import type { HostDeps } from '../../../host/services/host-deps.ts';
import { createIdempotencyGate } from '../../../host/services/idempotency-gate.ts';
import { createLookUpSession } from '../../../host/services/look-up-session.ts';
import { createPaymentServices, type PaymentServices } from '../../../host/services/payment-services.ts';
import { createSessionEvent } from '../../../host/services/session-event.ts';
import type { BookSummary } from '../../../host/simulator/standing.ts';
import { openHostStore } from '../../../host/storage/open-host-store.ts';
import { realClock } from '../../support/zvt-clock.ts';
import { silentLog } from '../../support/zvt-terminal.ts';
import { openSimulatorBench, type SimulatorBench } from '../support/simulator-bench.ts';

type BenchServices = PaymentServices & Pick<Host, 'createSession' | 'claimSession' | 'session' | 'sessionEvent'>;

/** A host's payment services in front of an acquirer simulator with a book of its own, which judges them. */
export interface PaymentBench {
  readonly deps: HostDeps;
  readonly host: BenchServices;
  readonly store: HostStore;
  readonly simulator: SimulatorBench;
  readonly device: DeviceCaller;
  readonly server: SecretCaller;
  /** Moves the clock of the host. */
  skip(ms: number): void;
  /** One more terminal of the same merchant. */
  addDevice(terminalId: string, currency?: string): Promise<DeviceCaller>;
  book(): Promise<BookSummary>;
  /** Another process of the host, on the same database, with a line of its own to the acquirer. */
  another(): Promise<BenchServices>;
  /** The host as a backup from before every payment has it, with the same secret and acquirer: it knows this terminal and nothing else. */
  putBack(device: DeviceCaller): Promise<BenchServices>;
  stop(): Promise<void>;
}

export interface BenchOptions {
  /** An empty SQLite file when left out. */
  readonly database?: string;
  /** Names a further empty database; another SQLite file when left out. */
  readonly furtherDatabase?: () => Promise<string | undefined>;
  /** How long the acquirer is waited for; long enough for any machine when left out. */
  readonly acquirerTimeoutMs?: number;
}

export async function openPaymentBench({
  database,
  furtherDatabase = async () => undefined,
  acquirerTimeoutMs = 30_000,
}: BenchOptions = {}): Promise<PaymentBench> {
  const folder = mkdtempSync(join(tmpdir(), 'host-'));
  const simulator = await openSimulatorBench();
  let skippedMs = 0;
  const clock: Clock = { ...realClock, nowMs: () => realClock.nowMs() + skippedMs };
  const url = database ?? `sqlite:${join(folder, 'host.db')}`;
  const stores: HostStore[] = [];
  const depsOf = async (acquirer = simulator.acquirer, ofDatabase = url): Promise<HostDeps> => {
    const store = await openHostStore({ database: ofDatabase, nowMs: clock.nowMs() });
    stores.push(store);
    return {
      store,
      acquirer,
      acquirerName: 'simulator',
      clock,
      ids: nodeIds,
      log: silentLog,
      links: { wake: () => {} },
      hmac: (text) => createHmac('sha256', 'key of this bench').update(text).digest('hex'),
      processId: randomUUID(),
      acquirerTimeoutMs,
    };
  };
  const servicesOf = (deps: HostDeps): BenchServices => {
    const gate = createIdempotencyGate(deps);
    return {
      ...createPaymentServices(deps, { gate, endSession: endUnpaidSession }),
      ...createCreateSession(deps, gate),
      ...createClaimSession(deps, gate),
      ...createLookUpSession(deps),
      ...createSessionEvent(deps),
    };
  };
  const deps = await depsOf();
  const host = servicesOf(deps);
  const ends = [host.lateAnswers.listen()];
  const merchantId = `M-${randomUUID()}`;
  const addMerchant = async (store: HostStore) =>
    await store.transact((unit) => unit.addMerchant({ merchantId, name: 'Shop', createdAtMs: clock.nowMs() }));
  await addMerchant(deps.store);
  const addTerminal = async (store: HostStore, { terminalId, deviceId, currency }: DeviceCaller) => {
    const terminal = { merchantId, terminalId, deviceId, name: 'Lane', currency, createdAtMs: clock.nowMs() };
    await store.transact((unit) => unit.addTerminal(terminal));
  };
  const addDevice = async (terminalId: string, currency = 'EUR'): Promise<DeviceCaller> => {
    const device: DeviceCaller = { kind: 'DEVICE', merchantId, terminalId, deviceId: `D-${terminalId}`, currency };
    await addTerminal(deps.store, device);
    return device;
  };
  return {
    deps,
    host,
    store: deps.store,
    simulator,
    device: await addDevice('T-1'),
    server: { kind: 'SECRET', merchantId, keyId: 'K-1' },
    skip(ms) {
      skippedMs += ms;
    },
    addDevice,
    book: simulator.summary,
    async another() {
      const other = servicesOf(await depsOf(await simulator.connect()));
      ends.push(other.lateAnswers.listen());
      return other;
    },
    async putBack(device) {
      const empty = (await furtherDatabase()) ?? `sqlite:${join(folder, `${randomUUID()}.db`)}`;
      const backup = await depsOf(await simulator.connect(), empty);
      await addMerchant(backup.store);
      await addTerminal(backup.store, device);
      // Neither number nor time of its messages is that of what it has forgotten.
      skippedMs += 60_000;
      await backup.store.nextStan({ ...device, acquirer: backup.acquirerName });
      return servicesOf(backup);
    },
    async stop() {
      for (const end of ends) end();
      await simulator.stop();
      for (const store of stores) await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A call under a key of its own. */
export function callOf(route: string, idempotencyKey: string = randomUUID()): HostCall {
  return { requestId: randomUUID(), route, idempotencyKey };
}

export const authorizeRoute = 'POST /api/v1/terminal/transactions/authorize';

/** A purchase as a reader sends it. */
export function purchaseOf(device: DeviceCaller, change: Partial<AuthorizeRequest> = {}): AuthorizeRequest {
  return {
    deviceId: device.deviceId,
    terminalId: device.terminalId,
    transactionId: randomUUID(),
    amount: 1000,
    currencyCode: device.currency,
    entryMode: 'CONTACTLESS',
    ...change,
  };
}

export function authorizedOf(answer: HostAnswer): AuthorizeResponse {
  return JSON.parse(answer.body) as AuthorizeResponse;
}

export function paymentOf(answer: HostAnswer): Payment {
  return JSON.parse(answer.body) as Payment;
}

export async function authorize(
  { host, device }: Pick<PaymentBench, 'host' | 'device'>,
  change: Partial<AuthorizeRequest> = {},
  call: HostCall = callOf(authorizeRoute),
): Promise<AuthorizeResponse> {
  return authorizedOf(await host.authorize(device, call, purchaseOf(device, change)));
}

/** A session that the terminal has claimed. */
export async function claimedSession(
  { host, device, server }: Pick<PaymentBench, 'host' | 'device' | 'server'>,
  change: Partial<CreatePaymentSessionRequest> = {},
): Promise<TerminalPaymentSession> {
  const { merchantId, terminalId, deviceId } = device;
  const created = await host.createSession(server, callOf('POST /v1/terminal/payment-sessions'), {
    merchantId,
    terminalId,
    operation: 'PURCHASE',
    amountMinor: 1000,
    currencyCode: 'EUR',
    ...change,
  });
  const call = callOf('POST /api/v1/terminal/payment-sessions/claim');
  const claim = await host.claimSession(device, call, { deviceId, terminalId });
  const { session } = JSON.parse(claim.body) as { session?: TerminalPaymentSession };
  if (session?.id !== created.subjectId) throw new Error('another session was claimed');
  return session;
}
