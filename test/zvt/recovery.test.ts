import { describe, expect, it } from 'vitest';
import type { RecoveryAnswer, TerminalCommand, TerminalOutcome } from '../../app/ports/terminal.ts';
import type { Mark } from '../../drivers/zvt/mark.ts';
import { vectorHex } from '../support/vectors.ts';
import { settle } from '../support/zvt-clock.ts';
import { DONE, OK, payment, READY, type Script } from '../support/zvt-peer.ts';
import { createRig, hooks, never, question, type Rig, recovered, sale } from '../support/zvt-terminal.ts';

const mark: Mark = { knowledge: 'RECEIPT', receipt: '0470', trace: '000470', date: '1127', time: '110000' };
const oldReceipt = payment({ amount: 500, receipt: '0470', trace: '000470', time: '110000' });
const newReceipt = payment({ amount: 1234, receipt: '0471', trace: '000471', time: '120000' });
const provisional: TerminalOutcome = {
  kind: 'APPROVED',
  card: { responseCode: '00', maskedPan: '************4771' },
  chargedMinor: 1234,
  reference: { receipt: '0471', trace: '000471' },
  receipts: [],
};

interface Asked {
  readonly receipt?: Script;
  readonly again?: Script;
  readonly abort?: Script;
  readonly status?: Script;
  readonly mark?: Mark;
  readonly command?: TerminalCommand;
  readonly provisional?: TerminalOutcome;
}

async function recover(asked: Asked): Promise<{ rig: Rig; answer: RecoveryAnswer }> {
  const rig = createRig();
  await rig.ready();
  const receipt = asked.receipt ?? [OK, oldReceipt, DONE];
  rig.peer.on('06 20', receipt, ...(asked.again === undefined ? [] : [asked.again]));
  if (asked.abort !== undefined) rig.peer.on('06 B0', asked.abort);
  if (asked.status !== undefined) rig.peer.on('05 01', asked.status);
  const running = rig.terminal.recover(question(asked.command ?? sale(), asked.mark ?? mark, asked.provisional), never);
  await rig.clock.advance(60_000);
  const answer = await running;
  expect(rig.peer.count('06 01')).toBe(0);
  return { rig, answer };
}

