// What framing and codec make of an item, in the words of the fixture: one function per key of `expect`.
import { fromHex, toHex } from '../../../drivers/framing/bytes.ts';
import { crcCcitt } from '../../../drivers/framing/crc-ccitt.ts';
import type { CrcOrder, ReadFrame, Vivotech2Frame } from '../../../drivers/framing/vivotech2-frame.ts';
import { encodeReports } from '../../../drivers/framing/vivotech2-reports.ts';
import type { NeoCommand } from '../../../drivers/neo2/codec/command-types.ts';
import { decodeCommand, encodeCommand } from '../../../drivers/neo2/codec/commands.ts';
import type {
  ClearCardData,
  Malformed,
  NeoMessage,
  PinReply,
  ReplyContext,
  TransactionReply,
} from '../../../drivers/neo2/codec/message-types.ts';
import { decodeMessage, encodeMessage, isFinal } from '../../../drivers/neo2/codec/messages.ts';
import { statusMeaning } from '../../../drivers/neo2/codec/status-codes.ts';
import { clearValue, type NeoTag } from '../../../drivers/neo2/codec/tlv.ts';
import { mustReverseAtHost, TRANSACTION_RESULTS } from '../../../drivers/neo2/codec/transaction-results.ts';
import { readIssuerResponse, readTransactionFacts } from '../../../drivers/neo2/codec/transaction-tags.ts';
import { bytesOf, hexOf } from '../../zvt/codec/support.ts';
import { type NeoFixtureItem, receive } from './fixture.ts';

export type Decoded = NeoCommand | NeoMessage | ClearCardData | Malformed;

