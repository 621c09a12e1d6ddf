// Frames written by hand: published ones where there are any, otherwise built here with a CRC of our own making, never by the driver's encoder.
import { bytesOf } from '../../support/hex.ts';
import { vector } from '../../support/vectors.ts';

/** CRC-16, polynomial 1021, from FFFF, bit by bit. */
function crc(bytes: Uint8Array): number {
  let value = 0xffff;
  for (const byte of bytes) {
    value ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) value = ((value << 1) ^ ((value & 0x8000) === 0 ? 0 : 0x1021)) & 0xffff;
  }
  return value;
}

/** What a reader sends: command, status (or sub-command), data; the CRC high byte first. */
export function reply(command: string, status: string, data = ''): Uint8Array {
  const body = bytesOf(data);
  const length = [body.length >> 8, body.length & 0xff];
  const frame = Uint8Array.from([
    ...bytesOf('56 69 56 4F 74 65 63 68 32 00'),
    ...bytesOf(command + status),
    ...length,
    ...body,
  ]);
  const sum = crc(frame);
  return Uint8Array.from([...frame, sum >> 8, sum & 0xff]);
}

/** The data of a frame that a host sends. */
export function dataOf(frame: string): string {
  return frame.split(' ').slice(14, -2).join(' ');
}

export const WORKING_60 = vector('first-response-60');
export const WORKING_02 = reply('02', '63');
export const STARTED = reply('60', '00', 'C0 DF EE 25 02 00 10 84 07 A0 00 00 00 03 10 10 50 04 56 49 53 41');
/** Result 0004, encrypted account of 4111 1111 1111 1111, KSN FFFF9876543210E00001, 9F34 = online PIN. */
export const GO_ONLINE_WITH_PIN = vector('authenticate-reply-tdes');
/** The same without a PIN, in few tags. */
export const GO_ONLINE = goOnline('1F 03 02');
export const PIN_ENTERED = vector('pin-reply');
export const PIN_TAKEN = vector('pin-ack');
export const TC = vector('final-approved');
export const AAC = vector('final-declined');
export const AAC_AFTER_APPROVAL = vector('final-declined-though-host-approved');

/** 60-11: go online, with a card verified as 9F34 says. */
export function goOnline(cvm: string): Uint8Array {
  const account = '5A A1 08 41 11 CC CC CC CC 11 11 5A C1 10 D8 01 6F 4F DA C4 17 D1 29 25 05 73 39 3C 08 40';
  const ksn = 'DF EE 12 0A FF FF 98 76 54 32 10 E0 00 01';
  return reply(
    '60',
    '00',
    `C0 DF EE 25 02 00 04 ${ksn} ${account} 95 05 80 00 00 80 00 9F 26 08 01 02 03 04 05 06 07 08 9F 27 01 80 9F 34 03 ${cvm}`,
  );
}

/** A step of the chip that ended with a result alone. */
export function result(code: string): Uint8Array {
  return reply('60', '00', `C0 DF EE 25 02 ${code}`);
}

/** 60-10: the card declined by itself. */
export const DECLINED_OFFLINE = result('00 01');

/** 29-00: who the reader is. */
export function firmware(text: string): Uint8Array {
  return reply('29', '00', Buffer.from(text, 'latin1').toString('hex'));
}
