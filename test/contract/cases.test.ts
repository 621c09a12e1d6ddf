import type { TSchema } from 'typebox';
import { describe, expect, test } from 'vitest';
import { exponentOf } from '../../app/contract/currencies.ts';
import { parseStrictJson } from '../../app/contract/json.ts';
import { parseQuery } from '../../app/contract/query.ts';
import { SettlementQuery, TransactionTotals } from '../../app/contract/settlements.ts';
import { simulationRule } from '../../app/contract/simulation-rules.ts';
import { RefundRequest, SaleRequest } from '../../app/contract/transactions.ts';
import { validate, validateRequest } from '../../app/contract/validate.ts';

/** Inputs that have broken other tills and payment back ends, as far as reading them is concerned; each names where it was seen. */

function read(schema: TSchema, body: string): unknown {
  return validateRequest(schema, parseStrictJson(body));
}

const refusal = (field: string) => expect.objectContaining({ code: 'INVALID_REQUEST', field });

describe('inputs that have broken others', () => {
  test.each(['-1', '-0', '0', 'null'])(
    'refund amount %s gives back nothing (hyperswitch 11491, medusa 16036)',
    (amount) => {
      const body = `{"type":"REFUND","currency":"EUR","originalTransactionId":"abc","amount":${amount}}`;
      expect(() => read(RefundRequest, body)).toThrow(refusal('amount'));
    },
  );

  test('a refund without amount is not "all of it" (medusa 16036)', () => {
    expect(() => read(RefundRequest, '{"type":"REFUND","currency":"EUR","originalTransactionId":"abc"}')).toThrow(
      refusal('amount'),
    );
  });

  test('a misspelt field is named (kasapay 60)', () => {
    expect(() => read(RefundRequest, '{"amount":1000,"amunt":1}')).toThrow(refusal('amunt'));
  });

  test('a yen has no decimals and a dinar three (sfcc 31, woocommerce-stripe 435, stripe-ios 2141)', () => {
    expect([exponentOf('JPY'), exponentOf('KWD')]).toEqual([0, 3]);
  });

  test('2147483648, and three of it in totals, are exact (lago 719)', () => {
    const body = '{"type":"SALE","amount":2147483648,"currency":"EUR"}';
    expect(read(SaleRequest, body)).toMatchObject({ amount: 2_147_483_648 });
    const zero = { refundCount: 0, refundAmount: 0, voidCount: 0, voidAmount: 0, preAuthCount: 0, preAuthAmount: 0 };
    const totals = { ...zero, saleCount: 3, saleAmount: 3 * 2_147_483_648, currency: 'EUR' };
    expect(validate(TransactionTotals, JSON.parse(JSON.stringify(totals)))).toEqual(totals);
  });

  test('a page of one settlement can be asked for (hyperswitch 13678)', () => {
    expect(parseQuery(SettlementQuery, { limit: '1' })).toEqual({ limit: 1 });
  });

  describe('referenceId (drzl 52, metabase 82652)', () => {
    const sale = (referenceId: string) =>
      read(SaleRequest, `{"type":"SALE","amount":1,"currency":"EUR","referenceId":"${referenceId}"}`);

    test('of 64 emoji is read exactly, of 65 refused', () => {
      expect(sale('🧾'.repeat(64))).toMatchObject({ referenceId: '🧾'.repeat(64) });
      expect(() => sale('🧾'.repeat(65))).toThrow(refusal('referenceId'));
    });

    test.each(['a\\u0000b', '\\ud83e', '\\udffe\\ud83e', 'a\\ud83ez'])('holding %s is refused', (text) => {
      expect(() => sale(text)).toThrow(refusal('referenceId'));
    });

    test('keeps the difference between composed and decomposed letters', () => {
      const [composed, decomposed] = ['Café'.normalize('NFC'), 'Café'.normalize('NFD')];
      expect(sale(composed)).toMatchObject({ referenceId: composed });
      expect(sale(decomposed)).toMatchObject({ referenceId: decomposed });
      expect(composed).not.toBe(decomposed);
    });
  });

  test('a training sale of 36.75 is declined by a rule that has a name (stripe-terminal-ios 135)', () => {
    expect(simulationRule({ amount: 3675 })).toMatchObject({
      kind: 'DECLINE',
      issuerCode: '75',
      rule: 'amount-ending-75',
    });
  });

  test.each([
    ['a duplicate key', '{"type":"SALE","amount":1,"currency":"EUR","amount":100000}', 'amount'],
    ['a prototype', '{"type":"SALE","amount":1,"currency":"EUR","__proto__":{"amount":2}}', '__proto__'],
    [
      'a prototype in metadata',
      '{"type":"SALE","amount":1,"currency":"EUR","metadata":{"__proto__":"x"}}',
      'metadata.__proto__',
    ],
    ['an amount as text', '{"type":"SALE","amount":"100","currency":"EUR"}', 'amount'],
    ['an amount with decimals', '{"type":"SALE","amount":10.00,"currency":"EUR"}', 'amount'],
  ])('%s does not change what a body means', (_, body, field) => {
    expect(() => read(SaleRequest, body)).toThrow(refusal(field));
  });

  test('names of built-in properties are ordinary metadata', () => {
    const body =
      '{"type":"SALE","amount":1,"currency":"EUR","metadata":{"constructor":"a","hasOwnProperty":"b","toString":"c"}}';
    expect(read(SaleRequest, body)).toMatchObject({
      metadata: { constructor: 'a', hasOwnProperty: 'b', toString: 'c' },
    });
    expect(() => read(SaleRequest, '{"type":"SALE","amount":1,"currency":"EUR","constructor":"a"}')).toThrow(
      refusal('constructor'),
    );
  });
});
