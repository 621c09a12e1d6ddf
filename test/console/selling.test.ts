import { afterEach, describe, expect, it } from 'vitest';
import type { GiveBack } from '../../app/contract/console/activity.ts';
import type { ProcedureRequest } from '../../app/contract/console/procedures.ts';
import type { TipsInForce } from '../../app/ports/tips.ts';
import { ask, saleOf, until } from '../support/engine-harness.ts';
import { createMemoryDevice } from '../support/memory-terminal.ts';
import { type ConsoleHarness, createConsoleHarness, type Screen } from './console-harness.ts';

let harness: ConsoleHarness;
afterEach(() => harness.stop());

let presses = 0;
function press<Request extends Partial<ProcedureRequest<'sell.start'>>>(request: Request) {
  presses += 1;
  return { currency: 'EUR', idempotencyKey: `press-${presses}`, ...request };
}
const sale = (amount: number) => press({ type: 'SALE', amount } as const);
const back = (type: 'REFUND' | 'VOID', originalTransactionId: string, amount: number) =>
  press({ type, originalTransactionId, amount } as const);

async function giveBackOf(screen: Screen, transactionId: string): Promise<GiveBack> {
  return (await screen.get('activity.detail', { transactionId })).giveBack;
}

describe('a sale at the console', () => {
  it('runs as the signed-in person, once for one press', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    const request = sale(1_250);
    const [first, again] = await Promise.all([screen.get('sell.start', request), screen.get('sell.start', request)]);
    expect(first).toMatchObject({ status: 'APPROVED', amount: 1_250 });
    expect(again).toEqual(first);
    expect(harness.engine.device.standing()).toEqual([1_250]);
    const record = harness.engine.journal.findTransaction(first.transactionId);
    expect(record).toMatchObject({ actor: 'console:Anna', clientId: 'console' });
  });

  it('gives the same answer again after a restart, without charging twice', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    const request = sale(800);
    const first = await screen.get('sell.start', request);
    await harness.restart();
    expect(await harness.open(screen.cookie).get('sell.start', request)).toEqual(first);
    expect(harness.engine.device.standing()).toEqual([800]);
  });

  it('can be aborted while the terminal waits for the card', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    harness.engine.device.next({ hold: ['CARD'], abort: 'REQUESTED' });
    const running = screen.get('sell.start', sale(500));
    await until(() => harness.engine.device.isHeld('CARD'));
    const [transactionId = ''] = harness.engine.device.commands;
    const aborted = screen.get('sell.abort', { transactionId });
    harness.engine.device.release('CARD');
    expect((await aborted).status).toBe('CANCELLED');
    expect((await running).status).toBe('CANCELLED');
  });
});

describe('a tip that is chosen at the console', () => {
  const shop: TipsInForce = {
    ...{ configVersion: 4, currency: 'EUR', largestTotalMinor: 1_000_000, enabled: true },
    ...{ presetBasisPoints: [1_000], allowCustomAmount: false, maxAmountMinor: 500, maxBasisPoints: 2_000 },
    ...{ fixedAmountMinor: null, fixedAmountThresholdMinor: null },
  };

  it('is charged and journaled by the configuration that the terminal has, which every seller may see', async () => {
    harness = await createConsoleHarness({ tipsOf: () => shop });
    const screen = await harness.as('CASHIER');
    expect(await screen.get('sell.tips', { terminalId: 'T1' })).toEqual({ tips: shop });
    const { transactionId } = await screen.get('sell.start', {
      ...sale(2_000),
      ...{ tipAmount: 200, tipSource: 'preset:1000' },
    });
    expect(harness.engine.device.standing()).toEqual([2_200]);
    expect(harness.engine.journal.findTransaction(transactionId)).toMatchObject({
      tipAmountMinor: 200,
      tipChoice: { source: 'preset:1000', configVersion: 4 },
    });
  });

  it('is refused before the card where the merchant does not offer it, and what was charged stays charged', async () => {
    let tips = shop;
    harness = await createConsoleHarness({ tipsOf: () => tips });
    const screen = await harness.as('CASHIER');
    for (const tip of [
      { tipAmount: 199, tipSource: 'preset:1000' },
      { tipAmount: 300, tipSource: 'preset:1500' },
      { tipAmount: 100, tipSource: 'custom' },
      { tipAmount: 100, tipSource: 'none' },
    ]) {
      expect(await screen.refusal('sell.start', { ...sale(2_000), ...tip })).toMatchObject({
        error: 'INVALID_REQUEST',
      });
    }
    expect(harness.engine.device.commands).toEqual([]);
    const request = { ...sale(2_000), tipAmount: 200, tipSource: 'preset:1000' };
    const first = await screen.get('sell.start', request);
    tips = { ...shop, enabled: false };
    expect(await screen.get('sell.start', request)).toEqual(first);
    expect(harness.engine.device.standing()).toEqual([2_200]);
  });

  it('is none of the console’s where there is no configuration', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    expect(await screen.get('sell.tips', { terminalId: 'T1' })).toEqual({});
    const { transactionId } = await screen.get('sell.start', { ...sale(2_000), tipAmount: 50 });
    const record = harness.engine.journal.findTransaction(transactionId);
    expect(record?.tipAmountMinor).toBe(50);
    expect(record?.tipChoice).toBeUndefined();
  });
});

