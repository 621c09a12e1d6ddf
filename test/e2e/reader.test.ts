// Reader, till, host and acquirer as the programs that they are, and their books held against each other.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import type { ChipData, TransactionResponse } from '../../app/contract/transactions.ts';
import { fromHex, toHex } from '../../drivers/framing/bytes.ts';
import { CHIP_CARDS } from '../../drivers/virtual/neo2/card/chip-cards.ts';
import { sealPin } from '../../drivers/virtual/neo2/crypto/sealed.ts';
import { newReaderKeys, takeDukptKey } from '../../drivers/virtual/neo2/crypto/test-keys.ts';
import { temporaryFolder } from '../support/processes.ts';
import { openReaderShop, type ReaderShop } from '../support/reader-shop.ts';

const PROGRAMS_MS = 180_000;
const WAIT = { timeout: 45_000, interval: 100 };
/** Above the amount up to which a card that is tapped asks for nothing. */
const sale = { type: 'SALE', amount: 10_000, currency: 'EUR', entryMode: 'CONTACT' } as const;
/** What the POS's own acquirer answers. */
const approval = { responseCode: '00', authorizationCode: 'ABC123' } as const;

const folder = temporaryFolder();
let shop: ReaderShop;
/** What the reader gave to the POS in granular payments: none of it may stay. */
const handedOut: string[] = [];

beforeAll(async () => {
  shop = await openReaderShop(folder.path);
}, PROGRAMS_MS);
afterEach(expectBooksAgree);
afterAll(async () => {
  await shop?.close();
  folder.remove();
}, PROGRAMS_MS);

async function expectBooksAgree(): Promise<void> {
  const { journal, host, acquirer, atCards, ofJournal, open } = await shop.books();
  expect(host).toEqual(journal);
  expect(acquirer).toEqual(journal);
  expect(atCards).toEqual(ofJournal);
  expect(open).toEqual([]);
}

