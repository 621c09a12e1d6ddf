import { describe, expect, it } from 'vitest';
import type { TerminalCommand, TerminalOriginal } from '../../app/ports/terminal.ts';
import {
  charged,
  held,
  paid,
  receipt,
  refusal,
  reversed,
  type Script,
  session,
  totals,
} from '../support/ecr17-peer.ts';
import { createEcr17Rig } from '../support/ecr17-terminal.ts';
import { hooks, never, sale } from '../support/zvt-terminal.ts';

const base = { transactionId: 'T-1', currency: 'EUR' } as const;
const presented = { tipAmountMinor: 0, cashbackAmountMinor: 0, entryMode: 'AUTO' } as const;
const hold: TerminalCommand = { ...base, ...presented, operation: 'PRE_AUTH', amountMinor: 4000 };
const saleOriginal = (stan: string): TerminalOriginal => ({
  transactionId: 'T-0',
  kind: 'SALE',
  amountMinor: 1234,
  reference: { stan },
});
const holdOriginal: TerminalOriginal = {
  transactionId: 'T-0',
  kind: 'PRE_AUTH',
  amountMinor: 4000,
  reference: { preAuthorizationCode: '000000123' },
};
const voidOf = (original: TerminalOriginal): TerminalCommand => ({
  ...base,
  operation: 'VOID',
  amountMinor: original.amountMinor,
  original,
});

async function ran(command: TerminalCommand, code: string, ...scripts: Script[]) {
  const rig = createEcr17Rig();
  rig.peer.on(code, ...scripts);
  await rig.ready();
  const heard = hooks();
  return { rig, heard, outcome: await rig.run(command, heard) };
}

const blanks = ' '.repeat(128);

describe('a pre-authorization', () => {
  it('is held with its code, and charged by it', async () => {
    const { rig, outcome, heard } = await ran(hold, 'p', [held()]);
    expect(rig.peer.commands.at(-1)).toBe(`000000000p000000010000000004000${blanks}00000000`);
    expect(outcome).toMatchObject({
      kind: 'APPROVED',
      chargedMinor: 4000,
      reference: { preAuthorizationCode: '000000123', stan: '000107' },
    });
    expect(heard.provisional).toHaveLength(1);
    rig.peer.on('G', [held()]);
    rig.peer.on('c', [charged({ stan: '000108' })]);
    const completion: TerminalCommand = {
      ...base,
      operation: 'PRE_AUTH_COMPLETE',
      amountMinor: 3000,
      original: holdOriginal,
    };
    await expect(rig.run(completion)).resolves.toMatchObject({ kind: 'APPROVED', reference: { stan: '000108' } });
    expect(rig.peer.commands.at(-1)).toBe(`000000000c000000010000000003000${blanks}00000012300000000`);
  });

  it('that the terminal does not know is not supported, and nothing was charged', async () => {
    const { outcome } = await ran(hold, 'p', 'NAK');
    expect(outcome).toMatchObject({ kind: 'NOT_STARTED', errorCode: 'OPERATION_NOT_SUPPORTED' });
  });

  it('does not end with the result of a payment', async () => {
    const { outcome, heard } = await ran(hold, 'p', [paid({ amount: 4000 })]);
    expect(outcome.kind).toBe('UNKNOWN');
    expect(heard.provisional).toEqual([]);
  });
});

describe('a void', () => {
  it('takes back the last payment by its number', async () => {
    const { rig } = await ran(sale(), 'X', [paid({ amount: 1234 })]);
    const original = saleOriginal('000101');
    expect(rig.terminal.canVoid?.(original)).toBe(true);
    rig.peer.on('G', [paid({ amount: 1234 })]);
    rig.peer.on('S', [reversed()]);
    await expect(rig.run(voidOf(original))).resolves.toMatchObject({ kind: 'APPROVED', reference: { stan: '000103' } });
    expect(rig.peer.commands.at(-1)).toBe('000000000S0000000100010100');
    // What was taken back cannot be taken back again, and what came before it is not the last payment.
    expect(rig.terminal.canVoid?.(original)).toBe(false);
    expect(rig.terminal.canVoid?.(saleOriginal('000100'))).toBe(false);
  });

  it('of an earlier payment is refused before a byte is sent', async () => {
    const { rig } = await ran(sale(), 'X', [paid({ amount: 1234 })]);
    const before = rig.peer.commands.length;
    await expect(rig.terminal.prepare(voidOf(saleOriginal('000100')), never)).rejects.toMatchObject({
      code: 'OPERATION_NOT_SUPPORTED',
    });
    expect(rig.peer.commands).toHaveLength(before);
  });

  it('is refused when the terminal tells of a payment that the till has not made', async () => {
    const { rig } = await ran(sale(), 'X', [paid({ amount: 1234 })]);
    rig.peer.on('G', [paid({ stan: '000109', amount: 100, time: '3321210' })]);
    const preparing = rig.terminal.prepare(voidOf(saleOriginal('000101')), never);
    await expect(Promise.all([preparing, rig.clock.advance(10)])).rejects.toMatchObject({
      code: 'OPERATION_NOT_SUPPORTED',
    });
    expect(rig.peer.count('S')).toBe(0);
  });

  it('stays possible after a refused payment, a pre-authorization and a card verification', async () => {
    const { rig } = await ran(sale(), 'X', [paid({ amount: 1234 })], [refusal({ stan: '000102' })]);
    const tell = (last: string): void => rig.peer.on('G', [last]);
    tell(paid({ amount: 1234 }));
    await rig.run(sale());
    tell(refusal({ stan: '000102' }));
    rig.peer.on('p', [held({ stan: '000103' })]);
    await rig.run(hold);
    tell(held({ stan: '000103' }));
    rig.peer.on('H', [paid({ stan: '000104' })]);
    await rig.run({ transactionId: 'T-2', operation: 'CARD_READ', entryMode: 'AUTO' });
    tell(paid({ stan: '000104' }));
    rig.peer.on('S', [reversed({ stan: '000105' })]);
    await expect(rig.run(voidOf(saleOriginal('000101')))).resolves.toMatchObject({ kind: 'APPROVED' });
  });

  it('of a pre-authorization, or of what has no number, is not possible', async () => {
    const rig = createEcr17Rig();
    await rig.ready();
    expect(rig.terminal.canVoid?.(holdOriginal)).toBe(false);
    for (const original of [holdOriginal, { ...saleOriginal(''), reference: {} }])
      await expect(rig.terminal.prepare(voidOf(original), never)).rejects.toMatchObject({
        code: 'OPERATION_NOT_SUPPORTED',
      });
  });
});

