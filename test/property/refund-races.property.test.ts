import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BridgeError } from '../../app/contract/errors.ts';
import { checkRefund } from '../../app/domain/ceilings.ts';
import type { JournalUnit } from '../../app/ports/journal.ts';
import { openJournal, temporaryFolder, transaction } from '../storage/journal-fixture.ts';

const rounds = 10_000;
const racers = 16;
/** Rounds in one database transaction: the order of steps is what is tested, not the disk. */
const roundsPerCommit = 500;

const ceilingMinor = 1000;

/** One sale and refunds of it, each checked and reserved by itself. Returns the amounts that were admitted. */
function race(unit: JournalUnit, transactionId: string, amounts: readonly number[]): readonly number[] {
  const original = transaction({ transactionId, amountMinor: 900, tipAmountMinor: 100, cashbackAmountMinor: 500 });
  unit.saveTransaction(original);
  return amounts.filter((amountMinor, racer) => {
    try {
      const target = { record: original, dependents: unit.dependentsOf(transactionId), isSettled: false };
      checkRefund(target, { amountMinor, currency: 'EUR', mode: 'ORCHESTRATED' });
    } catch (error) {
      if (error instanceof BridgeError && error.code === 'REFUND_EXCEEDS_ORIGINAL') return false;
      throw error;
    }
    // The reservation: what it throws is the schema's refusal, and fails the test. An unresolved refund holds its amount as well.
    const state = racer % 3 === 0 ? 'ERROR' : 'APPROVED';
    const refund = { transactionId: `${transactionId}-${racer}`, type: 'REFUND', amountMinor, state } as const;
    unit.saveTransaction(transaction({ ...refund, targetTransactionId: transactionId }));
    return true;
  });
}

describe('refunds that race (P7)', () => {
  it('never give back more than was charged, over 10,000 rounds of 16, without the schema having to refuse', () => {
    const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
    console.info(`refund races: seed ${seed}`);
    const amounts = fc.sample(fc.integer({ min: 1, max: 300 }), { seed, numRuns: rounds * racers });
    const journal = openJournal(temporaryFolder());
    let isWithin = true;
    let refusals = 0;
    for (let start = 0; start < rounds; start += roundsPerCommit) {
      journal.commit((unit) => {
        for (let round = start; round < start + roundsPerCommit; round++) {
          const drawn = amounts.slice(round * racers, (round + 1) * racers);
          const admitted = race(unit, `sale-${round}`, drawn);
          refusals += racers - admitted.length;
          const given = admitted.reduce((sum, amountMinor) => sum + amountMinor, 0);
          const { refundedMinor, refundCount } = unit.dependentsOf(`sale-${round}`);
          isWithin &&= given <= ceilingMinor && refundedMinor === given && refundCount === admitted.length;
        }
      });
    }
    expect(isWithin).toBe(true);
    expect(refusals).toBeGreaterThan(rounds);
  }, 300_000);

  it('are checked and reserved in one step: a commit that fails after the reservation frees the ceiling', () => {
    const journal = openJournal(temporaryFolder());
    const original = transaction();
    journal.commit((unit) => unit.saveTransaction(original));
    const refund = transaction({ transactionId: 'r', type: 'REFUND', targetTransactionId: 'tx-1', state: 'INTENT' });
    const failing = () =>
      journal.commit((unit) => {
        unit.saveTransaction(refund);
        expect(unit.dependentsOf('tx-1').refundedMinor).toBe(1000);
        throw new Error('afterwards');
      });
    expect(failing).toThrow('afterwards');
    expect(journal.dependentsOf('tx-1').refundedMinor).toBe(0);
  });
});
