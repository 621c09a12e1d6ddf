// Status byte of a reader's reply (guide 80139403-002, chapter 2.1.5; 57, 60, 61 and 63 from reader logs and the commands' own chapters).

/** DONE: carried out. GOES_ON: the answer that counts still comes. ONLINE: the issuer is asked for. REFUSED: not carried out. UNKNOWN: no document says. */
type NeoStatusKind = 'DONE' | 'GOES_ON' | 'ONLINE' | 'REFUSED' | 'UNKNOWN';

export interface NeoStatusMeaning {
  readonly name: string;
  readonly kind: NeoStatusKind;
  readonly meaning: string;
}

export const STATUS_OK = 0x00;
export const STATUS_FAILED = 0x0a;
export const STATUS_USER_INTERFACE_EVENT = 0x0e;
export const STATUS_ONLINE = 0x23;
/** First response: the reader works, the real answer follows. */
export const STATUS_WORKING = 0x63;

type Row = readonly [code: number, name: string, kind: NeoStatusKind, meaning: string];

const ROWS: readonly Row[] = [
  [STATUS_OK, 'OK', 'DONE', 'The command was carried out.'],
  [0x01, 'BAD_HEADER', 'REFUSED', 'The reader could not read the header.'],
  [0x02, 'UNKNOWN_COMMAND', 'REFUSED', 'The reader does not know the command.'],
  [0x03, 'UNKNOWN_SUB_COMMAND', 'REFUSED', 'The reader does not know the sub-command.'],
  [0x04, 'BAD_CRC', 'REFUSED', 'The checksum was wrong.'],
  [0x05, 'BAD_PARAMETER', 'REFUSED', 'A parameter is wrong.'],
  [0x06, 'NOT_SUPPORTED', 'REFUSED', 'The reader does not support a parameter.'],
  [0x07, 'MALFORMED', 'REFUSED', 'The data are malformed.'],
  [0x08, 'TIMEOUT', 'REFUSED', 'Nothing happened in time.'],
  [STATUS_FAILED, 'FAILED', 'REFUSED', 'The command failed.'],
  [0x0b, 'COMMAND_NOT_ALLOWED', 'REFUSED', 'The command is not allowed now.'],
  [0x0c, 'SUB_COMMAND_NOT_ALLOWED', 'REFUSED', 'The sub-command is not allowed now.'],
  [0x0d, 'OVERFLOW', 'REFUSED', 'The data are too long for the reader.'],
  [STATUS_USER_INTERFACE_EVENT, 'USER_INTERFACE_EVENT', 'GOES_ON', 'The reader tells what it shows.'],
  [0x10, 'CLEAR_FIRMWARE_NEEDED', 'REFUSED', 'The boot loader wants a firmware that is not encrypted.'],
  [0x11, 'COMMUNICATION_NOT_SUPPORTED', 'REFUSED', 'The reader does not support this way of talking to it.'],
  [0x12, 'SECURE_INTERFACE_NOT_READY', 'REFUSED', 'The secure part of the reader is not ready.'],
  [0x13, 'LENGTH_NOT_MULTIPLE_OF_EIGHT', 'REFUSED', 'The data are no multiple of eight bytes.'],
  [0x14, 'PADDING_MISSING', 'REFUSED', 'The padding is not where it should be.'],
  [0x15, 'BAD_KEY_TYPE', 'REFUSED', 'The key type is wrong.'],
  [0x16, 'KEY_NOT_READ', 'REFUSED', 'A key could not be read.'],
  [0x17, 'BAD_HASH', 'REFUSED', 'A hash is wrong.'],
  [0x18, 'KEY_NOT_STORED', 'REFUSED', 'A key could not be stored.'],
  [0x19, 'FRAME_TOO_LARGE', 'REFUSED', 'The frame is too large.'],
  [0x1a, 'SECURE_SESSION_NEEDED', 'REFUSED', 'The secure session must be opened again.'],
  [0x1b, 'MEMORY_NOT_INITIALISED', 'REFUSED', 'The memory of the reader is not set up.'],
  [0x1c, 'CARD_COMMAND_NOT_ENCODED', 'REFUSED', 'A command for the card could not be built.'],
  [0x1d, 'TAMPERED', 'REFUSED', 'The reader was tampered with.'],
  [0x20, 'UNSUPPORTED_INDEX', 'REFUSED', 'An index is not supported, or the secure part does not answer.'],
  [0x21, 'BAD_SEQUENCE', 'REFUSED', 'A sequence counter or a length is wrong.'],
  [0x22, 'BAD_BIT_MAP', 'REFUSED', 'A bit map is wrong.'],
  [STATUS_ONLINE, 'ONLINE_WANTED', 'ONLINE', 'The card asks for the issuer.'],
  [0x24, 'RAW_CARD_DATA', 'DONE', 'Raw card data were read.'],
  [0x25, 'MESSAGE_NOT_AVAILABLE', 'REFUSED', 'There is no message of this index.'],
  // Often seen after 02-01 and 02-40 in logs; no document at hand explains it.
  [0x57, 'UNDOCUMENTED_57', 'UNKNOWN', 'The reader answered 57, which no document explains.'],
  [0x60, 'NO_DATA', 'REFUSED', 'The reader holds no such data.'],
  [0x61, 'LIST_FULL', 'REFUSED', 'The list of the reader is full.'],
  [STATUS_WORKING, 'WORKING', 'GOES_ON', 'The reader works on the command.'],
];

/** Status byte → meaning. */
export const NEO_STATUS_CODES: ReadonlyMap<number, NeoStatusMeaning> = new Map(
  ROWS.map(([code, name, kind, meaning]) => [code, { name, kind, meaning }]),
);

/** The meaning of any status byte; one that is on no list says so. */
export function statusMeaning(status: number): NeoStatusMeaning {
  const hex = status.toString(16).padStart(2, '0').toUpperCase();
  return (
    NEO_STATUS_CODES.get(status) ?? {
      name: `UNLISTED_${hex}`,
      kind: 'UNKNOWN',
      meaning: `The reader answered ${hex}, which is on no list.`,
    }
  );
}