describe('after a lost answer the terminal is asked', () => {
  it('registration, abort, last receipt, status, in this order, with the bytes as evidence and no password', async () => {
    const rig = createRig();
    await rig.ready();
    const before = rig.peer.commands.length;
    const answer = await recovered(rig, question(sale(), mark));
    expect(rig.peer.commands.slice(before).map((sent) => sent.slice(0, 5))).toEqual([
      '06 00',
      '06 B0',
      '06 20',
      '05 01',
      '06 20',
    ]);
    expect(answer.evidence.map((entry) => entry.question)).toEqual([
      'Registration (06 00 10 •• •• •• BE 09 78 03 01 06 06 26 04 0A 02 06 D3)',
      'Abort of whatever runs (06 B0 00)',
      'Last receipt, without printing (06 20 05 •• •• •• 03 03)',
      'Status (05 01 03 •• •• ••)',
      'Last receipt, without printing (06 20 05 •• •• •• 03 03)',
    ]);
    expect(answer.evidence[2]?.answer).toBe('receipt 0470, trace 000470, 500 minor units, result 00, date 1127 110000');
  });

  it('a newer receipt with the amount and 27 00 is the sale: charged', async () => {
    const { answer } = await recover({ receipt: [OK, newReceipt, DONE] });
    expect(answer).toMatchObject({
      kind: 'SETTLED',
      outcome: { kind: 'APPROVED', chargedMinor: 1234, reference: { receipt: '0471', trace: '000471' } },
    });
  });

  it('the old receipt of a terminal at rest means that nothing was charged', async () => {
    const { answer } = await recover({});
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'FAILED', errorCode: 'TERMINAL_ERROR' } });
  });

  it('the old receipt proves nothing while the terminal talks to its host (06 B0 refused with 84 83)', async () => {
    const { answer } = await recover({ abort: ['84 83 00'] });
    expect(answer.kind).toBe('ASK_AGAIN');
  });

  it('the old receipt proves nothing while the terminal says "wait"', async () => {
    const { answer } = await recover({ status: [OK, vectorHex('own-terminal-status-9c')] });
    expect(answer.kind).toBe('ASK_AGAIN');
  });

  it('the old receipt proves nothing while a card is in the terminal', async () => {
    const { answer } = await recover({ status: [OK, vectorHex('own-terminal-status-dc')] });
    expect(answer.kind).toBe('ASK_AGAIN');
  });

  it('a payment that was stored between the two looks at the receipt is found', async () => {
    const { answer } = await recover({ receipt: [OK, oldReceipt, DONE], again: [OK, newReceipt, DONE] });
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'APPROVED' } });
  });

  it('a payment that the terminal reversed between the two looks at the receipt was not charged', async () => {
    const { answer } = await recover({ receipt: [OK, newReceipt, DONE], again: [OK, oldReceipt, DONE] });
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'FAILED' } });
  });

  it('a newer receipt that was declined means declined', async () => {
    const { answer } = await recover({ receipt: [OK, payment({ result: '05', amount: 1234 }), DONE] });
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'DECLINED', card: { responseCode: '05' } } });
  });

  it.each<[string, Asked]>([
    ['a newer receipt of another amount', { receipt: [OK, payment({ amount: 999 }), DONE] }],
    ['a newer declined receipt of another amount', { receipt: [OK, payment({ result: '05', amount: 999 }), DONE] }],
    ['a newer receipt without a result', { receipt: [OK, payment({ result: '', amount: 1234 }), DONE] }],
    [
      'the amount alone, when the receipt before it is not known',
      { receipt: [OK, newReceipt, DONE], mark: { knowledge: 'UNKNOWN' } },
    ],
    [
      'a receipt that is older than the one before',
      { receipt: [OK, payment({ amount: 1234, receipt: '0469', trace: '000469' }), DONE] },
    ],
    [
      'a receipt and a trace that disagree',
      { receipt: [OK, payment({ amount: 1234, receipt: '0471', trace: '000470' }), DONE] },
    ],
    ['a newer number with an older date', { receipt: [OK, payment({ amount: 1234, time: '050000' }), DONE] }],
    ['a terminal that tells no receipt unless it prints', { receipt: [OK, DONE] }],
    ['a terminal that has no receipt any more', { receipt: [OK, '06 1E 01 B5'] }],
    ['a terminal that cannot repeat receipts', { receipt: ['84 83 00'] }],
    ['a reversal of another payment', { receipt: [OK, payment({ amount: 1234, more: '37 00 04 69' }), DONE] }],
  ])('%s cannot decide: a person must', async (_, asked) => {
    expect((await recover(asked)).answer.kind).toBe('UNDECIDED');
  });

  it('names both amounts when they differ', async () => {
    const { answer } = await recover({ receipt: [OK, payment({ amount: 999 }), DONE] });
    expect(answer).toHaveProperty('reason', expect.stringMatching(/999 minor units.*1234 minor units were asked/s));
  });

  it('a terminal that had no receipt and has none was not charged; one that has one now was', async () => {
    const empty: Mark = { knowledge: 'NONE' };
    expect((await recover({ mark: empty, receipt: [OK, '06 1E 01 B5'] })).answer).toMatchObject({
      kind: 'SETTLED',
      outcome: { kind: 'FAILED' },
    });
    expect((await recover({ mark: empty, receipt: [OK, newReceipt, DONE] })).answer).toMatchObject({
      kind: 'SETTLED',
      outcome: { kind: 'APPROVED' },
    });
  });

  it('numbers that wrapped are newer', async () => {
    const { answer } = await recover({
      mark: { knowledge: 'RECEIPT', receipt: '9999', trace: '999999' },
      receipt: [OK, payment({ amount: 1234, receipt: '0001', trace: '000001' }), DONE],
    });
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'APPROVED' } });
  });

  it('a busy terminal that lets itself be stopped is registered and asked', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 00', ['84 9C 00'], [OK, vectorHex('own-registration-done')]);
    expect(await recovered(rig, question(sale(), mark))).toMatchObject({
      kind: 'SETTLED',
      outcome: { kind: 'FAILED' },
    });
  });

  it('silence is asked again later', async () => {
    const { answer } = await recover({ receipt: [] });
    expect(answer.kind).toBe('ASK_AGAIN');
  });

  it('an unreachable terminal is asked again later, and says why', async () => {
    const rig = createRig();
    rig.plug(false);
    await rig.ready();
    const running = rig.terminal.recover(question(sale(), mark), never);
    await rig.clock.advance(60_000);
    expect(await running).toMatchObject({ kind: 'ASK_AGAIN', reason: 'memory refuses the connection.' });
  });

  it('waits for the connection that is being made anew', async () => {
    const rig = createRig();
    await rig.ready();
    rig.drop();
    await settle();
    const running = rig.terminal.recover(question(sale(), mark), never);
    await rig.clock.advance(1_000);
    expect((await running).kind).toBe('SETTLED');
  });

  it.each(['CARD_READ', 'BALANCE_INQUIRY'] as const)('%s moves no money: nothing is asked', async (operation) => {
    const rig = createRig();
    await rig.ready();
    const before = rig.peer.commands.length;
    const command = { transactionId: 'T1', operation, currency: 'EUR', entryMode: 'AUTO' } as const;
    expect(await rig.terminal.recover(question(command, mark), never)).toMatchObject({
      kind: 'SETTLED',
      outcome: { kind: 'FAILED' },
    });
    expect(rig.peer.commands).toHaveLength(before);
  });
});

