import { describe, expect, it } from 'vitest';
import { issuerCodes } from '../../app/contract/issuer-answers.ts';
import { type AuthorizationSent, authorizationOutcomeOf } from '../../app/domain/authorization-outcome.ts';
import { isPaymentMove } from '../../app/domain/payment.machine.ts';

const sent: AuthorizationSent = {
  amountMinor: 1600,
  currencyCode: 'EUR',
  operation: 'purchase',
  terminalId: 'T1',
  captureMethod: 'AUTOMATIC',
  entryMode: 'CONTACTLESS',
};
const echo = { amountMinor: 1600, currencyCode: 'EUR', operation: 'purchase', terminalId: 'T1' } as const;

describe('the answer of an acquirer', () => {
  it.each(['00', '08', '11'])('%s approves, and is reported as 00', (responseCode) => {
    expect(authorizationOutcomeOf(sent, { responseCode, echo })).toEqual({
      trigger: 'APPROVED',
      to: 'SUCCEEDED',
      responseCode: '00',
      mismatches: [],
    });
  });

  it('that approves holds the funds where they are captured later; a refund never waits', () => {
    const held = authorizationOutcomeOf({ ...sent, captureMethod: 'MANUAL' }, { responseCode: '00', echo });
    expect(held).toMatchObject({ trigger: 'APPROVED_AND_HELD', to: 'REQUIRES_CAPTURE' });
    const refund = { ...sent, captureMethod: 'MANUAL', operation: 'refund' } as const;
    expect(authorizationOutcomeOf(refund, { responseCode: '00', echo: {} })).toMatchObject({ to: 'SUCCEEDED' });
  });

  it('that declines says why, by the way the card was read', () => {
    const declined = authorizationOutcomeOf(sent, { responseCode: '65', echo });
    expect(declined).toMatchObject({ trigger: 'DECLINED', to: 'DECLINED', responseCode: '65', mismatches: [] });
    expect(declined.decline?.category).toBe('AUTHENTICATION_REQUIRED');
    expect(declined.recovery).toBeUndefined();
    const inserted = authorizationOutcomeOf({ ...sent, entryMode: 'CONTACT' }, { responseCode: '65', echo });
    expect(inserted.decline?.category).toBe('LIMIT_EXCEEDED');
  });

  it.each(['09', '68', '94'])('%s says nothing certain: the acquirer is asked', (responseCode) => {
    expect(authorizationOutcomeOf(sent, { responseCode, echo })).toMatchObject({
      trigger: 'OUTCOME_LOST',
      to: 'FAILED',
      recovery: 'ASK',
      decline: { retryClass: 'UNKNOWN_OUTCOME', retryable: false },
    });
  });

  it('10 approves a part, which is taken back', () => {
    const partial = authorizationOutcomeOf(sent, { responseCode: '10', echo });
    expect(partial).toMatchObject({ to: 'FAILED', recovery: 'REVERSE', responseCode: '10' });
    expect(partial.decline).toBeDefined();
  });

  const wrong = [
    ['amountMinor', { amountMinor: 1599 }],
    ['currencyCode', { currencyCode: 'CHF' }],
    ['operation', { operation: 'refund' }],
    ['terminalId', { terminalId: 'T2' }],
  ] as const;

  it.each(wrong)('with another %s is neither a success nor a decline, whatever its code', (fact, other) => {
    for (const responseCode of ['00', '10', ...issuerCodes]) {
      expect(authorizationOutcomeOf(sent, { responseCode, echo: { ...echo, ...other } })).toMatchObject({
        to: 'FAILED',
        recovery: 'REVERSE',
        mismatches: [fact],
      });
    }
  });

  it('is compared in what it repeats', () => {
    expect(authorizationOutcomeOf(sent, { responseCode: '00', echo: {} }).to).toBe('SUCCEEDED');
    const twice = { ...echo, amountMinor: 1, terminalId: 'T2' };
    expect(authorizationOutcomeOf(sent, { responseCode: '00', echo: twice }).mismatches).toEqual([
      'amountMinor',
      'terminalId',
    ]);
  });

  it('makes a legal move of a payment that is processing, for every code', () => {
    for (const responseCode of ['00', '08', '10', '11', '85', 'ZZ', ...issuerCodes]) {
      for (const captureMethod of ['AUTOMATIC', 'MANUAL'] as const) {
        const { trigger, to } = authorizationOutcomeOf({ ...sent, captureMethod }, { responseCode, echo });
        expect(isPaymentMove('CARD_PRESENT', 'PROCESSING', trigger, to), responseCode).toBe(true);
      }
    }
  });
});
