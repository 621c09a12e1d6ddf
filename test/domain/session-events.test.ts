import { describe, expect, it } from 'vitest';
import type { Payment } from '../../app/contract/host/payment.ts';
import type { SessionDeviceEvent, TerminalPaymentSession } from '../../app/contract/host/payment-session.ts';
import { sessionStatuses } from '../../app/domain/payment-session.machine.ts';
import { receiveEvent } from '../../app/domain/session-events.ts';
import {
  assertSessionAuthorizes,
  checkNewSession,
  finalMismatches,
  type SessionPayment,
  verifyFinal,
} from '../../app/domain/session-payment.ts';
import { authorize, event, payment, paymentId, session } from './host-fixture.ts';

const refused = (code: string) => expect.objectContaining({ code });
const completed = event({ eventType: 'COMPLETED', status: 'SUCCEEDED', paymentId });

describe('events of a session', () => {
  it('come in order from 1, without a gap', () => {
    expect(receiveEvent(session({ status: 'CLAIMED' }), event(), undefined, undefined)).toMatchObject({
      kind: 'ACCEPTED',
    });
    const later = session({ lastEventSequence: 3 });
    expect(receiveEvent(later, event({ sequence: 4 }), undefined, undefined)).toMatchObject({ kind: 'ACCEPTED' });
    for (const sequence of [5, 6, 1000]) {
      expect(() => receiveEvent(later, event({ sequence }), undefined, undefined)).toThrow(refused('EVENT_SEQUENCE'));
    }
  });

  it('may be sent again with identical content, and with no other', () => {
    const later = session({ lastEventSequence: 1 });
    expect(receiveEvent(later, event(), event(), undefined)).toEqual({ kind: 'REPEATED' });
    const others: readonly Partial<SessionDeviceEvent>[] = [
      { eventType: 'CARD_PRESENTED' },
      { status: 'IN_PROGRESS' },
      { paymentId },
      { failureCode: 'X' },
    ];
    for (const other of others) {
      expect(() => receiveEvent(later, event(other), event(), undefined)).toThrow(refused('EVENT_SEQUENCE'));
      expect(() => receiveEvent(later, event(), event(other), undefined)).toThrow(refused('EVENT_SEQUENCE'));
    }
    expect(() => receiveEvent(later, event(), undefined, undefined)).toThrow(refused('EVENT_SEQUENCE'));
  });

  it('may be sent again when the session has ended since', () => {
    const ended = session({ status: 'SUCCEEDED', lastEventSequence: 1 });
    expect(receiveEvent(ended, completed, completed, payment())).toEqual({ kind: 'REPEATED' });
  });

  it('carry the token of the claim that holds; an unclaimed session takes none', () => {
    for (const claimToken of ['claim-2', '']) {
      expect(() => receiveEvent(session(), event({ claimToken }), undefined, undefined)).toThrow(
        refused('STALE_CLAIM_TOKEN'),
      );
    }
    const unclaimed = session({ status: 'CREATED', claimToken: '' });
    expect(() => receiveEvent(unclaimed, event({ claimToken: '' }), undefined, undefined)).toThrow(
      refused('STALE_CLAIM_TOKEN'),
    );
  });

  it('start the operation, whichever comes first; CLAIMED alone does not', () => {
    const claimed = session({ status: 'CLAIMED' });
    expect(receiveEvent(claimed, event({ eventType: 'CLAIMED' }), undefined, undefined)).toEqual({
      kind: 'ACCEPTED',
      status: 'CLAIMED',
      moves: [],
    });
    for (const eventType of ['DISPLAYED', 'CARD_PRESENTED', 'PIN_STARTED', 'AUTHORIZATION_STARTED'] as const) {
      expect(receiveEvent(claimed, event({ eventType }), undefined, undefined)).toEqual({
        kind: 'ACCEPTED',
        status: 'IN_PROGRESS',
        moves: [{ trigger: 'START', to: 'IN_PROGRESS' }],
      });
    }
  });
});

