/**
 * Whether these bytes may be one block of raw deflate (RFC 1951, 3.2). False only where decompressing is sure to refuse them: random bytes are told
 * apart in a fraction of the time that it takes.
 */
export function mayBeDeflate(bytes: Buffer): boolean {
  const bits = bitsOf(bytes);
  const isLast = bits.read(1) === 1;
  const type = bits.read(2);
  return isLast && (type === 1 ? mayBeFixed(bits) : type === 2 && mayHaveCodes(bits));
}

interface Bits {
  /** Bits as a number, the first one lowest. */
  read(count: number): number;
  /** Bits as a code, the first one highest. */
  code(count: number): number;
  isOver(): boolean;
}

function bitsOf(bytes: Buffer): Bits {
  let at = 0;
  const next = () => {
    const bit = ((bytes[at >> 3] ?? 0) >> (at & 7)) & 1;
    at += 1;
    return bit;
  };
  return {
    read(count) {
      let value = 0;
      for (let index = 0; index < count; index += 1) value |= next() << index;
      return value;
    },
    code(count) {
      let value = 0;
      for (let index = 0; index < count; index += 1) value = (value << 1) | next();
      return value;
    },
    isOver: () => at > bytes.length * 8,
  };
}

/** A block with codes of its own: their lengths are told by codes whose own lengths must fill the tree. */
function mayHaveCodes(bits: Bits): boolean {
  const [literals, distances, codes] = [bits.read(5), bits.read(5), bits.read(4)];
  let filled = 0;
  for (let index = 0; index < codes + 4; index += 1) {
    const length = bits.read(3);
    filled += length === 0 ? 0 : 128 >> length;
  }
  return bits.isOver() || (literals <= 29 && distances <= 29 && filled === 128);
}

/** A block with the fixed codes: none of its repetitions may reach back beyond its beginning. */
function mayBeFixed(bits: Bits): boolean {
  for (let written = 0; ; ) {
    const symbol = fixedSymbol(bits);
    if (bits.isOver() || symbol === 256) return true;
    if (symbol < 256) {
      written += 1;
      continue;
    }
    const repeated = repetition(bits, symbol);
    if (bits.isOver()) return true;
    if (repeated === undefined || repeated.distance > written) return false;
    written += repeated.length;
  }
}

function fixedSymbol(bits: Bits): number {
  const seven = bits.code(7);
  if (seven <= 0b0010111) return 256 + seven;
  const eight = (seven << 1) | bits.code(1);
  if (eight <= 0b10111111) return eight - 0b00110000;
  if (eight <= 0b11000111) return 280 + eight - 0b11000000;
  return 144 + ((eight << 1) | bits.code(1)) - 0b110010000;
}

/** Undefined for symbols that stand for nothing. */
function repetition(bits: Bits, symbol: number): { readonly length: number; readonly distance: number } | undefined {
  const more = symbol < 265 || symbol === 285 ? 0 : (symbol - 261) >> 2;
  const least = symbol < 265 ? symbol - 254 : symbol === 285 ? 258 : ((4 + ((symbol - 265) & 3)) << more) + 3;
  const length = least + bits.read(more);
  const code = bits.code(5);
  if (symbol > 285 || code > 29) return undefined;
  const far = code < 4 ? 0 : (code >> 1) - 1;
  const distance = (code < 4 ? code : (2 + (code & 1)) << far) + 1 + bits.read(far);
  return { length, distance };
}