export interface Facts {
  readonly item: NeoFixtureItem;
  readonly bytes: Uint8Array;
  readonly frame: Vivotech2Frame;
  readonly crcOrder: CrcOrder;
  readonly decoded: Decoded;
  /** the decoded value with every field readable by name, whatever its type */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** What the host had asked; a reply names its command but not its sub-command. */
function contextOf({ id }: NeoFixtureItem): ReplyContext {
  if (id.startsWith('pin-') && id !== 'pin-cancel') return { answerTo: 'get-encrypted-pin' };
  if (id.startsWith('function-key-reply')) return { answerTo: 'get-function-key' };
  return id === 'firmware-reply' ? { answerTo: 'get-firmware' } : {};
}

export function readItem(item: NeoFixtureItem): ReadFrame {
  const { items, state } = receive([bytesOf(item.hex)]);
  const [only] = items;
  if (items.length !== 1 || only?.type !== 'frame' || state.pending.length > 0)
    throw new Error(`${item.id} is no frame`);
  return { frame: only.frame, crcOrder: only.crcOrder };
}

export function decodeItem(item: NeoFixtureItem, frame: Vivotech2Frame, context = contextOf(item)): Decoded {
  if (item.direction === 'reader->host') return decodeMessage(frame, context);
  if (frame.kind === 'event') throw new Error('A host sends no events');
  return decodeCommand(frame);
}

export function factsOf(item: NeoFixtureItem): Facts {
  const { frame, crcOrder } = readItem(item);
  const decoded = decodeItem(item, frame);
  return { item, bytes: bytesOf(item.hex), frame, crcOrder, decoded, fields: { ...decoded } };
}

/** Encodes what was decoded; undefined for what decodes to no message. */
export function encodeDecoded(
  { direction }: NeoFixtureItem,
  decoded: Decoded,
  crcOrder?: CrcOrder,
): Uint8Array | undefined {
  if (decoded.type === 'malformed' || decoded.type === 'refused') return undefined;
  return direction === 'host->reader'
    ? encodeCommand(decoded as NeoCommand, crcOrder)
    : encodeMessage(decoded as NeoMessage, crcOrder);
}

type Check = (facts: Facts) => unknown;

const hexByte = (value: number) => toHex(Uint8Array.of(value));
const lower = (value: string | undefined) => value?.toLowerCase().replaceAll('_', '-');
const message = ({ frame }: Facts) => (frame.kind === 'message' ? frame : undefined);
const field =
  (name: string): Check =>
  ({ fields }) =>
    fields[name];

function transaction({ decoded }: Facts): TransactionReply | undefined {
  return decoded.type === 'transaction' ? decoded : undefined;
}

function pin({ decoded }: Facts): PinReply['pin'] {
  return decoded.type === 'pin' ? decoded.pin : undefined;
}

function tagsOf({ decoded }: Facts): readonly NeoTag[] {
  if (decoded.type === 'transaction') return decoded.tags.reveal();
  return 'tags' in decoded ? decoded.tags : [];
}

/** The TLV as the fixture lists it; clear tags carry no mark. */
function tlv(facts: Facts): unknown {
  return tagsOf(facts).map(({ tag, form, value }) => ({
    tag,
    length: value.length,
    ...(form === 'CLEAR' ? {} : { mark: lower(form) }),
    hex: hexOf(value),
  }));
}

function presentation(facts: Facts): unknown {
  if (facts.decoded.type === 'exchange-apdu') return hexByte(facts.decoded.interface);
  const name = transaction(facts)?.attribution.interface;
  if (name === 'STRIPE') return 'msr';
  return name === 'CONTACTLESS_STRIPE' ? 'contactless-msd' : lower(name);
}

function isEncrypted(facts: Facts): unknown {
  return { ON: true, OFF: false, PARTLY: undefined }[transaction(facts)?.attribution.encryption ?? 'PARTLY'];
}

function encrypted(facts: Facts): unknown {
  const list = transaction(facts)?.encrypted?.reveal() ?? [];
  return Object.fromEntries(list.map(({ tag, value }) => [tag, hexOf(value)]));
}

function reverseAtHost(facts: Facts): unknown {
  const code = clearValue(tagsOf(facts), '8A');
  return mustReverseAtHost(code !== undefined && String.fromCharCode(...code) === '00', transaction(facts));
}

const amounts = (facts: Facts) => readTransactionFacts(tagsOf(facts));

const CHECKS: Readonly<Record<string, Check>> = {
  command: (facts) => message(facts) && hexByte(message(facts)?.command ?? 0),
  subCommand: (facts) => hexByte(message(facts)?.code ?? 0),
  status: (facts) => hexByte(message(facts)?.code ?? 0),
  dataLength: ({ frame }) => frame.data.length,
  frameLength: (facts) => encodeDecodedLength(facts),
  crc: ({ bytes }) => crcCcitt(bytes.subarray(0, -2)).toString(16).toUpperCase().padStart(4, '0'),
  crcOrder: ({ crcOrder }) => (crcOrder === 'LOW_FIRST' ? 'lsb' : 'msb'),
  documentedWire: ({ item, decoded }) => hexOf(encodeDecoded(item, decoded)?.slice(-2) ?? new Uint8Array(0)),
  final: ({ decoded }) => isFinal(decoded as NeoMessage),
  ok: (facts) => statusMeaning(message(facts)?.code ?? 0).kind !== 'REFUSED',
  tlv,
  attribution: (facts) => hexByte(transaction(facts)?.attribution.byte ?? 0xee),
  interface: presentation,
  encryption: (facts) => lower(transaction(facts)?.attribution.encryptionMode),
  msrEncryption: isEncrypted,
  emvEncryption: isEncrypted,
  result: field('resultCode'),
  resultMeaning: (facts) => TRANSACTION_RESULTS.get(transaction(facts)?.resultCode ?? '')?.meaning,
  cryptogramType: field('cryptogram'),
  reverseAtHost,
  ksn: (facts) => (pin(facts)?.ksn ?? transaction(facts)?.ksn)?.reveal(),
  maskedPan: (facts) => transaction(facts)?.maskedPan?.replaceAll('*', 'C'),
  encrypted,
  reportCount: ({ bytes }) => encodeReports(bytes).length,
  hostReached: field('isHostReached'),
  responseCode: (facts) => readIssuerResponse(tagsOf(facts))?.responseCode,
  fallback: field('isFallbackAllowed'),
  timeout1: field('seatTimeoutSeconds'),
  timeout2: field('authenticateTimeoutSeconds'),
  timeout: field('timeoutSeconds'),
  flags: ({ fields }) => hexByte(Number(fields.flags)),
  amount: (facts) => amounts(facts).amountMinor,
  currency: (facts) => amounts(facts).currency,
  transactionType: (facts) => amounts(facts).transactionType,
  interfaces: (facts) => amounts(facts).presentations?.map((one) => (one === 'STRIPE' ? 'msr' : lower(one))),
  text: field('text'),
  apdu: ({ decoded }) => (decoded.type === 'exchange-apdu' ? hexOf(decoded.apdu.reveal()) : undefined),
  state: ({ fields }) => hexByte(Number(fields.state)),
  pinBlock: (facts) => pin(facts)?.pinBlock.reveal(),
  keyScheme: (facts) => lower(pin(facts)?.keyScheme),
  key: ({ fields }) => (fields.key === 'ENTER' ? 'E' : fields.key),
  unsolicited: ({ decoded }) => decoded.type === 'display' && !isFinal(decoded),
  eventFrame: ({ decoded }) => decoded.type === 'user-interface' && !isFinal(decoded),
  // The test peer knows the keys; nothing the codec tells in the open may hold these.
  plainForTestPeerOnly: ({ item, decoded }) => {
    const plain = Object.entries(item.expect.plainForTestPeerOnly as Record<string, string>);
    const shown = JSON.stringify(decoded).toUpperCase();
    const hidden = plain.filter(([, hex]) => !shown.includes(toHex(bytesOf(hex).slice(2))));
    return Object.fromEntries(hidden);
  },
  // Said by the fixture of its own data.
  placeholderData: ({ decoded }) => decoded.type === 'display' && decoded.content.kind === 'SHORT',
};

export function checkAll(facts: Facts, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    keys.map((key) => {
      const check = CHECKS[key];
      if (check === undefined) throw new Error(`Nothing checks "${key}"`);
      return [key, check(facts)];
    }),
  );
}

function encodeDecodedLength({ item, decoded, bytes, crcOrder }: Facts): number {
  return encodeDecoded(item, decoded, crcOrder)?.length ?? bytes.length;
}

export const clear = (tag: string, hex: string): NeoTag => ({ tag, form: 'CLEAR', value: fromHex(hex) });
