import { describe, expect, it } from 'vitest';
import { AuthorizeRequest } from '../../app/contract/host/authorize.ts';
import { validateRequest } from '../../app/contract/validate.ts';
import { checkAuthorizeRequest, checkLookUp } from '../../app/domain/authorize-request.ts';
import { takeCardData } from '../../app/domain/card-data.ts';
import type { TipConfiguration } from '../../app/domain/tip-source.ts';
import { authorize } from './host-fixture.ts';

const refused = (field: string) => expect.objectContaining({ code: 'INVALID_REQUEST', field });
/** As the edge does it: the card data first out of the request, then the rules. */
function check(given: AuthorizeRequest, configuration?: TipConfiguration) {
  const { request, cardData } = takeCardData(given);
  return checkAuthorizeRequest(request, cardData, configuration);
}

const tips = {
  enabled: true,
  presetBasisPoints: [1000],
  allowCustomAmount: false,
  maxAmountMinor: 200,
  maxBasisPoints: 2000,
  fixedAmountMinor: null,
};

describe('the amounts of an authorization', () => {
  it('are base + tip, the base with the cash-back in it', () => {
    const host = { amountMinor: 1600, baseAmountMinor: 1500, tipAmountMinor: 100, cashbackAmountMinor: 500 };
    expect(check(authorize())).toEqual(host);
  });

  it('are complete without a base: it is what amount leaves beside the tip', () => {
    const { baseAmountMinor: _, ...request } = authorize();
    expect(check(request).baseAmountMinor).toBe(1500);
  });

  it.each([
    ['a sum that is one too much', { amount: 1601 }, 'amount'],
    ['a sum that is one too little', { amount: 1599 }, 'amount'],
    ['a base without the tip in the sum', { tipAmountMinor: 0 }, 'amount'],
    ['a tip above the amount', { tipAmountMinor: 1700, amount: 1600 }, 'tipAmountMinor'],
    ['a cash-back above the base', { cashbackAmountMinor: 1501 }, 'cashbackAmountMinor'],
    [
      'a cash-back of a refund',
      { transactionType: 'refund' as const, originalTransactionId: 'p', tipAmountMinor: 0, amount: 1500 },
      'cashbackAmountMinor',
    ],
    ['a cash-back of a pre-authorization', { transactionType: 'pre_auth' as const }, 'cashbackAmountMinor'],
    [
      'a tip of a refund',
      { transactionType: 'refund' as const, originalTransactionId: 'p', cashbackAmountMinor: 0 },
      'tipAmountMinor',
    ],
    ['a refund without its original', { transactionType: 'refund' as const }, 'originalTransactionId'],
    ['an original of a purchase', { originalTransactionId: 'p' }, 'originalTransactionId'],
    ['a session without its claim', { paymentSessionId: 'PS1' }, 'claimToken'],
    ['a claim without its session', { claimToken: 'c' }, 'claimToken'],
    ['another amount under the chip’s signature', { emvTlv: { '9f02': '000000001500' } }, 'emvTlv.9F02'],
    ['another cash-back under it', { emvTlv: { '9F03': '000000000000' } }, 'emvTlv.9F03'],
    ['an amount of fewer digits', { emvTlv: { '9F02': '1600' } }, 'emvTlv.9F02'],
    ['an amount that is no number', { emvTlv: { '9F02': '00000000160A' } }, 'emvTlv.9F02'],
    [
      'a clear number beside the encrypted one',
      {
        panEncrypted: 'AB',
        accountDataKsn: 'AB',
        accountDataKeyScheme: 'AES_DUKPT' as const,
        emvTlv: { '5a': '4111111111111111' },
      },
      'emvTlv.5A',
    ],
    ['account data that do not go together', { accountDataKsn: 'AB' }, 'accountDataKsn'],
  ])('are refused with %s', (_, changes, field) => {
    expect(() => check(authorize(changes))).toThrow(refused(field));
  });

  it('are taken with the amounts that the chip signed', () => {
    const emvTlv = { '9F02': '000000001600', '9F03': '000000000500' };
    expect(() => check(authorize({ emvTlv }))).not.toThrow();
  });

  it('hold the tip against the goods, without the cash-back', () => {
    expect(() => check(authorize({ tipSource: 'preset:1000' }), tips)).not.toThrow();
    expect(() => check(authorize({ tipAmountMinor: 201, amount: 1701 }), tips)).toThrow(refused('tipAmountMinor'));
  });

  it('are exact up to 2^53 − 1, and refused above', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const large = authorize({ amount: most, baseAmountMinor: most - 100, cashbackAmountMinor: 0 });
    expect(check(large).amountMinor).toBe(most);
    expect(() => check(authorize({ amount: most, baseAmountMinor: most }))).toThrow(
      expect.objectContaining({ code: 'AMOUNT_TOO_LARGE' }),
    );
  });
});

describe('the shape of an authorization', () => {
  it('refuses what it does not know, and amounts that are none', () => {
    expect(validateRequest(AuthorizeRequest, authorize())).toEqual(authorize());
    for (const amount of [0, -1, -0, 1.5, '100', null, undefined, 2 ** 53]) {
      expect(() => validateRequest(AuthorizeRequest, { ...authorize(), amount })).toThrow(refused('amount'));
    }
    expect(() => validateRequest(AuthorizeRequest, { ...authorize(), amunt: 1 })).toThrow(refused('amunt'));
    expect(() => validateRequest(AuthorizeRequest, { ...authorize(), referenceId: '4111 1111 1111 1111' })).toThrow(
      refused('referenceId'),
    );
  });
});

describe('texts of a device', () => {
  const number = '4111 1111 1111 1111';

  it.each(['entryMode', 'completionMode', 'railId', 'vendor', 'acceptanceMode', 'cardScheme', 'cvm'])(
    '%s holds no card number',
    (field) => {
      expect(() => check({ ...authorize(), [field]: number })).toThrow(refused(field));
    },
  );
});

describe('a look-up', () => {
  it('names one thing', () => {
    expect(() => checkLookUp({ idempotencyKey: 'k' })).not.toThrow();
    expect(() => checkLookUp({ transactionId: 't' })).not.toThrow();
    for (const query of [{}, { idempotencyKey: 'k', transactionId: 't' }]) {
      expect(() => checkLookUp(query)).toThrow(refused('transactionId'));
    }
  });
});
