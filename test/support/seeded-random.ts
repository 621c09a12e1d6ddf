/** Numbers that one seed repeats exactly. */
export interface SeededRandom {
  /** From 0 up to, but not including, 1. */
  fraction(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  pick<T>(items: readonly T[]): T;
  uuid(): string;
}

/** Mulberry32: small, fast, and good enough for data that only has to look like a shop's. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const word = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const fraction = () => word() / 2 ** 32;
  const between = (low: number, high: number) => low + Math.floor(fraction() * (high - low + 1));
  const hex = () => word().toString(16).padStart(8, '0');
  return {
    fraction,
    between,
    pick(items) {
      const picked = items[between(0, items.length - 1)];
      if (picked === undefined) throw new RangeError('there is nothing to pick from');
      return picked;
    },
    uuid() {
      const digits = hex() + hex() + hex() + hex();
      const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`];
      return [...parts, digits.slice(20)].join('-');
    },
  };
}
