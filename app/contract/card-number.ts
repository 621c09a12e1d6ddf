import { BridgeError } from './errors.ts';
import { MAX_PAN_DIGITS, MIN_PAN_DIGITS } from './limits.ts';

/** Text that must not reach the journal or the display: card numbers, and prompts that ask for card data (decisions: PAN-shaped text, display / input). */

/**
 * How card numbers begin (ISO/IEC 7812 ranges in use): Visa 4, Mastercard 51–55 and 2221–2720, Maestro 50, 56–58 and 6, Amex 34 and 37,
 * Diners 300–305, 309, 36, 38, 39, JCB 35, Discover, UnionPay and RuPay 6, 81 and 82, Mir 2200–2204, Troy 9792.
 */
const cardPrefix =
  /^(4|5[0-8]|220[0-4]|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720|3[4-9]|30[0-5]|309|6|8[12]|9792)/;

const digitGroups = /[0-9]+(?:[\s\u2010-\u2015-]+[0-9]+)*/g;

function isLuhnValid(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - index));
    const doubled = index % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function isCardNumber(digits: string): boolean {
  return (
    digits.length >= MIN_PAN_DIGITS && digits.length <= MAX_PAN_DIGITS && cardPrefix.test(digits) && isLuhnValid(digits)
  );
}

/** Whether some of the neighbouring groups, read together, are a card number: `4111 1111 1111 1111` also behind `table 12 `. */
function groupsHoldCardNumber(groups: readonly string[]): boolean {
  for (let first = 0; first < groups.length; first += 1) {
    let digits = '';
    for (let last = first; last < groups.length && digits.length <= MAX_PAN_DIGITS; last += 1) {
      digits += groups[last] ?? '';
      if (isCardNumber(digits)) return true;
    }
  }
  return false;
}

/** 8-4-4-4-12 hexadecimal digits and nothing else: by chance one in some ten thousand UUIDs holds the digits of a card number. */
const canonicalUuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * Whether the text holds a run of 14–19 digits, spaces and dashes ignored, that passes Luhn and begins as a card number does. A text that is a
 * canonical UUID as a whole never does.
 */
export function looksLikeCardNumber(text: string): boolean {
  if (canonicalUuid.test(text)) return false;
  const runs = text.normalize('NFKC').match(digitGroups) ?? [];
  return runs.some((run) => groupsHoldCardNumber(run.match(/[0-9]+/g) ?? []));
}

/** @throws BridgeError INVALID_REQUEST naming `field`; the text itself is not repeated. */
export function assertNoPanIn(field: string, text: string): void {
  if (looksLikeCardNumber(text)) {
    throw new BridgeError('INVALID_REQUEST', `${field} must not contain a card number`, { field });
  }
}

/** Words with which a text asks for card data, in the languages of the shops. Bread (`pan`) is none of them. */
const cardDataPrompt = new RegExp(
  [
    String.raw`\bpin\b`,
    String.raw`\bpin[- ]?(code|nummer|number)\b`,
    String.raw`\b(cvv2?|cvc2?|cvn)\b`,
    String.raw`\b(security|card verification|verification) (code|number)\b`,
    String.raw`\bcard[- ]?(number|no|nr|digits)\b`,
    String.raw`\b(kartennummer|karten[- ]?nr|geheimzahl|prüfziffer|kartenprüfnummer)`,
    'numéro de( la| votre)? carte|code (secret|confidentiel)|cryptogramme',
    'numero (della |di )?carta|codice (segreto|di sicurezza)',
    'número de( la| su)? tarjeta|clave secreta|código de seguridad|número do cartão',
    'kaartnummer|numer karty|kortnummer',
  ].join('|'),
  'iu',
);

/** @throws BridgeError INVALID_REQUEST naming `field` when the text asks for a card number, PIN or security code. */
export function assertNoCardDataPrompt(field: string, text: string): void {
  if (cardDataPrompt.test(text.normalize('NFKC').replace(/\s+/g, ' '))) {
    throw new BridgeError('INVALID_REQUEST', `${field} must not ask for a card number, PIN or security code`, {
      field,
    });
  }
}
