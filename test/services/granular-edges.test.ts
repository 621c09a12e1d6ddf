import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CompleteRequest } from '../../app/contract/transactions.ts';
import type { Log } from '../../app/ports/log.ts';
import type { TerminalOutcome } from '../../app/ports/terminal.ts';
import type { CallContext } from '../../app/services/till.ts';
import { bodyOf, createHarness, type Harness, saleOf, until } from '../support/engine-harness.ts';
import { filesBelow } from '../support/files-below.ts';
import { settle } from '../support/manual-clock.ts';
import { createMemoryReader, type MemoryReader, testChipData } from '../support/memory-reader.ts';
import { testCard } from '../support/memory-terminal.ts';

let reader: MemoryReader;
let harness: Harness;
let logged: string[];
const keep = (message: string, fields?: object) => void logged.push(`${message} ${JSON.stringify(fields ?? {})}`);
const log: Log = { debug: keep, info: keep, warn: keep, error: keep };

beforeEach(() => {
  logged = [];
  reader = createMemoryReader();
  harness = createHarness({ terminals: [reader.terminal], log });
});
afterEach(() => harness.stop());

const context: CallContext = {
  clientId: 'client-1',
  actor: 'pos:x',
  requestId: 'q',
  route: 'POST /v1/transaction/initiate',
};
const completeContext = { ...context, route: 'POST /v1/transaction/complete' };

const initiate = (more: Partial<CallContext> = {}) => harness.till.initiate({ ...context, ...more }, saleOf());
const complete = (request: CompleteRequest, more: Partial<CallContext> = {}) =>
  harness.till.complete({ ...completeContext, ...more }, request);
const approval = (transactionId: string): CompleteRequest => ({
  transactionId,
  responseCode: '00',
  authorizationCode: 'A1B2C3',
});

/** The one transaction that runs. */
const runningId = () => harness.till.currentTransaction(context).transactionId;

describe('the chip’s own approval', () => {
  const chipApproved: TerminalOutcome = { kind: 'CHIP_APPROVED', chipData: testChipData, card: testCard };

  test('is no payment: an error that charges nothing, and nothing waits for a completion', async () => {
    reader.nextReading(chipApproved);
    const response = bodyOf(await initiate());
    expect(response).toMatchObject({
      status: 'ERROR',
      errorCode: 'TERMINAL_ERROR',
      message: expect.stringMatching(/without asking its issuer/),
      outcome: { charged: 'NO', safeToRetry: true },
    });
    expect(response.chipData).toBeUndefined();
    expect(harness.till.totals(context).totals).toMatchObject({ saleCount: 0, saleAmount: 0 });
    expect(harness.till.recoveryTasks(context).data).toEqual([]);
    await expect(complete(approval(response.transactionId))).rejects.toMatchObject({ code: 'NOT_PENDING_ONLINE' });
    expect(reader.completions).toEqual([]);
    expect(bodyOf(await initiate()).status).toBe('PENDING_ONLINE');
  });

  test('does not make a payment of a card that got an issuer’s approval and says so again', async () => {
    const { transactionId } = bodyOf(await initiate());
    reader.nextCompletion(chipApproved);
    expect(bodyOf(await complete(approval(transactionId)))).toMatchObject({
      status: 'ERROR',
      errorCode: 'OUTCOME_UNKNOWN',
      outcome: { evidence: expect.stringMatching(/reverse/i) },
    });
  });
});

