// Till → terminal.
import { Secret } from '../../../app/domain/secret.ts';
import { encodeTlv } from '../../framing/ascii-tlv.ts';
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
import type { CaisseApRequest, Malformed } from './message-types.ts';

/** CC of a cheque; a card has none. */
export const CHEQUE_MODE = '00C';

/** What a request must hold (digest: "server demands"). */
const demanded = ['CZ', 'CJ', 'CA', 'CB', 'CD', 'CE'] as const;
const known: ReadonlySet<string> = new Set([...demanded, 'BA', 'CC']);

/** @throws RangeError for a value that does not fit its field */
export function encodeRequest(request: CaisseApRequest): Uint8Array {
  const { version, protocolId, tillNumber, currency, answerMode, mode } = request;
  if (protocolId.length !== 12) throw new RangeError('CJ has twelve characters');
  if (!/^\d{3}$/.test(currency)) throw new RangeError('CE has three digits');
  return encodeTlv([
    ...present([
      ['CZ', version],
      ['CJ', protocolId],
      ['CA', tillNumber],
      ['CE', currency],
      ['BA', answerMode === undefined ? undefined : answerMode === 'WAIT' ? '0' : '1'],
      ['CD', packOperation(request.operation)],
      ['CB', packAmount(request.amountMinor)],
      ['CC', mode],
    ]),
    ...(request.others?.reveal() ?? []),
  ]);
}

/** Reads a request. Never throws: what a terminal would refuse is `malformed`, with the tag that is missing or wrong. */
export function decodeRequest(bytes: Uint8Array): CaisseApRequest | Malformed {
  const fields = readFields(bytes);
  if ('reason' in fields) return fields;
  for (const tag of demanded) if (!fields.has(tag)) return { type: 'malformed', reason: 'MISSING', tag };
  return requestOf(fields);
}

function requestOf(fields: Fields): CaisseApRequest | Malformed {
  const value = (tag: string): string => fields.get(tag) ?? '';
  const operation = readOperation(value('CD'));
  const amountMinor = readAmount(value('CB'));
  const wait = fields.get('BA');
  const mode = fields.get('CC');
  const others = otherFields(fields, known);
  if (operation === undefined) return bad('CD');
  if (amountMinor === undefined) return bad('CB');
  if (value('CJ').length !== 12) return bad('CJ');
  if (!/^\d{3}$/.test(value('CE'))) return bad('CE');
  if (wait !== undefined && wait !== '0' && wait !== '1') return bad('BA');
  return {
    type: 'request',
    version: value('CZ'),
    protocolId: value('CJ'),
    tillNumber: value('CA'),
    currency: value('CE'),
    operation,
    amountMinor,
    ...(wait === undefined ? {} : { answerMode: wait === '0' ? 'WAIT' : 'AT_ONCE' }),
    ...(mode === undefined ? {} : { mode }),
    ...(others.length === 0 ? {} : { others: new Secret(others) }),
  };
}

function bad(tag: string): Malformed {
  return { type: 'malformed', reason: 'BAD_VALUE', tag };
}
