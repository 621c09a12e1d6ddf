import { assertNoPanIn } from '../contract/card-number.ts';
import { BridgeError } from '../contract/errors.ts';
import type { AuthorizeRequest, TransactionLookUpQuery } from '../contract/host/authorize.ts';
import { assertAccountData } from './account-data.ts';
import type { CardData, CardFields, StorableRequest } from './card-data.ts';
import { accountTags } from './emv-tags.ts';
import { type HostAmounts, posAmountsOf } from './money.ts';
import { assertNoPanInId } from './payment-id.ts';
import { checkTip, type TipConfiguration } from './tip-source.ts';

/** What the schema of a device's request cannot say, because one field depends on another (specification: AuthorizeRequest). */

/** Digits of an amount in an EMV tag (9F02, 9F03: n 12). */
const EMV_AMOUNT_DIGITS = 12;

function refuse(field: string, rule: string): never {
  throw new BridgeError('INVALID_REQUEST', `${field} ${rule}`, { field });
}

/**
 * The amounts of a request: without a base it is what amount leaves beside the tip (decisions: POS amount, tip, cash-back).
 * @throws BridgeError INVALID_REQUEST when base + tip is not amount, the tip is larger than amount, or the cash-back larger than the base
 */
export function amountsOf(
  request: Pick<AuthorizeRequest, 'amount' | 'baseAmountMinor' | 'tipAmountMinor' | 'cashbackAmountMinor'>,
): HostAmounts {
  const { amount: amountMinor, tipAmountMinor = 0, cashbackAmountMinor = 0 } = request;
  if (tipAmountMinor > amountMinor) refuse('tipAmountMinor', 'must not be larger than amount');
  const baseAmountMinor = request.baseAmountMinor ?? amountMinor - tipAmountMinor;
  const amounts = { amountMinor, baseAmountMinor, tipAmountMinor, cashbackAmountMinor };
  posAmountsOf(amounts);
  return amounts;
}

/**
 * Every rule of an authorization, in a fixed order, before anything is stored or sent. A repeat under a known key is answered before this: the
 * merchant's tips may have changed since.
 * @param tips the merchant's tip configuration
 * @throws BridgeError INVALID_REQUEST naming the field
 */
export function checkAuthorizeRequest(
  request: StorableRequest,
  cardData: CardData,
  tips: TipConfiguration | undefined,
): HostAmounts {
  const amounts = checkPayment(request, tips);
  const card = cardData.reveal();
  assertAccountData(card);
  const clear = accountTags.find((tag) => card.emvTags[tag] !== undefined);
  if (card.panEncrypted !== undefined && clear !== undefined) {
    refuse(`emvTlv.${clear}`, 'must not be given together with panEncrypted');
  }
  requireTagAmount(card.emvTags, '9F02', amounts.amountMinor, 'amount');
  requireTagAmount(card.emvTags, '9F03', amounts.cashbackAmountMinor, 'cashbackAmountMinor');
  return amounts;
}

/** The rules that authorize and offline-complete share. @throws BridgeError INVALID_REQUEST naming the field */
export function checkPayment(request: StorableRequest, tips: TipConfiguration | undefined): HostAmounts {
  const { transactionType = 'purchase', cashbackAmountMinor = 0, tipAmountMinor = 0 } = request;
  const amounts = amountsOf(request);
  if (transactionType === 'refund') {
    if (request.originalTransactionId === undefined) refuse('originalTransactionId', 'is required for a refund');
    // A refund's amount is its total (decisions: Refund ceiling).
    if (tipAmountMinor > 0) refuse('tipAmountMinor', 'must be 0 for a refund: amount is the whole of it');
  } else if (request.originalTransactionId !== undefined) {
    refuse('originalTransactionId', 'is taken for a refund only');
  }
  if (transactionType !== 'purchase' && cashbackAmountMinor > 0) {
    refuse('cashbackAmountMinor', 'is taken for a purchase only');
  }
  requireClaimWithSession(request);
  assertNoCardNumbers(request);
  const goodsMinor = amounts.baseAmountMinor - amounts.cashbackAmountMinor;
  checkTip(
    { tipAmountMinor, goodsMinor, ...(request.tipSource === undefined ? {} : { tipSource: request.tipSource }) },
    tips,
  );
  return amounts;
}

/** @throws BridgeError INVALID_REQUEST naming claimToken, which goes with paymentSessionId (decisions: authorize additions) */
export function requireClaimWithSession(request: {
  readonly paymentSessionId?: string;
  readonly claimToken?: string;
}): void {
  if (request.paymentSessionId !== undefined && request.claimToken === undefined) {
    refuse('claimToken', 'is required with paymentSessionId');
  }
  if (request.paymentSessionId === undefined && request.claimToken !== undefined) {
    refuse('claimToken', 'is taken with paymentSessionId only');
  }
}

/** Names that a device gives; they are stored and shown. Identifiers of what is known are not among them: others are not found. */
const deviceTexts = [
  'entryMode',
  'completionMode',
  'railId',
  'vendor',
  'acceptanceMode',
  'cardScheme',
  'cvm',
] as const satisfies readonly (keyof StorableRequest)[];

/** Card numbers are told in the fields for them and nowhere else (decisions: PAN-shaped text). */
function assertNoCardNumbers(request: StorableRequest): void {
  assertNoPanInId('transactionId', request.transactionId ?? '');
  for (const field of deviceTexts) assertNoPanIn(field, request[field] ?? '');
}

/** The chip has signed the amount in its tag: another one is never sent to an issuer (decisions: authorize additions, 9F02). */
function requireTagAmount(tags: CardFields['emvTags'], tag: string, minor: number, field: string): void {
  const value = tags[tag];
  if (value === undefined) return;
  const isSame = /^[0-9]+$/.test(value) && value.length === EMV_AMOUNT_DIGITS && Number(value) === minor;
  if (!isSame) refuse(`emvTlv.${tag}`, `must be ${field} in ${EMV_AMOUNT_DIGITS} digits`);
}

/** @throws BridgeError INVALID_REQUEST unless exactly one of the two is given (decisions: Lost responses) */
export function checkLookUp(query: TransactionLookUpQuery): void {
  if ((query.idempotencyKey === undefined) !== (query.transactionId === undefined)) return;
  refuse('transactionId', 'or idempotencyKey must be given, one of the two');
}