describe('a refund above the limit', () => {
  it('is recorded with its approver, in the journal and the audit', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    const { transactionId } = await screen.get('sell.start', sale(9_000));
    const refund = back('REFUND', transactionId, 6_000);
    expect(await screen.refusal('sell.start', refund)).toMatchObject({
      reason: 'APPROVAL_REQUIRED',
      field: 'approval',
    });
    const done = await screen.get('sell.start', { ...refund, approval: harness.staff.MANAGER });
    expect(harness.engine.journal.findTransaction(done.transactionId)?.actor).toBe('console:Anna approved by Ben');
    expect(harness.audit().at(-1)).toEqual({
      actor: 'console:Ben',
      action: 'APPROVED',
      text: 'Approved sell.start for Anna.',
    });
    expect(await screen.get('activity.detail', { transactionId })).toMatchObject({
      refundedMinor: 6_000,
      refundableMinor: 3_000,
      giveBack: { kind: 'REFUND', reason: 'HAS_REFUNDS' },
    });
  });
});

describe('the way to give money back', () => {
  it('is a void while the day is open, a refund after, and none when nothing is left', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('MANAGER');
    const { transactionId: first } = await screen.get('sell.start', sale(1_000));
    const { transactionId: second } = await screen.get('sell.start', sale(2_000));
    expect(await giveBackOf(screen, first)).toEqual({ kind: 'VOID', reason: 'NOT_SETTLED' });
    const { transactionId: voiding } = await screen.get('sell.start', back('VOID', first, 0));
    expect(await giveBackOf(screen, first)).toEqual({ kind: 'NONE', reason: 'ALREADY_VOIDED' });
    expect(await giveBackOf(screen, voiding)).toEqual({ kind: 'NONE', reason: 'NOT_A_PAYMENT' });
    expect((await screen.get('activity.detail', { transactionId: first })).voidedBy).toBe(voiding);
    await screen.get('day.close', { idempotencyKey: 'close' });
    expect(await giveBackOf(screen, second)).toEqual({ kind: 'REFUND', reason: 'ALREADY_SETTLED' });
    await screen.get('sell.start', back('REFUND', second, 2_000));
    expect(await giveBackOf(screen, second)).toEqual({ kind: 'NONE', reason: 'NOTHING_LEFT' });
  });

  it('follows the hold to its completion', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    const { transactionId } = await screen.get('sell.start', press({ type: 'PRE_AUTH', amount: 3_000 } as const));
    expect((await screen.get('sell.openPreAuths', {})).preAuths).toEqual([
      expect.objectContaining({ transactionId, amount: 3_000, terminalId: 'T1', lastFour: '1111', canRelease: true }),
    ]);
    expect(await giveBackOf(screen, transactionId)).toEqual({ kind: 'VOID', reason: 'OPEN_HOLD' });
    const completed = await screen.get(
      'sell.start',
      press({ type: 'PRE_AUTH_COMPLETE', amount: 2_000, originalTransactionId: transactionId } as const),
    );
    expect(await screen.get('activity.detail', { transactionId })).toMatchObject({
      completedBy: completed.transactionId,
      refundableMinor: 2_000,
      giveBack: { kind: 'VOID', reason: 'NOT_SETTLED' },
    });
    expect((await screen.get('sell.openPreAuths', {})).preAuths).toEqual([]);
  });

  it('says when nothing was charged, and when the outcome is not known', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    const { device } = harness.engine;
    device.next({ outcome: { kind: 'DECLINED', card: {}, receipts: [] } });
    const declined = await screen.get('sell.start', sale(700));
    expect(await giveBackOf(screen, declined.transactionId)).toEqual({ kind: 'NONE', reason: 'NOT_APPROVED' });
    device.next({ lose: 'STATUS' });
    device.answer({ kind: 'UNDECIDED', reason: 'it does not know', evidence: [] });
    const unknown = await screen.get('sell.start', sale(900));
    expect(unknown.errorCode).toBe('OUTCOME_UNKNOWN');
    expect(await giveBackOf(screen, unknown.transactionId)).toEqual({ kind: 'NONE', reason: 'OUTCOME_UNKNOWN' });
  });

  it('is a refund where the terminal cannot void', async () => {
    harness = await createConsoleHarness({ devices: [createMemoryDevice({ without: ['VOID'] })] });
    const screen = await harness.as('CASHIER');
    const { transactionId } = await screen.get('sell.start', sale(1_000));
    expect(await giveBackOf(screen, transactionId)).toEqual({ kind: 'REFUND', reason: 'TERMINAL_CANNOT_VOID' });
  });

  it('is the whole or nothing where the terminal makes no refunds', async () => {
    harness = await createConsoleHarness({ devices: [createMemoryDevice({ without: ['REFUND'] })] });
    const screen = await harness.as('MANAGER');
    const { transactionId } = await screen.get('sell.start', sale(1_000));
    expect(await screen.get('activity.detail', { transactionId })).toMatchObject({
      refundableMinor: 0,
      giveBack: { kind: 'VOID', reason: 'NOT_SETTLED' },
    });
    await screen.get('day.close', { idempotencyKey: 'close' });
    expect(await giveBackOf(screen, transactionId)).toEqual({ kind: 'NONE', reason: 'CANNOT_REFUND' });
  });

  it('is not offered for a hold that the terminal cannot release', async () => {
    harness = await createConsoleHarness({ devices: [createMemoryDevice({ without: ['VOID'] })] });
    const screen = await harness.as('CASHIER');
    const { transactionId } = await screen.get('sell.start', press({ type: 'PRE_AUTH', amount: 3_000 } as const));
    expect((await screen.get('sell.openPreAuths', {})).preAuths).toMatchObject([{ transactionId, canRelease: false }]);
    expect(await giveBackOf(screen, transactionId)).toEqual({ kind: 'NONE', reason: 'CANNOT_RELEASE' });
  });
});

