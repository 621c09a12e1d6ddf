import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AuthorizeRequest } from '../../../app/contract/host/authorize.ts';
import type { TerminalPaymentSession } from '../../../app/contract/host/payment-session.ts';
import type { DeviceCaller } from '../../../host/services/host.ts';
import { until } from '../support/until.ts';
import {
  authorizedOf,
  authorizeRoute,
  callOf,
  claimedSession,
  type PaymentBench,
  purchaseOf,
} from './payment-bench.ts';
import { paymentLanes } from './payment-lanes.ts';

/** Authorizations of payment sessions over a database of this kind. */
export function sessionPaymentsBattery(kind: string, database: () => Promise<string | undefined>): void {
  describe(`session payments of a host on ${kind}`, () => {
    const lanes = paymentLanes(database);
    const { onLane, recoverAll } = lanes;
    let bench: PaymentBench;
    beforeAll(() => {
      bench = lanes.bench();
    });

    const echoOf = ({ id, claimToken }: TerminalPaymentSession, change: Partial<AuthorizeRequest> = {}) => ({
      paymentSessionId: id,
      claimToken,
      ...change,
    });
    const sessionOf = async (id: string) => (await bench.host.session(bench.server, id)).session;

    it('sends one message for 64 authorizations of one session under 64 keys, at two processes', async () => {
      const lane = await onLane('session-64');
      const other = await bench.another();
      const session = await claimedSession(lane);
      const before = (await bench.book()).messages.AUTHORIZE ?? 0;
      const results = await Promise.allSettled(
        Array.from({ length: 64 }, (_, index) => {
          // The key is the session's; the other 63 come from a device that has lost it.
          const call = callOf(authorizeRoute, index === 17 ? session.idempotencyKey : randomUUID());
          return (index % 2 === 0 ? bench.host : other).authorize(
            lane.device,
            call,
            purchaseOf(lane.device, echoOf(session)),
          );
        }),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await bench.book()).messages.AUTHORIZE).toBe(before + 1);
      expect(await sessionOf(session.id)).toMatchObject({ status: 'IN_PROGRESS', finalAmountMinor: 1000 });
    });

    it('sends one message for 64 authorizations of one session under its own key, each with a name of its own', async () => {
      const lane = await onLane('session-key');
      const other = await bench.another();
      const session = await claimedSession(lane);
      const before = (await bench.book()).messages.AUTHORIZE ?? 0;
      const call = callOf(authorizeRoute, session.idempotencyKey);
      const results = await Promise.allSettled(
        Array.from({ length: 64 }, (_, index) =>
          (index % 2 === 0 ? bench.host : other).authorize(lane.device, call, purchaseOf(lane.device, echoOf(session))),
        ),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
      }
      expect((await bench.book()).messages.AUTHORIZE).toBe(before + 1);
    });

    it('verifies amount, currency, operation, ownership and claim before anything is sent', async () => {
      const lane = await onLane('session-echo');
      const stranger = await bench.addDevice('session-echo-2');
      const session = await claimedSession(lane);
      const before = (await bench.book()).messages.AUTHORIZE ?? 0;
      const attempt = (device: DeviceCaller, change: Partial<AuthorizeRequest>, key = session.idempotencyKey) =>
        bench.host.authorize(device, callOf(authorizeRoute, key), purchaseOf(device, echoOf(session, change)));
      const wrong: readonly (readonly [() => Promise<unknown>, object])[] = [
        [() => attempt(lane.device, { amount: 1001 }), { code: 'INVALID_REQUEST', field: 'baseAmountMinor' }],
        [
          () => attempt(lane.device, { transactionType: 'pre_auth' }),
          { code: 'INVALID_REQUEST', field: 'transactionType' },
        ],
        [() => attempt(lane.device, { claimToken: 'another' }), { code: 'STALE_CLAIM_TOKEN' }],
        [() => attempt(stranger, {}), { code: 'NOT_FOUND' }],
        [() => attempt(lane.device, { currencyCode: 'USD' }), { code: 'UNSUPPORTED_CURRENCY' }],
        [() => attempt(lane.device, {}, randomUUID()), { code: 'INVALID_REQUEST', field: 'Idempotency-Key' }],
      ];
      for (const [outcome, error] of wrong) await expect(outcome()).rejects.toMatchObject(error);
      expect((await bench.book()).messages.AUTHORIZE).toBe(before);
      const tipped = await attempt(lane.device, { amount: 1200, tipAmountMinor: 200, tipSource: 'custom' });
      expect(authorizedOf(tipped).approved).toBe(true);
      expect(await sessionOf(session.id)).toMatchObject({
        status: 'IN_PROGRESS',
        finalAmountMinor: 1200,
        tipAmountMinor: 200,
      });
    });

    it('ends a session by the word of its terminal once recovery has found the approval', async () => {
      const lane = await onLane('session-late');
      const session = await claimedSession(lane);
      await bench.simulator.control.next({ rule: 'drop-after-host', types: ['AUTHORIZE'] });
      const call = callOf(authorizeRoute, session.idempotencyKey);
      const told = await bench.host.authorize(lane.device, call, purchaseOf(lane.device, echoOf(session)));
      expect(authorizedOf(told).payment.status).toBe('FAILED');
      expect((await sessionOf(session.id)).status).toBe('IN_PROGRESS');
      await until(() => bench.simulator.acquirer.isReady());
      await recoverAll();
      const { id: paymentId } = authorizedOf(told).payment;
      // That took longer than a session may: it was handed to a person meanwhile.
      expect(await sessionOf(session.id)).toMatchObject({ status: 'RECOVERY_REQUIRED', paymentId });
      const { claimToken } = session;
      const event = { sequence: 1, eventType: 'COMPLETED', status: 'SUCCEEDED', paymentId, claimToken } as const;
      await bench.host.sessionEvent(lane.device, session.id, event);
      expect(await sessionOf(session.id)).toMatchObject({ status: 'SUCCEEDED', paymentId });
    });
  });
}
