import { BridgeError } from '../../app/contract/errors.ts';
import type { AuthorizeRequest } from '../../app/contract/host/authorize.ts';
import { checkAuthorizeRequest } from '../../app/domain/authorize-request.ts';
import { type CardData, type StorableRequest, takeCardData } from '../../app/domain/card-data.ts';
import { normalisedTags } from '../../app/domain/emv-tags.ts';
import { checkPaymentRefund } from '../../app/domain/host-ceilings.ts';
import { paymentIdFor } from '../../app/domain/payment-id.ts';
import { assertSessionAuthorizes } from '../../app/domain/session-payment.ts';
import type { AuthorizeMessage, MessageTrace, OriginalMessage } from '../ports/acquirer.ts';
import type { NewIdempotency, NewPayment, PaymentRecord, TipConfigRecord } from '../ports/host-records.ts';
import { acquirerCall } from './acquirer-call.ts';
import { authorizeResponseOf } from './authorize-answer.ts';
import type { DeviceCaller, Host, HostCall } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import type { IdempotencyGate } from './idempotency-gate.ts';
import { newPaymentOf } from './new-payment.ts';
import { requireOwnDevice, requireTerminalCurrency } from './own-device.ts';
import type { Reversals } from './reversals.ts';
import type { SendFounding } from './send-founding.ts';
import { sessionForDevice } from './session-view.ts';
import { drawFoundingTrace, foundingMessage, originalOf } from './traces.ts';

interface Parts {
  readonly gate: IdempotencyGate;
  readonly reversals: Reversals;
  readonly sendFounding: SendFounding;
}

/** POST /api/v1/terminal/transactions/authorize (specification: Terminal device API; decisions: authorize additions). */
export function createAuthorize(deps: HostDeps, parts: Parts): Pick<Host, 'authorize'> {
  const { store, acquirer, ids, businessDateOf } = deps;
  const { gate, reversals, sendFounding } = parts;

  /** Every rule that needs what is stored, in a fixed order. */
  const prepare = async (
    caller: DeviceCaller,
    call: HostCall,
    request: StorableRequest,
    cardData: CardData,
    reservation: NewIdempotency,
    tips: TipConfigRecord | undefined,
  ) => {
    const amounts = checkAuthorizeRequest(request, cardData, tips?.config);
    requireTerminalCurrency(caller, request.currencyCode);
    requireFit(amounts.amountMinor, acquirer.capabilities.maxAmountMinor);
    await requireSession(caller, call, request);
    const original = await findOriginal(caller, request, cardData);
    requireReady();
    const payment = newPaymentOf(caller, request, {
      id: reservation.subjectId,
      amounts,
      status: 'PROCESSING',
      captureMethod: captureMethodOf(request, tips),
      ...(original === undefined ? {} : { originalId: original.record.payment.id }),
      isSimulated: acquirer.capabilities.isSimulated,
      businessDate: businessDateOf(caller.businessDay, reservation.createdAtMs),
      atMs: reservation.createdAtMs,
    });
    return { payment, original };
  };

  const captureMethodOf = ({ transactionType }: StorableRequest, tips: TipConfigRecord | undefined) => {
    if (transactionType === 'refund') return 'AUTOMATIC';
    if (transactionType === 'pre_auth') return 'MANUAL';
    // Held until its tip is known (decisions: Tip after authorization).
    const waitsForTip = tips?.config.postAuthAdjustEnabled === true && acquirer.capabilities.canAdjustTips;
    return waitsForTip ? 'MANUAL' : 'AUTOMATIC';
  };

  const requireReady = () => {
    if (!acquirer.isReady())
      throw new BridgeError('HOST_UNREACHABLE', 'the acquirer cannot be reached; nothing was sent');
  };

  const requireSession = async (caller: DeviceCaller, call: HostCall, request: StorableRequest) => {
    const { paymentSessionId: sessionId } = request;
    if (sessionId === undefined) return;
    const session = await store.read.findSession({ merchantId: caller.merchantId, sessionId });
    if (session === undefined) {
      throw new BridgeError('NOT_FOUND', 'paymentSessionId names no payment session of this terminal', {
        field: 'paymentSessionId',
      });
    }
    const idempotencyKey = call.idempotencyKey ?? '';
    assertSessionAuthorizes(sessionForDevice(session), request, { ...caller, idempotencyKey });
  };

  const findOriginal = async (caller: DeviceCaller, request: StorableRequest, cardData: CardData) => {
    const { transactionType, originalTransactionId: name } = request;
    if (transactionType !== 'refund' || name === undefined) return undefined;
    const { merchantId, terminalId } = caller;
    const record =
      (await store.read.findPayment({ merchantId, paymentId: name })) ??
      (await store.read.findPaymentByName({ merchantId, terminalId }, name));
    if (record === undefined) {
      throw new BridgeError('ORIGINAL_NOT_FOUND', 'originalTransactionId names no payment of this merchant', {
        field: 'originalTransactionId',
      });
    }
    requireRefundable(record, request);
    const founding = foundingMessage(await store.read.listMessages({ merchantId, paymentId: record.payment.id }));
    if (founding === undefined && !hasCard(cardData)) {
      throw new BridgeError(
        'OPERATION_NOT_SUPPORTED',
        'the acquirer does not know the original; read the card to refund it',
      );
    }
    return { record, message: founding === undefined ? undefined : originalOf(record, founding) };
  };

  const explainCeiling = async (merchantId: string, paymentId: string, request: StorableRequest): Promise<never> => {
    const now = await store.read.findPayment({ merchantId, paymentId });
    if (now !== undefined) requireRefundable(now, request);
    throw new BridgeError('ILLEGAL_STATE', 'the original is being worked on; try again', {
      details: { transactionId: paymentId },
    });
  };

  return {
    async authorize(caller, call, given) {
      const { request, cardData } = takeCardData(given);
      requireOwnDevice(caller, request);
      const subjectId = paymentIdFor(request.transactionId, () => ids.next());
      const keyed = { caller, call, body: request, subjectId };
      const { merchantId, terminalId } = caller;
      const read = (reservation: NewIdempotency) =>
        store.authorizationGround({ ...reservation, merchantId, terminalId });
      return await gate.onceKnowing(keyed, read, async (reservation, { tips, hasOpenReversals }) => {
        const { payment, original } = await prepare(caller, call, request, cardData, reservation, tips);
        // What was reversed must not be overtaken by a new payment of the same terminal (decisions: recovery/reverse).
        if (hasOpenReversals) await reversals.flush(caller);
        const trace = await drawFoundingTrace(deps, payment);
        const message = authorizeMessageOf({ payment, request, cardData, trace, original: original?.message });
        return await sendFounding({
          payment,
          kind: 'AUTHORIZE',
          trace,
          reservation,
          send: () => acquirer.authorize(message, acquirerCall(deps)),
          bodyOf: (now, answer) => authorizeResponseOf(now, payment.transactionId, answer),
          explainCeiling: () => explainCeiling(caller.merchantId, payment.payment.originalTransactionId ?? '', request),
        });
      });
    },
  };
}

