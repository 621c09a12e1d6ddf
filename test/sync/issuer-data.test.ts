// What the issuer tells the chip (tags 91, 71 and 72) goes from the acquirer through host, till and reader to a card that computes it for itself.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TransactionRequest, TransactionResponse } from '../../app/contract/transactions.ts';
import { ask } from '../support/engine-harness.ts';
import { cardOf } from '../virtual/neo2/support.ts';
import { context, openReaderTill, type ReaderTill } from './support/reader-till.ts';

const TEST_MS = 60_000;
const sale = { type: 'SALE', amount: 1_200, currency: 'EUR', entryMode: 'CONTACT' } as const;

describe('a card that insists on its issuer', () => {
  let till: ReaderTill;
  beforeEach(async () => {
    till = await openReaderTill({ cards: [cardOf('mastercard-strict')] });
    await expect.poll(() => till.harness.till.knownHealth(context).state, { timeout: TEST_MS }).toBe('IDLE');
  }, TEST_MS);
  afterEach(() => till.stop());

  const finished = () => till.reader.book().entries.filter((entry) => entry.kind === 'CARD_FINISHED');
  const booksAgree = () => expect.poll(() => till.disagreements(), { timeout: TEST_MS }).toEqual([]);
  const ends = async () => (await till.acquirer.book()).transactions.map(({ state }) => state);

  async function pay(request: TransactionRequest): Promise<TransactionResponse> {
    return await ask(till.harness.till, request);
  }

  it('pays through the host, for it is told its issuer’s answer', { timeout: TEST_MS }, async () => {
    expect(await pay(sale)).toMatchObject({ status: 'APPROVED', responseCode: '00', cryptogramType: 'TC' });
    expect(finished()).toMatchObject([{ cryptogram: 'TC', told: { responseCode: '00', check: 'PASSED' } }]);
    await booksAgree();
    expect(await ends()).toEqual(['CAPTURED']);
  });

  it('refuses a wrong answer, and the host takes back what was approved', { timeout: TEST_MS }, async () => {
    await till.acquirer.next({ rule: 'wrong-issuer-data' });
    const { transactionId, ...answer } = await pay(sale);
    expect(answer).toMatchObject({ status: 'DECLINED', outcome: { charged: 'NO' } });
    expect(finished()).toMatchObject([{ cryptogram: 'AAC', told: { responseCode: '00', check: 'FAILED' } }]);
    await booksAgree();
    expect(await ends()).toEqual(['REVERSED']);
    expect((await till.payments()).map(({ id, status }) => [id, status])).toEqual([[transactionId, 'REVERSED']]);
    expect((await pay({ ...sale, amount: 3_400 })).status).toBe('APPROVED');
    await booksAgree();
  });

  it('gets the scripts of its issuer, before and after its last word', { timeout: TEST_MS }, async () => {
    await till.acquirer.next({ rule: 'issuer-scripts' });
    expect((await pay(sale)).status).toBe('APPROVED');
    expect(finished()).toMatchObject([{ cryptogram: 'TC', told: { check: 'PASSED', scriptCount: 2 } }]);
    await booksAgree();
  });
});
