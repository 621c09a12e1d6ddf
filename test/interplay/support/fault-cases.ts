import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PreparedExchange, TerminalOutcome } from '../../../app/ports/terminal.ts';
import { ZVT_RULES } from '../../../drivers/virtual/rules.ts';
import { realClock, until } from '../../support/zvt-clock.ts';
import { payment } from './commands.ts';
import { carryOut, enteredSince, isReady, type LineKind, openPair, type Pair } from './pair.ts';

type Kind = TerminalOutcome['kind'];
/** How a sale may end under a rule; the book decides which it was. */
const rules: { readonly [rule: string]: readonly Kind[] } = {
  'decline-05': ['DECLINED'],
  'decline-51': ['DECLINED'],
  slow: ['APPROVED'],
  'no-answer': ['FAILED'],
  busy: ['NOT_STARTED'],
  'drop-before-host': ['FAILED'],
  'drop-after-host': ['FAILED'],
  'drop-after-final': ['APPROVED'],
  'duplicate-reply': ['APPROVED'],
  'late-approval-after-abort': ['APPROVED'],
  'half-frame': ['APPROVED', 'FAILED'],
  noise: ['APPROVED', 'FAILED'],
  unplug: ['FAILED'],
  reboot: ['FAILED'],
  'cardholder-cancel': ['CANCELLED'],
  'wrong-amount': ['FAILED'],
  'no-result-code': ['FAILED'],
  'out-of-paper': ['APPROVED'],
  'needs-initialisation': ['NOT_STARTED', 'FAILED'],
  'day-close-needed': ['NOT_STARTED', 'FAILED'],
};

/**
 * An abort that the terminal accepts, and yet the approval comes. On a serial line both sides may speak at once: the request may then come
 * too late, and the book judges all the same.
 */
async function abortOnceStarted(exchange: PreparedExchange, pair: Pair): Promise<void> {
  await pair.virtual.control.untilState(({ state }) => state !== 'IDLE');
  expect(['REQUESTED', 'TOO_LATE']).toContain(await exchange.requestAbort());
}

/** Plays every rule over one line, one after the other at the same terminal, as a day at a shop would. */
export function describeFaults(line: LineKind): void {
  let pair: Pair;
  beforeAll(async () => {
    pair = await openPair(line);
  });
  afterAll(() => pair.close());

  it('every rule of the terminal is played', () => {
    expect(Object.keys(rules)).toEqual(expect.arrayContaining([...ZVT_RULES]));
  });

  it.each(Object.entries(rules))('%s', async (rule, kinds) => {
    await isReady(pair.terminal);
    const before = await pair.book();
    await pair.virtual.control.arm(rule);
    const { outcome, answers } = await carryOut(pair, payment('SALE', 1010), (exchange) =>
      rule === 'late-approval-after-abort' ? abortOnceStarted(exchange, pair) : Promise.resolve(),
    );
    const after = await pair.book();
    const { begun, standing } = enteredSince(before, after);
    const story = JSON.stringify({ outcome, answers });
    expect(kinds, story).toContain(outcome.kind);
    expect(begun, story).toBeLessThanOrEqual(1);
    expect(after.pending, story).toEqual([]);
    expect(
      standing.map(({ operation, amountMinor }) => [operation, amountMinor]),
      story,
    ).toEqual(outcome.kind === 'APPROVED' ? [['SALE', 1010]] : []);
    if (outcome.kind === 'APPROVED') expect(Number(outcome.reference.receipt)).toBe(standing[0]?.receipt);
    // The next payment goes through, whatever this one met.
    await makeWhole(pair);
    const next = await carryOut(pair, payment('SALE', 500));
    expect(next.outcome, JSON.stringify(next)).toMatchObject({ kind: 'APPROVED', chargedMinor: 500 });
    expect((await pair.book()).transactions.length - after.transactions.length).toBe(1);
  });
}

/** Closes the day where the terminal insists on it, and waits until it can work. */
async function makeWhole({ terminal, virtual }: Pair): Promise<void> {
  const { conditions } = await virtual.control.state();
  if (conditions.isDayCloseNeeded) {
    const exchange = await terminal.prepare(
      { transactionId: 'close', operation: 'DAY_CLOSE', currency: 'EUR' },
      new AbortController().signal,
    );
    expect(await exchange.run({ onProgress: () => {}, onProvisional: async () => {} })).toMatchObject({
      kind: 'APPROVED',
    });
  }
  await until(() => terminal.status().connected, 'a connected terminal');
  await new Promise<void>((resolve) => {
    realClock.after(0, resolve);
  });
}