describe('at a terminal that called the last receipt "not possible" (83) before its first payment', () => {
  const refusedBefore: Mark = { knowledge: 'REFUSED' };
  const refusal: Script = [OK, '06 1E 01 83'];
  /** BMP 60 with 53 bytes: receipt numbers from and to, then count and sum of seven schemes. */
  const totals = (paymentCount: string, totalMinor: string) =>
    `04 0F 42 27 00 04 ${totalMinor} 60 F0 F5 F3 00 00 00 00 ${paymentCount} ${totalMinor}${' 00'.repeat(42)}`;
  const emptyBatch: Script = [OK, totals('00', '00 00 00 00 00 00'), DONE];
  const oneInBatch: Script = [OK, totals('01', '00 00 00 00 12 34'), DONE];

  async function askedForTotals(turnover: Script, asked: Asked = {}): Promise<RecoveryAnswer> {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 20', refusal);
    rig.peer.on('06 10', turnover);
    const running = rig.terminal.recover(question(asked.command ?? sale(), refusedBefore), never);
    await rig.clock.advance(60_000);
    expect(rig.peer.count('06 01')).toBe(0);
    return running;
  }

  it('a receipt now shows that it is able to tell, so that it had none before: charged', async () => {
    const { answer } = await recover({ mark: refusedBefore, receipt: [OK, newReceipt, DONE] });
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'APPROVED', chargedMinor: 1234 } });
  });

  it('the same refusal and an empty batch mean that nothing was charged', async () => {
    const answer = await askedForTotals(emptyBatch);
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'FAILED', errorCode: 'TERMINAL_ERROR' } });
    expect(answer.evidence.map((entry) => entry.answer)).toContain('0 minor units in 0 payments');
  });

  it('the same refusal and something in the batch goes to a person', async () => {
    expect((await askedForTotals(oneInBatch)).kind).toBe('UNDECIDED');
  });

  it('the same refusal without totals goes to a person', async () => {
    expect((await askedForTotals(['84 83 00'])).kind).toBe('UNDECIDED');
  });

  it('an empty batch proves nothing about a hold, which stands in no total', async () => {
    const command = { ...sale(), operation: 'PRE_AUTH' } as TerminalCommand;
    expect((await askedForTotals(emptyBatch, { command })).kind).toBe('UNDECIDED');
  });
});

describe('a result that was stored but perhaps not acknowledged', () => {
  it('stands when the terminal repeats it', async () => {
    const { answer } = await recover({ provisional, receipt: [OK, newReceipt, DONE] });
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: provisional });
  });

  it('was reversed when the terminal repeats it with another result', async () => {
    const { answer } = await recover({ provisional, receipt: [OK, payment({ result: '6C', amount: 1234 }), DONE] });
    expect(answer).toMatchObject({
      kind: 'SETTLED',
      outcome: { kind: 'FAILED', message: expect.stringContaining('reversed') },
    });
  });

  it('was reversed when the receipt before it is the last one again', async () => {
    const { answer } = await recover({ provisional });
    expect(answer).toMatchObject({
      kind: 'SETTLED',
      outcome: { kind: 'FAILED', message: expect.stringContaining('reversed') },
    });
  });

  it('was reversed when the last receipt is the reversal of it', async () => {
    const { answer } = await recover({
      provisional,
      receipt: [OK, payment({ amount: 1234, receipt: '0472', trace: '000472', more: '37 00 04 71' }), DONE],
    });
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'FAILED' } });
  });

  it('is asked for again while the terminal reverses (04 FF 05)', async () => {
    const { answer } = await recover({ provisional, receipt: [OK, vectorHex('own-interim-05'), newReceipt, DONE] });
    expect(answer.kind).toBe('ASK_AGAIN');
  });

  it('cannot be decided by the receipt of a third payment', async () => {
    const { answer } = await recover({
      provisional,
      receipt: [OK, payment({ amount: 1234, receipt: '0480', trace: '000480' }), DONE],
    });
    expect(answer.kind).toBe('UNDECIDED');
  });

  it('that was a refusal stays one', async () => {
    const refused: TerminalOutcome = { kind: 'DECLINED', card: { responseCode: '05' }, receipts: [] };
    expect((await recover({ provisional: refused })).answer).toMatchObject({ kind: 'SETTLED', outcome: refused });
  });
});

