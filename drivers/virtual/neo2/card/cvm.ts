// Cardholder verification with a chip: the card's list (8E) against what the terminal can do (EMV book 3, 10.5).
import { concatBytes, fromHex } from '../../../framing/bytes.ts';
import type { ChipCard } from './chip-cards.ts';
import type { ChipPayment, ReaderProfile } from './payment.ts';

export type CvmMethod = 'ONLINE_PIN' | 'SIGNATURE' | 'NO_CVM' | 'CDCVM' | 'FAILED';

/** What the cardholder did when asked for the PIN. */
export type PinEntry = 'ENTERED' | 'BYPASSED';

export interface CvmOutcome {
  readonly method: CvmMethod;
  /** tag 9F34 */
  readonly results: Uint8Array;
  /** its bits in the third byte of the TVR (95) */
  readonly verificationBits: number;
}

/** Third byte of the TVR. */
const FAILED_BIT = 0x80;
const PIN_NOT_ENTERED_BIT = 0x08;
const ONLINE_PIN_BIT = 0x04;

const APPLY_NEXT = 0x40;
const RESULT_UNKNOWN = 0;
const RESULT_SUCCESSFUL = 2;
const codes = { onlinePin: 0x02, signature: 0x1e, noCvm: 0x1f } as const;
/** Conditions of a rule. */
const ALWAYS = 0x00;
const IF_SUPPORTED = 0x03;

interface CvmRule {
  readonly code: number;
  readonly condition: number;
}

/** A PIN card lets the terminal ask for a signature when no PIN came. */
const pinRules: readonly CvmRule[] = [
  { code: codes.onlinePin | APPLY_NEXT, condition: IF_SUPPORTED },
  { code: codes.signature, condition: IF_SUPPORTED },
];

const rulesOf: Readonly<Record<ChipCard['verification'], readonly CvmRule[]>> = {
  PIN: pinRules,
  PIN_ABOVE_LIMIT: pinRules,
  SIGNATURE: [
    { code: codes.signature | APPLY_NEXT, condition: IF_SUPPORTED },
    { code: codes.noCvm, condition: ALWAYS },
  ],
  DEVICE: [{ code: codes.noCvm, condition: ALWAYS }],
  NONE: [{ code: codes.noCvm, condition: ALWAYS }],
};

/** Tag 8E: two amounts that no rule here uses, then the rules. */
export function cvmList(card: ChipCard): Uint8Array {
  const rules = rulesOf[card.verification].map(({ code, condition }) => Uint8Array.of(code, condition));
  return concatBytes(new Uint8Array(8), ...rules);
}

/**
 * How the holder of an inserted card is verified: the first rule of the card that can be carried out.
 * @param pin what happened, or would happen, when the PIN is asked for
 */
export function verifyByChip(card: ChipCard, reader: ReaderProfile, pin: PinEntry): CvmOutcome {
  let bits = 0;
  for (const rule of rulesOf[card.verification]) {
    const method = rule.code & ~APPLY_NEXT;
    if (method === codes.noCvm) return outcome('NO_CVM', rule, RESULT_SUCCESSFUL, bits);
    if (method === codes.signature && reader.takesSignature) return outcome('SIGNATURE', rule, RESULT_UNKNOWN, bits);
    if (method === codes.onlinePin && reader.hasPinPad) {
      if (pin === 'ENTERED') return outcome('ONLINE_PIN', rule, RESULT_UNKNOWN, bits | ONLINE_PIN_BIT);
      bits |= PIN_NOT_ENTERED_BIT;
    }
  }
  return { method: 'FAILED', results: fromHex('3F0001'), verificationBits: bits | FAILED_BIT };
}

/** How the holder of a tapped card or telephone is verified: by the reader's limit, or by the telephone itself. */
export function verifyByTap(card: ChipCard, reader: ReaderProfile, payment: ChipPayment, pin: PinEntry): CvmOutcome {
  if (card.verification === 'DEVICE') {
    return { method: 'CDCVM', results: fromHex('010002'), verificationBits: 0 };
  }
  const isBelowLimit = payment.amountMinor <= reader.contactlessLimitMinor;
  if (card.verification === 'NONE' || (card.verification === 'PIN_ABOVE_LIMIT' && isBelowLimit)) {
    return { method: 'NO_CVM', results: fromHex('1F0302'), verificationBits: 0 };
  }
  return verifyByChip(card, reader, pin);
}

function outcome(method: CvmMethod, { code, condition }: CvmRule, result: number, bits: number): CvmOutcome {
  return { method, results: Uint8Array.of(code, condition, result), verificationBits: bits };
}
