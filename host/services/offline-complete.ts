import type { AuthorizeRequest } from '../../app/contract/host/authorize.ts';
import type { Payment } from '../../app/contract/host/payment.ts';
import { declineFor, reportedCode } from '../../app/contract/issuer-answers.ts';
import type { BusinessDateOf } from '../../app/domain/business-day.ts';
import { takeCardData } from '../../app/domain/card-data.ts';
import { checkOfflineComplete } from '../../app/domain/offline-complete.ts';
import { paymentIdFor } from '../../app/domain/payment-id.ts';
import type { MoneyEvent } from '../../app/domain/posting.ts';
import { endSessionOf } from './end-session.ts';
import type { DeviceCaller, DeviceCalls } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import type { AtomicWork, IdempotencyGate } from './idempotency-gate.ts';
import { requireOwnDevice, requireTerminalCurrency } from './own-device.ts';
import { cardOf } from './told-card.ts';
import { addTold, nameTaken } from './told-payment.ts';
import { requireToldSession } from './told-session.ts';

/** What a decline without a code of the chip is taken for: an authentication cryptogram alone does not say why. */
const PLAIN_OFFLINE_DECLINE = 'Z1';

/**
 * POST /api/v1/terminal/transactions/offline-complete: what the kernel of a terminal decided without the host (specification; decisions:
 * offline-complete). An approval is a captured payment of the host, and counts in its totals and its settlement. Nothing is sent: neither answer is an
 * online authorization, and clearing what was approved offline is a flow of its own. Until it has been cleared the acquirer's book does not have it,
 * so the close of its batch ends PARTIAL and names it as a difference; no refund, void or reversal of it finds anything at the acquirer.
 */
export function createOfflineComplete(deps: HostDeps, gate: IdempotencyGate): Pick<DeviceCalls, 'offlineComplete'> {
  const { ids, businessDateOf } = deps;
  return {
    async offlineComplete(caller, call, request) {
      requireOwnDevice(caller, request);
      const offline = checkOfflineComplete(request);
      requireTerminalCurrency(caller, request.currencyCode);
      const subjectId = paymentIdFor(request.transactionId, () => ids.next());
      const keyed = { caller, call, body: takeCardData(request).request, subjectId };
      return await gate.atomically(keyed, (part) => add(caller, request, offline, businessDateOf, part));
    },
  };
}

async function add(
  caller: DeviceCaller,
  request: AuthorizeRequest,
  offline: ReturnType<typeof checkOfflineComplete>,
  businessDateOf: BusinessDateOf,
  { unit, subjectId, atMs }: AtomicWork,
): Promise<Payment> {
  const { paymentSessionId, transactionId = subjectId } = request;
  await requireToldSession(unit, caller, paymentSessionId, request);
  const businessDate = businessDateOf(caller.businessDay, atMs);
  const payment = { ...paymentOf(caller, request, offline, subjectId, atMs), businessDate };
  const isApproved = payment.status === 'SUCCEEDED';
  const capturedMinor = offline.amounts.amountMinor;
  const events: readonly MoneyEvent[] = isApproved ? [{ kind: 'CAPTURED', heldMinor: 0, capturedMinor }] : [];
  const names = {
    terminalId: caller.terminalId,
    transactionId,
    ...(paymentSessionId === undefined ? {} : { paymentSessionId }),
  };
  const trigger = isApproved ? 'KERNEL_APPROVED' : 'KERNEL_DECLINED';
  const record = await addTold(unit, { payment, ...names }, trigger, events, atMs);
  if (record === undefined) throw nameTaken();
  await endSessionOf(unit, record, atMs);
  return record.payment;
}

function paymentOf(
  { merchantId, terminalId }: DeviceCaller,
  request: AuthorizeRequest,
  { amounts, kernel, emvTags }: ReturnType<typeof checkOfflineComplete>,
  id: string,
  atMs: number,
): Payment {
  const isApproved = kernel.decision === 'APPROVED';
  const { referenceId, metadata, tipSource, cvm, tvr = emvTags.get('95') } = request;
  const aid = emvTags.get('4F') ?? emvTags.get('84');
  const code = kernel.responseCode ?? (isApproved ? undefined : PLAIN_OFFLINE_DECLINE);
  const at = new Date(atMs).toISOString();
  return {
    id,
    merchantId,
    acceptanceChannel: 'CARD_PRESENT',
    status: isApproved ? 'SUCCEEDED' : 'DECLINED',
    type: 'SALE',
    captureMethod: 'AUTOMATIC',
    capturedAmountMinor: isApproved ? amounts.amountMinor : null,
    authExpiresAt: null,
    ...amounts,
    currencyCode: request.currencyCode,
    ...(tipSource === undefined ? {} : { tipSource }),
    ...(referenceId === undefined ? {} : { referenceId }),
    ...(code === undefined ? {} : { responseCode: reportedCode(code, amounts.amountMinor) }),
    ...(isApproved ? {} : { decline: declineFor(code, { entryMode: request.entryMode }) }),
    ...cardOf({
      ...request,
      terminalId,
      cryptogramType: isApproved ? 'TC' : 'AAC',
      ...(aid === undefined ? {} : { aid }),
      ...(tvr === undefined ? {} : { tvr }),
      ...(cvm === undefined ? {} : { cvmResult: cvm }),
    }),
    ...(metadata === undefined ? {} : { metadata }),
    settlementId: null,
    createdAt: at,
    updatedAt: at,
  };
}
