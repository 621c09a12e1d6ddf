const POLYNOMIAL = 0x1021;
const START_VALUE = 0xffff;

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL;
  return crc & 0xffff;
});

/** CRC-16/CCITT-FALSE: polynomial 1021, start value FFFF, not reflected, no final inversion (NEO 2 guide, chapter 3.4). */
export function crcCcitt(bytes: Uint8Array): number {
  let crc = START_VALUE;
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ (TABLE[(crc >> 8) ^ byte] ?? 0);
  return crc;
}
