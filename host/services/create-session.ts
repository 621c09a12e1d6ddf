import { BridgeError } from '../../app/contract/errors.ts';
import { DEFAULT_SESSION_EXPIRY_SECONDS } from '../../app/contract/host/host-limits.ts';
import type { CreatePaymentSessionRequest } from '../../app/contract/host/payment-session.ts';
import { checkPaymentRefund } from '../../app/domain/host-ceilings.ts';
import { checkNewSession } from '../../app/domain/session-payment.ts';
import type { SessionRecord, TerminalRecord } from '../ports/host-records.ts';
import type { HostReader } from '../ports/host-store.ts';
import type { MerchantCalls } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import type { AtomicWork, IdempotencyGate } from './idempotency-gate.ts';
import { notFound } from './not-found.ts';
import { requireTerminalCurrency } from './own-device.ts';
import { lockTimely } from './session-time.ts';
import { sessionForMerchant } from './session-view.ts';

/** POST /v1/terminal/payment-sessions (decisions: Secret-key additions, Sessions). */
export function createCreateSession(deps: HostDeps, gate: IdempotencyGate): Pick<MerchantCalls, 'createSession'> {
  const { store, acquirer, links, ids } = deps;

  /** What no other caller changes; it is looked at before the key is taken, and its refusals leave no key behind. */
  async function check(merchantId: string, request: CreatePaymentSessionRequest): Promise<TerminalRecord> {
    checkNewSession(request);
    if (request.merchantId !== merchantId) throw notFound('merchant');
    const terminal = await store.read.findTerminal({ merchantId, terminalId: request.terminalId });
    if (terminal === undefined) throw notFound('terminal');
    requireTerminalCurrency(terminal, request.currencyCode);
    if (request.amountMinor > acquirer.capabilities.maxAmountMinor) {
      const rule = `amountMinor must be at most ${acquirer.capabilities.maxAmountMinor}, the largest amount of the acquirer`;
      throw new BridgeError('AMOUNT_TOO_LARGE', rule, { field: 'amountMinor' });
    }
    return terminal;
  }

  async function add({ unit, atMs }: AtomicWork, session: SessionRecord): Promise<object> {
    const { merchantId, terminalId } = session;
    await requireOriginal(unit, session);
    const open = await unit.openSession({ merchantId, terminalId });
    if (open !== undefined) await lockTimely(unit, { merchantId, sessionId: open.id }, atMs);
    if (!(await unit.addSession(session))) {
      throw new BridgeError('TERMINAL_HAS_OPEN_SESSION', 'another payment session of the terminal is open');
    }
    return sessionForMerchant(session);
  }

  return {
    async createSession(caller, call, request) {
      const { merchantId } = caller;
      const terminal = await check(merchantId, request);
      const { terminalId, deviceId } = terminal;
      const expiresInMs = (request.expiresInSeconds ?? DEFAULT_SESSION_EXPIRY_SECONDS) * 1000;
      const keyed = { caller, call, body: request, terminalId };
      const answer = await gate.atomically(keyed, (part) =>
        add(part, {
          merchantId,
          terminalId,
          deviceId,
          id: part.subjectId,
          // Of the authorization, not of this call: the terminal uses it for its one attempt and every repeat of that (specification).
          idempotencyKey: ids.next(),
          claimToken: '',
          fence: 0,
          operation: request.operation,
          ...(request.originalTransactionId === undefined
            ? {}
            : { originalTransactionId: request.originalTransactionId }),
          amountMinor: request.amountMinor,
          currency: request.currencyCode,
          status: 'CREATED',
          lastEventSequence: 0,
          expiresAtMs: part.atMs + expiresInMs,
          createdAtMs: part.atMs,
          updatedAtMs: part.atMs,
        }),
      );
      if (!answer.replayed) links.wake({ merchantId, terminalId }, 'PAYMENT_SESSION');
      return answer;
    },
  };
}

/**
 * A refund names a payment that is there and can be given back; that it still can be is judged again by the refund itself. What a terminal's own
 * acquirer took, only that terminal can give back, and its acquirer says how much (decisions: EXTERNAL_RAIL).
 * @throws BridgeError ORIGINAL_NOT_FOUND and those of checkPaymentRefund
 */
async function requireOriginal(read: HostReader, session: SessionRecord): Promise<void> {
  const { merchantId, terminalId, originalTransactionId: name, amountMinor, currency: currencyCode } = session;
  if (name === undefined) return;
  const found =
    (await read.findPayment({ merchantId, paymentId: name })) ??
    (await read.findPaymentByName({ merchantId, terminalId }, name));
  const isExternal = found?.payment.acceptanceChannel === 'EXTERNAL_RAIL';
  if (found === undefined || (isExternal && found.terminalId !== terminalId)) {
    throw new BridgeError('ORIGINAL_NOT_FOUND', 'originalTransactionId names no payment that can be refunded here', {
      field: 'originalTransactionId',
    });
  }
  if (!isExternal) checkPaymentRefund(found, { amountMinor, currencyCode, amountField: 'amountMinor' });
}
