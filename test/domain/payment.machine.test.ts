import { describe, expect, it } from 'vitest';
import type { AcceptanceChannel, PaymentStatus } from '../../app/contract/host/payment.ts';
import { PaymentStatus as PaymentStatusSchema } from '../../app/contract/host/payment.ts';
import {
  assertPaymentMove,
  externalPaymentMoves,
  isPaymentMove,
  moneyStateOf,
  type PaymentOrigin,
  type PaymentTrigger,
  paymentMoves,
} from '../../app/domain/payment.machine.ts';

const statuses: readonly PaymentStatus[] = JSON.parse(JSON.stringify(PaymentStatusSchema)).enum;
const origins: readonly PaymentOrigin[] = ['NEW', ...statuses];

/** From → to → triggers, written out by hand from the decisions (Payment moves) and the specification (Payment status). */
const allowed: Readonly<Record<PaymentOrigin, Partial<Record<PaymentStatus, readonly PaymentTrigger[]>>>> = {
  NEW: {
    REQUIRES_PAYMENT_METHOD: ['INTENT_CREATED'],
    PROCESSING: ['AUTHORIZATION_BEGUN'],
    SUCCEEDED: ['KERNEL_APPROVED'],
    DECLINED: ['KERNEL_DECLINED'],
    CANCELED: ['TOMBSTONED'],
  },
  REQUIRES_PAYMENT_METHOD: { REQUIRES_CONFIRMATION: ['METHOD_GIVEN'], CANCELED: ['INTENT_CANCELED'] },
  REQUIRES_CONFIRMATION: { PROCESSING: ['AUTHORIZATION_BEGUN'], CANCELED: ['INTENT_CANCELED'] },
  REQUIRES_ACTION: { PROCESSING: ['ACTION_DONE'], CANCELED: ['INTENT_CANCELED'] },
  PROCESSING: {
    REQUIRES_ACTION: ['ACTION_REQUIRED'],
    REQUIRES_CAPTURE: ['APPROVED_AND_HELD'],
    SUCCEEDED: ['APPROVED'],
    DECLINED: ['DECLINED'],
    CANCELED: ['NOT_SENT'],
    FAILED: ['OUTCOME_LOST', 'REVERSAL_BEGUN'],
  },
  REQUIRES_CAPTURE: {
    REQUIRES_CAPTURE: ['TIP_ADJUSTED'],
    SUCCEEDED: ['CAPTURED'],
    REVERSED: ['VOIDED', 'LAPSED'],
    FAILED: ['OUTCOME_LOST', 'REVERSAL_BEGUN'],
  },
  SUCCEEDED: { REVERSED: ['VOIDED'], FAILED: ['OUTCOME_LOST', 'REVERSAL_BEGUN'] },
  FAILED: {
    FAILED: ['REVERSAL_BEGUN'],
    SUCCEEDED: ['FOUND_CAPTURED'],
    REQUIRES_CAPTURE: ['FOUND_HELD'],
    DECLINED: ['FOUND_DECLINED'],
    REVERSED: ['REVERSAL_CONFIRMED'],
  },
  DECLINED: {},
  REVERSED: {},
  CANCELED: {},
};

const allowedExternal: typeof allowed = {
  NEW: { SUCCEEDED: ['RECORDED'], DECLINED: ['RECORDED'], REVERSED: ['RECORDED'] },
  SUCCEEDED: { REVERSED: ['RECORDED'] },
  REQUIRES_PAYMENT_METHOD: {},
  REQUIRES_CONFIRMATION: {},
  REQUIRES_ACTION: {},
  PROCESSING: {},
  REQUIRES_CAPTURE: {},
  FAILED: {},
  DECLINED: {},
  REVERSED: {},
  CANCELED: {},
};

const triggers = [...new Set([...paymentMoves, ...externalPaymentMoves].map(({ trigger }) => trigger))];
const channels: readonly AcceptanceChannel[] = ['CARD_PRESENT', 'CARD_NOT_PRESENT', 'EXTERNAL_RAIL'];
const pairs = channels.flatMap((channel) =>
  origins.flatMap((from) => statuses.map((to) => [channel, from, to] as const)),
);

describe('the moves of a payment', () => {
  it('are of ten statuses', () => {
    expect(statuses).toHaveLength(10);
    expect(pairs).toHaveLength(3 * 11 * 10);
  });

  it.each(pairs)('%s: %s → %s happens by the triggers of the table, and by no other', (channel, from, to) => {
    const table = channel === 'EXTERNAL_RAIL' ? allowedExternal : allowed;
    const expected = table[from][to] ?? [];
    for (const trigger of triggers) {
      const isLegal = expected.includes(trigger);
      expect(isPaymentMove(channel, from, trigger, to), trigger).toBe(isLegal);
      const move = () => assertPaymentMove({ id: 'p-1', acceptanceChannel: channel, status: from }, trigger, to);
      if (isLegal) expect(move).not.toThrow();
      else
        expect(move).toThrow(
          expect.objectContaining({ code: 'ILLEGAL_STATE', httpStatus: 409, details: { transactionId: 'p-1' } }),
        );
    }
  });

  it('lists each move once', () => {
    for (const moves of [paymentMoves, externalPaymentMoves]) {
      const names = moves.map(({ from, trigger, to }) => `${from} ${trigger} ${to}`);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('lead out of FAILED by recovery alone, and never out of REVERSED, DECLINED and CANCELED', () => {
    const out = (status: PaymentOrigin) => paymentMoves.filter(({ from }) => from === status);
    expect(out('FAILED').map(({ trigger }) => trigger)).toEqual([
      'REVERSAL_BEGUN',
      'REVERSAL_CONFIRMED',
      'FOUND_CAPTURED',
      'FOUND_HELD',
      'FOUND_DECLINED',
    ]);
    for (const status of ['REVERSED', 'DECLINED', 'CANCELED'] as const) expect(out(status)).toEqual([]);
  });

  it('lead to CANCELED only from what was never authorized', () => {
    const before = paymentMoves.filter(({ to }) => to === 'CANCELED').map(({ from }) => from);
    expect(before.sort()).toEqual([
      'NEW',
      'PROCESSING',
      'REQUIRES_ACTION',
      'REQUIRES_CONFIRMATION',
      'REQUIRES_PAYMENT_METHOD',
    ]);
  });
});

describe('what is known about the money', () => {
  it('is unknown while the acquirer has not answered, and follows the status', () => {
    const known = Object.fromEntries(statuses.map((status) => [status, moneyStateOf(status)]));
    expect(known).toEqual({
      REQUIRES_PAYMENT_METHOD: 'NONE',
      REQUIRES_CONFIRMATION: 'NONE',
      REQUIRES_ACTION: 'NONE',
      PROCESSING: 'UNKNOWN',
      REQUIRES_CAPTURE: 'HELD',
      SUCCEEDED: 'MOVED',
      DECLINED: 'NONE',
      REVERSED: 'TAKEN_BACK',
      CANCELED: 'NONE',
      FAILED: 'UNKNOWN',
    });
  });
});
