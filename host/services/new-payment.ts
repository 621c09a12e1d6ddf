import type { AuthorizeRequest } from '../../app/contract/host/authorize.ts';
import type { CaptureMethod, Payment } from '../../app/contract/host/payment.ts';
import type { StorableRequest } from '../../app/domain/card-data.ts';
import type { HostAmounts } from '../../app/domain/money.ts';
import type { NewPayment } from '../ports/host-records.ts';
import type { DeviceCaller } from './host.ts';
import { cardOf, type ToldCard } from './told-card.ts';

/** What a payment is made of beside the request of the device. */
export interface PaymentFacts {
  readonly id: string;
  readonly amounts: HostAmounts;
  readonly status: Payment['status'];
  readonly captureMethod: CaptureMethod;
  /** The payment that a refund gives back, by its id. */
  readonly originalId?: string;
  readonly isSimulated: boolean;
  readonly businessDate: string;
  readonly atMs: number;
}

const types: Readonly<Record<NonNullable<AuthorizeRequest['transactionType']>, Payment['type']>> = {
  purchase: 'SALE',
  pre_auth: 'PRE_AUTH',
  refund: 'REFUND',
};

/** The payment that a device's request begins (specification: Payment). Card data are not in the request any more. */
export function newPaymentOf(caller: DeviceCaller, request: StorableRequest, facts: PaymentFacts): NewPayment {
  const { amounts, id, originalId, atMs } = facts;
  const { tipSource, referenceId, metadata, paymentSessionId } = request;
  const at = new Date(atMs).toISOString();
  const payment: Payment = {
    id,
    merchantId: caller.merchantId,
    acceptanceChannel: 'CARD_PRESENT',
    status: facts.status,
    type: types[request.transactionType ?? 'purchase'],
    captureMethod: facts.captureMethod,
    capturedAmountMinor: null,
    authExpiresAt: null,
    ...amounts,
    currencyCode: request.currencyCode,
    tipSource: tipSource ?? null,
    ...(referenceId === undefined ? {} : { referenceId }),
    ...(originalId === undefined ? {} : { originalTransactionId: originalId }),
    ...cardOf(toldCardOf(request)),
    settlementId: null,
    ...(metadata === undefined ? {} : { metadata }),
    ...(facts.isSimulated ? { simulated: true } : {}),
    createdAt: at,
    businessDate: facts.businessDate,
    updatedAt: at,
  };
  return {
    payment,
    terminalId: caller.terminalId,
    transactionId: request.transactionId ?? id,
    ...(paymentSessionId === undefined ? {} : { paymentSessionId }),
  };
}

/** What the device tells of the card, by name or in its tags. */
function toldCardOf(request: StorableRequest): ToldCard {
  const { terminalId, entryMode, acceptanceMode, cvm, cardScheme, maskedPan } = request;
  const tags = request.emvTlv ?? {};
  const applicationLabel = tags['50'] === undefined ? undefined : textOf(tags['50']);
  const aid = tags['4F'] ?? tags['84'] ?? tags['9F06'];
  const tvr = request.tvr ?? tags['95'];
  const cryptogramType = cryptogramOf(request.cid ?? tags['9F27']);
  return {
    terminalId,
    entryMode,
    ...(acceptanceMode === undefined ? {} : { acceptanceMode }),
    ...(cardScheme === undefined ? {} : { cardScheme }),
    ...(maskedPan === undefined ? {} : { maskedPan }),
    ...(applicationLabel === undefined ? {} : { applicationLabel }),
    ...(aid === undefined ? {} : { aid }),
    ...(cryptogramType === undefined ? {} : { cryptogramType }),
    ...(tvr === undefined ? {} : { tvr: tvr.toUpperCase() }),
    ...(cvm === undefined ? {} : { cvmResult: cvm }),
  };
}

/** The two highest bits of 9F27 (EMV book 3, 6.5.5.4). */
function cryptogramOf(cid: string | undefined): 'TC' | 'ARQC' | 'AAC' | undefined {
  if (cid === undefined) return undefined;
  return ({ 0: 'AAC', 64: 'TC', 128: 'ARQC' } as const)[Number.parseInt(cid, 16) & 0xc0];
}

/** Printable characters of an EMV text (format ans). */
function textOf(hex: string): string | undefined {
  const text = (hex.match(/../g) ?? [])
    .map((byte) => String.fromCharCode(Number.parseInt(byte, 16)))
    .filter((character) => character >= ' ' && character <= '~')
    .join('')
    .trim();
  return text === '' ? undefined : text;
}
