import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { DisplayRequest, InputRequest, PrintRequest } from '../../app/contract/device.ts';
import { BridgeError } from '../../app/contract/errors.ts';
import { parseStrictJson } from '../../app/contract/json.ts';
import { IdempotencyKey } from '../../app/contract/parts.ts';
import { ResolveRequest } from '../../app/contract/recovery.ts';
import {
  BalanceInquiryRequest,
  CardReadRequest,
  CompleteRequest,
  PreAuthCompleteRequest,
  PreAuthRequest,
  RefundRequest,
  SaleRequest,
  VoidRequest,
} from '../../app/contract/transactions.ts';
import { validate, validateRequest } from '../../app/contract/validate.ts';

/** Reads the text as a request body is read. Null when it is accepted, else the refusal. */
function refusalOf(schema: TSchema, body: string): BridgeError | null {
  try {
    validateRequest(schema, parseStrictJson(body));
    return null;
  } catch (error) {
    if (error instanceof BridgeError) return error;
    throw error;
  }
}

const original = { currency: 'EUR', originalTransactionId: 'abc' };
const operations: readonly (readonly [string, TSchema, Record<string, unknown>])[] = [
  ['SALE', SaleRequest, { currency: 'EUR' }],
  ['PRE_AUTH', PreAuthRequest, { currency: 'EUR' }],
  ['PRE_AUTH_COMPLETE', PreAuthCompleteRequest, original],
  ['REFUND', RefundRequest, original],
  ['VOID', VoidRequest, original],
  ['CARD_READ', CardReadRequest, { currency: 'EUR' }],
  ['BALANCE_INQUIRY', BalanceInquiryRequest, { currency: 'EUR' }],
];

/** A body whose field stands as written, so that `1.0` and `-0` reach the reader. */
function bodyOf(type: string, fields: Record<string, unknown>, literal: Record<string, string>): string {
  const written = Object.entries({ type, ...fields }).map(
    ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
  );
  const literals = Object.entries(literal).map(([key, value]) => `${JSON.stringify(key)}:${value}`);
  return `{${[...written, ...literals].join(',')}}`;
}

describe('amount', () => {
  const never = ['-1', '-0', '1.5', '1.0', '1e3', '"100"', 'null', 'true', '[]', '9007199254740992', '1e400'];

  test.each(operations)('of %s is a plain integer from its smallest value to 2^53 − 1', (type, schema, fields) => {
    const zeroOnly = type === 'CARD_READ' || type === 'BALANCE_INQUIRY';
    const accepted = zeroOnly ? ['0'] : type === 'VOID' ? ['0', '1', '9007199254740991'] : ['1', '9007199254740991'];
    const refused = zeroOnly ? [...never, '1', '9007199254740991'] : type === 'VOID' ? never : [...never, '0'];
    for (const amount of accepted) expect(refusalOf(schema, bodyOf(type, fields, { amount })), amount).toBeNull();
    for (const amount of refused) {
      const refusal = refusalOf(schema, bodyOf(type, fields, { amount }));
      expect(refusal, amount).toMatchObject({ code: 'INVALID_REQUEST', field: 'amount' });
      expect(refusal?.message).toMatch(/^amount must be /);
    }
    expect(refusalOf(schema, bodyOf(type, fields, {}))).toMatchObject({
      field: 'amount',
      message: 'amount is required',
    });
  });

  test.each(['tipAmount', 'cashbackAmount'])('%s of a sale may be 0 and is otherwise as strict', (field) => {
    const base = { currency: 'EUR', amount: 1000 };
    for (const value of ['0', '1', '9007199254740991'])
      expect(refusalOf(SaleRequest, bodyOf('SALE', base, { [field]: value }))).toBeNull();
    for (const value of never)
      expect(refusalOf(SaleRequest, bodyOf('SALE', base, { [field]: value })), value).toMatchObject({ field });
  });

  test('is refused with the words of the specification', () => {
    expect(refusalOf(SaleRequest, bodyOf('SALE', { currency: 'EUR' }, { amount: '0' }))?.message).toMatch(
      /^amount must be a positive integer/,
    );
  });
});

describe('texts and maps', () => {
  const sale = { type: 'SALE', amount: 1000, currency: 'EUR' };
  const check = (fields: Record<string, unknown>) => refusalOf(SaleRequest, JSON.stringify({ ...sale, ...fields }));

  test.each(['x', 'é', '😀', '𝒳'])('referenceId takes 64 of %s and refuses 65', (character) => {
    expect(check({ referenceId: character.repeat(64) })).toBeNull();
    expect(check({ referenceId: character.repeat(65) })).toMatchObject({
      field: 'referenceId',
      message: 'referenceId must have at most 64 characters',
    });
  });

  test('referenceId counts code points, so that a family of five of them counts five', () => {
    const family = '👨‍👩‍👧';
    expect([...family]).toHaveLength(5);
    expect(check({ referenceId: family.repeat(12) })).toBeNull();
    expect(check({ referenceId: family.repeat(13) })).toMatchObject({ field: 'referenceId' });
  });

  test.each(['x', '😀'])('a metadata value takes 256 of %s and refuses 257', (character) => {
    expect(check({ metadata: { table: character.repeat(256) } })).toBeNull();
    expect(check({ metadata: { table: character.repeat(257) } })).toMatchObject({ field: 'metadata.table' });
  });

  test('metadata takes 20 keys and refuses 21', () => {
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, '']));
    expect(check({ metadata: keys(20) })).toBeNull();
    expect(check({ metadata: keys(21) })).toMatchObject({
      field: 'metadata',
      message: 'metadata must have at most 20 keys',
    });
  });

  test.each([[1], [null], [true], [{}], [['x']]])('metadata holds strings, not %j', (value) => {
    expect(check({ metadata: { table: value } })).toMatchObject({
      field: 'metadata.table',
      message: 'metadata.table must be a string',
    });
  });

  test('a metadata key of digits is named as a key, not as an index', () => {
    expect(check({ metadata: { 7: 5 } })).toMatchObject({ field: 'metadata.7' });
    expect(check({ metadata: { 'a/b~c': 5 } })).toMatchObject({ field: 'metadata' });
  });

  test('metadata values are checked under every key, also one with a line feed', () => {
    expect(check({ metadata: { 'a\nb': 5 } })).toMatchObject({ code: 'INVALID_REQUEST', field: 'metadata' });
  });

  test('an Idempotency-Key has 1 to 255 visible ASCII characters', () => {
    for (const key of ['a', '~'.repeat(255)]) expect(validate(IdempotencyKey, key)).toBe(key);
    for (const key of ['', 'a'.repeat(256), 'a b', 'ä', 'a\n', '\t'])
      expect(() => validate(IdempotencyKey, key)).toThrow(BridgeError);
  });

  test('the evidence of a resolution has 1 to 500 characters', () => {
    const resolve = (evidence: string) => refusalOf(ResolveRequest, JSON.stringify({ charged: true, evidence }));
    expect(resolve('x'.repeat(500))).toBeNull();
    expect(resolve('')).toMatchObject({ field: 'evidence' });
    expect(resolve('x'.repeat(501))).toMatchObject({ field: 'evidence' });
  });
});