describe('voids, refunds and completions', () => {
  const original = {
    transactionId: 'T0',
    kind: 'SALE',
    amountMinor: 500,
    reference: { receipt: '0470', trace: '000470' },
  } as const;
  const voiding: TerminalCommand = {
    transactionId: 'T2',
    operation: 'VOID',
    amountMinor: 500,
    currency: 'EUR',
    original,
  };

  it('a newer receipt that names the original was the void', async () => {
    const { answer } = await recover({
      command: voiding,
      receipt: [OK, payment({ amount: 500, receipt: '0471', trace: '000471', more: '37 00 04 70' }), DONE],
    });
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'APPROVED' } });
  });

  it('a stored void that the terminal repeats with the original’s trace stands', async () => {
    const { answer } = await recover({
      command: voiding,
      provisional,
      receipt: [OK, payment({ amount: 500, receipt: '0471', trace: '000471', more: '37 00 04 70' }), DONE],
    });
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: provisional });
  });

  it('a completion may name the pre-authorization that it booked, and no other', async () => {
    const command: TerminalCommand = {
      ...voiding,
      operation: 'PRE_AUTH_COMPLETE',
      original: { ...original, kind: 'PRE_AUTH' },
    };
    const receipt = (trace: string) => payment({ amount: 500, receipt: '0471', trace: '000471', more: `37 ${trace}` });
    expect((await recover({ command, receipt: [OK, receipt('00 04 70'), DONE] })).answer).toMatchObject({
      kind: 'SETTLED',
      outcome: { kind: 'APPROVED' },
    });
    expect((await recover({ command, receipt: [OK, receipt('00 04 68'), DONE] })).answer.kind).toBe('UNDECIDED');
  });

  it('a reversal of another payment decides nothing about the void', async () => {
    const { answer } = await recover({
      command: voiding,
      receipt: [OK, payment({ amount: 500, receipt: '0471', trace: '000471', more: '37 00 04 68' }), DONE],
    });
    expect(answer.kind).toBe('UNDECIDED');
  });

  it('the original as the last receipt means that it was not voided', async () => {
    expect((await recover({ command: voiding })).answer).toMatchObject({
      kind: 'SETTLED',
      outcome: { kind: 'FAILED' },
    });
  });
});

describe('a lost day close', () => {
  const close: TerminalCommand = { transactionId: 'C1', operation: 'DAY_CLOSE', currency: 'EUR' };
  const before: Mark = { ...mark, turnover: { totalMinor: 1384376, paymentCount: 161 } };

  async function ask(turnover: Script, known: Mark = before): Promise<RecoveryAnswer> {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 10', turnover);
    const running = rig.terminal.recover(question(close, known), never);
    await rig.clock.advance(10_000);
    expect(rig.peer.count('06 50')).toBe(0);
    expect(rig.peer.count('06 B0')).toBe(0);
    return running;
  }

  it('did not happen when the batch is unchanged', async () => {
    expect(await ask([OK, vectorHex('own-eod-totals'), DONE])).toMatchObject({
      kind: 'SETTLED',
      outcome: { kind: 'FAILED' },
    });
  });

  it('happened when the batch is empty now and was not before', async () => {
    expect(await ask([OK, vectorHex('own-eod-totals-zero'), DONE])).toMatchObject({
      kind: 'SETTLED',
      outcome: { kind: 'APPROVED' },
    });
  });

  it('cannot be decided by other totals, by none, or without those before', async () => {
    expect((await ask([OK, vectorHex('own-eod-no-totals'), DONE])).kind).toBe('UNDECIDED');
    expect((await ask([OK, DONE])).kind).toBe('UNDECIDED');
    expect((await ask(['84 83 00'])).kind).toBe('UNDECIDED');
    expect((await ask([OK, vectorHex('own-eod-totals-zero'), DONE], mark)).kind).toBe('UNDECIDED');
  });

  it('is known by the totals that the mark carries', async () => {
    const rig = createRig();
    await rig.ready();
    const exchange = await rig.terminal.prepare(close, never);
    expect(exchange.mark).toMatchObject({ turnover: { totalMinor: 1384376, paymentCount: 161 } });
    exchange.discard();
  });

  it('is never sent by anything but a day close', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('05 01', [OK, vectorHex('own-terminal-status-f0')]);
    await expect(rig.terminal.prepare(sale(), never)).rejects.toMatchObject({ code: 'TERMINAL_NOT_READY' });
    expect(rig.peer.count('06 50')).toBe(0);
    rig.peer.on('06 50', [
      OK,
      '04 FF 01 0E',
      vectorHex('own-eod-totals'),
      vectorHex('portalum-line-a01'),
      vectorHex('portalum-line-a41'),
      DONE,
    ]);
    const outcome = await (await rig.terminal.prepare(close, never)).run(hooks());
    expect(outcome).toMatchObject({ kind: 'APPROVED', batch: { totalMinor: 1384376 }, receipts: [{ kind: 'ADMIN' }] });
    expect(rig.peer.commands.at(-1)).toBe('06 50 03 00 00 00');
    expect(READY).toBe('06 0F 01 00');
  });
});