async function post(path: string, body: object): Promise<TransactionResponse> {
  const answer = await shop.pos().post(path, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as TransactionResponse;
}

async function initiate(): Promise<TransactionResponse> {
  const pending = await post('/v1/transaction/initiate', sale);
  expect(pending).toMatchObject({ status: 'PENDING_ONLINE', entryMode: 'CONTACT', cvmResult: 'ONLINE_PIN' });
  expectChipData(pending.chipData);
  return pending;
}

function expectChipData(chipData: ChipData | undefined): void {
  expect(chipData).toMatchObject({
    emvTags: { '9F02': '000000010000', '9F03': '000000000000', '9C': '00', '9F27': '80' },
    encryptedPinBlock: expect.stringMatching(/^[0-9A-F]{16}$/),
    pinKsn: expect.stringMatching(/^FFFF9876543210[0-9A-F]{6}$/),
    pinBlockFormat: 'ISO_0',
  });
  const { emvTags = {}, encryptedPinBlock } = chipData ?? {};
  expect(emvTags['9F26']).toMatch(/^[0-9A-F]{16}$/);
  for (const text of [emvTags['57'], emvTags['5A'], emvTags.DFEE12, encryptedPinBlock]) {
    expect(text).toMatch(/^[0-9A-F]{16,}$/);
    handedOut.push(text ?? '');
  }
}

const find = async (transactionId: string) =>
  (await shop.pos().get(`/v1/transactions/${transactionId}`)).body as TransactionResponse;

/** The transaction once nobody asks about it any more. */
const settled = (transactionId: string) =>
  vi.waitFor(async () => {
    const found = await find(transactionId);
    const { body } = await shop.pos().get('/v1/recovery-tasks');
    expect([found.status, body.data]).toEqual([expect.stringMatching(/^(APPROVED|DECLINED|CANCELLED|ERROR)$/), []]);
    return found;
  }, WAIT);

const readerIsBack = () =>
  vi.waitFor(async () => {
    const { body } = await shop.pos().get('/v1/device/health');
    expect(body).toMatchObject({ connected: true, state: 'IDLE' });
  }, WAIT);

/** Once the issuer has been asked: the acquirer has booked it, and tells nobody. */
const isAsked = (from: number) =>
  vi.waitFor(async () => expect((await shop.acquirer().book()).messages.AUTHORIZE).toBe(from + 1), WAIT);

/** The acquirer had approved it, and it does not stand. */
async function expectTakenBack(capturedMinor: number): Promise<void> {
  const { transactions } = await shop.acquirer().book();
  expect(transactions.at(-1)).toMatchObject({ responseCode: '00', capturedMinor, stands: false });
}

async function current(): Promise<string> {
  const { body } = await shop.pos().get('/v1/transactions/current');
  return String(body.transactionId);
}

describe('a chip sale with online PIN that the POS authorizes itself', () => {
  it('runs from /initiate to /complete over REST', { timeout: PROGRAMS_MS }, async () => {
    const { transactionId } = await initiate();
    const completion = { transactionId, ...approval };
    const approved = await post('/v1/transaction/complete', completion);
    expect(approved).toMatchObject({ status: 'APPROVED', cryptogramType: 'TC', authorizationCode: 'ABC123' });
    expect(approved.outcome?.charged).toBe('YES');
    expect(approved.chipData).toBeUndefined();
    expect((await post('/v1/transaction/complete', completion)).status).toBe('APPROVED');
    const { steps } = await shop.readerBook();
    expect(steps.at(-1)).toMatchObject({ end: 'APPROVED', told: { isHostReached: true, responseCode: '00' } });
  });

  it('is declined when its issuer declines', { timeout: PROGRAMS_MS }, async () => {
    const { transactionId } = await initiate();
    const declined = await post('/v1/transaction/complete', { transactionId, responseCode: '51' });
    expect(declined).toMatchObject({ status: 'DECLINED', responseCode: '51', outcome: { charged: 'NO' } });
  });

  it('runs over the WebSocket with granular: true and the action complete', { timeout: PROGRAMS_MS }, async () => {
    const { steps, response } = await sellInSession({ granular: true }, ({ chipData, transactionId }) => {
      expectChipData(chipData);
      return { action: 'complete', transactionId, ...approval, requestId: 'complete-1' };
    });
    expect(steps).toEqual(['waiting_for_card', 'card_detected', 'pin_required', 'online_authorization', 'result']);
    expect(response).toMatchObject({ status: 'APPROVED', cryptogramType: 'TC' });
  });
});

interface SessionEvent {
  readonly event: string;
  readonly transactionId?: string;
  readonly chipData?: ChipData;
  readonly response?: TransactionResponse;
}

/** Sells over the WebSocket. @returns the steps of the sale, each once and in their order, and its result */
async function sellInSession(fields: object, authorize?: (event: SessionEvent) => object) {
  const { posUrl, posKey = '' } = shop.till().ready;
  const socket = new WebSocket(`${posUrl.replace('http', 'ws')}/v1/session`, { headers: { 'x-api-key': posKey } });
  const names = new Set<string>();
  const result = new Promise<TransactionResponse | undefined>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (data) => {
      const event = JSON.parse(String(data)) as SessionEvent;
      if (event.event !== 'status_changed') names.add(event.event);
      if (event.event === 'error') reject(new Error(String(data)));
      if (event.event === 'result') resolve(event.response);
      if (event.event === 'online_authorization' && authorize !== undefined)
        socket.send(JSON.stringify(authorize(event)));
    });
  });
  await new Promise<void>((resolve) => socket.on('open', () => resolve()));
  const { type: _type, ...asked } = sale;
  socket.send(JSON.stringify({ action: 'sale', ...asked, ...fields, requestId: 'sale-1' }));
  const response = await result;
  socket.close();
  return { steps: [...names], response };
}

