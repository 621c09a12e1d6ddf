import { data } from 'currency-codes';

/** ISO 4217: which codes a payment can be in, their exponents and numbers (decisions: Minor units). */

/**
 * Codes of the list that are no money in which a till charges: precious metals, bond units, SDR and the like, testing and
 * "no currency", the fund codes (marked IsFund in ISO's list one), and what was withdrawn.
 */
const notForPayments: ReadonlySet<string> = new Set([
  ...['XAG', 'XAU', 'XPD', 'XPT', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XSU', 'XUA', 'XTS', 'XXX'],
  ...['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI'],
  // Withdrawn; XCG below has its number now.
  'ANG',
]);

interface Currency {
  readonly code: string;
  readonly exponent: number;
  readonly numericCode: string;
}

/** Currencies that ISO has added since the package's edition of June 2024 (amendments 176 and 177). */
const added: readonly Currency[] = [
  { code: 'XCG', exponent: 2, numericCode: '532' },
  { code: 'ZWG', exponent: 2, numericCode: '924' },
];

const currencies: readonly Currency[] = [
  ...data
    .filter(({ code, number }) => number !== undefined && !notForPayments.has(code))
    .map(({ code, digits, number }) => ({ code, exponent: digits, numericCode: number })),
  ...added,
];
const byCode: ReadonlyMap<string, Currency> = new Map(currencies.map((currency) => [currency.code, currency]));
const byNumber: ReadonlyMap<string, Currency> = new Map(currencies.map((currency) => [currency.numericCode, currency]));

/** Whether `code` is an ISO 4217 code, as written (capital letters), in which a payment can be made. */
export function isCurrency(code: string): boolean {
  return byCode.has(code);
}

function known(code: string): Currency {
  const currency = byCode.get(code);
  if (currency === undefined) throw new RangeError('not an ISO 4217 currency code');
  return currency;
}

/** Decimal places of the minor unit: JPY 0, EUR 2, KWD 3, UYW 4. RangeError for an unknown code: there is no default. */
export function exponentOf(code: string): number {
  return known(code).exponent;
}

/** Three digits, e.g. '978' for EUR. RangeError for an unknown code. */
export function numericCodeOf(code: string): string {
  return known(code).numericCode;
}

/** Code of a three-digit number, e.g. EUR for '978'; undefined when there is none. */
export function currencyOfNumeric(numericCode: string): string | undefined {
  return byNumber.get(numericCode)?.code;
}
