import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TerminalCommand, TerminalOutcome } from '../../../app/ports/terminal.ts';
import { never, question } from '../../support/zvt-terminal.ts';
import { following, payment } from './commands.ts';
import { carryOut, enteredSince, type LineKind, openPair, type Pair } from './pair.ts';

const close: TerminalCommand = { transactionId: 'C1', operation: 'DAY_CLOSE', currency: 'EUR' };

/** Every operation over one line; each money command stands once in the book, and asking about it finds the same. */
export function describeOperations(line: LineKind): void {
  let pair: Pair;
  beforeAll(async () => {
    pair = await openPair(line);
    // The very first payment has none before it to be compared with: lost, it would go to a person.
    expect((await carryOut(pair, payment('SALE', 100))).outcome.kind).toBe('APPROVED');
  });
  afterAll(() => pair.close());

  /** Carries it out, and then asks as if the answer had been lost. */
  async function approved(command: TerminalCommand, operation: string, amountMinor: number): Promise<TerminalOutcome> {
    const before = await pair.book();
    const { outcome, mark } = await carryOut(pair, command);
    expect(outcome).toMatchObject({ kind: 'APPROVED', chargedMinor: amountMinor });
    const after = await pair.book();
    const { begun, standing } = enteredSince(before, after);
    expect(begun).toBe(1);
    expect(standing).toMatchObject([{ operation, amountMinor, isFinal: true }]);
    const answer = await pair.terminal.recover(question(command, mark), never);
    expect(answer, JSON.stringify(answer)).toMatchObject({
      kind: 'SETTLED',
      outcome: { kind: 'APPROVED', chargedMinor: amountMinor, reference: receiptOf(outcome) },
    });
    const told = await pair.terminal.recover(question(command, mark, outcome), never);
    expect(told, JSON.stringify(told)).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'APPROVED' } });
    expect((await pair.book()).entries).toEqual(after.entries);
    return outcome;
  }

  it('a sale', () => approved(payment('SALE', 1234), 'SALE', 1234));

  it('a sale with a tip: the whole is charged', () => approved(payment('SALE', 1100, 100), 'SALE', 1100));

  it('a refund of a part', async () => {
    const sale = await approved(payment('SALE', 2000), 'SALE', 2000);
    await approved(following('REFUND', 500, 'SALE', sale), 'REFUND', 500);
  });

  it('a void of the last sale, and of an older one', async () => {
    const older = await approved(payment('SALE', 700), 'SALE', 700);
    const last = await approved(payment('SALE', 800), 'SALE', 800);
    const before = (await pair.book()).standing.charges.sumMinor;
    await approved(following('VOID', 800, 'SALE', last), 'VOID', 800);
    await approved(following('VOID', 700, 'SALE', older), 'VOID', 700);
    expect((await pair.book()).standing.charges.sumMinor).toBe(before - 1500);
  });

  it('a void twice: refused, and nothing comes into the book', async () => {
    const sale = await approved(payment('SALE', 900), 'SALE', 900);
    await approved(following('VOID', 900, 'SALE', sale), 'VOID', 900);
    const before = await pair.book();
    const { outcome, answers } = await carryOut(pair, following('VOID', 900, 'SALE', sale));
    expect(outcome.kind).toBe('FAILED');
    expect(answers).toEqual([]);
    expect((await pair.book()).entries).toEqual(before.entries);
  });

  it.each([
    ['the whole', 5000],
    ['a part', 4500],
  ])('a pre-authorization and the completion of %s', async (_, used) => {
    const held = await approved(payment('PRE_AUTH', 5000), 'PRE_AUTH', 5000);
    expect((await pair.book()).standing.holds).toEqual({ count: 1, sumMinor: 5000 });
    const before = (await pair.book()).standing.charges.sumMinor;
    await approved(following('PRE_AUTH_COMPLETE', used, 'PRE_AUTH', held), 'COMPLETION', used);
    const { standing } = await pair.book();
    expect(standing).toMatchObject({ charges: { sumMinor: before + used }, holds: { count: 0 } });
  });

  it('a pre-authorization and its release', async () => {
    const held = await approved(payment('PRE_AUTH', 5000), 'PRE_AUTH', 5000);
    const before = (await pair.book()).standing.charges;
    await approved(following('VOID', 5000, 'PRE_AUTH', held), 'RELEASE', 5000);
    expect((await pair.book()).standing).toMatchObject({ charges: before, holds: { count: 0 } });
  });

  it('a card read and a balance move nothing', async () => {
    const before = await pair.book();
    const read = await carryOut(pair, { transactionId: 'R1', operation: 'CARD_READ', entryMode: 'AUTO' });
    expect(read.outcome).toMatchObject({ kind: 'APPROVED', card: { maskedPan: '476173******0119' } });
    await pair.virtual.control.send('POST', '/card', { card: 'prepaid' });
    const balance = await carryOut(pair, {
      transactionId: 'B1',
      operation: 'BALANCE_INQUIRY',
      currency: 'EUR',
      entryMode: 'AUTO',
    });
    expect(balance.outcome).toMatchObject({ kind: 'APPROVED', balanceMinor: 5000 });
    expect(enteredSince(before, await pair.book()).standing).toEqual([]);
  });

  it('a display, an input and a print', async () => {
    const { terminal, virtual } = pair;
    await terminal.display({ lines: ['Hello', 'you'], duration: 0 }, never);
    expect((await virtual.control.state()).display).toEqual(['Hello', 'you']);
    expect(await terminal.input({ prompt: 'Receipt?', inputType: 'CONFIRM' }, never)).toEqual({
      status: 'ENTERED',
      value: 'yes',
    });
    expect(await terminal.input({ prompt: 'Kilometres?', inputType: 'DIGITS' }, never)).toEqual({
      status: 'ENTERED',
      value: '1234',
    });
    await terminal.print(['First line', 'Last line'], never);
    expect((await virtual.control.state()).paper.slice(-2)).toEqual(['First line', 'Last line']);
  });

  it('a day close tells the book’s totals; asking finds whether one happened', async () => {
    const { charges, refunds } = (await pair.book()).standing;
    const totalMinor = charges.sumMinor - refunds.sumMinor;
    const notRun = await pair.terminal.prepare(close, never);
    notRun.discard();
    expect(await pair.terminal.recover(question(close, notRun.mark), never)).toMatchObject({
      kind: 'SETTLED',
      outcome: { kind: 'FAILED' },
    });
    const { outcome, mark } = await carryOut(pair, close);
    expect(outcome).toMatchObject({ kind: 'APPROVED', batch: { totalMinor } });
    expect((await pair.book()).closes).toBe(1);
    expect(await pair.terminal.recover(question(close, mark), never)).toMatchObject({
      kind: 'SETTLED',
      outcome: { kind: 'APPROVED' },
    });
    expect((await pair.book()).closes).toBe(1);
  });

  it('a payment after the close, lost at a terminal that completes aborts of nothing', async () => {
    await pair.virtual.control.send('POST', '/fault', { fault: 'idle-abort-completed' });
    await pair.virtual.control.arm('drop-after-final');
    const before = await pair.book();
    const { outcome, answers } = await carryOut(pair, payment('SALE', 1010));
    expect(outcome).toMatchObject({ kind: 'APPROVED', chargedMinor: 1010 });
    expect(answers).toHaveLength(1);
    expect(enteredSince(before, await pair.book()).standing).toMatchObject([{ operation: 'SALE', amountMinor: 1010 }]);
  });
}

function receiptOf(outcome: TerminalOutcome) {
  return outcome.kind === 'APPROVED' ? { receipt: outcome.reference.receipt, trace: outcome.reference.trace } : {};
}
