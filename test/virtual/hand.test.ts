import { describe, expect, it } from 'vitest';
import { TEST_CARDS } from '../../drivers/virtual/cards.ts';
import { createMachineBench } from './support/machine-bench.ts';

const SALE = '06 01 0A 04 00 00 00 00 12 34 49 09 78';
const chip = TEST_CARDS.find(({ id }) => id === 'visa-chip');

function waitingForCard() {
  const bench = createMachineBench();
  bench.connect();
  bench.till(SALE);
  bench.acknowledgeAll();
  return bench;
}

describe('a terminal in the hand of a person', () => {
  it('waits for the card and the PIN of that person, and for the card to be taken out', () => {
    const bench = createMachineBench();
    bench.connect();
    bench.take({ type: 'hand', forMs: 60_000 });
    bench.till(SALE);
    bench.acknowledgeAll();
    expect(bench.isRunning('think')).toBe(false);
    if (chip !== undefined) bench.take({ type: 'card', card: chip });
    bench.acknowledgeAll();
    expect(bench.view().state).toBe('WAITING_FOR_PIN');
    expect(bench.isRunning('think')).toBe(false);
    for (const key of ['1', '2', '3', '4', 'OK'] as const) bench.take({ type: 'key', key });
    bench.acknowledgeAll();
    bench.expire('host');
    bench.acknowledgeAll();
    expect(bench.view()).toMatchObject({ state: 'WAITING_FOR_CARD_REMOVAL', isInHand: true });
    bench.take({ type: 'card-removed' });
    bench.acknowledgeAll();
    expect(bench.book().standing.charges).toMatchObject({ count: 1, sumMinor: 1234 });
  });

  it('can be taken while the simulated customer is about to act', () => {
    const bench = waitingForCard();
    expect(bench.isRunning('think')).toBe(true);
    bench.take({ type: 'hand', forMs: 60_000 });
    expect(bench.isRunning('think')).toBe(false);
    expect(bench.delayOf('hand')).toBe(60_000);
  });

  it('goes on by itself when the person has gone, so that no payment waits for ever', () => {
    const bench = waitingForCard();
    bench.take({ type: 'hand', forMs: 60_000 });
    bench.expire('hand');
    expect(bench.view().isInHand).toBe(false);
    bench.expire('think');
    bench.acknowledgeAll();
    bench.expire('host');
    bench.acknowledgeAll();
    expect(bench.book().standing.charges).toMatchObject({ count: 1, sumMinor: 1234 });
  });

  it('lets the simulated customer take out a card that was left in the slot', () => {
    const bench = waitingForCard();
    bench.take({ type: 'hand', forMs: 60_000 });
    if (chip !== undefined) bench.take({ type: 'card', card: chip });
    bench.acknowledgeAll();
    for (const key of ['1', '2', '3', '4', 'OK'] as const) bench.take({ type: 'key', key });
    bench.acknowledgeAll();
    bench.expire('host');
    bench.acknowledgeAll();
    expect(bench.take({ type: 'let-go' })).toEqual(['06 0F 00']);
    bench.acknowledgeAll();
    expect(bench.view()).toMatchObject({ state: 'IDLE', card: null });
  });
});
