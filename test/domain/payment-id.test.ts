import { describe, expect, it } from 'vitest';
import { AuthorizeRequest } from '../../app/contract/host/authorize.ts';
import { validateRequest } from '../../app/contract/validate.ts';
import { assertNoPanInId, paymentIdFor } from '../../app/domain/payment-id.ts';
import { authorize, paymentId } from './host-fixture.ts';

const drawn = '00000000-0000-4000-8000-000000000001';
const refused = (field: string) => expect.objectContaining({ code: 'INVALID_REQUEST', field });

describe('the id of a payment', () => {
  it('is the name that the till gave it where that is a UUID, and a drawn one otherwise', () => {
    expect(paymentIdFor(paymentId, () => drawn)).toBe(paymentId);
    for (const name of [undefined, '', 'till-1-4711', paymentId.toUpperCase(), ` ${paymentId}`, `${paymentId}0`]) {
      expect(paymentIdFor(name, () => drawn)).toBe(drawn);
    }
  });
});

describe('the name that a till gives a payment', () => {
  it('is short visible text', () => {
    for (const transactionId of [paymentId, 'till-1-4711', 'x'.repeat(64)]) {
      expect(() => validateRequest(AuthorizeRequest, { ...authorize(), transactionId })).not.toThrow();
    }
    for (const transactionId of ['', 'two words', 'ü', 'x'.repeat(65), 5, null]) {
      expect(() => validateRequest(AuthorizeRequest, { ...authorize(), transactionId })).toThrow(
        refused('transactionId'),
      );
    }
  });

  it('is no card number; the digits of a UUID are none', () => {
    expect(() => assertNoPanInId('transactionId', '4111111111111111')).toThrow(refused('transactionId'));
    expect(() => assertNoPanInId('transactionId', 'till-4111-1111-1111-1111')).toThrow(refused('transactionId'));
    expect(() => assertNoPanInId('transactionId', 'aaaaaaaa-4111-1111-1111-11111111aaaa')).not.toThrow();
    expect(() => assertNoPanInId('transactionId', '')).not.toThrow();
  });
});
