/** Digits of a card number that may be shown at its start and at its end, and that must stay hidden (decisions: maskedPan). */
const MAX_LEADING_DIGITS = 6;
const MAX_TRAILING_DIGITS = 4;
const MIN_HIDDEN_DIGITS = 4;
const MAX_PAN_CHARACTERS = 19;

const masked = new RegExp(
  `^(\\d{0,${MAX_LEADING_DIGITS}})([*xX#•]{${MIN_HIDDEN_DIGITS},})(\\d{0,${MAX_TRAILING_DIGITS}})$`,
);

/**
 * A masked card number as it may be kept: at most the first six and the last four digits, at least four hidden ones written as `*`. Undefined for
 * anything else: a number that shows more is dropped as a whole, not masked further (decisions: maskedPan).
 */
export function keepMaskedPan(text: string): string | undefined {
  const parts = masked.exec(text.replace(/[ -]/g, ''));
  if (parts === null) return undefined;
  const [whole, leading = '', hidden = '', trailing = ''] = parts;
  return whole.length > MAX_PAN_CHARACTERS ? undefined : leading + '*'.repeat(hidden.length) + trailing;
}

/** The last four digits of a kept masked number, for logs and bundles; undefined when it shows none. */
export function lastFourOf(maskedPan: string): string | undefined {
  return /(?:^|\D)(\d{4})$/.exec(maskedPan)?.[1];
}