describe('a day close', () => {
  it('tells both totals, and its receipt', async () => {
    const rig = createEcr17Rig({ receipts: 'TILL' });
    rig.peer.on('T', [totals(1000)]);
    rig.peer.on('C', [session(1000, 990), receipt('CHIUSURA}')]);
    await rig.ready();
    const outcome = await rig.run({ ...base, operation: 'DAY_CLOSE' });
    expect(outcome).toMatchObject({
      kind: 'APPROVED',
      batch: { totalMinor: 1000, hostTotalMinor: 990 },
      receipts: [{ kind: 'ADMIN', lines: [{ text: 'CHIUSURA' }] }],
    });
    expect(rig.peer.commands.slice(-3)).toEqual([
      '000000000T0000000100000000',
      '000000000E1',
      '000000000C0000000100000000',
    ]);
  });

  it('that the terminal refuses has failed, in its words', async () => {
    const { outcome } = await ran({ ...base, operation: 'DAY_CLOSE' }, 'C', [
      '123456780C01HOST NON RAGGIUNG. 9110000000000',
    ]);
    expect(outcome).toMatchObject({ kind: 'FAILED', message: 'The terminal refused: HOST NON RAGGIUNG., code 911.' });
  });

  it('of an empty session twice is closed twice', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('G', [session(0, 0)]);
    rig.peer.on('C', [session(0, 0)]);
    await rig.ready();
    await expect(rig.run({ ...base, operation: 'DAY_CLOSE' })).resolves.toMatchObject({ kind: 'APPROVED' });
  });
});

describe('a card verification', () => {
  it('tells the card, and moves no money', async () => {
    const command: TerminalCommand = { transactionId: 'T-1', operation: 'CARD_READ', entryMode: 'AUTO' };
    const { rig, outcome, heard } = await ran(command, 'H', [paid()]);
    expect(outcome).toMatchObject({ kind: 'APPROVED', card: { maskedPan: '411111******1111' } });
    expect(heard.provisional).toEqual([]);
    expect(rig.peer.commands.at(-1)).toBe('000000000H00000001000000000000000000000');
  });
});

describe('what ECR17 cannot do is refused before a byte is sent', () => {
  const refused: readonly (readonly [string, TerminalCommand, string])[] = [
    [
      'a refund',
      { ...base, operation: 'REFUND', amountMinor: 1, original: saleOriginal('000101') },
      'OPERATION_NOT_SUPPORTED',
    ],
    ['a balance inquiry', { ...base, operation: 'BALANCE_INQUIRY', entryMode: 'AUTO' }, 'OPERATION_NOT_SUPPORTED'],
    [
      'a granular payment',
      { ...base, ...presented, operation: 'GRANULAR', type: 'SALE', amountMinor: 1 },
      'OPERATION_NOT_SUPPORTED',
    ],
    ['an amount of nine digits', sale(100_000_000), 'AMOUNT_TOO_LARGE'],
    ['an amount that is none', sale(0.5), 'INVALID_REQUEST'],
    [
      'cash-back',
      { ...base, ...presented, operation: 'SALE', amountMinor: 2, cashbackAmountMinor: 1 },
      'OPERATION_NOT_SUPPORTED',
    ],
    ['another currency', { ...hold, currency: 'CHF' }, 'UNSUPPORTED_CURRENCY'],
    [
      'the charge of a pre-authorization without its code',
      { ...base, operation: 'PRE_AUTH_COMPLETE', amountMinor: 1, original: { ...holdOriginal, reference: {} } },
      'OPERATION_NOT_SUPPORTED',
    ],
  ];

  it.each(refused)('%s', async (_, command, code) => {
    const rig = createEcr17Rig();
    await rig.ready();
    const before = rig.peer.commands.length;
    await expect(rig.terminal.prepare(command, never)).rejects.toMatchObject({ code });
    expect(rig.peer.commands).toHaveLength(before);
  });

  it('texts, questions and print-outs of the till', async () => {
    const { terminal } = createEcr17Rig();
    const code = 'OPERATION_NOT_SUPPORTED';
    await expect(terminal.display({ lines: ['A'] }, never)).rejects.toMatchObject({ code });
    await expect(terminal.input({ prompt: 'A', inputType: 'CONFIRM' }, never)).rejects.toMatchObject({ code });
    await expect(terminal.print(['A'], never)).rejects.toMatchObject({ code });
  });

  it('the largest amount that fits is sold', async () => {
    const { rig, outcome } = await ran(sale(99_999_999), 'X', [paid({ amount: 99_999_999 })]);
    expect(outcome).toMatchObject({ kind: 'APPROVED', chargedMinor: 99_999_999 });
    expect(rig.peer.commands.at(-1)).toContain('0000099999999');
  });
});
