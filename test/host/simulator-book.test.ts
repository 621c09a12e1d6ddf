import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AcquirerReply, AuthorizeMessage, FollowUpMessage } from '../../host/ports/acquirer.ts';
import { openBook } from '../../host/simulator/book-file.ts';
import { MAX_LINE_BYTES } from '../../host/simulator/protocol.ts';
import { startSimulator } from '../../host/simulator/start-simulator.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { followUp, held, originalOf, patient, purchase, reversal, shop } from './support/acquirer-messages.ts';
import { openSimulatorBench, type SimulatorBench } from './support/simulator-bench.ts';
import { simulatorControl } from './support/simulator-control.ts';
import { until } from './support/until.ts';

const codeOf = (reply: AcquirerReply) => (reply.kind === 'ANSWERED' ? reply.answer.responseCode : reply.reason);

describe('the book judges by rules of its own', () => {
  let bench: SimulatorBench;
  beforeEach(async () => {
    bench = await openSimulatorBench();
  });
  afterEach(() => bench.stop());

  const authorize = async (message: AuthorizeMessage) => {
    await bench.acquirer.authorize(message, patient());
    return message;
  };
  const next = (message: AuthorizeMessage, change: Partial<FollowUpMessage> = {}) =>
    followUp(bench.trace(), message, change);
  const act = async (kind: 'capture' | 'adjustTip' | 'void' | 'refund', message: FollowUpMessage) =>
    codeOf(await bench.acquirer[kind](message, patient()));
  const closeEmpty = (currencyCode = 'EUR') => {
    const totals = {
      saleCount: 0,
      saleAmountMinor: 0,
      refundCount: 0,
      refundAmountMinor: 0,
      voidCount: 0,
      voidAmountMinor: 0,
    };
    return bench.acquirer.closeBatch({ ...shop, trace: bench.trace(), currencyCode, totals }, patient());
  };
  const reverse = async (...original: Parameters<typeof originalOf>) =>
    (await bench.acquirer.reverse(reversal(bench.trace(), originalOf(...original)), patient())).kind;

  it('refuses more than is held, a second capture, and a tip after the capture', async () => {
    const hold = await authorize(held(bench.trace()));
    expect(await act('capture', next(hold, { amountMinor: 1001 }))).toBe('13');
    expect(await act('capture', next(hold))).toBe('00');
    expect(await act('capture', next(hold))).toBe('12');
    expect(await act('adjustTip', next(hold, { amountMinor: 1100 }))).toBe('12');
    expect(await bench.book()).toMatchObject({ capturedMinor: 1000, heldMinor: 0 });
  });

  it('refuses what follows an unknown, a declined or another merchant’s authorization, and another currency', async () => {
    const unknown = held(bench.trace());
    expect(await act('capture', next(unknown))).toBe('25');
    const declined = await authorize(held(bench.trace(), { amountMinor: 1051 }));
    expect(await act('capture', next(declined))).toBe('12');
    const hold = await authorize(held(bench.trace()));
    expect(await act('capture', next(hold, { merchantId: 'M-2' }))).toBe('12');
    expect(await act('capture', next(hold, { currencyCode: 'USD' }))).toBe('12');
    expect(await bench.book()).toMatchObject({ capturedMinor: 0, heldMinor: 1000 });
  });

  it('never gives back more than was charged without cash-back, whatever races', async () => {
    const sale = await authorize(purchase(bench.trace(), { amountMinor: 1500, cashbackMinor: 500 }));
    const refunds = Array.from({ length: 16 }, () => act('refund', next(sale, { amountMinor: 300 })));
    expect((await Promise.all(refunds)).sort()).toEqual([...Array(3).fill('00'), ...Array(13).fill('13')]);
    expect(await act('refund', next(sale, { amountMinor: 100 }))).toBe('00');
    expect(await act('void', next(sale))).toBe('12');
    expect(await bench.book()).toMatchObject({ capturedMinor: 1500, refundedMinor: 1000 });
  });

  it('refuses a void after the close, and counts a later refund in the next batch only', async () => {
    const sale = await authorize(purchase(bench.trace()));
    const first = await closeEmpty();
    expect(first).toMatchObject({
      isAgreed: false,
      totals: { saleCount: 1, refundCount: 0 },
      batchReference: 'SIM-000001',
    });
    expect(await act('void', next(sale))).toBe('12');
    expect(await act('refund', next(sale, { amountMinor: 400 }))).toBe('00');
    const second = await closeEmpty();
    expect(second).toMatchObject({
      totals: { saleCount: 0, refundCount: 1, refundAmountMinor: 400 },
      batchReference: 'SIM-000002',
    });
    expect(await closeEmpty()).toMatchObject({ isAgreed: true });
  });

  it('carries an open hold over the close, and keeps batches of other terminals and currencies apart', async () => {
    const hold = await authorize(held(bench.trace()));
    await authorize(purchase(bench.trace(), { terminalId: 'T-2' }));
    await authorize(purchase(bench.trace(), { currencyCode: 'USD' }));
    expect(await closeEmpty()).toMatchObject({ isAgreed: true });
    expect(await act('capture', next(hold))).toBe('00');
    expect(await closeEmpty()).toMatchObject({ totals: { saleCount: 1, saleAmountMinor: 1000 } });
    expect(await closeEmpty('USD')).toMatchObject({ totals: { saleCount: 1 } });
    expect((await bench.summary()).standing).toMatchObject([
      { terminalId: 'T-1', currencyCode: 'EUR', captured: { count: 1, sumMinor: 1000 }, netMinor: 1000 },
      { terminalId: 'T-2', currencyCode: 'EUR', captured: { count: 1, sumMinor: 1000 } },
      { terminalId: 'T-1', currencyCode: 'USD', captured: { count: 1, sumMinor: 1000 } },
    ]);
  });

  it('makes a hold of a capture that is reversed, and a charge of a void that is reversed', async () => {
    const hold = await authorize(held(bench.trace()));
    const capture = next(hold, { amountMinor: 800 });
    await act('capture', capture);
    expect(await reverse({ ...hold, ...capture }, 'CAPTURE')).toBe('CONFIRMED');
    expect(await bench.book()).toMatchObject({ heldMinor: 1000, capturedMinor: 0 });
    const sale = await authorize(purchase(bench.trace()));
    const voided = next(sale);
    await act('void', voided);
    expect(await reverse({ ...sale, ...voided }, 'VOID')).toBe('CONFIRMED');
    expect(await bench.book()).toMatchObject({ heldMinor: 1000, capturedMinor: 1000 });
  });

  it('brings nothing back by reversing a capture whose authorization was reversed', async () => {
    const hold = await authorize(held(bench.trace()));
    const capture = next(hold);
    await act('capture', capture);
    expect(await reverse(hold)).toBe('CONFIRMED');
    expect(await reverse({ ...hold, ...capture }, 'CAPTURE')).toBe('CONFIRMED');
    expect(await bench.book()).toMatchObject({ heldMinor: 0, capturedMinor: 0 });
  });

  it('keeps a void in the totals when its sale is reversed on top of it', async () => {
    const sale = await authorize(purchase(bench.trace()));
    await act('void', next(sale));
    expect(await reverse(sale)).toBe('CONFIRMED');
    expect(await closeEmpty()).toMatchObject({ totals: { saleCount: 1, voidCount: 1, voidAmountMinor: 1000 } });
  });

  it('takes back only the last of several tips', async () => {
    const hold = await authorize(held(bench.trace()));
    const first = next(hold, { amountMinor: 1100 });
    await act('adjustTip', first);
    const second = next(hold, { amountMinor: 1200 });
    await act('adjustTip', second);
    expect(await reverse({ ...hold, ...first }, 'ADJUST_TIP')).toBe('REFUSED');
    expect(await reverse({ ...hold, ...second }, 'ADJUST_TIP')).toBe('CONFIRMED');
    expect(await bench.book()).toMatchObject({ heldMinor: 1100 });
  });

  it('counts a reference that comes with other content as a conflict, and moves nothing', async () => {
    const message = await authorize(purchase(bench.trace()));
    const reply = await bench.acquirer.authorize({ ...message, amountMinor: 2000 }, patient());
    expect(codeOf(reply)).toBe('94');
    expect(await bench.summary()).toMatchObject({ conflicts: 1, repeated: 0, messages: { AUTHORIZE: 1 } });
    expect(await bench.book()).toMatchObject({ capturedMinor: 1000 });
  });

  it('knows a message again that a host has forgotten, by its reference, and says what it has booked', async () => {
    const message = await authorize(purchase(bench.trace()));
    const again = { ...message, trace: { ...bench.trace(), reference: message.trace.reference } };
    const [first, second] = [
      await bench.acquirer.authorize(message, patient()),
      await bench.acquirer.authorize(again, patient()),
    ];
    expect(second).toEqual(first);
    expect(codeOf(second)).toBe('00');
    expect(codeOf(await bench.acquirer.authorize({ ...again, amountMinor: 2000 }, patient()))).toBe('94');
    expect(await bench.summary()).toMatchObject({ conflicts: 1, repeated: 2, messages: { AUTHORIZE: 1 } });
    expect(await bench.book()).toMatchObject({ capturedMinor: 1000 });
  });

  it('refuses a forgotten message when what it did was taken back', async () => {
    const message = await authorize(purchase(bench.trace()));
    expect(await reverse(message)).toBe('CONFIRMED');
    const again = { ...message, trace: { ...bench.trace(), reference: message.trace.reference } };
    expect(codeOf(await bench.acquirer.authorize(again, patient()))).toBe('12');
    expect(await bench.book()).toMatchObject({ capturedMinor: 0 });
  });

  it('answers two hosts with the same message the same, and books it once', async () => {
    const other = await bench.connect();
    const message = purchase(bench.trace());
    const replies = await Promise.all(
      [bench.acquirer, other].map((acquirer) => acquirer.authorize(message, patient())),
    );
    expect(replies[0]).toEqual(replies[1]);
    expect(await bench.summary()).toMatchObject({ repeated: 1, messages: { AUTHORIZE: 1 } });
  });
});

