import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CaisseApRequest } from '../../../drivers/caisse-ap/codec/message-types.ts';
import { reasonMeaning } from '../../../drivers/caisse-ap/codec/reason-codes.ts';
import { decodeReply, isWholeReply } from '../../../drivers/caisse-ap/codec/replies.ts';
import { decodeRequest, encodeRequest } from '../../../drivers/caisse-ap/codec/requests.ts';
import { traceMessage } from '../../../drivers/caisse-ap/codec/trace.ts';
import { decodeTlv } from '../../../drivers/framing/ascii-tlv.ts';
import { vector } from '../../support/vectors.ts';
import { SEED } from '../../zvt/codec/support.ts';

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

const request: CaisseApRequest = {
  type: 'request',
  version: '0300',
  protocolId: '000000000001',
  tillNumber: '01',
  currency: '978',
  operation: 'SALE',
  amountMinor: 1_000,
};

describe('a request', () => {
  it.each([
    ['an amount of thirteen digits', { amountMinor: 1_000_000_000_000 }],
    ['half a minor unit', { amountMinor: 0.5 }],
    ['less than nothing', { amountMinor: -1 }],
    ['an identifier of another length', { protocolId: '1' }],
    ['a currency in letters', { currency: 'EUR' }],
  ])('is not written with %s', (_what, change) => {
    expect(() => encodeRequest({ ...request, ...change })).toThrow(RangeError);
  });

  it.each([
    ['without a till', 'CZ0040300CJ012000000000001CE003978CD0010CB0041000', 'MISSING', 'CA'],
    [
      'with an operation that there is not',
      'CZ0040300CJ012000000000001CA00201CE003978CD0017CB0041000',
      'BAD_VALUE',
      'CD',
    ],
    ['with letters in the amount', 'CZ0040300CJ012000000000001CA00201CE003978CD0010CB0041O00', 'BAD_VALUE', 'CB'],
    ['with two amounts', 'CZ0040300CJ012000000000001CA00201CE003978CD0010CB0041000CB0042000', 'CONTRADICTION', 'CB'],
    [
      'with an answer mode that there is not',
      'CZ0040300CJ012000000000001CA00201CE003978BA0012CD0010CB0041000',
      'BAD_VALUE',
      'BA',
    ],
  ])('%s is malformed', (_what, text, reason, tag) => {
    expect(decodeRequest(ascii(text))).toEqual({ type: 'malformed', reason, tag });
  });
});

describe('a reply', () => {
  it('whose fields come twice with the same values is one reply', () => {
    const reply = vector('reply-done');
    expect(decodeReply(Uint8Array.from([...reply, ...reply]))).toEqual(decodeReply(reply));
  });

  it('with half of a second one behind it proves nothing', () => {
    const reply = vector('reply-done');
    expect(decodeReply(Uint8Array.from([...reply, ...reply.subarray(0, 20)]))).toEqual({
      type: 'malformed',
      reason: 'CUT',
    });
  });

  it('hides a card number that the terminal did not mask, and the expiry', () => {
    const reply = decodeReply(ascii('CZ0040300CB0041000AE00210AA0164111111111111111AB0042912ZZ0164111111111111111'));
    expect(reply).toMatchObject({ maskedPan: '411111******1111' });
    expect(inspect(reply, { depth: 9 })).not.toMatch(/4111111111111111|2912/);
    expect(JSON.stringify(reply)).not.toMatch(/4111111111111111|2912/);
  });

  it.each([
    ['411111######1111', '411111******1111'],
    ['############1111', '************1111'],
    ['497010XXXXXX0014 ', '497010******0014'],
    ['4970101234560014', '497010******0014'],
  ])('with the card number %s keeps %s', (sent, kept) => {
    const length = String(sent.length).padStart(3, '0');
    expect(decodeReply(ascii(`CZ0040300CB0041000AE00210AA${length}${sent}`))).toMatchObject({ maskedPan: kept });
  });

  it('to an abandoned payment may have an empty amount; any other that is no number makes it unreadable', () => {
    expect(decodeReply(ascii('CZ0040300CB000AE00201AF00211'))).toEqual({
      type: 'reply',
      version: '0300',
      status: '01',
      reason: '11',
    });
    expect(decodeReply(ascii('CZ0040300CB00410.0AE00210'))).toEqual({
      type: 'malformed',
      reason: 'BAD_VALUE',
      tag: 'CB',
    });
  });

  it.each([
    ['nothing but the version', 'CZ0040300', false],
    ['the echo of the request', 'CZ0040300CD0010CB0041000', false],
    ['done, and no amount', 'CZ0040300AE00210', false],
    ['done, and the amount behind it', 'CZ0040300AE00210CB0041000', true],
    ['failed, and nothing else', 'CZ0040300AE00201', true],
    ['a status without a version', 'AE00201', false],
  ])('with %s: can it be all? %s', (_what, text, isWhole) => {
    expect(isWholeReply(decodeTlv(ascii(text)).fields)).toBe(isWhole);
  });
});

describe('hostile bytes', () => {
  it('make no decoder throw, and never a payment that was done out of noise', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(decodeReply(bytes).type).toBe('malformed');
        expect(decodeRequest(bytes).type).toBe('malformed');
        traceMessage('FROM_TERMINAL', bytes);
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });
});

describe('what a reason means', () => {
  it.each([
    ['04', 'DECLINED'],
    ['05', 'DECLINED'],
    ['08', 'TIMED_OUT'],
    ['09', 'NOT_UNDERSTOOD'],
    ['11', 'ABANDONED'],
    ['77', 'FAILED'],
    ['', 'FAILED'],
    [undefined, 'FAILED'],
  ])('AF %s is %s', (code, kind) => {
    expect(reasonMeaning(code).kind).toBe(kind);
    expect(reasonMeaning(code).meaning).not.toBe('');
  });

  it('names a code that is not listed', () => {
    expect(reasonMeaning('77').meaning).toContain('AF 77');
  });
});

describe('the trace of a message', () => {
  it('shows amount and status, and of card data only how long they are', () => {
    expect(traceMessage('FROM_TERMINAL', vector('reply-done'))).toEqual({
      direction: 'FROM_TERMINAL',
      name: 'AE10 reply',
      byteCount: 141,
      fields: [
        { tag: 'CZ', shown: '30333030' },
        { tag: 'CJ', hiddenBytes: 12 },
        { tag: 'CA', shown: '3031' },
        { tag: 'CE', shown: '393738' },
        { tag: 'CD', shown: '30' },
        { tag: 'CB', shown: '31303030' },
        { tag: 'AE', shown: '3130' },
        { tag: 'AC', hiddenBytes: 6 },
        { tag: 'AA', hiddenBytes: 16 },
        { tag: 'AI', hiddenBytes: 14 },
        { tag: 'AB', hiddenBytes: 4 },
        { tag: 'CI', shown: '31' },
        { tag: 'CG', hiddenBytes: 7 },
      ],
    });
  });

  it('names a request by what it asks for', () => {
    expect(traceMessage('TO_TERMINAL', vector('sale-1000')).name).toBe('CD00 sale request');
    expect(traceMessage('TO_TERMINAL', vector('refund-1000')).name).toBe('CD01 refund request');
  });

  it.each(['cut-in-value', 'bad-length', 'http', 'empty'])('shows nothing of %s', (id) => {
    const { name, fields } = traceMessage('FROM_TERMINAL', vector(id));
    expect(name).toBe('not readable');
    for (const field of fields) expect(field).toEqual({ tag: 'data', hiddenBytes: expect.any(Number) });
  });
});
