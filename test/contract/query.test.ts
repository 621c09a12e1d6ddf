import { describe, expect, test } from 'vitest';
import { parseHeaders, parseQuery } from '../../app/contract/query.ts';
import { EventQuery } from '../../app/contract/session.ts';
import { SettlementQuery } from '../../app/contract/settlements.ts';
import { TransactionQuery } from '../../app/contract/transactions.ts';

describe('query strings', () => {
  test('have defaults, integers and times filled in', () => {
    expect(parseQuery(SettlementQuery, {})).toEqual({ limit: 25 });
    expect(
      parseQuery(SettlementQuery, {
        limit: '100',
        from: '2026-01-31',
        to: '2026-01-31T12:00:00+02:00',
        currency: 'EUR',
      }),
    ).toEqual({
      limit: 100,
      from: '2026-01-31T00:00:00.000Z',
      to: '2026-01-31T10:00:00.000Z',
      currency: 'EUR',
    });
    expect(parseQuery(EventQuery, { after: '17' })).toEqual({ after: 17, limit: 100 });
  });

  test.each(['1', '25', '100'])('limit %s is taken', (limit) => {
    expect(parseQuery(TransactionQuery, { limit })).toEqual({ limit: Number(limit) });
  });

  test.each(['0', '101', '1.5', 'abc', '', ' 5', '5 ', '-1', '+5', '05', '0x10', '1e1', '٥', '9999999999999999999'])(
    'limit %j is refused by name',
    (limit) => {
      for (const schema of [SettlementQuery, TransactionQuery]) {
        expect(() => parseQuery(schema, { limit })).toThrow(
          expect.objectContaining({
            code: 'INVALID_REQUEST',
            field: 'limit',
            message: 'limit must be an integer from 1 to 100',
          }),
        );
      }
    },
  );

  test.each([
    ['from', '2026-02-30'],
    ['from', '2026-13-01T00:00:00Z'],
    ['to', '2026-01-01T25:00:00Z'],
    ['to', '2026-01-01T00:00:00'],
    ['to', 'yesterday'],
    ['to', '2026-01-01T00:00:00 02:00'],
    ['currency', 'XXX'],
    ['currency', 'eur'],
    ['cursor', ''],
    ['cursor', 'x'.repeat(513)],
  ])('%s %j is refused by name', (field, value) => {
    expect(() => parseQuery(SettlementQuery, { [field]: value })).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', field }),
    );
  });

  test('an unknown parameter, one given twice and a card number are refused by name', () => {
    const refusal = (field: string) => expect.objectContaining({ code: 'INVALID_REQUEST', field });
    expect(() => parseQuery(SettlementQuery, { limt: '5' })).toThrow(refusal('limt'));
    expect(() => parseQuery(SettlementQuery, { limit: ['5', '6'] })).toThrow(refusal('limit'));
    expect(() => parseQuery(TransactionQuery, { referenceId: '4111111111111111' })).toThrow(refusal('referenceId'));
    expect(() => parseQuery(TransactionQuery, { referenceId: 'a\0' })).toThrow(refusal('referenceId'));
    expect(() => parseQuery(TransactionQuery, { status: 'approved' })).toThrow(refusal('status'));
  });
});

describe('headers of a call', () => {
  test('are read, and others ignored', () => {
    expect(
      parseHeaders({ host: 'x', 'idempotency-key': 'k1', 'x-terminal-id': 't1', 'x-timeout-seconds': '10' }),
    ).toEqual({
      'idempotency-key': 'k1',
      'x-terminal-id': 't1',
      'x-timeout-seconds': 10,
    });
    expect(parseHeaders({})).toEqual({});
  });

  test.each([
    ['x-timeout-seconds', '9'],
    ['x-timeout-seconds', '241'],
    ['x-timeout-seconds', '60.5'],
    ['idempotency-key', ''],
    ['idempotency-key', 'a b'],
    ['idempotency-key', 'k'.repeat(256)],
    ['x-terminal-id', ''],
  ])('%s %j is refused by name', (field, value) => {
    expect(() => parseHeaders({ [field]: value })).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST', field }));
  });
});
