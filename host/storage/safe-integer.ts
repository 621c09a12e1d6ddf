/** @throws RangeError for an integer that a number does not hold exactly: rather no answer than another amount. */
export function safeInteger(value: bigint, name: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${name} holds an integer beyond 2^53 − 1`);
  return number;
}
