import type { AuthorizeRequest, HostTransactionType } from '../contract/host/authorize.ts';
import { MAX_EMV_TAGS } from '../contract/host/host-limits.ts';
import type { ChipData } from '../contract/transactions.ts';
import { takeCardData } from '../domain/card-data.ts';
import { accountTags, normalisedTag } from '../domain/emv-tags.ts';
import { hostAmountsOf } from '../domain/money.ts';
import { storableTags } from '../domain/offline-tags.ts';
import type { CardFacts } from '../domain/transaction.ts';
import type { CardReading, TerminalCommand } from '../ports/terminal.ts';
import type { HostIdentity } from './host-identity.ts';

/** What reads a card and asks our host. */
export type CardCommand = Extract<TerminalCommand, { operation: 'SALE' | 'PRE_AUTH' | 'REFUND' }>;

/** What a card has given. */
export interface ReadCard {
  readonly chipData: ChipData;
  readonly card: CardFacts;
  readonly reading?: CardReading | undefined;
}

const transactionTypes: Readonly<Record<CardCommand['operation'], HostTransactionType>> = {
  SALE: 'purchase',
  PRE_AUTH: 'pre_auth',
  REFUND: 'refund',
};

/**
 * The request of an authorization (specification: AuthorizeRequest; decisions: POS amount, tip, cash-back; authorize additions). It holds card data:
 * it is sent, and neither stored nor logged.
 */
export function authorizeRequestOf(command: CardCommand, read: ReadCard, identity: HostIdentity): AuthorizeRequest {
  return {
    ...paymentFieldsOf(command, identity),
    ...readingFieldsOf(read),
    emvTlv: tagsOf(read.chipData),
    ...accountFieldsOf(read.reading),
    ...pinFieldsOf(read),
  };
}

/** The request of offline-complete, for what the chip approved by itself: it holds nothing that may not rest. */
export function offlineRequestOf(command: CardCommand, read: ReadCard, identity: HostIdentity): AuthorizeRequest {
  const { '8A': code, '9F27': _cid, ...tags } = tagsOf(read.chipData);
  const isOwnCode = code === CHIP_APPROVED_OFFLINE || code === CHIP_APPROVED_UNABLE;
  const { request } = takeCardData({
    ...paymentFieldsOf(command, identity),
    ...readingFieldsOf(read),
    emvTlv: { ...tags, ...(isOwnCode ? { '8A': code } : {}) },
    cid: TRANSACTION_CERTIFICATE,
  });
  return request;
}

/**
 * The request of an authorization that has to wait, without its account: of the card it holds the tags that may be stored, and nothing of a PIN. What
 * it says of the card is what the card had said before it was told that its issuer could not be asked.
 */
export function deferredRequestOf(command: CardCommand, read: ReadCard, identity: HostIdentity): AuthorizeRequest {
  return takeCardData({
    ...paymentFieldsOf(command, identity),
    ...readingFieldsOf(read),
    emvTlv: tagsOf(read.chipData),
  }).request;
}

/** Codes Y1 and Y3 as tag 8A holds them, and the cryptogram information data of an approval (EMV book 4, annex A6; book 3, table 14). */
const CHIP_APPROVED_OFFLINE = '5931';
const CHIP_APPROVED_UNABLE = '5933';
const TRANSACTION_CERTIFICATE = '40';

