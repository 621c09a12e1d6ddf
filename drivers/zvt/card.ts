// What a payment tells about card and authorization, in the words of the port.
import type { CardScheme, CvmResult, EntryMode } from '../../app/contract/transactions.ts';
import type { CardFacts } from '../../app/domain/transaction.ts';
import { schemeOfAid, schemeOfPan } from '../card-schemes.ts';
import { maskPan } from '../mask-pan.ts';
import { CVM_BY_CODE, ENTRY_TECHNOLOGY_BY_CODE, type ZvtCvm, type ZvtEntryTechnology } from './codec/card-facts.ts';
import type { EndOfDayTotals, StatusInformation } from './codec/message-types.ts';

/** Card type of BMP 8A / 8C (PA00P015, table of card types). */
const schemeByCardType: ReadonlyMap<number, CardScheme> = new Map<number, CardScheme>([
  [2, 'OTHER'],
  [5, 'OTHER'],
  [6, 'MASTERCARD'],
  [8, 'AMEX'],
  [10, 'VISA'],
  [11, 'VISA'],
  [12, 'DISCOVER'],
  [13, 'VISA'],
  [14, 'JCB'],
  [46, 'MASTERCARD'],
]);

const schemeByName: readonly (readonly [RegExp, CardScheme])[] = [
  [/girocard|electronic cash|\bec\b/i, 'OTHER'],
  [/master\s?card|maestro/i, 'MASTERCARD'],
  [/visa|v ?pay/i, 'VISA'],
  [/american express|amex/i, 'AMEX'],
  [/jcb/i, 'JCB'],
  [/diners|discover/i, 'DISCOVER'],
  [/union ?pay|cup\b/i, 'UNIONPAY'],
];

/** The most exact source wins: AID, name, number of the card type, first digits. */
function cardSchemeOf(status: StatusInformation): CardScheme | undefined {
  const byAid = schemeOfAid(status.aid ?? '');
  const name = `${status.cardName ?? ''} ${status.applicationName ?? ''}`;
  const byName = schemeByName.find(([pattern]) => pattern.test(name))?.[1];
  const byType = schemeByCardType.get(status.cardTypeId ?? status.cardType ?? -1);
  const byPrefix = schemeOfPan(maskedPanOf(status) ?? '');
  return byAid ?? byName ?? byType ?? byPrefix;
}

const MIN_HIDDEN_DIGITS = 4;

/** At most first six and last four, at least four hidden; else absent (decisions: maskedPan). */
function maskedPanOf(status: StatusInformation): string | undefined {
  const fromTrack = status.track2 === undefined ? undefined : maskPan(status.track2.reveal().split('=')[0] ?? '');
  const masked = status.maskedPan ?? fromTrack;
  return masked !== undefined && masked.split('*').length - 1 >= MIN_HIDDEN_DIGITS ? masked : undefined;
}

const entryModes: { readonly [Technology in ZvtEntryTechnology]: EntryMode } = {
  MAGNETIC_STRIPE: 'MAGSTRIPE',
  CHIP: 'CONTACT',
  CONTACTLESS: 'CONTACTLESS',
};

/** Payment types of BMP 19 that name how the card was read: 10 and 30 stripe, 20 and 60 chip; 40, 50, 70 leave it open. */
const entryModeByPaymentType: ReadonlyMap<number, EntryMode> = new Map<number, EntryMode>([
  [0x10, 'MAGSTRIPE'],
  [0x20, 'CONTACT'],
  [0x30, 'MAGSTRIPE'],
  [0x60, 'CONTACT'],
]);

function entryModeOf(status: StatusInformation): EntryMode | undefined {
  const technology = ENTRY_TECHNOLOGY_BY_CODE.get(status.technology ?? -1);
  return technology === undefined ? entryModeByPaymentType.get(status.paymentType ?? -1) : entryModes[technology];
}

const cvmResults: { readonly [Cvm in ZvtCvm]: CvmResult } = {
  NONE: 'NO_CVM',
  SIGNATURE: 'SIGNATURE',
  ONLINE_PIN: 'ONLINE_PIN',
  OFFLINE_PIN: 'OFFLINE_PIN',
  OFFLINE_PIN_AND_SIGNATURE: 'OFFLINE_PIN_AND_SIGNATURE',
  // The open list has no such pair; the stronger one is named.
  ONLINE_PIN_AND_SIGNATURE: 'ONLINE_PIN',
};

/** BMP 3B: up to eight characters, filled up with NUL or blanks. */
export function authorizationCodeOf(status: StatusInformation): string | undefined {
  const { authorizationAttribute } = status;
  if (authorizationAttribute === undefined) return undefined;
  const end = authorizationAttribute.indexOf(0);
  const bytes = end < 0 ? authorizationAttribute : authorizationAttribute.subarray(0, end);
  const text = String.fromCharCode(...bytes).trim();
  return /^[\x21-\x7e]{1,8}$/.test(text) ? text : undefined;
}

/** Everything the port can carry of what a status information tells. `responseCode` is the issuer's, or 00 of an approval. */
export function cardFactsOf(status: StatusInformation, responseCode?: string): CardFacts {
  const facts: { -readonly [Name in keyof CardFacts]: CardFacts[Name] | undefined } = {
    authorizationCode: authorizationCodeOf(status),
    responseCode,
    cardScheme: cardSchemeOf(status),
    maskedPan: maskedPanOf(status),
    entryMode: entryModeOf(status),
    aid: status.aid?.toUpperCase(),
    applicationLabel: nonEmpty(status.applicationName) ?? nonEmpty(status.cardName),
    cvmResult: status.cvm === undefined ? undefined : mapCvm(status.cvm),
  };
  return withoutAbsent(facts);
}

function mapCvm(code: number): CvmResult | undefined {
  const cvm = CVM_BY_CODE.get(code);
  return cvm === undefined ? undefined : cvmResults[cvm];
}

function nonEmpty(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

function withoutAbsent(facts: { readonly [Name in keyof CardFacts]: CardFacts[Name] | undefined }): CardFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

/** Counts and sums of BMP 60 by the scheme names of the open list; girocard and the rest stand together as OTHER. */
export function schemeTotalsOf(
  totals: EndOfDayTotals,
): readonly { scheme: string; count: number; amountMinor: number }[] {
  const other = {
    count: totals.girocard.count + totals.other.count,
    amountMinor: totals.girocard.amountMinor + totals.other.amountMinor,
  };
  const rows: readonly (readonly [CardScheme, { count: number; amountMinor: number }])[] = [
    ['VISA', totals.visa],
    ['MASTERCARD', totals.mastercard],
    ['AMEX', totals.amex],
    ['JCB', totals.jcb],
    ['DISCOVER', totals.diners],
    ['OTHER', other],
  ];
  return rows
    .filter(([, total]) => total.count !== 0 || total.amountMinor !== 0)
    .map(([scheme, { count, amountMinor }]) => ({ scheme, count, amountMinor }));
}