describe('the book on disk', () => {
  let folder: string;
  let path: string;
  const deps = { nowIso: () => '2026-11-28T11:15:00.000Z', onFatal: (error: unknown) => expect.fail(String(error)) };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'acquirer-book-'));
    path = join(folder, 'book.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('calls back only when what was written before is in the file', async () => {
    const book = openBook(path, deps);
    book.append({ kind: 'REPEATED', reference: 'a' }, deps.nowIso());
    expect(readFileSync(path, 'utf8')).not.toContain('REPEATED');
    const seen = await new Promise<string>((resolve) => book.afterSync(() => resolve(readFileSync(path, 'utf8'))));
    expect(seen).toContain('"kind":"REPEATED","reference":"a"');
    book.close();
  });

  it('goes on where it was, without a line that a kill left unfinished', () => {
    const book = openBook(path, deps);
    book.append({ kind: 'REPEATED', reference: 'a' }, deps.nowIso());
    book.close();
    appendFileSync(path, '{"sequence":3,"at":"2026');
    const again = openBook(path, deps);
    expect(again.initialEntries.map(({ kind }) => kind)).toEqual(['OPENED', 'REPEATED']);
    again.append({ kind: 'CONFLICT', reference: 'b' }, deps.nowIso());
    expect(again.read().map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    again.close();
  });

  it('names a damaged line', () => {
    openBook(path, deps).close();
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"sequence":7}\n`);
    expect(() => openBook(path, deps)).toThrow(/Line 2 of the book .* is damaged/);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('is one program’s at a time, and nobody’s after a kill', () => {
    const book = openBook(path, deps);
    expect(() => openBook(path, deps)).toThrow(`in use by process ${process.pid}`);
    book.close();
    writeFileSync(`${path}.lock`, '4194304 12345');
    openBook(path, deps).close();
  });
});

describe('a simulator that starts again', () => {
  it('has the same book, answers repeats as before and goes on with the batch', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'acquirer-again-'));
    const options = { port: 0, controlPort: 0, bookPath: join(folder, 'book.jsonl'), slowMs: 0 };
    const deps = { clock: createManualClock('2026-11-28T11:15:00.000Z'), onEnd: () => {} };
    const first = await startSimulator(options, deps);
    const told = await say(first.ready.port, authorizeLine());
    const before = await simulatorControl(first.ready.controlUrl).book();
    await first.stop();
    const second = await startSimulator(options, deps);
    expect(await say(second.ready.port, authorizeLine())).toEqual(told);
    expect(await simulatorControl(second.ready.controlUrl).book()).toMatchObject({
      standing: before.standing,
      transactions: before.transactions,
      repeated: 1,
    });
    await second.stop();
    rmSync(folder, { recursive: true, force: true });
  });
});

describe('the line of the simulator', () => {
  let bench: SimulatorBench;
  beforeEach(async () => {
    bench = await openSimulatorBench();
  });
  afterEach(() => bench.stop());

  const refused = async () => Object((await bench.control.send('GET', '/state')).body).refusedLines;

  it('takes documents in any cut', async () => {
    const { port } = bench.simulator.ready;
    const line = authorizeLine();
    expect(await say(port, line.slice(0, 40), line.slice(40, 41), line.slice(41))).toMatchObject({ type: 'ANSWER' });
  });

  it.each([
    ['a field too many', { applicationPan: '4761739001010119' }],
    ['a fraction', { amountMinor: 10.5 }],
    ['a text for a number', { amountMinor: '1000' }],
    ['an amount of 0', { amountMinor: 0 }],
    ['an unknown type', { type: 'BALANCE' }],
    ['an unknown currency', { currencyCode: 'XYZ' }],
  ])('ends when it is given %s, and books nothing', async (_, change) => {
    expect(await say(bench.simulator.ready.port, authorizeLine(change))).toBeUndefined();
    expect(await refused()).toBe(1);
    expect(await bench.book()).toMatchObject({ messages: 0 });
  });

  it('ends when a line never ends', async () => {
    expect(await say(bench.simulator.ready.port, 'x'.repeat(MAX_LINE_BYTES + 1))).toBeUndefined();
    await until(async () => Object((await bench.control.send('GET', '/state')).body).connections === 1);
  });
});

describe('the control interface', () => {
  let bench: SimulatorBench;
  beforeEach(async () => {
    bench = await openSimulatorBench();
  });
  afterEach(() => bench.stop());

  it.each([
    [{ rule: 'decline-00' }, 'rule must be one of'],
    [{ rule: 'unplug' }, 'rule must be one of'],
    [{ rule: 'slow', times: 0 }, 'times must be'],
    [{ rule: 'slow', skip: -1 }, 'skip must be'],
    [{ rule: 'slow', types: ['SALE'] }, 'types must be'],
    [{ rule: 'slow', tims: 2 }, 'tims is not a known field'],
  ])('refuses %j', async (body, message) => {
    expect(await bench.control.send('POST', '/next', body)).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(message) },
    });
  });

  it('is no place for web pages', async () => {
    const url = `${bench.simulator.ready.controlUrl}/fault`;
    const asPage = await fetch(url, {
      method: 'POST',
      headers: { origin: 'http://shop.example', 'content-type': 'application/json' },
      body: '{}',
    });
    expect(asPage.status).toBe(403);
    expect((await fetch(url, { method: 'POST', body: '{"fault":"drop"}' })).status).toBe(415);
    expect(await bench.control.send('GET', '/nothing')).toMatchObject({ status: 404 });
  });

  it('disarms', async () => {
    await bench.control.next({ rule: 'decline-05', times: 3 });
    expect((await bench.control.send('DELETE', '/next')).body).toMatchObject({ armed: [] });
    expect(codeOf(await bench.acquirer.authorize(purchase(bench.trace()), patient()))).toBe('00');
  });
});

function authorizeLine(change: Record<string, unknown> = {}): string {
  const request = {
    type: 'AUTHORIZE',
    reference: '6f1f3c52-2f2c-4b0a-9a55-0f6a1d3a7c10',
    stan: 1,
    rrn: '000000000001',
    sentAtMs: 0,
    merchantId: 'M-1',
    terminalId: 'T-1',
    operation: 'purchase',
    captureMethod: 'AUTOMATIC',
    amountMinor: 1000,
    tipMinor: 0,
    cashbackMinor: 0,
    currencyCode: 'EUR',
    account: 'NONE',
    hasPin: false,
    hasChipData: false,
    ...change,
  };
  return `${JSON.stringify(request)}\n`;
}

/** Sends pieces one by one and reads one answer; undefined when the connection ends without one. */
function say(port: number, ...pieces: readonly string[]): Promise<unknown> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    const send = ([piece, ...rest]: readonly string[]) => {
      if (piece !== undefined) socket.write(piece, () => setImmediate(() => send(rest)));
    };
    socket.on('connect', () => send(pieces));
    // A connection that is cut may end with a reset: the answer, or its absence, is what counts.
    socket.on('error', () => {});
    socket.on('close', () => resolve(text === '' ? undefined : JSON.parse(text)));
    socket.on('data', (bytes) => {
      text += bytes.toString('utf8');
      if (text.endsWith('\n')) socket.end();
    });
  });
}
