// How each key of a fixture item's `expect` is held against what the codec reads.
import { readAmount } from '../../../drivers/caisse-ap/codec/fields.ts';
import type { CaisseApReply, CaisseApRequest, Malformed } from '../../../drivers/caisse-ap/codec/message-types.ts';
import { isWholeReply } from '../../../drivers/caisse-ap/codec/replies.ts';
import { decodeTlv } from '../../../drivers/framing/ascii-tlv.ts';
import type { FixtureItem } from './fixture.ts';

type Message = CaisseApReply | CaisseApRequest | Malformed;
type Check = (item: FixtureItem, bytes: Uint8Array, message: Message) => unknown;

const request = (message: Message): Partial<CaisseApRequest> => (message.type === 'request' ? message : {});
const reply = (message: Message): Partial<CaisseApReply> => (message.type === 'reply' ? message : {});
const amount = (message: Message): number | undefined =>
  message.type === 'malformed' ? undefined : message.amountMinor;

const operationNames = { SALE: 'sale', REFUND: 'refund', CANCEL: 'cancel-unverified' } as const;
const technologies: Readonly<Record<string, string>> = { '1': 'contact', '2': 'contactless' };
const malformedWords: Readonly<Record<string, string>> = {
  NO_VERSION: 'CZ must come first',
  'MISSING CB': 'CB missing',
};

/** What one key says, in the words of the fixture. Amount and outcome of a reply are judged by the driver (test/caisse-ap/judge.test.ts). */
export const checks: Readonly<Record<string, Check>> = {
  complete: (_item, bytes) => bytes.length > 0 && decodeTlv(bytes).end === 'WHOLE',
  valid: (_item, _bytes, message) => message.type !== 'malformed',
  fields: (_item, bytes) => decodeTlv(bytes).fields.map(({ tag, value }) => ({ tag, length: value.length, value })),
  operation: (_item, _bytes, message) => {
    const operation = message.type === 'malformed' ? undefined : message.operation;
    return operation === undefined ? undefined : operationNames[operation];
  },
  amount: (_item, bytes, message) => amount(message) ?? readAmount(valueIn(bytes, 'CB')),
  currency: (_item, _bytes, message) => request(message).currency,
  till: (_item, _bytes, message) => request(message).tillNumber,
  protocolId: (_item, _bytes, message) => request(message).protocolId,
  version: (_item, _bytes, message) => request(message).version,
  wait: (_item, _bytes, message) => request(message).answerMode === 'WAIT',
  mode: (_item, _bytes, message) => request(message).mode,
  status: (_item, _bytes, message) => reply(message).status,
  authCode: (_item, _bytes, message) => reply(message).authorizationNumber,
  pan: (_item, _bytes, message) => reply(message).maskedPan,
  aid: (_item, _bytes, message) => reply(message).aid,
  expiry: (_item, _bytes, message) => reply(message).expiry?.reveal(),
  technology: (_item, _bytes, message) => technologies[reply(message).entryCode ?? ''],
  contract: (_item, _bytes, message) => reply(message).contract,
  unknownTags: (_item, _bytes, message) =>
    reply(message)
      .others?.reveal()
      .map(({ tag }) => tag),
  reason: (item, _bytes, message) =>
    item.direction === 'pt->ecr' || message.type !== 'malformed'
      ? reply(message).reason
      : malformedWords[[message.reason, message.tag].filter((part) => part !== undefined).join(' ')],
  mayContinue: (_item, bytes) => isWholeReply(decodeTlv(bytes).fields),
};

/** Keys that judge.test.ts checks. */
export const JUDGED_KEYS: ReadonlySet<string> = new Set(['outcome', 'requestedAmount']);

function valueIn(bytes: Uint8Array, tag: string): string {
  return decodeTlv(bytes).fields.find((field) => field.tag === tag)?.value ?? '';
}
