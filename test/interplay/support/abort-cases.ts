import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TerminalOutcome } from '../../../app/ports/terminal.ts';
import { hooks, never } from '../../support/zvt-terminal.ts';
import { payment } from './commands.ts';
import { carryOut, enteredSince, type LineKind, openPair, type Pair } from './pair.ts';

/** Above the limit of contactless cards: asks for the PIN. */
const WITH_PIN = 6000;
const CARD = 'visa-contactless';
const PIN = '1234';

/** An abort at each moment of a sale, at a terminal that waits for cards and keys by hand. */
export function describeAborts(line: LineKind): void {
  let pair: Pair;
  beforeAll(async () => {
    pair = await openPair(line, ['--manual', '--think-ms', '0']);
  });
  afterAll(() => pair.close());

  const reaches = (wanted: string) => pair.virtual.control.untilState(({ state }) => state === wanted);
  const present = () => pair.virtual.control.send('POST', '/card', { card: CARD });

  async function typePin(): Promise<void> {
    await reaches('WAITING_FOR_PIN');
    for (const key of [...PIN, 'OK']) await pair.virtual.control.send('POST', '/key', { key });
  }

  /** What the till says is what the book says, and the terminal goes on working. */
  async function agrees(play: () => Promise<TerminalOutcome>, kind: TerminalOutcome['kind']): Promise<void> {
    const before = await pair.book();
    const outcome = await play();
    const { begun, standing } = enteredSince(before, await pair.book());
    expect(outcome.kind, JSON.stringify(outcome)).toBe(kind);
    if (kind === 'CANCELLED') expect(outcome).toMatchObject({ reason: 'POS_REQUEST' });
    expect(begun).toBeLessThanOrEqual(1);
    expect(standing).toMatchObject(kind === 'APPROVED' ? [{ operation: 'SALE', isFinal: true }] : []);
    const next = await carryOut(pair, payment('SALE', 500), () => present().then(() => undefined));
    expect(next.outcome).toMatchObject({ kind: 'APPROVED', chargedMinor: 500 });
  }

  it('before anything was sent: nothing is', () =>
    agrees(async () => {
      const exchange = await pair.terminal.prepare(payment('SALE', WITH_PIN), never);
      expect(await exchange.requestAbort()).toBe('REQUESTED');
      return exchange.run(hooks());
    }, 'CANCELLED'));

  it('while a card is waited for', () =>
    agrees(async () => {
      const { outcome } = await carryOut(pair, payment('SALE', WITH_PIN), async (exchange) => {
        await reaches('WAITING_FOR_CARD');
        expect(await exchange.requestAbort()).toBe('REQUESTED');
      });
      return outcome;
    }, 'CANCELLED'));

  it('while the PIN is waited for', () =>
    agrees(async () => {
      const { outcome } = await carryOut(pair, payment('SALE', WITH_PIN), async (exchange) => {
        await reaches('WAITING_FOR_CARD');
        await present();
        await reaches('WAITING_FOR_PIN');
        expect(await exchange.requestAbort()).toBe('REQUESTED');
      });
      return outcome;
    }, 'CANCELLED'));

  it('while the host is asked: too late', () =>
    agrees(async () => {
      await pair.virtual.control.arm('slow');
      const { outcome } = await carryOut(pair, payment('SALE', WITH_PIN), async (exchange) => {
        await reaches('WAITING_FOR_CARD');
        await present();
        await typePin();
        await reaches('ASKING_HOST');
        expect(await exchange.requestAbort()).toBe('TOO_LATE');
      });
      return outcome;
    }, 'APPROVED'));

  it('while the result is being stored: the approval stands', () =>
    agrees(async () => {
      const exchange = await pair.terminal.prepare(payment('SALE', WITH_PIN), never);
      let asked: Promise<unknown> = Promise.resolve();
      const running = exchange.run(
        hooks(async () => {
          asked = exchange.requestAbort();
        }),
      );
      await reaches('WAITING_FOR_CARD');
      await present();
      await typePin();
      const outcome = await running;
      await asked;
      return outcome;
    }, 'APPROVED'));

  it('after the end: too late', () =>
    agrees(async () => {
      const exchange = await pair.terminal.prepare(payment('SALE', WITH_PIN), never);
      const running = exchange.run(hooks());
      await reaches('WAITING_FOR_CARD');
      await present();
      await typePin();
      const outcome = await running;
      expect(await exchange.requestAbort()).toBe('TOO_LATE');
      return outcome;
    }, 'APPROVED'));

  it('of a card reading', async () => {
    const { outcome } = await carryOut(
      pair,
      { transactionId: 'R1', operation: 'CARD_READ', entryMode: 'AUTO' },
      async (exchange) => {
        await reaches('WAITING_FOR_CARD');
        expect(await exchange.requestAbort()).toBe('REQUESTED');
      },
    );
    expect(outcome).toMatchObject({ kind: 'CANCELLED', reason: 'POS_REQUEST' });
  });

  it('of an input that the caller gave up: the terminal is at rest again, on the same connection', async () => {
    const watched = pair.virtual.control.watch();
    const caller = new AbortController();
    const asked = pair.terminal
      .input({ prompt: 'Receipt?', inputType: 'CONFIRM' }, caller.signal)
      .catch(() => 'gave up');
    await reaches('WAITING_FOR_KEY');
    caller.abort();
    expect(await asked).toBe('gave up');
    await reaches('IDLE');
    const next = await carryOut(pair, payment('SALE', 500), () => present().then(() => undefined));
    expect(next.outcome.kind).toBe('APPROVED');
    watched.end();
    expect(watched.links).not.toContain('DOWN');
  });
}
