// Terminal → till.
import { Secret } from '../../../app/domain/secret.ts';
import { encodeTlv, type TlvField } from '../../framing/ascii-tlv.ts';
import { maskPan } from '../../mask-pan.ts';
import {
  type Fields,
  otherFields,
  packAmount,
  packOperation,
  present,
  readAmount,
  readFields,
  readOperation,
} from './fields.ts';
import type { CaisseApReply, Malformed } from './message-types.ts';

/** AE: the payment was done. The only status that approves. */
export const DONE = '10';
/** AE: it was not. */
export const FAILED = '01';
/** AE: the request was accepted; how it ends is not told. */
export const ACCEPTED = '11';

const known: ReadonlySet<string> = new Set([
  ...['CZ', 'CJ', 'CA', 'CE', 'CD', 'CB', 'CC', 'CI', 'CG'],
  ...['AE', 'AF', 'AC', 'AA', 'AI', 'AB'],
]);

/**
 * Whether fields that end on a boundary hold what a reply must hold: the status, and of a payment that was done its amount. More may follow: the
 * protocol has no end of a message, so that whoever reads waits a little for it.
 */
export function isWholeReply(fields: readonly TlvField[]): boolean {
  const has = (tag: string): boolean => fields.some((field) => field.tag === tag);
  const isDone = fields.some(({ tag, value }) => tag === 'AE' && value === DONE);
  return fields[0]?.tag === 'CZ' && has('AE') && (!isDone || has('CB'));
}

/** @throws RangeError for a value that does not fit its field */
export function encodeReply(reply: CaisseApReply): Uint8Array {
  const { operation, amountMinor } = reply;
  return encodeTlv([
    ...present([
      ['CZ', reply.version],
      ['CJ', reply.protocolId],
      ['CA', reply.tillNumber],
      ['CE', reply.currency],
      ['CD', operation === undefined ? undefined : packOperation(operation)],
      ['CB', amountMinor === undefined ? undefined : packAmount(amountMinor)],
      ['CC', reply.mode],
      ['AE', reply.status],
      ['AF', reply.reason],
      ['AC', reply.authorizationNumber],
      ['AA', reply.maskedPan],
      ['AI', reply.aid],
      ['AB', reply.expiry?.reveal()],
      ['CI', reply.entryCode],
      ['CG', reply.contract],
    ]),
    ...(reply.others?.reveal() ?? []),
  ]);
}

/** Reads a reply. Never throws: what contradicts itself or cannot be read is `malformed`, and nothing may be concluded from it. */
export function decodeReply(bytes: Uint8Array): CaisseApReply | Malformed {
  const fields = readFields(bytes);
  if ('reason' in fields) return fields;
  const amount = fields.get('CB');
  const code = fields.get('CD');
  const amountMinor = amount === undefined ? undefined : readAmount(amount);
  const operation = code === undefined ? undefined : readOperation(code);
  // An empty amount says as little as none: the reply to a payment that was abandoned.
  if (amount !== undefined && amount !== '' && amountMinor === undefined)
    return { type: 'malformed', reason: 'BAD_VALUE', tag: 'CB' };
  if (code !== undefined && operation === undefined) return { type: 'malformed', reason: 'BAD_VALUE', tag: 'CD' };
  return {
    type: 'reply',
    version: fields.get('CZ') ?? '',
    ...(amountMinor === undefined ? {} : { amountMinor }),
    ...(operation === undefined ? {} : { operation }),
    ...textsOf(fields),
    ...cardDataOf(fields),
  };
}

type Texts = 'protocolId' | 'tillNumber' | 'currency' | 'mode' | 'status' | 'reason' | 'authorizationNumber' | 'aid';
const textTags: readonly (readonly [tag: string, name: Texts | 'entryCode' | 'contract'])[] = [
  ['CJ', 'protocolId'],
  ['CA', 'tillNumber'],
  ['CE', 'currency'],
  ['CC', 'mode'],
  ['AE', 'status'],
  ['AF', 'reason'],
  ['AC', 'authorizationNumber'],
  ['AI', 'aid'],
  ['CI', 'entryCode'],
  ['CG', 'contract'],
];

function textsOf(fields: Fields): Partial<Pick<CaisseApReply, Texts | 'entryCode' | 'contract'>> {
  return Object.fromEntries(
    textTags.flatMap(([tag, name]) => {
      const value = fields.get(tag);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function cardDataOf(fields: Fields): Pick<CaisseApReply, 'maskedPan' | 'expiry' | 'others'> {
  const pan = fields.get('AA');
  const expiry = fields.get('AB');
  const others = otherFields(fields, known);
  return {
    ...(pan === undefined ? {} : { maskedPan: maskPan(pan.trim().replaceAll(/[^0-9]/g, '*')) }),
    ...(expiry === undefined ? {} : { expiry: new Secret(expiry) }),
    ...(others.length === 0 ? {} : { others: new Secret(others) }),
  };
}