describe('device requests', () => {
  const display = (fields: Record<string, unknown>) =>
    refusalOf(DisplayRequest, JSON.stringify({ lines: ['Hello'], ...fields }));
  const input = (fields: Record<string, unknown>) =>
    refusalOf(InputRequest, JSON.stringify({ prompt: 'Receipt?', inputType: 'CONFIRM', ...fields }));

  test('display takes 1 to 8 lines of at most 40 characters for 0 to 60000 ms', () => {
    expect(display({ lines: Array(8).fill('x'.repeat(40)), duration: 60_000 })).toBeNull();
    expect(display({ duration: 0, clearPrevious: true })).toBeNull();
    expect(display({ lines: [] })).toMatchObject({ field: 'lines' });
    expect(display({ lines: Array(9).fill('x') })).toMatchObject({ field: 'lines' });
    expect(display({ lines: ['x', 'x'.repeat(41)] })).toMatchObject({ field: 'lines[1]' });
    expect(display({ duration: 60_001 })).toMatchObject({ field: 'duration' });
    expect(display({ duration: -1 })).toMatchObject({ field: 'duration' });
  });

  test('input takes its types, 2 to 12 options for a menu, and waits 1000 to 120000 ms', () => {
    for (const inputType of ['CONFIRM', 'DIGITS', 'DECIMAL', 'TEXT', 'PHONE', 'EMAIL', 'SIGNATURE'])
      expect(input({ inputType })).toBeNull();
    const options = (count: number) => ({
      inputType: 'MENU',
      options: Array.from({ length: count }, (_, index) => `option ${index}`),
    });
    expect(input(options(2))).toBeNull();
    expect(input(options(12))).toBeNull();
    expect(input(options(1))).toMatchObject({ field: 'options' });
    expect(input(options(13))).toMatchObject({ field: 'options' });
    expect(input({ inputType: 'MENU' })).toMatchObject({ field: 'options' });
    expect(input({ options: ['a', 'b'] })).toMatchObject({ field: 'options' });
    expect(input({ inputType: 'PASSWORD' })).toMatchObject({ field: 'inputType' });
    for (const timeoutMs of [1000, 120_000]) expect(input({ timeoutMs })).toBeNull();
    for (const timeoutMs of [999, 120_001]) expect(input({ timeoutMs })).toMatchObject({ field: 'timeoutMs' });
    expect(input({ inputType: 'TEXT', minLength: 5, maxLength: 4 })).toMatchObject({ field: 'minLength' });
  });

  test('print takes lines', () => {
    expect(refusalOf(PrintRequest, '{"lines":["Thank you"]}')).toBeNull();
    expect(refusalOf(PrintRequest, '{"lines":[]}')).toMatchObject({ field: 'lines' });
  });
});

describe('the issuer answer', () => {
  const complete = (fields: Record<string, unknown>) =>
    refusalOf(CompleteRequest, JSON.stringify({ transactionId: 'abc', responseCode: '05', ...fields }));

  test('needs an authorization code when it approves, and only then', () => {
    expect(complete({})).toBeNull();
    expect(complete({ responseCode: '00', authorizationCode: '123456' })).toBeNull();
    for (const responseCode of ['00', '08', '11'])
      expect(complete({ responseCode })).toMatchObject({ field: 'authorizationCode' });
  });

  test('has a code of two characters', () => {
    for (const responseCode of ['5', '000', '0-', ''])
      expect(complete({ responseCode })).toMatchObject({ field: 'responseCode' });
  });

  test('takes a script as hex or as an array of hex', () => {
    for (const issuerScripts71 of ['9F18', ['9F18', '86']]) expect(complete({ issuerScripts71 })).toBeNull();
    for (const issuerScripts71 of ['9F1', 'xy', [], [1], 5, null]) {
      expect(complete({ issuerScripts71 }), JSON.stringify(issuerScripts71)).toMatchObject({ code: 'INVALID_REQUEST' });
    }
    expect(complete({ issuerAuthData: '00'.repeat(16) })).toBeNull();
    expect(complete({ issuerAuthData: '00'.repeat(8) })).toBeNull();
    for (const bytes of [7, 17])
      expect(complete({ issuerAuthData: '00'.repeat(bytes) })).toMatchObject({ field: 'issuerAuthData' });
  });
});