function requireRefundable(target: PaymentRecord, { amount, currencyCode }: StorableRequest): void {
  checkPaymentRefund(target, { amountMinor: amount, currencyCode, amountField: 'amount' });
}

function requireFit(amountMinor: number, maxAmountMinor: number): void {
  if (amountMinor <= maxAmountMinor) return;
  throw new BridgeError(
    'AMOUNT_TOO_LARGE',
    `amount must be at most ${maxAmountMinor}: the acquirer's field holds no more`,
    {
      field: 'amount',
    },
  );
}

function hasCard(cardData: CardData): boolean {
  const { applicationPan, panEncrypted, track2, emvTags } = cardData.reveal();
  return [applicationPan, panEncrypted, track2, emvTags['57'], emvTags['5A']].some((value) => value !== undefined);
}

interface MessageParts {
  readonly payment: NewPayment;
  readonly request: StorableRequest;
  readonly cardData: CardData;
  readonly trace: MessageTrace;
  readonly original: OriginalMessage | undefined;
}

function authorizeMessageOf({ payment, request, cardData, trace, original }: MessageParts): AuthorizeMessage {
  const {
    merchantId,
    amountMinor,
    currencyCode,
    tipAmountMinor,
    cashbackAmountMinor = 0,
    captureMethod,
  } = payment.payment;
  const chipTags = chipTagsOf(request);
  const simulate = request.metadata?.simulate;
  return {
    merchantId,
    terminalId: payment.terminalId,
    trace,
    operation: request.transactionType ?? 'purchase',
    captureMethod: captureMethod ?? 'AUTOMATIC',
    amountMinor,
    currencyCode,
    ...(tipAmountMinor > 0 ? { tipMinor: tipAmountMinor } : {}),
    ...(cashbackAmountMinor > 0 ? { cashbackMinor: cashbackAmountMinor } : {}),
    entryMode: request.entryMode,
    cardData,
    ...(Object.keys(chipTags).length === 0 ? {} : { chipTags }),
    ...(original === undefined ? {} : { original }),
    ...(typeof simulate === 'string' ? { simulate } : {}),
  };
}

/** What a device tells of the chip by name instead of by tag (specification: authorize). */
const namedTags = {
  cryptogram: '9F26',
  cid: '9F27',
  atc: '9F36',
  tvr: '95',
  iad: '9F10',
  unpredictableNumber: '9F37',
} as const satisfies Partial<Record<keyof AuthorizeRequest, string>>;

function chipTagsOf(request: StorableRequest): Readonly<Record<string, string>> {
  const named = Object.entries(namedTags).flatMap(([field, tag]) => {
    const value = request[field as keyof typeof namedTags];
    return value === undefined ? [] : [[tag, value] as const];
  });
  return Object.fromEntries(normalisedTags(Object.fromEntries(named)));
}
