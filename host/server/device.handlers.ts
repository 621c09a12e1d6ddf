import { createHash } from 'node:crypto';
import { AuthorizeRequest, TransactionLookUpQuery } from '../../app/contract/host/authorize.ts';
import { DeviceReconciliationRequest } from '../../app/contract/host/device-reconciliation.ts';
import type { HostEndpointId } from '../../app/contract/host/host-endpoints.ts';
import { PairRequest } from '../../app/contract/host/pairing.ts';
import {
  PaymentCaptureRequest,
  PaymentVoidRequest,
  TipAdjustRequest,
} from '../../app/contract/host/payment-changes.ts';
import { ClaimPaymentSessionRequest, SessionDeviceEvent } from '../../app/contract/host/payment-session.ts';
import { RecordRequest } from '../../app/contract/host/record.ts';
import { ReverseRequest } from '../../app/contract/host/reverse.ts';
import { jsonReply, type Reply } from '../../app/http/reply.ts';
import { answerReply, forAnybody, forDevice, type Handler, idOf } from './handler.ts';

const { plain, taking, asking } = forDevice;

/** What a paired terminal calls (specification: Terminal device API; decisions: Device additions). */
export const deviceHandlers = {
  'device.authorize': taking(AuthorizeRequest, async ({ host }, caller, call, request) =>
    answerReply(await host.authorize(caller, call, request)),
  ),
  'device.offlineComplete': taking(AuthorizeRequest, async ({ host }, caller, call, request) =>
    answerReply(await host.offlineComplete(caller, call, request)),
  ),
  'device.recoveryReverse': taking(ReverseRequest, async ({ host }, caller, call, request) => ({
    ...jsonReply(await host.reverse(caller, call, request)),
    transactionId: request.originalTransactionId,
  })),
  'device.tipAdjust': taking(TipAdjustRequest, async ({ host }, caller, call, request) =>
    answerReply(await host.adjustTip(caller, call, idOf(call), request)),
  ),
  'device.capture': taking(PaymentCaptureRequest, async ({ host }, caller, call, request) =>
    answerReply(await host.capture(caller, call, idOf(call), request)),
  ),
  'device.void': taking(PaymentVoidRequest, async ({ host }, caller, call, request) =>
    answerReply(await host.voidPayment(caller, call, idOf(call), request)),
  ),
  'device.record': taking(RecordRequest, async ({ host }, caller, call, request) =>
    answerReply(await host.record(caller, call, request)),
  ),
  'device.lookUp': asking(TransactionLookUpQuery, async ({ host }, caller, _call, query) => {
    const payment = await host.lookUp(caller, query);
    return { ...jsonReply(payment), transactionId: payment.id };
  }),
  'device.reconciliation': taking(DeviceReconciliationRequest, async ({ host }, caller, call, request) =>
    answerReply(await host.closeOwnDay(caller, call, request)),
  ),
  // The code is the credential.
  'device.pair': forAnybody.taking(PairRequest, async ({ host }, _nobody, _call, request) =>
    jsonReply(await host.pair(request)),
  ),
  'device.config': plain(async ({ host }, caller, call) =>
    taggedReply(await host.deviceConfig(caller), call.ifNoneMatch),
  ),
  'device.posClients': plain(async ({ host }, caller) => jsonReply(await host.posClients(caller))),
  'device.claimSession': taking(ClaimPaymentSessionRequest, async ({ host }, caller, call, request) =>
    answerReply(await host.claimSession(caller, call, request)),
  ),
  'device.sessionEvent': taking(SessionDeviceEvent, async ({ host }, caller, call, event) =>
    jsonReply(await host.sessionEvent(caller, idOf(call), event)),
  ),
} as const satisfies Partial<Record<HostEndpointId, Handler>>;

/** A value with the hash of its bytes as ETag; 304 without a body for who has it already (RFC 9110 sections 8.8.3, 13.1.2). */
function taggedReply(value: object, ifNoneMatch: string | undefined): Reply {
  const reply = jsonReply(value);
  const etag = `"${createHash('sha256').update(reply.body, 'utf8').digest('base64url')}"`;
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(etag) || known.includes('*')) return { statusCode: 304, body: '', headers: { etag } };
  return { ...reply, headers: { ...reply.headers, etag } };
}
