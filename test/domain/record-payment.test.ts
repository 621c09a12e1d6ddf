import { describe, expect, it } from 'vitest';
import { RecordRequest } from '../../app/contract/host/record.ts';
import { validateRequest } from '../../app/contract/validate.ts';
import { checkRecord } from '../../app/domain/record-payment.ts';
import { paymentId } from './host-fixture.ts';

const refused = (field: string) => expect.objectContaining({ code: 'INVALID_REQUEST', field });

function record(changes: Partial<RecordRequest> = {}): RecordRequest {
  return {
    deviceId: 'D1',
    terminalId: 'T1',
    transactionId: paymentId,
    type: 'SALE',
    status: 'SUCCEEDED',
    amount: 1600,
    baseAmountMinor: 1500,
    tipAmountMinor: 100,
    cashbackAmountMinor: 500,
    currencyCode: 'EUR',
    occurredAt: '2026-11-28T10:15:00Z',
    ...changes,
  };
}

describe('a record of a payment of another acquirer', () => {
  it('is taken as the terminal told it, with or without an authorization code', () => {
    const told = record({ responseCode: '00', cardScheme: 'girocard' });
    expect(validateRequest(RecordRequest, told)).toBe(told);
    const host = { amountMinor: 1600, baseAmountMinor: 1500, tipAmountMinor: 100, cashbackAmountMinor: 500 };
    expect(checkRecord(told)).toEqual(host);
    expect(() => checkRecord(record({ paymentSessionId: 'PS1', claimToken: 'c' }))).not.toThrow();
  });

  it.each([
    ['amount', { amount: 1601 }],
    ['tipAmountMinor', { type: 'REFUND' as const, cashbackAmountMinor: 0 }],
    ['cashbackAmountMinor', { type: 'PRE_AUTH' as const }],
    ['originalTransactionId', { originalTransactionId: paymentId }],
    ['claimToken', { paymentSessionId: 'PS1' }],
    ['claimToken', { claimToken: 'c' }],
    ['applicationLabel', { applicationLabel: 'VISA 4111111111111111' }],
    ['rrn', { rrn: '4111-1111-1111-1111' }],
  ])('is refused by %s', (field, changes) => {
    expect(() => checkRecord(record(changes))).toThrow(refused(field));
  });

  it.each(['applicationPan', 'track2', 'pinBlock', 'panEncrypted', 'emvTlv'])('has no field %s', (field) => {
    expect(() => validateRequest(RecordRequest, { ...record(), [field]: '4111111111111111' })).toThrow(refused(field));
  });

  it('is of a final status, and never of an open pre-authorization', () => {
    for (const status of ['REQUIRES_CAPTURE', 'FAILED', 'PROCESSING']) {
      expect(() => validateRequest(RecordRequest, { ...record(), status })).toThrow(refused('status'));
    }
  });
});
