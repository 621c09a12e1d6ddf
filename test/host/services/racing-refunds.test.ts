import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorize, callOf, openPaymentBench, type PaymentBench } from './payment-bench.ts';

const ROUNDS = 1000;
const RACERS = 16;

describe('16 refunds of one payment at the same moment', () => {
  let bench: PaymentBench;
  beforeAll(async () => {
    bench = await openPaymentBench();
  });
  afterAll(() => bench.stop());

  it(`never exceed its capture, in ${ROUNDS} rounds at two processes, judged by the acquirer's book`, {
    timeout: 900_000,
  }, async () => {
    const other = await bench.another();
    for (let round = 0; round < ROUNDS; round += 1) {
      // Of 100.00, 60.00 fits once; 30.00 three times; 16.67 five times.
      const [amountMinor, fits] = (
        [
          [6000, 1],
          [3000, 3],
          [1667, 5],
        ] as const
      )[round % 3] ?? [6000, 1];
      const { id } = (await authorize(bench, { amount: 10_000 })).payment;
      const results = await Promise.allSettled(
        Array.from({ length: RACERS }, (_, index) =>
          (index % 2 === 0 ? bench.host : other).refund(bench.server, callOf(`POST /v1/payments/${id}/refunds`), id, {
            amountMinor,
          }),
        ),
      );
      const codes = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason.code)] : []));
      expect(new Set(codes), `round ${round}`).toEqual(new Set(['REFUND_EXCEEDS_ORIGINAL']));
      expect(results.length - codes.length, `round ${round}`).toBe(fits);
    }
    const { transactions, standing } = await bench.book();
    const charged = transactions.filter(({ operation }) => operation === 'purchase');
    expect(charged).toHaveLength(ROUNDS);
    for (const { refundedMinor, capturedMinor } of charged) expect(refundedMinor).toBeLessThanOrEqual(capturedMinor);
    const { funded } = await bench.store.read.openTotals(bench.device);
    expect(standing).toMatchObject([
      { captured: { sumMinor: funded.saleAmount }, refunded: { sumMinor: funded.refundAmount } },
    ]);
  });
});