describe('before the card asks its issuer', () => {
  test('an abort ends it cancelled, with nothing charged', async () => {
    reader.nextReading('HOLD');
    const answer = initiate();
    await until(() => harness.names().includes('waiting_for_card'), 'the reader waits');
    await harness.till.abort(context, runningId());
    const response = bodyOf(await answer);
    expect(response).toMatchObject({
      status: 'CANCELLED',
      cancelledReason: 'POS_REQUEST',
      outcome: { charged: 'NO', safeToRetry: true },
    });
    await expect(complete(approval(response.transactionId))).rejects.toMatchObject({ code: 'NOT_PENDING_ONLINE' });
  });

  test('a card that is taken out ends it cancelled', async () => {
    reader.nextReading({ kind: 'CANCELLED', reason: 'CARD_REMOVED', receipts: [] });
    expect(bodyOf(await initiate())).toMatchObject({
      status: 'CANCELLED',
      cancelledReason: 'CARD_REMOVED',
      outcome: { charged: 'NO' },
    });
  });

  test('a reader that is unplugged ends it as an error that charges nothing, without a task', async () => {
    reader.nextReading({ kind: 'UNKNOWN', message: 'The reader was unplugged.', evidence: [] });
    expect(bodyOf(await initiate())).toMatchObject({
      status: 'ERROR',
      errorCode: 'TERMINAL_ERROR',
      outcome: { charged: 'NO', safeToRetry: true },
    });
    expect(harness.till.recoveryTasks(context).data).toEqual([]);
  });

  test('a call whose time is over ends it cancelled by the time-out', async () => {
    reader.nextReading('HOLD');
    const answer = initiate({ timeoutSeconds: 30 });
    await until(() => harness.names().includes('waiting_for_card'), 'the reader waits');
    await harness.clock.advance(31_000);
    expect(bodyOf(await answer)).toMatchObject({
      status: 'CANCELLED',
      cancelledReason: 'TIMEOUT',
      outcome: { charged: 'NO', safeToRetry: true },
    });
  });

  test('a card that comes after the call was answered is told that nobody asks its issuer', async () => {
    reader.nextReading('DEAF');
    const answer = initiate({ timeoutSeconds: 30 });
    await until(() => harness.names().includes('waiting_for_card'), 'the reader waits');
    await harness.clock.advance(31_000);
    const { transactionId, ...response } = bodyOf(await answer);
    expect(response).toMatchObject({ status: 'ERROR', outcome: { charged: 'NO' } });
    reader.presentCard();
    await until(() => reader.discarded === 1, 'the reader is given free');
    expect(reader.completions).toEqual([{ transactionId, responseCode: 'Z3' }]);
    expect(harness.till.transaction(context, transactionId).status).toBe('ERROR');
    await settle();
    expect(bodyOf(await initiate()).status).toBe('PENDING_ONLINE');
  });
});

describe('between the steps', () => {
  test('a reader that is unplugged ends OUTCOME_UNKNOWN and tells the POS to reverse, never declined', async () => {
    const { transactionId } = bodyOf(await initiate());
    reader.nextCompletion({ kind: 'UNKNOWN', message: 'The card step was lost.', evidence: [] });
    expect(bodyOf(await complete(approval(transactionId)))).toMatchObject({
      status: 'ERROR',
      errorCode: 'OUTCOME_UNKNOWN',
      outcome: { charged: 'UNKNOWN', safeToRetry: false, evidence: expect.stringMatching(/reverse/i) },
    });
    expect(harness.till.recoveryTasks(context).data).toEqual([]);
    expect(bodyOf(await initiate()).status).toBe('PENDING_ONLINE');
  });

  test.each([
    ['a string', '9F180400000001'],
    ['an array', ['9F180400000001', '9F180400000002']],
  ] as const)('issuer scripts 71 and 72 reach the card as they were sent: %s', async (_, scripts) => {
    const { transactionId } = bodyOf(await initiate());
    const issuerScripts = typeof scripts === 'string' ? scripts : [...scripts];
    const request: CompleteRequest = {
      ...approval(transactionId),
      issuerAuthData: '11223344556677883030',
      issuerScripts71: issuerScripts,
      issuerScripts72: issuerScripts,
    };
    expect(bodyOf(await complete(request)).status).toBe('APPROVED');
    expect(reader.completions).toEqual([request]);
  });

  test('a completion whose card thinks longer than the call may last is sent again and gets the one result', async () => {
    const { transactionId } = bodyOf(await initiate());
    reader.nextCompletion('HOLD');
    const request = approval(transactionId);
    const first = complete(request, { timeoutSeconds: 10 });
    const refused = expect(first).rejects.toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
      details: { transactionId, retryAfterSeconds: 1 },
    });
    await harness.clock.advance(11_000);
    await refused;
    // The 60 s of the completion are over by now, and do not end what the card is busy with.
    await harness.clock.advance(60_000);
    const second = complete(request, { timeoutSeconds: 30 });
    reader.cardAnswers();
    expect(bodyOf(await second)).toMatchObject({ status: 'APPROVED', outcome: { charged: 'YES' } });
    expect(reader.completions).toHaveLength(1);
    await expect(complete({ ...request, responseCode: '05' })).rejects.toMatchObject({ code: 'NOT_PENDING_ONLINE' });
  });

  test('a restart of the till ends it unknown, and neither the old nor another completion is taken', async () => {
    const { transactionId } = bodyOf(await initiate({ idempotencyKey: 'k' }));
    harness.crashAndRestart();
    expect(harness.till.transaction(context, transactionId)).toMatchObject({
      status: 'ERROR',
      errorCode: 'OUTCOME_UNKNOWN',
      outcome: { evidence: expect.stringMatching(/reverse/i) },
    });
    for (const request of [approval(transactionId), { transactionId, responseCode: '05' }])
      await expect(complete(request)).rejects.toMatchObject({ code: 'NOT_PENDING_ONLINE' });
    expect(reader.completions).toEqual([]);
  });
});

