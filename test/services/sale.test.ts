import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BridgeError } from '../../app/contract/errors.ts';
import { TransactionResponse } from '../../app/contract/transactions.ts';
import { validate } from '../../app/contract/validate.ts';
import { ask, call, createHarness, type Harness, saleOf, until } from '../support/engine-harness.ts';

let harness: Harness;
beforeEach(() => {
  harness = createHarness();
});
afterEach(() => harness.stop());

describe('an approved sale', () => {
  test('carries every field of the specification that the terminal gave', async () => {
    const response = await ask(
      harness.till,
      saleOf({ tipAmount: 100, cashbackAmount: 500, referenceId: 'order-7', metadata: { table: '4' } }),
    );
    expect(() => validate(TransactionResponse, response)).not.toThrow();
    expect(response).toMatchObject({
      status: 'APPROVED',
      type: 'SALE',
      amount: 1_000,
      tipAmount: 100,
      cashbackAmount: 500,
      currency: 'EUR',
      responseCode: '00',
      authorizationCode: '123456',
      cardScheme: 'VISA',
      maskedPan: '411111******1111',
      entryMode: 'CONTACTLESS',
      cvmResult: 'NO_CVM',
      referenceId: 'order-7',
      metadata: { table: '4' },
      timestamp: '2026-11-27T10:00:00.000Z',
      batchNumber: '1',
      businessDate: '2026-11-27',
      outcome: { charged: 'YES', safeToRetry: false },
      receiptData: { merchantName: 'Corner Shop', merchantId: 'M1', totalAmount: 1_600, approvalStatus: 'APPROVED' },
    });
    expect(harness.device.standing()).toEqual([1_600]);
  });

  test('gives the events in the specified order, numbered', async () => {
    await ask(harness.till, saleOf());
    expect(harness.names()).toEqual(['waiting_for_card', 'card_detected', 'processing', 'result']);
    const sequences = harness.events.map((event) => event.sequence);
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
    expect(new Set(sequences).size).toBe(sequences.length);
  });

  test('gives the same order when the terminal tells nothing of the card', async () => {
    harness.device.next({ progress: [] });
    await ask(harness.till, saleOf());
    expect(harness.names()).toEqual(['waiting_for_card', 'card_detected', 'processing', 'result']);
  });

  test('gives the same order when the terminal repeats and skips steps', async () => {
    const waiting = { step: 'WAITING_FOR_CARD', message: 'Card, please' } as const;
    const processing = { step: 'PROCESSING', message: 'Wait' } as const;
    harness.device.next({
      progress: [waiting, waiting, processing, waiting, { step: 'PIN_REQUIRED' }, { step: 'PIN_REQUIRED' }, processing],
    });
    await ask(harness.till, saleOf());
    expect(harness.names()).toEqual([
      ...['waiting_for_card', 'card_detected', 'processing'],
      ...['pin_required', 'pin_required', 'result'],
    ]);
  });

  test('costs three commits: intent, provisional result, final result', async () => {
    // The first sale reserves the block of event numbers.
    await ask(harness.till, saleOf());
    await harness.stop();
    let commits = 0;
    harness = createHarness({
      wrapJournal: (journal) => ({
        ...journal,
        commit: (work) => {
          commits += 1;
          return journal.commit(work);
        },
      }),
    });
    await ask(harness.till, saleOf());
    expect(commits).toBe(3);
  });

  test('is read back as it was answered, alone, in the list, as the last one', async () => {
    const response = await ask(harness.till, saleOf({ referenceId: 'r' }));
    const context = { clientId: 'client-1', actor: 'a', requestId: 'q', route: 'GET' };
    expect(harness.till.transaction(context, response.transactionId)).toEqual(response);
    expect(harness.till.lastTransaction(context)).toEqual(response);
    expect(harness.till.transactions(context, { referenceId: 'r', status: 'APPROVED', limit: 25 })).toEqual({
      data: [response],
      hasMore: false,
      nextCursor: null,
    });
    expect(() => harness.till.currentTransaction(context)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  test('drops a masked number that shows too much', async () => {
    harness.device.next({ card: { maskedPan: '41111111****1111', cardScheme: 'VISA' } });
    const response = await ask(harness.till, saleOf());
    expect(response.maskedPan).toBeUndefined();
    expect(response.receiptData?.maskedPan).toBeUndefined();
  });
});

describe('a sale that is not approved', () => {
  test.each([
    ['51', 'INSUFFICIENT_FUNDS', true],
    ['05', 'DO_NOT_HONOR', false],
    ['43', 'LOST_OR_STOLEN', false],
  ])('with issuer code %s is DECLINED as %s', async (responseCode, category, retryable) => {
    harness.device.next({ outcome: { kind: 'DECLINED', card: { responseCode, entryMode: 'CONTACT' }, receipts: [] } });
    const response = await ask(harness.till, saleOf());
    expect(response).toMatchObject({
      status: 'DECLINED',
      responseCode,
      decline: { category, retryable, networkResponseCode: responseCode },
      outcome: { charged: 'NO' },
    });
    expect(response.receiptData).toBeUndefined();
  });

  test('by the terminal itself has its reason and no response code', async () => {
    harness.device.next({ outcome: { kind: 'DECLINED', card: {}, reason: 'card not accepted here', receipts: [] } });
    const response = await ask(harness.till, saleOf());
    expect(response).toMatchObject({ status: 'DECLINED', decline: { merchantMessage: 'card not accepted here' } });
    expect(response.responseCode).toBeUndefined();
  });

  test.each(['68', '09', '94'])(
    'with issuer code %s is of unknown outcome, with a task for a person',
    async (responseCode) => {
      harness.device.next({ outcome: { kind: 'DECLINED', card: { responseCode }, receipts: [] } });
      const response = await ask(harness.till, saleOf());
      expect(response).toMatchObject({
        status: 'ERROR',
        errorCode: 'OUTCOME_UNKNOWN',
        outcome: { charged: 'UNKNOWN', safeToRetry: false },
        decline: { retryClass: 'UNKNOWN_OUTCOME' },
      });
      expect(harness.journal.openTasks()).toMatchObject([
        { state: 'NEEDS_PERSON', subject: { id: response.transactionId } },
      ]);
    },
  );

  test('because the cardholder stopped emits cancelled and then its result', async () => {
    harness.device.next({ outcome: { kind: 'CANCELLED', reason: 'CARDHOLDER', receipts: [] } });
    const response = await ask(harness.till, saleOf());
    expect(response).toMatchObject({
      status: 'CANCELLED',
      cancelledReason: 'CARDHOLDER',
      outcome: { charged: 'NO', safeToRetry: true },
    });
    expect(harness.names().slice(-2)).toEqual(['cancelled', 'result']);
  });

  test('because the card could not be read emits error and then its result', async () => {
    harness.device.next({
      outcome: { kind: 'FAILED', errorCode: 'CARD_READ_FAILED', message: 'chip dirty', receipts: [] },
    });
    const response = await ask(harness.till, saleOf());
    expect(response).toMatchObject({ status: 'ERROR', errorCode: 'CARD_READ_FAILED', outcome: { charged: 'NO' } });
    expect(harness.names().slice(-2)).toEqual(['error', 'result']);
  });

  test('because the terminal never began answers its code and frees the key', async () => {
    const outcome = { kind: 'NOT_STARTED', errorCode: 'TERMINAL_BUSY', message: 'busy' } as const;
    harness.device.next({ outcome });
    const first = call(harness.till, saleOf(), { idempotencyKey: 'k' });
    await expect(first).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
    const context = { clientId: 'client-1', actor: 'a', requestId: 'q', route: 'GET' };
    expect(harness.till.lastTransaction(context)).toMatchObject({ status: 'ERROR', outcome: { charged: 'NO' } });
    const second = await call(harness.till, saleOf(), { idempotencyKey: 'k' });
    expect(second).toMatchObject({ statusCode: 200, replayed: false });
    expect(harness.device.standing()).toEqual([1_000]);
  });

  test('with another amount than asked is never a success', async () => {
    harness.device.next({ bookedMinor: 900 });
    harness.device.answer({ kind: 'UNDECIDED', reason: 'amounts differ', evidence: [] });
    const response = await ask(harness.till, saleOf());
    expect(response).toMatchObject({ status: 'ERROR', errorCode: 'OUTCOME_UNKNOWN', outcome: { charged: 'UNKNOWN' } });
    expect(harness.device.standing()).toEqual([]);
    expect(harness.journal.openTasks()).toHaveLength(1);
  });

  test('with another amount told only at the end names both amounts in its task', async () => {
    // A driver without a provisional result.
    const card = { cardScheme: 'VISA' } as const;
    harness.device.next({ outcome: { kind: 'APPROVED', card, reference: {}, receipts: [], chargedMinor: 100 } });
    const response = await ask(harness.till, saleOf());
    expect(response.errorCode).toBe('OUTCOME_UNKNOWN');
    const [task] = harness.journal.openTasks();
    expect(task).toMatchObject({ state: 'NEEDS_PERSON', reason: expect.stringMatching(/100 .* 1000 /) });
  });
});

describe('a sale that is refused', () => {
  const refused = async (code: string, fields: Parameters<typeof saleOf>[0], context = {}) => {
    await expect(call(harness.till, saleOf(fields), context)).rejects.toMatchObject({ code });
    expect(harness.journal.head().sequence).toBe(0);
    expect(harness.device.commands).toEqual([]);
  };

  test('in another currency than the terminal settles in', () => refused('UNSUPPORTED_CURRENCY', { currency: 'USD' }));
  test('above the amount field of the terminal', () =>
    refused('AMOUNT_TOO_LARGE', { amount: 999_999_999_999, tipAmount: 1 }));
  test('above what a number holds', () =>
    refused('AMOUNT_TOO_LARGE', { amount: Number.MAX_SAFE_INTEGER, tipAmount: 1 }));
  test('at a terminal that is not there', () => refused('NOT_FOUND', {}, { terminalId: 'T9' }));

  test('when the terminal is not connected, at once', async () => {
    harness.device.setConnected(false);
    await refused('TERMINAL_UNREACHABLE', {});
  });

  test('when prepare fails, and the next one goes through', async () => {
    harness.device.next({ refusal: new BridgeError('TERMINAL_NOT_READY', 'close the day first') });
    await refused('TERMINAL_NOT_READY', {});
    expect((await ask(harness.till, saleOf())).status).toBe('APPROVED');
  });

  test('while another runs, naming it', async () => {
    harness.device.next({ hold: ['CARD'] });
    const first = call(harness.till, saleOf());
    await until(() => harness.device.isHeld('CARD'));
    const running = harness.till.currentTransaction({ clientId: 'c', actor: 'a', requestId: 'q', route: 'GET' });
    expect(running.status).toBe('IN_PROGRESS');
    await expect(call(harness.till, saleOf({ amount: 5 }))).rejects.toMatchObject({
      code: 'TRANSACTION_IN_PROGRESS',
      details: { transactionId: running.transactionId },
    });
    harness.device.release('CARD');
    expect((await first).statusCode).toBe(200);
    expect(harness.device.standing()).toEqual([1_000]);
  });
});
