// The first byte of transaction data: where they come from and how they are encrypted (guide 80139403-002, chapter 8.5.3).

type NeoInterface = 'CONTACT' | 'CONTACTLESS' | 'CONTACTLESS_STRIPE' | 'STRIPE';

export interface Attribution {
  readonly byte: number;
  /** undefined for a reserved combination */
  readonly interface?: NeoInterface;
  /** undefined for a mode the guide reserves */
  readonly encryptionMode?: 'TDES' | 'AES';
  /**
   * Bits 7 and 6 say whether stripe and chip data are encrypted. PARTLY: only one is set; the guide leaves open which of them means the chip, so
   * that data in the clear are refused then too.
   */
  readonly encryption: 'ON' | 'PARTLY' | 'OFF';
}

const INTERFACE_BITS = 0b1_1001;
const STRIPE_BIT = 0b0_1000;
const INTERFACES: readonly (readonly [bits: number, name: NeoInterface])[] = [
  [0b0_0000, 'CONTACT'],
  [0b0_0001, 'CONTACTLESS'],
  [0b1_0001, 'CONTACTLESS_STRIPE'],
];
const ENCRYPTION_BITS = 0b1100_0000;

export function readAttribution(byte: number): Attribution {
  const origin = readInterface(byte);
  const mode = (['TDES', 'AES'] as const)[(byte >> 1) & 0b11];
  return {
    byte,
    ...(origin === undefined ? {} : { interface: origin }),
    ...(mode === undefined ? {} : { encryptionMode: mode }),
    encryption: readEncryption(byte),
  };
}

function readInterface(byte: number): NeoInterface | undefined {
  const bits = byte & INTERFACE_BITS;
  // 0 1 x: the last bit does not count.
  if ((bits & ~1) === STRIPE_BIT) return 'STRIPE';
  return INTERFACES.find(([value]) => value === bits)?.[1];
}

function readEncryption(byte: number): Attribution['encryption'] {
  const bits = byte & ENCRYPTION_BITS;
  if (bits === 0) return 'OFF';
  return bits === ENCRYPTION_BITS ? 'ON' : 'PARTLY';
}
