import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TEST_CARDS } from '../../../drivers/virtual/cards.ts';
import { ECR17_FAULTS, ECR17_RULES } from '../../../drivers/virtual/rules.ts';
import { KEYS } from '../../../drivers/virtual/terminal-view.ts';
import { SEED } from '../../zvt/codec/support.ts';
import { ask, createEcr17Bench, type Ecr17Bench, messagesOf } from './terminal-bench.ts';

const RUNS = 300;

type Action = (bench: Ecr17Bench) => readonly string[];

const command = fc.oneof(
  fc.nat(99_999_999).map((minor) => ask.payment(minor)),
  fc.constantFrom(
    ask.payment(1010, 'P'),
    ask.payment(5000, 'p'),
    ask.onPreAuthorization('i', 100, '000001007'),
    ask.onPreAuthorization('c', 100, '000001007'),
    ask.reversal(),
    ask.reversal('000001'),
    ask.verification(),
    ask.status(),
    ask.lastResult(),
    ask.totals(),
    ask.close(),
    ask.receiptsTo('TILL'),
    ask.reprint('TILL'),
  ),
  fc.string({ maxLength: 40 }),
);
const timers = ['think', 'host', 'card', 'ack'] as const;

const action: fc.Arbitrary<Action> = fc.oneof(
  command.map<Action>((text) => (bench) => bench.till(text)),
  fc.constantFrom(...timers).map<Action>((name) => (bench) => (bench.isRunning(name) ? bench.expire(name) : [])),
  fc
    .constantFrom('acknowledged', 'refused', 'damaged', 'link-up', 'link-down', 'boot', 'auto-close', 'card-removed')
    .map<Action>((type) => (bench) => bench.take({ type })),
  fc.constantFrom(...TEST_CARDS).map<Action>((card) => (bench) => bench.take({ type: 'card', card })),
  fc.constantFrom(...KEYS).map<Action>((key) => (bench) => bench.take({ type: 'key', key })),
  fc
    .constantFrom(...ECR17_RULES, 'decline-51' as const)
    .map<Action>((rule) => (bench) => bench.take({ type: 'arm', rule, times: 1 })),
  fc.constantFrom(...ECR17_FAULTS).map<Action>((fault) => (bench) => bench.take({ type: 'fault', fault })),
  fc
    .boolean()
    .map<Action>((isHand) => (bench) => bench.take(isHand ? { type: 'hand', forMs: 1000 } : { type: 'let-go' })),
);

describe('whatever happens to an ECR17 terminal', () => {
  it('nothing is approved that is not in its book, nothing in it waits, and G tells what was told last', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), fc.boolean(), (actions, isManual) => {
        const bench = createEcr17Bench({ settings: { isManual } });
        for (const act of actions) {
          const before = bench.entries().length;
          const seen = act(bench);
          const booked = bench.entries().slice(before);
          // An approval that was not said before is in the book with the very text, and its money with it.
          const authorized = booked.filter(({ kind }) => kind === 'AUTHORIZED').length;
          expect(booked.filter(({ kind }) => kind === 'FINAL')).toHaveLength(authorized);
          expect(bench.book().pending).toEqual([]);
          const told = bench.entries().flatMap((entry) => (entry.kind === 'TOLD' ? [entry.text] : []));
          for (const text of messagesOf(seen)) {
            const isResult = /^[0-9]{9}[EeicC]/.test(text) && !text.includes('NESSUNA OPERAZIONE');
            if (isResult) expect(told).toContain(text);
          }
        }
        const charges = bench.book().standing.charges;
        expect(charges.sumMinor).toBeGreaterThanOrEqual(0);
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });

  it('no two dialogues with the host share a STAN', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const bench = createEcr17Bench();
        for (const act of actions) act(bench);
        const traces = bench
          .entries()
          .flatMap((entry) => ('trace' in entry && entry.trace !== undefined ? [entry.trace] : []));
        expect(new Set(traces).size).toBe(traces.length);
        expect([...traces].sort((left, right) => left - right)).toEqual(traces);
      }),
      { seed: SEED, numRuns: RUNS },
    );
  });
});
