import { describe, expect, it } from 'vitest';
import { RecordRequest } from '../../app/contract/host/record.ts';
import { validate } from '../../app/contract/validate.ts';
import { externalRecordOf } from '../../app/domain/external-record.ts';
import { checkRecord } from '../../app/domain/record-payment.ts';
import type { TransactionRecord } from '../../app/domain/transaction.ts';
import { transaction } from '../storage/journal-fixture.ts';

const sale = (overrides: Partial<TransactionRecord> = {}) =>
  transaction({
    updatedAt: '2026-11-27T09:00:30.000Z',
    ...{ amountMinor: 1000, tipAmountMinor: 100, cashbackAmountMinor: 500 },
    ...overrides,
  });

/** What the host would say of it; the host's own rules judge, not ours. */
function taken(record: TransactionRecord, target?: TransactionRecord) {
  const told = externalRecordOf(record, target);
  if (told === undefined) return undefined;
  const request = validate(RecordRequest, { ...told.body, deviceId: 'D1', terminalId: 'HT1' });
  checkRecord(request);
  return told;
}

describe('what the host is told of a terminal with an acquirer of its own', () => {
  it('is a sale with tip and cash-back as the host names the amounts', () => {
    expect(taken(sale({ referenceId: 'A-1', metadata: { table: '7' } }))).toEqual({
      kind: 'EXTERNAL_RECORD',
      transactionId: 'tx-1',
      body: {
        ...{ transactionId: 'tx-1', type: 'SALE', status: 'SUCCEEDED', currencyCode: 'EUR' },
        ...{ amount: 1600, baseAmountMinor: 1500, tipAmountMinor: 100, cashbackAmountMinor: 500 },
        ...{ referenceId: 'A-1', metadata: { table: '7' }, occurredAt: '2026-11-27T09:00:30.000Z' },
      },
    });
  });

  it('is a refusal, with what the issuer answered', () => {
    const told = taken(sale({ state: 'DECLINED', card: { responseCode: '51', cardScheme: 'VISA' } }));
    expect(told?.body).toMatchObject({ status: 'DECLINED', responseCode: '51', cardScheme: 'VISA' });
  });

  it('is a refund under the name of what it gives back, and a completion as the payment of its pre-authorization', () => {
    const refund = sale({
      transactionId: 'r1',
      type: 'REFUND',
      amountMinor: 300,
      tipAmountMinor: 0,
      cashbackAmountMinor: 0,
    });
    expect(taken({ ...refund, targetTransactionId: 'tx-1' })?.body).toMatchObject({
      ...{ type: 'REFUND', amount: 300, originalTransactionId: 'tx-1' },
    });
    const completion = sale({ transactionId: 'c1', type: 'PRE_AUTH_COMPLETE', cashbackAmountMinor: 0 });
    expect(taken({ ...completion, targetTransactionId: 'tx-1' })?.body).toMatchObject({
      ...{ type: 'PRE_AUTH', status: 'SUCCEEDED', transactionId: 'c1', amount: 1100 },
    });
  });

  it('is a payment that was taken back, with the amounts of the payment, when the void ended', () => {
    const target = sale();
    const undone = sale({ transactionId: 'v1', type: 'VOID', updatedAt: '2026-11-27T10:00:00.000Z' });
    expect(taken({ ...undone, targetTransactionId: 'tx-1' }, target)).toEqual({
      kind: 'EXTERNAL_VOID',
      transactionId: 'tx-1',
      body: { ...taken(target)?.body, status: 'REVERSED', occurredAt: '2026-11-27T10:00:00.000Z' },
    });
    expect(taken({ ...undone, state: 'DECLINED' }, target)).toBeUndefined();
  });

  it('is nothing of what is open, unknown or ended without an issuer, of holds, of other acquirers, and of what moves no money', () => {
    const hold = sale({ type: 'PRE_AUTH' });
    const release = sale({ transactionId: 'v1', type: 'VOID', targetTransactionId: 'tx-1' });
    for (const state of ['INTENT', 'PROVISIONAL', 'PENDING_ONLINE', 'CANCELLED', 'ERROR'] as const) {
      expect(taken(sale({ state })), state).toBeUndefined();
    }
    expect(taken(hold)).toBeUndefined();
    expect(taken(release, hold)).toBeUndefined();
    expect(taken(sale({ mode: 'GRANULAR' }))).toBeUndefined();
    expect(taken(sale({ type: 'CARD_READ' }))).toBeUndefined();
    expect(taken(sale({ type: 'BALANCE_INQUIRY' }))).toBeUndefined();
  });

  it('leaves out what the host would not take, rather than the payment', () => {
    const card = {
      rrn: '4111 1111 1111 1111',
      applicationLabel: '',
      aid: 'A00000000310',
      tvr: 'no hex',
      authorizationCode: 'x'.repeat(33),
    };
    const body = taken(sale({ card }))?.body;
    expect(body).toMatchObject({ aid: 'A00000000310' });
    for (const field of ['rrn', 'applicationLabel', 'tvr', 'authorizationCode']) expect(body).not.toHaveProperty(field);
  });
});
