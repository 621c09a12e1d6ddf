import { describe, expect, it } from 'vitest';
import type {
  PreparedExchange,
  RecoveryAnswer,
  RecoveryQuestion,
  TerminalCommand,
  TerminalOutcome,
} from '../../app/ports/terminal.ts';
import {
  charged,
  DROP,
  held,
  NOT_SHOWN,
  operative,
  paid,
  refusal,
  reversed,
  type Script,
  session,
  totals,
} from '../support/ecr17-peer.ts';
import { createEcr17Rig, type Ecr17Rig } from '../support/ecr17-terminal.ts';
import { hooks, never, question, sale } from '../support/zvt-terminal.ts';

/** What the terminal tells as its last result before everything here. */
const BEFORE = paid({ stan: '000100', amount: 500, time: '3321100' });

const original = { transactionId: 'T-0', kind: 'SALE', amountMinor: 500, reference: { stan: '000100' } } as const;
const holdOriginal = {
  transactionId: 'T-0',
  kind: 'PRE_AUTH',
  amountMinor: 4000,
  reference: { preAuthorizationCode: '000000123' },
} as const;
const base = { transactionId: 'T-1', currency: 'EUR' } as const;
const voiding: TerminalCommand = { ...base, operation: 'VOID', amountMinor: 500, original };
const completion: TerminalCommand = {
  ...base,
  operation: 'PRE_AUTH_COMPLETE',
  amountMinor: 3000,
  original: holdOriginal,
};
const hold: TerminalCommand = {
  ...base,
  operation: 'PRE_AUTH',
  amountMinor: 4000,
  tipAmountMinor: 0,
  cashbackAmountMinor: 0,
  entryMode: 'AUTO',
};
const close: TerminalCommand = { ...base, operation: 'DAY_CLOSE' };

async function asked(rig: Ecr17Rig, about: RecoveryQuestion): Promise<RecoveryAnswer> {
  let isOver = false;
  const answer = rig.terminal.recover(about, never).finally(() => {
    isOver = true;
  });
  for (let second = 0; !isOver && second < 120; second++) await rig.clock.advance(1_000);
  return answer;
}

/** Loses the answer to a command, and asks a terminal that tells `now` as its last result. */
async function afterLoss(command: TerminalCommand, now: Script, before: Script = [BEFORE]) {
  const rig = createEcr17Rig();
  rig.peer.on('G', before);
  for (const code of ['X', 'p', 'c', 'S', 'C']) rig.peer.on(code, [DROP]);
  await rig.ready();
  let mark: PreparedExchange['mark'] = {};
  const preparing = rig.terminal.prepare(command, never);
  await rig.clock.advance(10);
  const exchange = await preparing;
  mark = exchange.mark;
  const running = exchange.run(hooks());
  await rig.clock.advance(10);
  expect((await running).kind).toBe('UNKNOWN');
  rig.peer.on('G', now);
  // The mark comes from disk: nothing but JSON is left of it.
  const answer = await asked(rig, question(command, JSON.parse(JSON.stringify(mark))));
  return { rig, answer };
}

describe('after a lost answer the terminal is asked', () => {
  it('for its status and its last result, in this order, and the payment is not sent again', async () => {
    const { rig, answer } = await afterLoss(sale(), [paid({ amount: 1234 })]);
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'APPROVED', chargedMinor: 1234 } });
    expect(rig.peer.commands.slice(-2).map((text) => text.charAt(9))).toEqual(['s', 'G']);
    expect(rig.peer.count('X')).toBe(1);
    expect(answer.evidence.map(({ questionCode, answerCode }) => [questionCode, answerCode])).toEqual([
      ['STATUS', 'STATUS'],
      ['LAST_RECEIPT', 'RECEIPT'],
    ]);
    expect(JSON.stringify(answer.evidence)).not.toContain('411111');
  });

  it('and the result from before it says that nothing was charged', async () => {
    const { answer } = await afterLoss(sale(), [BEFORE]);
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'FAILED', errorCode: 'TERMINAL_ERROR' } });
  });

  it('and a newer refusal of the same amount says that it was refused', async () => {
    const { answer } = await afterLoss(sale(), [refusal()]);
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'DECLINED', card: { responseCode: '51' } } });
  });

  it('and a card that was not shown, word for word as before, moved no money either', async () => {
    const { answer } = await afterLoss(sale(), [NOT_SHOWN], [NOT_SHOWN]);
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'FAILED' } });
  });

  it.each([
    ['another amount', [paid({ amount: 999 })]],
    ['an earlier number', [paid({ amount: 1234, stan: '000099' })]],
    ['the same number for something else', [paid({ amount: 1234, stan: '000100' })]],
    ['an earlier time', [paid({ amount: 1234, time: '3310900' })]],
    ['another procedure', [held({ amount: 1234 })]],
    ['a result that ECR17 does not know', [refusal({ result: '07' })]],
  ] as const)('and %s proves nothing: a person must tell', async (_, now) => {
    const { answer } = await afterLoss(sale(), now);
    expect(answer.kind).toBe('UNDECIDED');
  });

  it('and an approval is believed where the terminal had no result before', async () => {
    const { answer } = await afterLoss(sale(), [paid({ amount: 1234 })], 'NAK');
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'APPROVED' } });
  });

  it('and a terminal that tells no result, before or after, proves nothing', async () => {
    const { answer } = await afterLoss(sale(), 'NAK', 'NAK');
    expect(answer).toMatchObject({ kind: 'UNDECIDED', reasonCode: 'NO_RECEIPT' });
  });

  it('and counts on with numbers that begin anew', async () => {
    const last = paid({ stan: '999999', amount: 500, time: '3321100' });
    const { answer } = await afterLoss(sale(), [paid({ stan: '000001', amount: 1234 })], [last]);
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'APPROVED' } });
  });

  it('again and again as long as it is busy or silent', async () => {
    const { rig } = await afterLoss(sale(), [BEFORE]);
    rig.peer.on('s', 'NAK');
    await expect(asked(rig, question(sale(), {}))).resolves.toMatchObject({ kind: 'ASK_AGAIN', reasonCode: 'BUSY' });
    rig.peer.on('s', []);
    await expect(asked(rig, question(sale(), {}))).resolves.toMatchObject({
      kind: 'ASK_AGAIN',
      reasonCode: 'NO_ANSWER',
    });
    rig.plug(false);
    rig.drop();
    await expect(asked(rig, question(sale(), {}))).resolves.toMatchObject({
      kind: 'ASK_AGAIN',
      reasonCode: 'NOT_REACHED',
    });
    rig.plug(true);
    rig.peer.on('s', [operative()]);
    await expect(asked(rig, question(sale(), {}))).resolves.toMatchObject({ kind: 'UNDECIDED' });
  });

  it('about a plain payment, whose result has no amount: number and time prove it', async () => {
    const { answer } = await afterLoss(sale(), [paid()]);
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'APPROVED', reference: { stan: '000101' } } });
    const { answer: timeless } = await afterLoss(sale(), [paid({ time: '0000000' })]);
    expect(timeless.kind).toBe('UNDECIDED');
  });

  it.each([
    ['a pre-authorization', hold, held()],
    ['the charge of a pre-authorization', completion, charged()],
    ['a void', voiding, reversed()],
  ] as const)('about %s', async (_, command, now) => {
    const { answer } = await afterLoss(command, [now]);
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'APPROVED' } });
    const { answer: unchanged } = await afterLoss(command, [BEFORE]);
    expect(unchanged).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'FAILED' } });
  });
});