describe('what the card and the issuer said', () => {
  const canaries = [
    '1122334455667788',
    '0123456789ABCDEF',
    'FFFF9876543210E00001',
    '99887766554433223030',
    '9F1804CAFECAFE',
  ];
  const chipData = {
    emvTags: { ...testChipData.emvTags, '9F26': canaries[0] ?? '' },
    encryptedPinBlock: canaries[1] ?? '',
    pinKsn: canaries[2] ?? '',
    pinBlockFormat: 'ISO_0',
  } as const;

  /** Everything in the data folder, WAL included, and everything that was logged. */
  function kept(): string {
    const files = filesBelow(harness.dataDir);
    const texts = files.map(({ content }) => content.toString('latin1'));
    expect(files.map(({ name }) => name)).toContain('journal.db-wal');
    return [...texts, ...logged].join('\n');
  }

  function expectNoneKept(transactionId: string): void {
    const all = kept();
    // The search itself finds what is there.
    expect(all).toContain(transactionId);
    for (const canary of canaries) {
      expect(all.toUpperCase()).not.toContain(canary);
      expect(all).not.toContain(Buffer.from(canary, 'hex').toString('latin1'));
      expect(all).not.toContain(Buffer.from(canary, 'hex').toString('base64').replace(/=+$/, ''));
    }
  }

  test('is in no file of the data folder and in no log, before, after and when the card is lost', async () => {
    reader.nextReading({ kind: 'PENDING_ONLINE', chipData, card: testCard });
    const answer = await initiate({ idempotencyKey: 'k' });
    const { transactionId } = bodyOf(answer);
    expect(answer.body).toContain(canaries[0]);
    expectNoneKept(transactionId);
    await complete(
      { ...approval(transactionId), issuerAuthData: canaries[3] ?? '', issuerScripts72: [canaries[4] ?? ''] },
      { idempotencyKey: 'c' },
    );
    expectNoneKept(transactionId);
    reader.nextReading({ kind: 'PENDING_ONLINE', chipData, card: testCard });
    const second = bodyOf(await initiate());
    reader.nextCompletion('LOST');
    await complete(approval(second.transactionId));
    await harness.clock.advance(5_000);
    expectNoneKept(second.transactionId);
    harness.crashAndRestart();
    expectNoneKept(second.transactionId);
  });

  test('is in no event that is replayed after the end', async () => {
    reader.nextReading({ kind: 'PENDING_ONLINE', chipData, card: testCard });
    const { transactionId } = bodyOf(await initiate());
    expect(JSON.stringify(harness.till.eventsAfter(context, 0))).toContain(canaries[0]);
    await complete(approval(transactionId));
    const replayed = harness.till.eventsAfter(context, 0);
    expect(replayed.map(({ event }) => event)).toContain('result');
    expect(JSON.stringify(replayed)).not.toContain(canaries[0]);
    expect(JSON.stringify(replayed)).not.toContain(canaries[1]);
  });
});