describe('a cancelled or failed event', () => {
  it('ends the session before the authorization has begun', () => {
    expect(receiveEvent(session(), event({ eventType: 'CANCELLED' }), undefined, undefined)).toEqual({
      kind: 'ACCEPTED',
      status: 'CANCELED',
      moves: [{ trigger: 'CARDHOLDER_CANCELLED', to: 'CANCELED' }],
      failureCode: 'CARDHOLDER_CANCELLED',
    });
    const failed = event({ eventType: 'FAILED', failureCode: 'CARD_READ_FAILED' });
    expect(receiveEvent(session({ status: 'CLAIMED' }), failed, undefined, undefined)).toEqual({
      kind: 'ACCEPTED',
      status: 'FAILED',
      moves: [
        { trigger: 'START', to: 'IN_PROGRESS' },
        { trigger: 'DEVICE_FAILED', to: 'FAILED' },
      ],
      failureCode: 'CARD_READ_FAILED',
    });
  });

  const begun = session({ authorizationStartedAt: '2026-11-28T09:01:00Z' });

  const undecided: readonly (SessionPayment | undefined)[] = [
    undefined,
    ...(['PROCESSING', 'FAILED', 'SUCCEEDED', 'REQUIRES_CAPTURE'] as const).map((status) => payment({ status })),
  ];

  it.each(undecided)('leaves the session in progress once the authorization has begun (payment $status)', (linked) => {
    for (const eventType of ['CANCELLED', 'FAILED'] as const) {
      expect(receiveEvent(begun, event({ eventType }), undefined, linked)).toEqual({
        kind: 'ACCEPTED',
        status: 'IN_PROGRESS',
        moves: [],
      });
    }
  });

  it.each(['REVERSED', 'CANCELED', 'DECLINED'] as const)(
    'ends it as failed once the payment is %s: no money is out',
    (status) => {
      for (const eventType of ['CANCELLED', 'FAILED'] as const) {
        expect(receiveEvent(begun, event({ eventType }), undefined, payment({ status }))).toMatchObject({
          status: 'FAILED',
        });
      }
    },
  );

  it('changes nothing once the session has ended', () => {
    for (const status of ['SUCCEEDED', 'DECLINED', 'FAILED', 'RECOVERY_REQUIRED', 'CANCELED', 'EXPIRED'] as const) {
      expect(receiveEvent(session({ status }), event({ eventType: 'FAILED' }), undefined, undefined)).toEqual({
        kind: 'ACCEPTED',
        status,
        moves: [],
      });
    }
  });
});

describe('a completed event', () => {
  it.each(sessionStatuses.filter((status) => status !== 'CREATED'))(
    'moves a session that is %s, once the payment bears it out',
    (status) => {
      expect(receiveEvent(session({ status }), completed, undefined, payment())).toMatchObject({ status: 'SUCCEEDED' });
      const declined = event({ ...completed, status: 'DECLINED' });
      expect(receiveEvent(session({ status }), declined, undefined, payment({ status: 'DECLINED' }))).toMatchObject({
        status: 'DECLINED',
      });
    },
  );

  it('is refused without its payment, with another payment, and without its outcome', () => {
    expect(() => receiveEvent(session(), completed, undefined, undefined)).toThrow(refused('ILLEGAL_STATE'));
    const other = event({ ...completed, paymentId: 'another' });
    expect(() => receiveEvent(session(), other, undefined, payment())).toThrow(refused('ILLEGAL_STATE'));
    for (const status of [undefined, 'IN_PROGRESS', 'FAILED'] as const) {
      const { status: _, ...without } = completed;
      const sent = status === undefined ? without : { ...without, status };
      expect(() => receiveEvent(session(), sent, undefined, payment())).toThrow(
        expect.objectContaining({ code: 'INVALID_REQUEST', field: 'status' }),
      );
    }
  });
});

describe('the verification of a final event', () => {
  it('takes a payment that is exactly what the session asked for', () => {
    expect(finalMismatches(session(), payment(), 'SUCCEEDED')).toEqual([]);
    expect(finalMismatches(session(), payment({ status: 'REQUIRES_CAPTURE' }), 'SUCCEEDED')).toEqual([]);
    expect(finalMismatches(session(), payment({ status: 'DECLINED' }), 'DECLINED')).toEqual([]);
    expect(finalMismatches(session(), payment({ status: 'REVERSED' }), 'DECLINED')).toEqual([]);
    // A void afterwards is not how the session ended.
    const over = session({ status: 'SUCCEEDED' });
    expect(finalMismatches(over, payment({ status: 'REVERSED' }), 'DECLINED')).toEqual(['outcome']);
    const refund = session({ operation: 'REFUND', finalAmountMinor: 1500 });
    const given = payment({ type: 'REFUND', amountMinor: 1500, tipAmountMinor: 0, cashbackAmountMinor: 0 });
    expect(finalMismatches(refund, given, 'SUCCEEDED')).toEqual([]);
  });

  const strangers: readonly (readonly [
    string,
    Partial<Payment> & { readonly terminalId?: string },
    Partial<TerminalPaymentSession>,
  ])[] = [
    ['paymentId', { id: 'another' }, {}],
    ['merchantId', { merchantId: 'M2' }, {}],
    ['terminalId', { terminalId: 'T2' }, {}],
    ['operation', { type: 'PRE_AUTH' }, {}],
    ['operation', {}, { operation: 'REFUND' }],
    ['currencyCode', { currencyCode: 'CHF' }, {}],
    ['baseAmountMinor', { baseAmountMinor: 1501 }, {}],
    ['finalAmountMinor', { amountMinor: 1599 }, {}],
    ['outcome', { status: 'DECLINED' }, {}],
    ['outcome', { status: 'FAILED' }, {}],
    ['outcome', { status: 'REVERSED' }, {}],
    ['outcome', { status: 'PROCESSING' }, {}],
  ];

  it.each(strangers)('names a different %s', (name, ofPayment, ofSession) => {
    expect(finalMismatches(session(ofSession), payment(ofPayment), 'SUCCEEDED')).toContain(name);
    expect(() => verifyFinal(session(ofSession), payment(ofPayment), 'SUCCEEDED')).toThrow(refused('ILLEGAL_STATE'));
  });

  it('takes a payment of another acquirer, which was recorded for the session', () => {
    const recorded = payment({ acceptanceChannel: 'EXTERNAL_RAIL' });
    expect(finalMismatches(session(), recorded, 'SUCCEEDED')).toEqual([]);
    expect(finalMismatches(session(), { ...recorded, terminalId: 'T2' }, 'SUCCEEDED')).toEqual(['terminalId']);
  });

  it('needs to know the final amount', () => {
    const { finalAmountMinor: _, ...unauthorized } = session();
    expect(finalMismatches(unauthorized, payment(), 'SUCCEEDED')).toEqual(['finalAmountMinor']);
  });
});

