import { afterEach, describe, expect, it } from 'vitest';
import type { TransactionResponse } from '../../app/contract/transactions.ts';
import type { Till } from '../../app/services/till.ts';
import { type ConsoleHarness, createConsoleHarness, type Screen } from './console-harness.ts';

let harness: ConsoleHarness;
afterEach(() => harness.stop());

async function cashier(wrapTill?: (till: Till) => Till): Promise<Screen> {
  harness = await createConsoleHarness(wrapTill === undefined ? {} : { wrapTill });
  return harness.as('CASHIER');
}

const sale = { type: 'SALE', amount: 1_250, currency: 'EUR', idempotencyKey: 'press-1' } as const;

describe('the door', () => {
  it('knows only the procedures of the map', async () => {
    const screen = await cashier();
    for (const name of ['sell.stop', 'constructor', '__proto__', 'toString', '']) {
      expect(await screen.refusal(name, {}), name).toMatchObject({ error: 'NOT_FOUND' });
    }
  });

  it('takes no request that its schema does not know, and repeats no value', async () => {
    const screen = await cashier();
    const refused: [string, unknown, string | undefined][] = [
      ['sell.start', { ...sale, tip: 5 }, 'tip'],
      ['sell.start', { ...sale, amount: '1250' }, 'amount'],
      ['sell.start', { ...sale, amount: 0 }, 'amount'],
      ['sell.start', { ...sale, idempotencyKey: undefined }, 'idempotencyKey'],
      ['sell.start', { ...sale, type: 'GIFT' }, 'type'],
      ['sell.start', { ...sale, originalTransactionId: 'x' }, 'originalTransactionId'],
      ['sell.start', { ...sale, referenceId: '4111 1111 1111 1111' }, 'referenceId'],
      ['sell.start', { ...sale, idempotencyKey: '4111111111111111' }, 'idempotencyKey'],
      ['integrations.clients.create', { name: '4111-1111-1111-1111' }, 'name'],
      ['sell.start', { ...sale, approval: { staffId: 'x', pin: 'letmein' } }, 'approval.pin'],
      ['activity.search', {}, 'limit'],
      ['activity.search', { limit: 10_000 }, 'limit'],
      ['session.signIn', { staffId: 'x', pin: '123' }, 'pin'],
      ['session.state', null, undefined],
      ['session.state', [], undefined],
      ['session.touch', { extra: true }, 'extra'],
    ];
    for (const [name, request, field] of refused) {
      const refusal = await screen.refusal(name, request);
      expect(refusal, JSON.stringify(request)).toMatchObject({ error: 'INVALID_REQUEST' });
      expect(refusal.field).toBe(field);
      expect(JSON.stringify(refusal)).not.toMatch(/letmein|41111111/);
    }
    expect(harness.engine.device.book).toEqual([]);
  });

  it('hands out nothing that an answer’s schema does not know', async () => {
    const leaky = (till: Till): Till => ({
      ...till,
      transaction: (...input) => ({ ...till.transaction(...input), pan: '4111111111111111' }) as TransactionResponse,
    });
    const screen = await cashier(leaky);
    const { transactionId } = await screen.get('sell.start', sale);
    const refusal = await screen.refusal('activity.detail', { transactionId });
    expect(refusal.error).toBe('INTERNAL');
    expect(JSON.stringify(refusal)).not.toContain('41111111');
  });

  it('tells nothing of an unexpected failure but where the log has it', async () => {
    const broken = (till: Till): Till => ({
      ...till,
      settlements() {
        throw new Error('secret detail');
      },
    });
    const refusal = await (await cashier(broken)).refusal('day.settlements', { limit: 10 });
    expect(refusal.error).toBe('INTERNAL');
    expect(refusal.message).not.toContain('secret');
  });
});

describe('events', () => {
  it('reach every window at which somebody is signed in, and no other', async () => {
    const screen = await cashier();
    const stranger = harness.open();
    const support = await harness.as('SUPPORT');
    await screen.get('sell.start', sale);
    const names = (one: Screen) =>
      one.events.filter(({ event }) => event !== 'status_changed').map(({ event }) => event);
    expect(names(screen)).toEqual(['waiting_for_card', 'card_detected', 'processing', 'result']);
    expect(names(support)).toEqual(names(screen));
    expect(stranger.events).toEqual([]);
    expect(screen.events.find(({ event }) => event === 'result')?.requestId).toBe('press-1');
  });

  it('end with the window', async () => {
    const screen = await cashier();
    const other = await harness.as('MANAGER');
    other.close();
    await screen.get('sell.start', sale);
    expect(other.events).toEqual([]);
  });

  it('carry no chip data', async () => {
    const listeners: Parameters<Till['subscribe']>[0][] = [];
    const tell: Parameters<Till['subscribe']>[0] = (event) => {
      for (const listener of listeners) listener(event);
    };
    const screen = await cashier((till) => ({
      ...till,
      subscribe(listener) {
        listeners.push(listener);
        return till.subscribe(listener);
      },
    }));
    const chipData = {
      emvTags: { '57': '4111111111111111D2512' },
      encryptedPinBlock: 'AB',
      pinKsn: 'CD',
      pinBlockFormat: null,
    };
    const at = '2026-11-27T10:00:00.000Z';
    const common = { at, terminalId: 'T1' };
    const response: TransactionResponse = {
      transactionId: 'x',
      status: 'PENDING_ONLINE',
      type: 'SALE',
      amount: 1,
      currency: 'EUR',
      timestamp: at,
      chipData,
    };
    tell({ event: 'online_authorization', sequence: 1, ...common, transactionId: 'x', chipData });
    tell({ event: 'result', sequence: 2, ...common, response });
    expect(screen.events.map(({ event }) => event)).toEqual(['result']);
    expect(JSON.stringify(screen.events)).not.toContain('chipData');
  });
});