describe('the detail of a transaction', () => {
  it('has its own timeline, and no event of another', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    const one = await screen.get('sell.start', sale(100));
    const two = await screen.get('sell.start', sale(200));
    for (const { transactionId } of [one, two]) {
      const { events, startedBy } = await screen.get('activity.detail', { transactionId });
      expect(events.map(({ event }) => event)).toEqual(['waiting_for_card', 'card_detected', 'processing', 'result']);
      expect(JSON.stringify(events)).toContain(transactionId);
      expect(startedBy).toBe('console:Anna');
    }
  });
});

describe('the inbox', () => {
  it('lists what is unknown until a person resolves it, with approval on record', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    harness.engine.device.next({ lose: 'STATUS' });
    harness.engine.device.answer({ kind: 'UNDECIDED', reason: 'it does not know', evidence: [] });
    const { transactionId } = await screen.get('sell.start', sale(900));
    const { tasks } = await screen.get('attention.list', {});
    expect(tasks).toEqual([expect.objectContaining({ state: 'NEEDS_PERSON', amount: 900 })]);
    expect((await screen.get('day.preview', {})).blockers).toEqual([
      expect.objectContaining({ transactionId, reason: 'OUTCOME_UNKNOWN' }),
    ]);
    const request = { transactionId, charged: true, evidence: 'the slip says approved' };
    const resolved = await screen.get('attention.resolve', { ...request, approval: harness.staff.MANAGER });
    expect(resolved.resolution).toMatchObject({ by: 'console:Anna approved by Ben', charged: true });
    expect((await screen.get('attention.list', {})).tasks).toEqual([]);
    // The one who began it stays its cashier.
    const [row] = (await screen.get('activity.search', { limit: 1 })).rows;
    expect(row).toMatchObject({ transactionId, charged: 'YES', startedBy: 'console:Anna' });
  });

  it('lists two charged sales of one reference until one is taken back, or a day has passed', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    const withReference = () => ({ ...sale(400), referenceId: 'order-1' });
    const first = await screen.get('sell.start', withReference());
    const second = await screen.get('sell.start', withReference());
    const duplicate = { transactionId: second.transactionId, earlierTransactionId: first.transactionId };
    expect((await screen.get('attention.list', {})).possibleDuplicates).toEqual([
      expect.objectContaining({ ...duplicate, amount: 400, referenceId: 'order-1' }),
    ]);
    const third = await screen.get('sell.start', withReference());
    await screen.get('sell.start', back('VOID', second.transactionId, 0));
    const left = (await screen.get('attention.list', {})).possibleDuplicates;
    expect(left).toEqual([
      expect.objectContaining({ transactionId: third.transactionId, earlierTransactionId: first.transactionId }),
    ]);
    harness.engine.clock.jumpWall(25 * 3_600_000);
    const later = await harness.as('CASHIER');
    expect((await later.get('attention.list', {})).possibleDuplicates).toEqual([]);
  });
});

