import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorCatalogue, errorCodes } from '../../app/contract/errors.ts';
import { canonicalJson } from '../../app/domain/canonical-json.ts';
import { isStorable, mayReplace, requestHash, scopeText } from '../../app/domain/idempotency.ts';

const scope = { clientId: 'c', terminalId: 't', route: 'POST /v1/transaction/sale' };
const asIs = (text: string) => text;
const answer = (body: object, statusCode = 200) => ({ statusCode, body: JSON.stringify(body) });

const unknown = answer({ status: 'ERROR', errorCode: 'OUTCOME_UNKNOWN' });
const approved = answer({ status: 'APPROVED' });
const failed = answer({ status: 'ERROR', errorCode: 'TERMINAL_ERROR' });
const pending = answer({ status: 'PENDING_ONLINE' });

describe('the scope', () => {
  it('tells every client, terminal and route apart, whatever characters they hold', () => {
    fc.assert(
      fc.property(
        fc.tuple(fc.string(), fc.string(), fc.string()),
        fc.tuple(fc.string(), fc.string(), fc.string()),
        (a, b) => {
          const textOf = ([clientId, terminalId, route]: typeof a) => scopeText({ clientId, terminalId, route });
          expect(textOf(a) === textOf(b)).toBe(canonicalJson(a) === canonicalJson(b));
        },
      ),
    );
    expect(scopeText({ ...scope, clientId: 'c","t' })).not.toBe(scopeText({ ...scope, terminalId: 't","t' }));
  });
});

describe('the comparison of two requests', () => {
  const hash = (body: unknown, of = scope) => requestHash(scopeText(of), body, asIs);

  it('does not see the order of fields', () => {
    expect(hash({ amount: 100, metadata: { a: '1', b: '2' } })).toBe(
      hash({ metadata: { b: '2', a: '1' }, amount: 100 }),
    );
  });

  it('sees every value, and the scope', () => {
    const body = { amount: 100, currency: 'EUR' };
    expect(hash({ ...body, amount: 101 })).not.toBe(hash(body));
    expect(hash({ ...body, tipAmount: 0 })).not.toBe(hash(body));
    expect(hash(body, { ...scope, terminalId: 'u' })).not.toBe(hash(body));
  });

  it('goes through the keyed hash', () => {
    expect(requestHash('s', { amount: 1 }, (text) => `hash of ${text}`)).toBe('hash of ["s",{"amount":1}]');
  });
});

describe('what is kept under a key', () => {
  it('is an outcome, and no refusal of the catalogue', () => {
    expect(isStorable(200)).toBe(true);
    for (const code of errorCodes) {
      const { httpStatus } = errorCatalogue[code];
      expect(isStorable(httpStatus)).toBe(httpStatus === 200);
    }
  });

  it('is replaced only when it was unknown, and only by the truth', () => {
    expect(mayReplace(unknown, approved)).toBe(true);
    expect(mayReplace(unknown, failed)).toBe(true);
    expect(mayReplace(pending, approved)).toBe(true);
    expect(mayReplace(unknown, unknown)).toBe(false);
    expect(mayReplace(approved, failed)).toBe(false);
    expect(mayReplace(failed, approved)).toBe(false);
    expect(mayReplace(unknown, { ...approved, statusCode: 503 })).toBe(false);
  });

  it('of a host is unknown while its payment is, by itself or within an answer', () => {
    const payment = (status: string) => ({ acceptanceChannel: 'CARD_PRESENT', status });
    for (const wrap of [(body: object) => answer(body), (body: object) => answer({ payment: body, approved: false })]) {
      for (const status of ['FAILED', 'PROCESSING']) {
        expect(mayReplace(wrap(payment(status)), wrap(payment('SUCCEEDED')))).toBe(true);
        expect(mayReplace(wrap(payment(status)), wrap(payment('FAILED')))).toBe(false);
      }
      for (const status of ['SUCCEEDED', 'DECLINED', 'REQUIRES_CAPTURE', 'REVERSED', 'CANCELED']) {
        expect(mayReplace(wrap(payment(status)), wrap(payment('REVERSED')))).toBe(false);
      }
    }
    // A day close that failed has moved nothing, and a session that failed has ended.
    for (const body of [
      { status: 'FAILED', totals: {} },
      { status: 'FAILED', claimToken: '' },
    ]) {
      expect(mayReplace(answer(body), answer({ status: 'SUCCESS' }))).toBe(false);
    }
  });
});

describe('canonical JSON', () => {
  it('sorts by UTF-16 code units and writes numbers as RFC 8785 does', () => {
    expect(canonicalJson({ '€': 1, a: [1e21, 0.1, -0], '\r': null, '😀': 'x', '1': true })).toBe(
      '{"\\r":null,"1":true,"a":[1e+21,0.1,0],"€":1,"😀":"x"}',
    );
  });

  it('refuses what JSON cannot hold', () => {
    expect(() => canonicalJson(undefined)).toThrow();
    expect(() => canonicalJson({ a: Number.NaN })).toThrow();
  });
});
