import { describe, expect, it } from 'vitest';
import type { TransactionResponse } from '../../app/contract/transactions.ts';
import { cardWords, codesOf, resultWords, wantsSignature } from '../../renderer/pages/sell/result-words.ts';

const base: TransactionResponse = {
  transactionId: 'TX-1',
  status: 'APPROVED',
  type: 'SALE',
  amount: 1250,
  currency: 'EUR',
  timestamp: '2026-11-28T12:00:00.000Z',
};
const notCharged = { charged: 'NO', safeToRetry: true, evidence: 'the terminal said so' } as const;
const unknown = { charged: 'UNKNOWN', safeToRetry: false, evidence: 'the line was lost' } as const;

function declined(category: NonNullable<TransactionResponse['decline']>['category']): TransactionResponse {
  return {
    ...base,
    status: 'DECLINED',
    outcome: notCharged,
    decline: { category, retryClass: 'OTHER_CARD', retryable: false, customerMessage: 'c', merchantMessage: 'm' },
  };
}

describe('the sentence of a result', () => {
  it('says paid for an approval', () => {
    expect(resultWords(base)).toEqual({ tone: 'GOOD', sentence: 'sell:result.paid', next: 'NEXT' });
  });

  it('says of a sale that was taken without its issuer that the bank is still to be asked', () => {
    expect(resultWords({ ...base, deferredAuthorization: 'WAITING' })).toEqual({
      tone: 'WARN',
      sentence: 'sell:result.acceptedOffline',
      next: 'NEXT',
    });
    expect(resultWords({ ...base, deferredAuthorization: 'AUTHORIZED' }).sentence).toBe('sell:result.paid');
  });

  it.each(['APPROVED', 'DECLINED', 'CANCELLED', 'ERROR'] as const)(
    'never offers another try while it is unknown whether money moved, whatever the status (%s)',
    (status) => {
      expect(resultWords({ ...base, status, outcome: unknown })).toEqual({
        tone: 'UNKNOWN',
        sentence: 'sell:result.unknown',
        next: 'WAIT',
      });
    },
  );

  it('takes an unknown error for unknown even without an outcome', () => {
    expect(resultWords({ ...base, status: 'ERROR', errorCode: 'OUTCOME_UNKNOWN' }).next).toBe('WAIT');
  });

  it('tells a charge that was found out later, and offers no second one', () => {
    const response = { ...base, status: 'ERROR' as const, outcome: { ...notCharged, charged: 'YES' as const } };
    expect(resultWords(response)).toMatchObject({ sentence: 'sell:result.chargedAfterAll', next: 'NEXT' });
  });

  it('asks for another card, or says what would help', () => {
    expect(resultWords(declined('INSUFFICIENT_FUNDS')).sentence).toBe('sell:result.otherCard');
    expect(resultWords(declined('LOST_OR_STOLEN')).sentence).toBe('sell:result.otherCard');
    expect(resultWords(declined('AUTHENTICATION_REQUIRED')).sentence).toBe('sell:result.insertWithPin');
    expect(resultWords(declined('ISSUER_UNAVAILABLE')).sentence).toBe('sell:result.bankSilent');
  });

  it('says who or what cancelled, in calm colours', () => {
    const cancelled = { ...base, status: 'CANCELLED' as const, outcome: notCharged };
    expect(resultWords({ ...cancelled, cancelledReason: 'CARDHOLDER' }).sentence).toBe('sell:result.customerStopped');
    expect(resultWords({ ...cancelled, cancelledReason: 'TIMEOUT' }).sentence).toBe('sell:result.noCard');
    expect(resultWords({ ...cancelled, cancelledReason: 'POS_REQUEST' }).tone).toBe('INFO');
  });

  it('says that a card could not be read', () => {
    const response = { ...base, status: 'ERROR' as const, errorCode: 'CARD_READ_FAILED' as const, outcome: notCharged };
    expect(resultWords(response).sentence).toBe('sell:result.cardUnreadable');
  });
});

describe('what stands beside the sentence', () => {
  it('is the card as far as it is known', () => {
    expect(cardWords({ ...base, cardScheme: 'VISA', maskedPan: '476173******0119' })).toBe('Visa\u00a0•••\u00a00119');
    expect(cardWords({ ...base, cardScheme: 'OTHER', applicationLabel: 'girocard' })).toBe('girocard');
    expect(cardWords(base)).toBe('');
  });

  it('is the signature question for an approval by signature only', () => {
    expect(wantsSignature({ ...base, cvmResult: 'SIGNATURE' })).toBe(true);
    expect(wantsSignature({ ...base, cvmResult: 'ONLINE_PIN' })).toBe(false);
    expect(wantsSignature({ ...base, status: 'DECLINED', cvmResult: 'SIGNATURE' })).toBe(false);
  });

  it('is every code for support', () => {
    expect(codesOf({ ...base, status: 'ERROR', errorCode: 'TERMINAL_ERROR' })).toBe('ERROR · TERMINAL_ERROR · TX-1');
  });
});