describe('a result that was on disk when the line was lost', () => {
  const approved: TerminalOutcome = {
    kind: 'APPROVED',
    card: {},
    chargedMinor: 1234,
    reference: { stan: '000101', onlineId: '000202', hostTime: '3321200' },
    receipts: [],
  };
  const declined: TerminalOutcome = { kind: 'DECLINED', card: {}, reason: 'TRANSAZIONE NEGATA', receipts: [] };
  const mark = { knowledge: 'RESULT', last: { procedure: 'PAYMENT', result: '00', stan: '000100' } };

  async function judged(provisional: TerminalOutcome, now: string) {
    const rig = createEcr17Rig();
    rig.peer.on('G', [now]);
    await rig.ready();
    return asked(rig, question(sale(), mark, provisional));
  }

  it('is settled when the terminal still tells it', async () => {
    expect(await judged(approved, paid({ amount: 1234 }))).toMatchObject({ kind: 'SETTLED', outcome: approved });
    expect(await judged(declined, BEFORE)).toMatchObject({ kind: 'SETTLED', outcome: declined });
    expect(await judged(declined, refusal())).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'DECLINED' } });
  });

  it('is a matter for a person when the terminal tells something else', async () => {
    for (const now of [BEFORE, paid({ stan: '000102', amount: 1234 }), refusal({ stan: '000101', online: '000202' })])
      expect((await judged(approved, now)).kind).toBe('UNDECIDED');
    expect((await judged(declined, paid({ amount: 1234 }))).kind).toBe('UNDECIDED');
  });
});

describe('a day close whose answer was lost', () => {
  it('is settled by the result of the session', async () => {
    const { answer } = await afterLoss(close, [session(500, 480)]);
    expect(answer).toMatchObject({
      kind: 'SETTLED',
      outcome: { kind: 'APPROVED', batch: { totalMinor: 500, hostTotalMinor: 480 } },
    });
  });

  it('is settled by the total of the session where the last result does not tell', async () => {
    const { rig, answer } = await afterLoss(close, [BEFORE]);
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'FAILED' } });
    const about = question(close, { knowledge: 'REFUSED', sessionTotalMinor: 500 });
    rig.peer.on('T', [totals(0)]);
    await expect(asked(rig, about)).resolves.toMatchObject({ kind: 'SETTLED', outcome: { kind: 'APPROVED' } });
    rig.peer.on('T', [totals(700)]);
    await expect(asked(rig, about)).resolves.toMatchObject({ kind: 'UNDECIDED', reasonCode: 'TOTALS_UNCLEAR' });
    rig.peer.on('T', 'NAK');
    await expect(asked(rig, about)).resolves.toMatchObject({ kind: 'UNDECIDED', reasonCode: 'NO_TOTALS' });
  });
});

it('a card verification whose answer was lost moved no money', async () => {
  const rig = createEcr17Rig();
  await rig.ready();
  const command: TerminalCommand = { transactionId: 'T-1', operation: 'CARD_READ', entryMode: 'AUTO' };
  await expect(asked(rig, question(command, {}))).resolves.toMatchObject({
    kind: 'SETTLED',
    outcome: { kind: 'FAILED' },
  });
});