describe('the same card through the host', () => {
  let sold: TransactionResponse;

  it('sells with tip and cash-back', { timeout: PROGRAMS_MS }, async () => {
    sold = await post('/v1/transaction/sale', { ...sale, tipAmount: 500, cashbackAmount: 2_000 });
    expect(sold).toMatchObject({ status: 'APPROVED', cvmResult: 'ONLINE_PIN', cryptogramType: 'TC', simulated: true });
    expect(sold.receiptData?.totalAmount).toBe(12_500);
    const { steps } = await shop.readerBook();
    expect(steps.at(-1)?.order).toMatchObject({ transactionType: '09', amountMinor: 12_500, cashbackMinor: 2_000 });
  });

  it('tells the WebSocket session each step, also that the issuer is asked', { timeout: PROGRAMS_MS }, async () => {
    const { steps, response } = await sellInSession({ amount: 6_600 });
    expect(steps).toEqual(['waiting_for_card', 'card_detected', 'pin_required', 'processing', 'result']);
    expect(response).toMatchObject({ status: 'APPROVED', amount: 6_600 });
  });

  it('gives back a part', { timeout: PROGRAMS_MS }, async () => {
    const { transactionId: originalTransactionId } = sold;
    const refund = { type: 'REFUND', amount: 4_000, currency: 'EUR', originalTransactionId };
    expect((await post('/v1/transaction/refund', refund)).status).toBe('APPROVED');
  });

  it('holds, and is charged less than was held', { timeout: PROGRAMS_MS }, async () => {
    const { transactionId: originalTransactionId } = await post('/v1/transaction/pre-auth', {
      ...sale,
      type: 'PRE_AUTH',
      amount: 20_000,
    });
    await expectBooksAgree();
    const completion = { type: 'PRE_AUTH_COMPLETE', amount: 15_000, currency: 'EUR', originalTransactionId };
    expect((await post('/v1/transaction/pre-auth/complete', completion)).status).toBe('APPROVED');
  });

  it('is not charged after a void', { timeout: PROGRAMS_MS }, async () => {
    const { transactionId: originalTransactionId } = await post('/v1/transaction/sale', { ...sale, amount: 7_700 });
    await expectBooksAgree();
    const voiding = { type: 'VOID', amount: 0, currency: 'EUR', originalTransactionId };
    expect((await post('/v1/transaction/void', voiding)).status).toBe('APPROVED');
  });

  it('is declined by its issuer, and the chip is told', { timeout: PROGRAMS_MS }, async () => {
    const declined = await post('/v1/transaction/sale', { ...sale, amount: 10_051 });
    expect(declined).toMatchObject({ status: 'DECLINED', responseCode: '51', outcome: { charged: 'NO' } });
    const { steps } = await shop.readerBook();
    expect(steps.at(-1)).toMatchObject({ end: 'DECLINED', told: { isHostReached: true, responseCode: '51' } });
  });

  it('is closed with the figures of all', { timeout: PROGRAMS_MS }, async () => {
    const { body } = await shop.pos().post('/v1/reconciliation', { closeDay: true }, { 'idempotency-key': 'close-1' });
    const totals = { saleCount: 4, saleAmount: 12_500 + 6_600 + 15_000 + 7_700, refundCount: 1, refundAmount: 4_000 };
    expect(body).toMatchObject({ status: 'SUCCESS', totals: { ...totals, voidCount: 1, voidAmount: 7_700 } });
    const { batches } = await shop.acquirer().book();
    expect(batches).toHaveLength(1);
    expect(JSON.stringify(batches[0])).toContain(`"saleAmountMinor":${totals.saleAmount}`);
  });
});

