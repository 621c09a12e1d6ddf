import { checkPaymentCapture, checkPaymentVoid, checkTipAdjust } from '../../app/domain/host-ceilings.ts';
import type { FollowUp } from './follow-up.ts';
import type { Host } from './host.ts';
import type { HostDeps } from './host-deps.ts';

/** Capture, void and tip adjustment of a payment that the terminal has authorized (specification: tip-adjust; decisions: Device additions, Void). */
export function createPaymentChanges(
  { store, acquirer, clock }: HostDeps,
  followUp: FollowUp,
): Pick<Host, 'capture' | 'voidPayment' | 'adjustTip'> {
  return {
    capture: (caller, call, paymentId, request) =>
      followUp({
        kind: 'CAPTURE',
        caller,
        call,
        paymentId,
        body: request,
        check: async ({ payment }) => checkPaymentCapture(payment, request, clock.nowMs()),
      }),
    voidPayment: (caller, call, paymentId, request) =>
      followUp({
        kind: 'VOID',
        caller,
        call,
        paymentId,
        body: request,
        check: async (record) => checkPaymentVoid(record),
      }),
    adjustTip: (caller, call, paymentId, request) =>
      followUp({
        kind: 'ADJUST_TIP',
        caller,
        call,
        paymentId,
        body: request,
        check: async ({ payment }) => {
          const configuration = (await store.read.findTipConfig(caller.merchantId))?.config;
          const isSupported = acquirer.capabilities.canAdjustTips;
          return checkTipAdjust(payment, request, { isSupported, configuration, nowMs: clock.nowMs() }).amountMinor;
        },
        ...(request.tipSource === undefined ? {} : { tipSource: request.tipSource }),
      }),
  };
}
