// What a host sends, both ways: the driver encodes it, the virtual reader decodes it.
import { Secret } from '../../../app/domain/secret.ts';
import { concatBytes } from '../../framing/bytes.ts';
import { type CrcOrder, encodeVivotech2Frame, type Vivotech2Message } from '../../framing/vivotech2-frame.ts';
import { commandCodes, commandType, type KnownCommandType } from './command-codes.ts';
import type { ApplyResponse, NeoCommand } from './command-types.ts';
import { decodeAmountRequest, decodePinRequest, packAmountRequest, packPinRequest } from './entries.ts';
import { malformed } from './malformed.ts';
import type { Malformed } from './message-types.ts';
import { checked, packHighFirst } from './text.ts';
import { decodeNeoTlv, encodeNeoTlv, type NeoTag } from './tlv.ts';

/** Pass-through commands carry their CRC high byte first; all others low byte first. */
const PASS_THROUGH = 0x2c;

const RESET_MODE = 0x01;
const HOST_REACHED = 0x01;
const HOST_NOT_REACHED = 0x02;
const NO_BYTES = new Uint8Array(0);

/**
 * Encodes a command as one frame.
 * @param crcOrder the order the guide prescribes for the command, unless a test peer wants the other one
 * @throws RangeError when a value does not fit its field
 */
export function encodeCommand(command: NeoCommand, crcOrder?: CrcOrder): Uint8Array {
  const codes = command.type === 'unknown' ? command : commandCodes(command.type);
  const prescribed = codes.command === PASS_THROUGH ? 'HIGH_FIRST' : 'LOW_FIRST';
  const { command: first, code } = codes;
  return encodeVivotech2Frame({ kind: 'message', command: first, code, data: pack(command) }, crcOrder ?? prescribed);
}

/** Decodes a command as the reader sees it. Never throws. */
export function decodeCommand(frame: Vivotech2Message): NeoCommand | Malformed {
  const { command, code, data } = frame;
  const type = commandType(command, code);
  if (type === undefined) return { type: 'unknown', command, code, data: new Secret(data) };
  const smallest = PREFIX_BYTES[type] ?? 0;
  return data.length < smallest ? malformed(frame, 'missing-field') : read(frame, type);
}

/** Fixed bytes with which the data of a command begin. */
const PREFIX_BYTES: Readonly<Partial<Record<KnownCommandType, number>>> = {
  'set-poll-mode': 1,
  activate: 1,
  'exchange-apdu': 1,
  'start-contact': 5,
  authenticate: 3,
  'apply-response': 1,
  'display-answer': 1,
};

function read(frame: Vivotech2Message, type: KnownCommandType): NeoCommand | Malformed {
  const { data } = frame;
  const [first = 0] = data;
  switch (type) {
    case 'set-poll-mode':
      return data.length === 1 ? { type, isOnDemand: first === 1 } : malformed(frame, 'bad-field');
    case 'cancel':
      if (data.length === 0) return { type };
      return data.length === 1 && first === RESET_MODE ? { type, isReset: true } : malformed(frame, 'bad-field');
    case 'exchange-apdu':
      return { type, interface: first, apdu: new Secret(data.slice(1)) };
    case 'display-answer':
      return { type, mode: first, choice: data.slice(1) };
    case 'get-encrypted-pin':
      return decodePinRequest(frame);
    case 'get-amount':
      return decodeAmountRequest(frame);
    case 'set-configuration':
    case 'activate':
    case 'start-contact':
    case 'authenticate':
    case 'apply-response':
    case 'get-contact-result':
      return readTagged(frame, type);
    default:
      return data.length === 0 ? { type } : malformed(frame, 'bad-field');
  }
}

type TaggedType =
  | 'set-configuration'
  | 'activate'
  | 'start-contact'
  | 'authenticate'
  | 'apply-response'
  | 'get-contact-result';

function readTagged(frame: Vivotech2Message, type: TaggedType): NeoCommand | Malformed {
  const { data } = frame;
  const result = decodeNeoTlv(data.subarray(PREFIX_BYTES[type] ?? 0));
  if (!result.ok) return malformed(frame, 'bad-tlv', result.tag);
  const { tags } = result;
  const [first = 0] = data;
  switch (type) {
    case 'set-configuration':
    case 'get-contact-result':
      return { type, tags };
    case 'activate':
      return { type, timeoutSeconds: first, tags };
    case 'authenticate':
      return { type, flags: first, timeoutSeconds: readHighFirst(data, 1), tags };
    case 'apply-response':
      return first === HOST_REACHED ? { type, isHostReached: true, tags } : { type, isHostReached: false, code: first };
    case 'start-contact':
      return {
        type,
        isFallbackAllowed: first === 1,
        seatTimeoutSeconds: readHighFirst(data, 1),
        authenticateTimeoutSeconds: readHighFirst(data, 3),
        tags,
      };
  }
}

function pack(command: NeoCommand): Uint8Array {
  switch (command.type) {
    case 'set-poll-mode':
      return Uint8Array.of(command.isOnDemand ? 1 : 0);
    case 'cancel':
      return command.isReset === true ? Uint8Array.of(RESET_MODE) : NO_BYTES;
    case 'set-configuration':
    case 'get-contact-result':
      return encodeNeoTlv(command.tags);
    case 'activate':
      return withPrefix([checked(command.timeoutSeconds, 0, 0xff)], command.tags);
    case 'start-contact': {
      const seat = packHighFirst(command.seatTimeoutSeconds);
      const next = packHighFirst(command.authenticateTimeoutSeconds);
      return withPrefix([command.isFallbackAllowed ? 1 : 0, ...seat, ...next], command.tags);
    }
    case 'authenticate':
      return withPrefix([checked(command.flags, 0, 0xff), ...packHighFirst(command.timeoutSeconds)], command.tags);
    case 'apply-response':
      return packApplyResponse(command);
    case 'get-encrypted-pin':
      return packPinRequest(command);
    case 'get-amount':
      return packAmountRequest(command);
    case 'exchange-apdu':
      return concatBytes(Uint8Array.of(checked(command.interface, 0, 0xff)), command.apdu.reveal());
    case 'display-answer':
      return concatBytes(Uint8Array.of(checked(command.mode, 0, 0xff)), command.choice);
    case 'unknown':
      return command.data.reveal();
    default:
      return NO_BYTES;
  }
}

function packApplyResponse(command: ApplyResponse): Uint8Array {
  if (command.isHostReached) return withPrefix([HOST_REACHED], command.tags);
  const code = checked(command.code ?? HOST_NOT_REACHED, 0, 0xff);
  if (code === HOST_REACHED) throw new RangeError('Code 01 says that the host was reached');
  return Uint8Array.of(code);
}

function withPrefix(prefix: readonly number[], tags: readonly NeoTag[]): Uint8Array {
  return concatBytes(Uint8Array.from(prefix), encodeNeoTlv(tags));
}

function readHighFirst(bytes: Uint8Array, offset: number): number {
  return (bytes[offset] ?? 0) * 256 + (bytes[offset + 1] ?? 0);
}