describe('the day', () => {
  it('is previewed by scheme, closed with approval, and listed', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    await screen.get('sell.start', sale(1_000));
    await screen.get('sell.start', sale(500));
    expect(await screen.get('day.preview', {})).toMatchObject({
      terminalId: 'T1',
      totals: { saleCount: 2, saleAmount: 1_500 },
      netAmount: 1_500,
      blockers: [],
    });
    const request = { idempotencyKey: 'close-1', approval: harness.staff.ADMIN };
    const closed = await screen.get('day.close', request);
    expect(closed.status).toBe('SUCCESS');
    expect(await screen.get('day.close', request)).toEqual(closed);
    const { data } = await screen.get('day.settlements', { limit: 5 });
    expect(data.map(({ id }) => id)).toEqual([closed.settlementId]);
  });

  it('asks which terminal where there are several', async () => {
    const devices = [createMemoryDevice({ terminalId: 'T1' }), createMemoryDevice({ terminalId: 'T2' })];
    harness = await createConsoleHarness({ devices });
    const screen = await harness.as('MANAGER');
    expect(await screen.refusal('day.preview', {})).toMatchObject({ error: 'INVALID_REQUEST', field: 'terminalId' });
    expect(await screen.refusal('day.preview', { terminalId: 'T3' })).toMatchObject({ error: 'NOT_FOUND' });
    expect((await screen.get('day.preview', { terminalId: 'T2' })).terminalId).toBe('T2');
    const { terminals } = await screen.get('terminals.list', {});
    expect(terminals.map(({ terminalId, status }) => [terminalId, status.state])).toEqual([
      ['T1', 'IDLE'],
      ['T2', 'IDLE'],
    ]);
    expect((await screen.get('session.state', {})).terminals).toHaveLength(2);
  });
});

describe('the keys of POS clients', () => {
  it('are shown once, listed without the key, and audited with who approved', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('CASHIER');
    const request = { name: 'Front shop', approval: harness.staff.MANAGER };
    const { key, client } = await screen.get('integrations.clients.create', request);
    expect(key).toMatch(/^pos_/);
    const { clients } = await screen.get('integrations.clients.list', {});
    expect(clients).toEqual([client]);
    expect(JSON.stringify(clients)).not.toContain(key);
    expect((await screen.get('integrations.clients.revoke', request)).revokedAt).toBeDefined();
    expect(harness.audit().filter(({ action }) => action.startsWith('KEY_'))).toEqual([
      { actor: 'console:Anna approved by Ben', action: 'KEY_CREATED', text: 'Front shop' },
      { actor: 'console:Anna approved by Ben', action: 'KEY_REVOKED', text: 'Front shop' },
    ]);
  });
});

describe('a search', () => {
  it('finds an amount, the last digits of a card, and how a reference or id begins', async () => {
    harness = await createConsoleHarness();
    const screen = await harness.as('SUPPORT');
    const sold = [];
    for (const [amount, referenceId] of [
      [1_250, 'order-7'],
      [5_000, 'order-8'],
      [111_100, 'x-9'],
    ] as const) {
      sold.push(await ask(harness.engine.till, saleOf({ amount, referenceId })));
    }
    const find = async (query: string) => {
      const { rows } = await screen.get('activity.search', { query, limit: 10 });
      return rows.map(({ totalAmount }) => totalAmount);
    };
    expect(await find('12.50')).toEqual([1_250]);
    expect(await find('12,5')).toEqual([1_250]);
    expect(await find('50')).toEqual([5_000]);
    expect(await find('order-')).toEqual([5_000, 1_250]);
    expect(await find(' order-8 ')).toEqual([5_000]);
    // Four digits are an amount and a card's last ones, and no row comes twice.
    expect(await find('1111')).toEqual([111_100, 5_000, 1_250]);
    expect(await find(sold[0]?.transactionId.slice(0, 13) ?? '')).toEqual([1_250]);
    expect(await find('12.505')).toEqual([]);
    expect(await find('nothing')).toEqual([]);
    expect(await find('%')).toEqual([]);
    const { rows } = await screen.get('activity.search', { query: 'order', status: 'DECLINED', limit: 10 });
    expect(rows).toEqual([]);
  });
});
