const REFLECTED_POLYNOMIAL = 0x8408;

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ REFLECTED_POLYNOMIAL : crc >>> 1;
  return crc;
});

/**
 * CRC-16/KERMIT: reflected polynomial 8408, start value 0, no final inversion. ZVT PA00P016 calls it "CRC-XModem", but
 * terminals answer a true XMODEM checksum with NAK.
 * @param crc value to go on from, for a checksum over several parts
 */
export function crcKermit(bytes: Iterable<number>, crc = 0): number {
  let value = crc;
  for (const byte of bytes) value = (value >>> 8) ^ (TABLE[(value ^ byte) & 0xff] ?? 0);
  return value;
}
