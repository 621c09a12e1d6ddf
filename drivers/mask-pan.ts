/** Below this length first six plus last four would show most of the number. */
const MIN_LENGTH_FOR_FIRST_SIX = 13;

/** A card number fit for a record: at most the first six and the last four digits, the rest `*`. */
export function maskPan(pan: string): string {
  const shownInFront = pan.length >= MIN_LENGTH_FOR_FIRST_SIX ? 6 : 0;
  return Array.from(pan, (digit, index) => (index < shownInFront || index >= pan.length - 4 ? digit : '*')).join('');
}