describe('a payment that the merchant’s server asks for at the host', () => {
  /** The books of cards are held against each other by what a chip has approved. */
  const insertCard = () => shop.reader.send('POST', '/card', { card: 'visa-chip' });
  const endsAs = (sessionId: string, status: string) =>
    vi.waitFor(async () => {
      const { session, events } = await shop.sessionAtHost(sessionId);
      expect(session.status).toBe(status);
      expect(events.at(-1)?.eventType).toMatch(/^(COMPLETED|CANCELLED|FAILED)$/);
      return { session, steps: events.map(({ eventType }) => eventType) };
    }, WAIT);

  it('wakes the till through the link, and is charged once', { timeout: PROGRAMS_MS }, async () => {
    await insertCard();
    const sessionId = await shop.orderAtHost(12_300);
    const { session, steps } = await endsAs(sessionId, 'SUCCEEDED');
    expect(session).toMatchObject({ amountMinor: 12_300, finalAmountMinor: 12_300 });
    expect(steps).toEqual([
      ...['CLAIMED', 'DISPLAYED', 'CARD_PRESENTED', 'PIN_STARTED', 'AUTHORIZATION_STARTED'],
      ...['AUTHORIZATION_RESULT', 'COMPLETED'],
    ]);
    const { body } = await shop.pos().get('/v1/transactions/last');
    expect(body).toMatchObject({ status: 'APPROVED', amount: 12_300 });
  });

  it('is not begun anew by a till that was killed while a card was waited for', { timeout: PROGRAMS_MS }, async () => {
    await shop.reader.send('POST', '/hand', { seconds: 120 });
    const sessionId = await shop.orderAtHost(4_500);
    await shop.reader.untilState(({ isCardReaderLit }) => isCardReaderLit);
    await shop.killTill();
    await endsAs(sessionId, 'FAILED');
    await shop.reader.send('DELETE', '/hand');
    await readerIsBack();
    await insertCard();
    expect((await endsAs(await shop.orderAtHost(4_600), 'SUCCEEDED')).session.finalAmountMinor).toBe(4_600);
  });
});

describe('a till that is killed', () => {
  it('between /initiate and /complete cannot say what the card took, and tells the POS to reverse', {
    timeout: PROGRAMS_MS,
  }, async () => {
    const { transactionId } = await initiate();
    await shop.killTill();
    const lost = await settled(transactionId);
    expect(lost).toMatchObject({ status: 'ERROR', outcome: { charged: 'UNKNOWN', safeToRetry: false } });
    expect(lost.outcome?.evidence).toContain('Reverse the authorization at your own acquirer');
    const late = await shop.pos().post('/v1/transaction/complete', { transactionId, ...approval });
    expect(late.body).toMatchObject({ error: 'NOT_PENDING_ONLINE' });
    await readerIsBack();
    expect((await post('/v1/transaction/sale', sale)).status).toBe('APPROVED');
  });

  it('while the acquirer is asked has the approval taken back', { timeout: PROGRAMS_MS }, async () => {
    const { messages } = await shop.acquirer().book();
    await shop.acquirer().next({ rule: 'no-answer', types: ['AUTHORIZE'] });
    const running = shop.pos().post('/v1/transaction/sale', { ...sale, amount: 8_800 });
    running.catch(() => undefined);
    await isAsked(messages.AUTHORIZE ?? 0);
    const transactionId = await current();
    await shop.killTill();
    const ended = await settled(transactionId);
    expect(ended).toMatchObject({ status: 'ERROR', outcome: { charged: 'NO' } });
    await expectTakenBack(8_800);
    await readerIsBack();
    expect((await post('/v1/transaction/sale', sale)).status).toBe('APPROVED');
  });
});

