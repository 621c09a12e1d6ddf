import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_OFFLINE_LIMITS,
  type OfflineLimits,
  offlineRefusal,
  offlineRoom,
  oldestAgeMs,
  type WaitingSale,
} from '../../app/domain/offline-sales.ts';

const limits: OfflineLimits = { ...DEFAULT_OFFLINE_LIMITS, enabled: true };
const hourMs = 3_600_000;
const nowMs = Date.UTC(2026, 10, 28);
const ids = { transactionId: 'tx', terminalId: 'T1' };
const waiting = (count: number, amountMinor: number, ageMs = 0, currency = 'EUR'): WaitingSale[] =>
  Array.from({ length: count }, () => ({ ...ids, amountMinor, currency, sinceMs: nowMs - ageMs }));
const refusal = (amountMinor: number, open: readonly WaitingSale[] = [], currency = 'EUR') =>
  offlineRefusal(limits, open, { amountMinor, currency }, nowMs);

describe('a sale without its issuer', () => {
  it('is off by default', () => {
    expect(offlineRefusal(DEFAULT_OFFLINE_LIMITS, [], { amountMinor: 1, currency: 'EUR' }, nowMs)).toBe('OFF');
  });

  it.each([
    ['EUR', 10_000],
    ['JPY', 100],
    ['KWD', 100_000],
  ])('comes to at most 100 units of %s', (currency, most) => {
    expect(refusal(most, [], currency)).toBeUndefined();
    expect(refusal(most + 1, [], currency)).toBe('SALE_TOO_LARGE');
  });

  it('comes to at most 1,000 units together with those that wait, each currency for itself', () => {
    expect(refusal(10_000, waiting(9, 10_000))).toBeUndefined();
    expect(refusal(1, waiting(10, 10_000))).toBe('TOTAL_REACHED');
    expect(refusal(1, waiting(10, 10_000, 0, 'USD'))).toBeUndefined();
  });

  it('is one of at most 50', () => {
    expect(refusal(1, waiting(49, 1))).toBeUndefined();
    expect(refusal(1, waiting(50, 1, 0, 'USD'))).toBe('TOO_MANY');
  });

  it('is not taken once the oldest waits for 24 hours', () => {
    expect(refusal(1, waiting(1, 1, 24 * hourMs - 1))).toBeUndefined();
    expect(refusal(1, waiting(1, 1, 24 * hourMs))).toBe('TOO_OLD');
    expect(oldestAgeMs(waiting(1, 1, -hourMs), nowMs)).toBe(0);
  });

  it('never lets more wait than the limits say, whatever comes', () => {
    const amounts = fc.array(fc.integer({ min: 1, max: 15_000 }), { maxLength: 120 });
    const bounds = fc.record({
      enabled: fc.constant(true),
      maxSaleUnits: fc.integer({ min: 1, max: 150 }),
      maxTotalUnits: fc.integer({ min: 1, max: 1_500 }),
      maxSales: fc.integer({ min: 1, max: 60 }),
    });
    fc.assert(
      fc.property(amounts, bounds, (all, given) => {
        const taken: WaitingSale[] = [];
        for (const amountMinor of all) {
          const sale = { amountMinor, currency: 'EUR' };
          const room = offlineRoom(given, taken, 'EUR');
          expect(room.count > 0 && amountMinor <= room.amountMinor).toBe(
            offlineRefusal(given, taken, sale, nowMs) === undefined,
          );
          const isRefused = offlineRefusal(given, taken, sale, nowMs) !== undefined;
          const sum = taken.reduce((total, one) => total + one.amountMinor, amountMinor);
          const fits =
            amountMinor <= given.maxSaleUnits * 100 &&
            sum <= given.maxTotalUnits * 100 &&
            taken.length < given.maxSales;
          expect(isRefused).toBe(!fits);
          if (!isRefused) taken.push({ ...ids, ...sale, sinceMs: nowMs });
        }
      }),
    );
  });
});
