import { afterAll, beforeAll } from 'vitest';
import type { Payment } from '../../../app/contract/host/payment.ts';
import type { DeviceCaller, HostCall } from '../../../host/services/host.ts';
import { callOf, openPaymentBench, type PaymentBench } from './payment-bench.ts';

/** What stands at a terminal by the acquirer's book, minor units. */
interface Charged {
  readonly held: number;
  readonly captured: number;
  readonly refunded: number;
}

/** A bench whose caller is one terminal, so that tests share a book without meeting. */
interface Lane extends PaymentBench {
  charged(): Promise<Charged>;
}

/** Terminals of one host, its acquirer and the ways to ask about them. */
interface PaymentLanes {
  /** There from the first test on. */
  bench(): PaymentBench;
  onLane(name: string): Promise<Lane>;
  charged(terminalId: string): Promise<Charged>;
  read(lane: { readonly device: DeviceCaller }, transactionId: string): Promise<Payment>;
  /** Everything that recovery can do now, as if an hour had passed. */
  recoverAll(): Promise<void>;
  openTasks(): Promise<number>;
}

/** Opens a host for the tests of a `describe`, and ends it with them. */
export function paymentLanes(database: () => Promise<string | undefined>): PaymentLanes {
  let opened: PaymentBench | undefined;
  beforeAll(async () => {
    const url = await database();
    opened = await openPaymentBench({ ...(url === undefined ? {} : { database: url }), furtherDatabase: database });
  });
  afterAll(() => opened?.stop());
  const bench = (): PaymentBench => {
    if (opened === undefined) throw new Error('no host is open yet');
    return opened;
  };
  const charged = async (terminalId: string): Promise<Charged> => {
    const lane = (await bench().book()).standing.find((each) => each.terminalId === terminalId);
    return {
      held: lane?.authorized.sumMinor ?? 0,
      captured: lane?.captured.sumMinor ?? 0,
      refunded: lane?.refunded.sumMinor ?? 0,
    };
  };
  return {
    bench,
    charged,
    async onLane(name) {
      const device = await bench().addDevice(name);
      return { ...bench(), device, charged: () => charged(name) };
    },
    read: async ({ device }, transactionId) => await bench().host.lookUp(device, { transactionId }),
    async recoverAll() {
      const { host, deps, skip } = bench();
      skip(3_600_000);
      await host.recovery.recoverDue(deps.clock.nowMs(), 1000);
      await host.reversals.repeatDue(deps.clock.nowMs(), 1000);
    },
    async openTasks() {
      const { store, device } = bench();
      return (await store.read.openTasks(device.merchantId, 1000)).length;
    },
  };
}

/** A call that acts on a payment, under a key of its own. */
export function actCall(paymentId: string, act: string): HostCall {
  return callOf(`POST /api/v1/terminal/payments/${paymentId}/${act}`);
}

export function refundCall(paymentId: string): HostCall {
  return callOf(`POST /v1/payments/${paymentId}/refunds`);
}