function paymentFieldsOf(command: CardCommand, { deviceId, terminalId }: HostIdentity) {
  const { transactionId, amountMinor, currency, referenceId, metadata, paymentSession } = command;
  const { tipAmountMinor, cashbackAmountMinor } =
    command.operation === 'REFUND' ? { tipAmountMinor: 0, cashbackAmountMinor: 0 } : command;
  const tipSource = command.operation === 'REFUND' ? undefined : command.tipSource;
  const amounts = hostAmountsOf({
    amountMinor: amountMinor - tipAmountMinor - cashbackAmountMinor,
    tipAmountMinor,
    cashbackAmountMinor,
  });
  return {
    deviceId,
    terminalId,
    transactionId,
    amount: amounts.amountMinor,
    baseAmountMinor: amounts.baseAmountMinor,
    tipAmountMinor,
    ...(tipSource === undefined ? {} : { tipSource }),
    ...(cashbackAmountMinor === 0 ? {} : { cashbackAmountMinor }),
    currencyCode: currency,
    transactionType: transactionTypes[command.operation],
    ...(command.operation === 'REFUND' ? { originalTransactionId: hostPaymentIdOf(command.original) } : {}),
    ...(referenceId === undefined ? {} : { referenceId }),
    ...(metadata === undefined ? {} : { metadata: { ...metadata } }),
    ...(paymentSession === undefined
      ? {}
      : { paymentSessionId: paymentSession.sessionId, claimToken: paymentSession.claimToken }),
  };
}

/** The payment at the host that a command acts on; its own name where it has no other. */
export function hostPaymentIdOf(original: {
  readonly transactionId: string;
  readonly reference: { readonly paymentId?: unknown };
}): string {
  const { paymentId } = original.reference;
  return typeof paymentId === 'string' ? paymentId : original.transactionId;
}

/** Tag 95: five bytes. */
const verificationResults = /^[0-9A-Fa-f]{10}$/;

function readingFieldsOf({ card, chipData }: ReadCard) {
  const { cardScheme, maskedPan, cvmResult, tvr } = card;
  const hasChip = Object.keys(chipData.emvTags).length > 0;
  return {
    entryMode: card.entryMode ?? (hasChip ? 'CONTACT' : 'MAGSTRIPE'),
    ...(cardScheme === undefined ? {} : { cardScheme }),
    ...(maskedPan === undefined ? {} : { maskedPan }),
    ...(cvmResult === undefined ? {} : { cvm: cvmResult }),
    ...(tvr === undefined || !verificationResults.test(tvr) ? {} : { tvr }),
  };
}

/** Tags by their one spelling, without those that hold the account; what an issuer needs comes first, should there be too many. */
function tagsOf({ emvTags }: ChipData): Record<string, string> {
  const hidden: readonly string[] = accountTags;
  const tags = Object.entries(emvTags).flatMap(([spelling, value]) => {
    const tag = normalisedTag(spelling);
    return tag === undefined || hidden.includes(tag) ? [] : [[tag, value.toUpperCase()] as const];
  });
  const rank = ([tag]: readonly [string, string]) => (storableTags.has(tag) ? 0 : 1);
  return Object.fromEntries(tags.sort((a, b) => rank(a) - rank(b)).slice(0, MAX_EMV_TAGS));
}

/** The account of a card as an authorization carries it. */
export function accountFieldsOf(reading: Pick<CardReading, 'account'> | undefined): Partial<AuthorizeRequest> {
  const account = reading?.account.reveal();
  if (account === undefined) return {};
  if (account.kind === 'ENCRYPTED') {
    const { panEncrypted, ksn: accountDataKsn, keyScheme: accountDataKeyScheme } = account;
    return { panEncrypted, accountDataKsn, accountDataKeyScheme };
  }
  const { pan, track2 } = account;
  return { ...(pan === undefined ? {} : { applicationPan: pan }), ...(track2 === undefined ? {} : { track2 }) };
}

function pinFieldsOf({ chipData, reading }: ReadCard): Partial<AuthorizeRequest> {
  const { encryptedPinBlock, pinKsn, pinBlockFormat } = chipData;
  if (encryptedPinBlock === null) return {};
  return {
    pinBlock: encryptedPinBlock,
    ...(pinKsn === null ? {} : { ksn: pinKsn }),
    ...(pinBlockFormat === null ? {} : { pinBlockFormat }),
    ...(reading?.pinKeyScheme === undefined ? {} : { pinKeyScheme: reading.pinKeyScheme }),
  };
}
