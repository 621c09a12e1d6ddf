import { createHmac, randomUUID } from 'node:crypto';
import { createBusinessDates } from '../../../app/domain/business-day.ts';
import { isoOf } from '../../../app/domain/instant.ts';
import type { LogFields } from '../../../app/ports/log.ts';
import type { Acquirer, CloseBatchMessage, CloseBatchReply } from '../../../host/ports/acquirer.ts';
import type { HostStore } from '../../../host/ports/host-store.ts';
import { createCancelSession } from '../../../host/services/cancel-session.ts';
import { createClaimSession } from '../../../host/services/claim-session.ts';
import { createCloseDay } from '../../../host/services/close-day.ts';
import { createCreateSession } from '../../../host/services/create-session.ts';
import { createDeviceConfig } from '../../../host/services/device-config.ts';
import type { DeviceCaller, HostAnswer, HostCall, SecretCaller } from '../../../host/services/host.ts';
import type { HostDeps } from '../../../host/services/host-deps.ts';
import { createIdempotencyGate } from '../../../host/services/idempotency-gate.ts';
import { createLookUpPayments } from '../../../host/services/look-up-payments.ts';
import { createLookUpSession } from '../../../host/services/look-up-session.ts';
import { createOfflineComplete } from '../../../host/services/offline-complete.ts';
import { createRecord } from '../../../host/services/record.ts';
import { createSessionEvent } from '../../../host/services/session-event.ts';
import { createSettlements } from '../../../host/services/settlements.ts';
import { createPutTipConfig } from '../../../host/services/tip-config.ts';
import { createTotals } from '../../../host/services/totals.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import { createSeededIds } from '../../support/seeded-ids.ts';
import { type Shop, startMs } from '../store-fixture.ts';

/** An acquirer that closes batches as a test says, and is asked for nothing else. */
interface ClosingAcquirer extends Acquirer {
  readonly closes: readonly { readonly message: CloseBatchMessage; readonly isRepeat: boolean }[];
  /** The next answers, in their order; CLOSED and agreed when there is none. */
  answer(...replies: readonly CloseBatchReply[]): void;
}

function createClosingAcquirer(): ClosingAcquirer {
  const closes: { message: CloseBatchMessage; isRepeat: boolean }[] = [];
  const replies: CloseBatchReply[] = [];
  const notMine = () => {
    throw new Error('nothing but a close is asked of it');
  };
  return {
    closes,
    answer: (...next) => void replies.push(...next),
    capabilities: {
      canAdjustTips: true,
      canAsk: true,
      canInquireBalance: false,
      hasOwnReversalRepeats: false,
      maxAmountMinor: 999_999_999_999,
      authorizationValidDays: 7,
      isSimulated: true,
    },
    start: async () => {},
    stop: async () => {},
    isReady: () => true,
    onLateAnswer: () => () => {},
    authorize: notMine,
    capture: notMine,
    adjustTip: notMine,
    void: notMine,
    refund: notMine,
    reverse: notMine,
    ask: notMine,
    async closeBatch(message, { isRepeat = false }) {
      closes.push({ message, isRepeat });
      return replies.shift() ?? { kind: 'CLOSED', isAgreed: true, totals: message.totals };
    },
  };
}

export interface Bench extends ReturnType<typeof servicesOf> {
  readonly clock: ManualClock;
  readonly deps: HostDeps;
  readonly acquirer: ClosingAcquirer;
  /** What linked terminals were woken for: `T1 PAYMENT_SESSION`. */
  readonly wakes: readonly string[];
  readonly logged: readonly { readonly level: string; readonly message: string; readonly fields?: LogFields }[];
}

interface BenchOptions {
  readonly clock?: ManualClock;
  readonly acquirer?: Acquirer;
}

/** The services of one process of the host. */
export function openBench(store: HostStore, options: BenchOptions = {}): Bench {
  const clock = options.clock ?? createManualClock(isoOf(startMs));
  const closing = createClosingAcquirer();
  const wakes: string[] = [];
  const logged: { level: string; message: string; fields?: LogFields }[] = [];
  const line = (level: string) => (message: string, fields?: LogFields) =>
    void logged.push({ level, message, ...(fields === undefined ? {} : { fields }) });
  const deps: HostDeps = {
    store,
    acquirer: options.acquirer ?? closing,
    acquirerName: 'simulator',
    clock,
    ids: createSeededIds(randomUUID()),
    log: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    links: { wake: ({ terminalId }, subject) => void wakes.push(`${terminalId} ${subject}`) },
    hmac: (text) => createHmac('sha256', 'key of this host').update(text).digest('hex'),
    processId: randomUUID(),
    businessDateOf: createBusinessDates(),
    acquirerTimeoutMs: 60_000,
  };
  return { ...servicesOf(deps), clock, deps, acquirer: closing, wakes, logged };
}

function servicesOf(deps: HostDeps) {
  const gate = createIdempotencyGate(deps);
  return {
    ...createCreateSession(deps, gate),
    ...createLookUpSession(deps),
    ...createCancelSession(deps),
    ...createClaimSession(deps, gate),
    ...createSessionEvent(deps),
    ...createDeviceConfig(deps),
    ...createPutTipConfig(deps),
    ...createRecord(deps, gate),
    ...createOfflineComplete(deps, gate),
    ...createLookUpPayments(deps),
    ...createTotals(deps),
    ...createCloseDay(deps, gate),
    ...createSettlements(deps),
  };
}

export function deviceOf({ merchantId, terminalId }: Shop, currency = 'EUR'): DeviceCaller {
  return {
    kind: 'DEVICE',
    merchantId,
    terminalId,
    deviceId: 'D1',
    currency,
    businessDay: { timeZone: 'UTC', cutOff: '00:00' },
  };
}

export function secretOf({ merchantId }: Pick<Shop, 'merchantId'>): SecretCaller {
  return { kind: 'SECRET', merchantId, keyId: 'K1' };
}

export function callOf(route: string, idempotencyKey: string = randomUUID()): HostCall {
  return { requestId: randomUUID(), route, idempotencyKey };
}

/** The body of an answer. */
export function read<T>(answer: HostAnswer): T {
  return JSON.parse(answer.body) as T;
}

/** One more terminal of the merchant. */
export async function addTerminal(shop: Shop, terminalId: string, currency = 'EUR'): Promise<Shop> {
  const { merchantId, store } = shop;
  const terminal = { merchantId, terminalId, deviceId: 'D1', name: 'Lane', currency, createdAtMs: startMs + 1 };
  await store.transact((unit) => unit.addTerminal(terminal));
  return { ...shop, terminalId };
}