describe('an authorization for a session', () => {
  const caller = { merchantId: 'M1', terminalId: 'T1', deviceId: 'D1', idempotencyKey: 'session-key' };
  const request = authorize({ paymentSessionId: 'PS1', claimToken: 'claim-1' });

  it('begins when it echoes the session exactly', () => {
    expect(() => assertSessionAuthorizes(session(), request, caller)).not.toThrow();
    expect(() => assertSessionAuthorizes(session({ status: 'CLAIMED' }), request, caller)).not.toThrow();
    const { baseAmountMinor: _, ...withoutBase } = request;
    expect(() => assertSessionAuthorizes(session(), withoutBase, caller)).not.toThrow();
  });

  it.each([
    ['merchantId', { merchantId: 'M2' }],
    ['terminalId', { terminalId: 'T2' }],
    ['deviceId', { deviceId: 'D2' }],
  ])('does not find the session of another %s', (_, other) => {
    expect(() => assertSessionAuthorizes(session(), request, { ...caller, ...other })).toThrow(refused('NOT_FOUND'));
  });

  it.each([
    ['baseAmountMinor', { baseAmountMinor: 1499, amount: 1599 }],
    ['currencyCode', { currencyCode: 'CHF' }],
    ['transactionType', { transactionType: 'pre_auth' as const }],
    ['transactionType', { transactionType: 'refund' as const }],
    ['originalTransactionId', { originalTransactionId: paymentId }],
  ])('is refused by a different %s', (field, changes) => {
    expect(() => assertSessionAuthorizes(session(), { ...request, ...changes }, caller)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', field }),
    );
  });

  it('is refused under another key, another claim, and once the session has ended', () => {
    expect(() => assertSessionAuthorizes(session(), request, { ...caller, idempotencyKey: 'k' })).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', field: 'Idempotency-Key' }),
    );
    expect(() => assertSessionAuthorizes(session(), { ...request, claimToken: 'claim-0' }, caller)).toThrow(
      refused('STALE_CLAIM_TOKEN'),
    );
    for (const status of ['CREATED', 'SUCCEEDED', 'CANCELED', 'EXPIRED', 'FAILED', 'RECOVERY_REQUIRED'] as const) {
      expect(() => assertSessionAuthorizes(session({ status }), request, caller)).toThrow(refused('ILLEGAL_STATE'));
    }
  });
});

describe('a new session', () => {
  const request = { merchantId: 'M1', terminalId: 'T1', amountMinor: 1500, currencyCode: 'EUR' };

  it('names its original for a refund, and only then', () => {
    expect(() => checkNewSession({ ...request, operation: 'PURCHASE' })).not.toThrow();
    expect(() => checkNewSession({ ...request, operation: 'REFUND', originalTransactionId: paymentId })).not.toThrow();
    const wrong = expect.objectContaining({ code: 'INVALID_REQUEST', field: 'originalTransactionId' });
    expect(() => checkNewSession({ ...request, operation: 'REFUND' })).toThrow(wrong);
    expect(() => checkNewSession({ ...request, operation: 'PURCHASE', originalTransactionId: paymentId })).toThrow(
      wrong,
    );
  });
});
