import { describe, expect, it } from 'vitest';
import { type SessionStatus, SessionStatus as SessionStatusSchema } from '../../app/contract/host/payment-session.ts';
import {
  assertSessionMove,
  endsPolling,
  isOpenSession,
  isSessionMove,
  overdueMove,
  type SessionTrigger,
  sessionStatuses,
} from '../../app/domain/payment-session.machine.ts';
import { spec } from '../contract/spec-document.ts';

const statuses: readonly SessionStatus[] = JSON.parse(JSON.stringify(SessionStatusSchema)).enum;
const triggers: readonly SessionTrigger[] = [
  'CLAIM',
  'CANCEL',
  'EXPIRE',
  'START',
  'START_TIMEOUT',
  'CARDHOLDER_CANCELLED',
  'DEVICE_FAILED',
  'PROCESSING_TIMEOUT',
  'VERIFIED_FINAL',
];

/** From → to → trigger, by hand from the decisions (Sessions); a verified final event moves any state to the last two. */
const allowed: Readonly<Record<string, SessionTrigger>> = {
  'CREATED CLAIMED': 'CLAIM',
  'CREATED CANCELED': 'CANCEL',
  'CREATED EXPIRED': 'EXPIRE',
  'CLAIMED IN_PROGRESS': 'START',
  'CLAIMED FAILED': 'START_TIMEOUT',
  'IN_PROGRESS FAILED': 'DEVICE_FAILED',
  'IN_PROGRESS CANCELED': 'CARDHOLDER_CANCELLED',
  'IN_PROGRESS RECOVERY_REQUIRED': 'PROCESSING_TIMEOUT',
  ...Object.fromEntries(
    statuses.flatMap((from) => ['SUCCEEDED', 'DECLINED'].map((to) => [`${from} ${to}`, 'VERIFIED_FINAL'])),
  ),
};

describe('the moves of a payment session', () => {
  const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const));

  it('are of nine statuses', () => {
    expect(sessionStatuses).toEqual(statuses);
    expect(pairs).toHaveLength(81);
    expect(Object.keys(allowed)).toHaveLength(8 + 2 * 9);
  });

  it.each(pairs)('%s → %s happens by the trigger of the table, and by no other', (from, to) => {
    for (const trigger of triggers) {
      const isLegal = allowed[`${from} ${to}`] === trigger;
      expect(isSessionMove(from, trigger, to), trigger).toBe(isLegal);
      if (isLegal) assertSessionMove(from, trigger, to);
      else expect(() => assertSessionMove(from, trigger, to)).toThrow(expect.objectContaining({ httpStatus: 409 }));
    }
  });

  it('answer a cancel after the claim that the terminal has taken it', () => {
    for (const from of ['CLAIMED', 'IN_PROGRESS'] as const) {
      expect(() => assertSessionMove(from, 'CANCEL', 'CANCELED')).toThrow(
        expect.objectContaining({ code: 'SESSION_ALREADY_CLAIMED' }),
      );
      expect(() => assertSessionMove(from, 'CLAIM', 'CLAIMED')).toThrow(
        expect.objectContaining({ code: 'SESSION_ALREADY_CLAIMED' }),
      );
    }
    expect(() => assertSessionMove('EXPIRED', 'CANCEL', 'CANCELED')).toThrow(
      expect.objectContaining({ code: 'ILLEGAL_STATE' }),
    );
  });
});

describe('what a caller makes of a status', () => {
  it('is to stop polling where the specification says so', () => {
    expect(statuses.filter(endsPolling)).toEqual(spec.transitions.pollingStopsOn);
  });

  it('is that the terminal is taken by what is open', () => {
    expect(statuses.filter(isOpenSession)).toEqual(['CREATED', 'CLAIMED', 'IN_PROGRESS']);
  });
});

describe('what time does to a session', () => {
  const deadlines = { expiresAtMs: 1_000, claimedAtMs: 2_000, processingExpiresAtMs: 3_000 };

  it.each([
    ['CREATED', 1_000, 'EXPIRED'],
    ['CLAIMED', 62_000, 'FAILED'],
    ['IN_PROGRESS', 3_000, 'RECOVERY_REQUIRED'],
  ] as const)('%s ends at its deadline and not a millisecond before', (status, deadlineMs, to) => {
    expect(overdueMove({ status, ...deadlines }, deadlineMs - 1)).toBeUndefined();
    const move = overdueMove({ status, ...deadlines }, deadlineMs);
    expect(move?.to).toBe(to);
    expect(move !== undefined && isSessionMove(move.from, move.trigger, move.to)).toBe(true);
  });

  it('is nothing once it has ended, and nothing without a deadline', () => {
    for (const status of statuses.filter(endsPolling))
      expect(overdueMove({ status, ...deadlines }, 1e12)).toBeUndefined();
    expect(overdueMove({ status: 'CLAIMED', expiresAtMs: 0 }, 1e12)).toBeUndefined();
    expect(overdueMove({ status: 'IN_PROGRESS', expiresAtMs: 0 }, 1e12)).toBeUndefined();
  });
});