describe('a reader that is unplugged', () => {
  it('between the steps of a granular payment leaves it unknown, never declined', {
    timeout: PROGRAMS_MS,
  }, async () => {
    const { transactionId } = await initiate();
    await shop.reader.send('POST', '/fault', { fault: 'unplug' });
    const lost = await post('/v1/transaction/complete', { transactionId, ...approval });
    expect(lost).toMatchObject({ status: 'ERROR', outcome: { charged: 'UNKNOWN', safeToRetry: false } });
    expect(lost.outcome?.evidence).toContain('Reverse the authorization at your own acquirer');
    await readerIsBack();
  });

  it('while the acquirer is asked has the approval taken back', { timeout: PROGRAMS_MS }, async () => {
    const { messages } = await shop.acquirer().book();
    await shop.acquirer().next({ rule: 'slow', types: ['AUTHORIZE'] });
    const running = post('/v1/transaction/sale', { ...sale, amount: 9_900 });
    running.catch(() => undefined);
    await isAsked(messages.AUTHORIZE ?? 0);
    await shop.reader.send('POST', '/fault', { fault: 'unplug' });
    const { transactionId } = await running;
    expect(await settled(transactionId)).toMatchObject({ status: 'ERROR', outcome: { charged: 'NO' } });
    await expectTakenBack(9_900);
    await readerIsBack();
    expect((await post('/v1/transaction/sale', sale)).status).toBe('APPROVED');
  });
});

describe('what is left of the cards on disk', () => {
  it('is a masked number: no account, no track, no PIN block, no serial number of an account', {
    timeout: PROGRAMS_MS,
  }, async () => {
    const { steps, entries } = await shop.readerBook();
    expect(steps.length).toBeGreaterThan(8);
    const numbers = steps.map(({ card }) => CHIP_CARDS.find(({ id }) => id === card.id)?.pan ?? '');
    const serialNumbers = steps.map(({ accountKsn }) => accountKsn);
    const pinBlocks = entries.flatMap((entry) => (entry.kind === 'PIN_SEALED' ? [pinBlockOf(entry.ksn)] : []));
    expect(pinBlocks.some((block) => handedOut.includes(block))).toBe(true);
    const needles = [...new Set([...numbers, ...serialNumbers, ...pinBlocks, ...handedOut])].flatMap(spellings);
    // The traces are written a little later than the messages; by its end the till has written all.
    const files = await vi.waitFor(() => {
      const found = filesUnder(shop.dataDir);
      const names = found.map((path) => path.slice(shop.dataDir.length + 1));
      expect(names).toEqual(
        expect.arrayContaining(['journal.db', 'journal.db-wal', 'host/host.db', 'logs/till.log', 'traces/wire.jsonl']),
      );
      return found;
    }, WAIT);
    const hitsIn = (path: string) => {
      const content = readFileSync(path);
      return needles.filter((needle) => content.includes(needle)).map((needle) => needle.toString('latin1'));
    };
    for (const path of files) expect(hitsIn(path), path).toEqual([]);
    // The reader's own book has the serial numbers: they would be found.
    expect(hitsIn(join(folder.path, 'reader.jsonl'))).toEqual(expect.arrayContaining([...new Set(serialNumbers)]));
    expect(readFileSync(join(shop.dataDir, 'traces/wire.jsonl'), 'utf8')).toContain('apply response');
  });
});

/** The PIN block that the reader made under a serial number. */
function pinBlockOf(ksn: string): string {
  const { pan = '', pin = '' } = CHIP_CARDS.find(({ id }) => id === 'visa-chip') ?? {};
  let { pin: state } = newReaderKeys();
  for (;;) {
    const step = takeDukptKey(state);
    if (step === undefined) throw new Error(`${ksn} is no serial number of this reader`);
    if (toHex(step.ksn) === ksn) return toHex(sealPin(step, { pin, pan, random: new Uint8Array(8) }).block);
    state = step.state;
  }
}

/** As text, as bytes, turned round, and once more encoded. */
function spellings(text: string): readonly Buffer[] {
  const bytes = fromHex(text.length % 2 === 0 ? text : `${text}F`);
  return [
    ...[text, text.toLowerCase(), Array.from(text).reverse().join(''), text.replace(/(.{4})(?=.)/g, '$1 ')].map(
      (each) => Buffer.from(each),
    ),
    Buffer.from(text, 'utf16le'),
    Buffer.from(bytes),
    Buffer.from(Buffer.from(text).toString('base64').replace(/=+$/, '')),
    Buffer.from(Buffer.from(bytes).toString('base64').replace(/=+$/, '')),
  ];
}

function filesUnder(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
