import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { amountEndings } from '../../app/contract/simulation-rules.ts';
import { authorizationOutcomeOf } from '../../app/domain/authorization-outcome.ts';
import { takeCardData } from '../../app/domain/card-data.ts';
import type { AcquirerReply, AuthorizeMessage, LateAnswer } from '../../host/ports/acquirer.ts';
import { followUp, held, originalOf, patient, purchase, reversal, shop } from './support/acquirer-messages.ts';
import { openSimulatorBench, type SimulatorBench, SLOW_MS } from './support/simulator-bench.ts';
import { until } from './support/until.ts';

let bench: SimulatorBench;
beforeEach(async () => {
  bench = await openSimulatorBench();
});
afterEach(() => bench.stop());

const authorize = (message: AuthorizeMessage) => bench.acquirer.authorize(message, patient());
const codeOf = (reply: AcquirerReply) => (reply.kind === 'ANSWERED' ? reply.answer.responseCode : reply.reason);
const ruleOf = (reply: AcquirerReply) => (reply.kind === 'ANSWERED' ? reply.answer.simulatedRule : reply.reason);

describe('amounts choose the answer', () => {
  it('by the last two minor digits, each code of the sandbox', async () => {
    const codes: string[] = [];
    for (const ending of amountEndings) {
      const reply = await authorize(purchase(bench.trace(), { amountMinor: 1000 + Number(ending) }));
      codes.push(codeOf(reply));
      expect(ruleOf(reply)).toBe(`amount-ending-${ending}`);
    }
    expect(codes).toEqual(amountEndings);
    expect(await bench.book()).toMatchObject({ capturedMinor: 0, messages: amountEndings.length });
  });

  it('of the goods only: tip and cash-back do not count', async () => {
    const goods = purchase(bench.trace(), { amountMinor: 1151 + 500, tipMinor: 100, cashbackMinor: 500 });
    expect(codeOf(await authorize(goods))).toBe('51');
    const extras = purchase(bench.trace(), { amountMinor: 1000 + 51 + 5, tipMinor: 51, cashbackMinor: 5 });
    expect(codeOf(await authorize(extras))).toBe('00');
  });
});

describe('a rule that the payment names', () => {
  it('wins over the amount', async () => {
    const declined = await authorize(purchase(bench.trace(), { simulate: 'decline-41' }));
    expect([codeOf(declined), ruleOf(declined)]).toEqual(['41', 'decline-41']);
  });

  it('is not ours to play when it is a fault of a terminal', async () => {
    const reply = await authorize(purchase(bench.trace(), { simulate: 'unplug' }));
    expect([codeOf(reply), ruleOf(reply)]).toEqual(['00', undefined]);
  });
});

describe('faults', () => {
  const fault = (rule: string) => bench.control.next({ rule });

  it('no-answer: booked, and lost to the host', async () => {
    await fault('no-answer');
    const reply = await bench.acquirer.authorize(purchase(bench.trace()), patient({ timeoutMs: 1 }));
    expect(reply).toEqual({ kind: 'LOST', reason: 'TIMEOUT' });
    await until(async () => (await bench.book()).capturedMinor === 1000);
  });

  it('duplicate-reply: one answer, and nothing late', async () => {
    const late: LateAnswer[] = [];
    bench.acquirer.onLateAnswer((told) => late.push(told));
    await fault('duplicate-reply');
    expect(codeOf(await authorize(purchase(bench.trace())))).toBe('00');
    expect(codeOf(await authorize(purchase(bench.trace())))).toBe('00');
    expect(late).toEqual([]);
    expect(await bench.book()).toMatchObject({ capturedMinor: 2000, messages: 2 });
  });

  it('drop-before-host: lost, and nothing is booked', async () => {
    await fault('drop-before-host');
    expect(await authorize(purchase(bench.trace()))).toEqual({ kind: 'LOST', reason: 'LINE_LOST' });
    expect(await bench.book()).toMatchObject({ messages: 0 });
  });

  it('lost-before-host: no answer, and nothing is booked', async () => {
    await fault('lost-before-host');
    await bench.acquirer.authorize(purchase(bench.trace()), patient({ timeoutMs: 50 }));
    expect(codeOf(await authorize(purchase(bench.trace())))).toBe('00');
    expect(await bench.book()).toMatchObject({ messages: 1 });
  });

  it.each(['drop-after-host', 'half-line'])(
    '%s: booked, the line is lost, and the next message is not disturbed',
    async (rule) => {
      await fault(rule);
      expect(await authorize(purchase(bench.trace()))).toEqual({ kind: 'LOST', reason: 'LINE_LOST' });
      expect(await bench.book()).toMatchObject({ capturedMinor: 1000 });
      await until(() => bench.acquirer.isReady());
      expect(codeOf(await authorize(purchase(bench.trace())))).toBe('00');
    },
  );

  it('noise: no answer is read out of it, and the next message is not disturbed', async () => {
    await fault('noise');
    const noisy = bench.acquirer.authorize(purchase(bench.trace()), patient({ timeoutMs: 50 }));
    expect(await noisy).toEqual({ kind: 'LOST', reason: 'TIMEOUT' });
    expect(codeOf(await authorize(purchase(bench.trace())))).toBe('00');
  });

  it.each([
    ['wrong-amount', 'amountMinor'],
    ['wrong-currency', 'currencyCode'],
    ['wrong-operation', 'operation'],
    ['wrong-terminal', 'terminalId'],
  ])('%s: the answer is never a success', async (rule, mismatch) => {
    await fault(rule);
    const message = purchase(bench.trace());
    const reply = await authorize(message);
    expect(reply.kind === 'ANSWERED' && authorizationOutcomeOf(message, reply.answer)).toMatchObject({
      to: 'FAILED',
      recovery: 'REVERSE',
      mismatches: [mismatch],
    });
    expect(await bench.book()).toMatchObject({ capturedMinor: 1000 });
  });

  it('partial-approval: half is booked, told as 10, and taken back by a reversal', async () => {
    await fault('partial-approval');
    const message = purchase(bench.trace());
    const reply = await authorize(message);
    expect(reply).toMatchObject({ kind: 'ANSWERED', answer: { responseCode: '10', approvedAmountMinor: 500 } });
    expect(reply.kind === 'ANSWERED' && authorizationOutcomeOf(message, reply.answer)).toMatchObject({
      to: 'FAILED',
      recovery: 'REVERSE',
      mismatches: [],
    });
    expect(await bench.book()).toMatchObject({ capturedMinor: 500 });
    await bench.acquirer.reverse(reversal(bench.trace(), originalOf(message)), patient());
    expect(await bench.book()).toMatchObject({ capturedMinor: 0 });
  });

  it.each(['68', '09', '94'])('booked-%s: the money moves while nobody knows', async (code) => {
    await fault(`booked-${code}`);
    const message = purchase(bench.trace());
    const reply = await authorize(message);
    expect(reply.kind === 'ANSWERED' && authorizationOutcomeOf(message, reply.answer)).toMatchObject({
      to: 'FAILED',
      recovery: 'ASK',
    });
    expect(
      await bench.acquirer.ask({ ...shop, trace: bench.trace(), original: originalOf(message) }, patient()),
    ).toMatchObject({
      kind: 'FOUND',
      standing: 'CAPTURED',
      answer: { responseCode: '00' },
    });
  });

  it('late-booking: a message that comes after its reversal is refused, and told as late', async () => {
    const late: LateAnswer[] = [];
    bench.acquirer.onLateAnswer((told) => late.push(told));
    await fault('late-booking');
    const message = purchase(bench.trace());
    expect(await bench.acquirer.authorize(message, patient({ timeoutMs: 1 }))).toMatchObject({ kind: 'LOST' });
    await until(() => bench.clock.waiting === 1);
    const reply = await bench.acquirer.reverse(reversal(bench.trace(), originalOf(message)), patient());
    expect(reply).toEqual({ kind: 'UNKNOWN_ORIGINAL' });
    await bench.clock.advance(SLOW_MS);
    await until(() => late.length === 1);
    expect(late).toMatchObject([{ reference: message.trace.reference, answer: { responseCode: '12' } }]);
    expect(await bench.book()).toMatchObject({ capturedMinor: 0 });
  });

  it('wrong-totals: a batch is closed with totals that differ', async () => {
    await fault('wrong-totals');
    const totals = {
      saleCount: 0,
      saleAmountMinor: 0,
      refundCount: 0,
      refundAmountMinor: 0,
      voidCount: 0,
      voidAmountMinor: 0,
    };
    const reply = await bench.acquirer.closeBatch(
      { ...shop, trace: bench.trace(), currencyCode: 'EUR', totals },
      patient(),
    );
    expect(reply).toMatchObject({
      kind: 'CLOSED',
      isAgreed: false,
      totals: { saleCount: 1 },
      batchReference: 'SIM-000001',
      fundingDate: '2026-11-29',
    });
  });

  it('armed for later meet the message that they are armed for', async () => {
    await bench.control.next({ rule: 'decline-05', skip: 1, times: 2, types: ['AUTHORIZE'] });
    const codes: string[] = [];
    for (let round = 0; round < 4; round++) {
      const message = held(bench.trace());
      codes.push(codeOf(await authorize(message)));
      codes.push(codeOf(await bench.acquirer.void(followUp(bench.trace(), message), patient())));
    }
    expect(codes.filter((_, index) => index % 2 === 0)).toEqual(['00', '05', '05', '00']);
  });
});

describe('card data', () => {
  it('never reach the simulator or its book', async () => {
    const pan = '4761739001010119';
    const { cardData } = takeCardData({
      deviceId: 'D-1',
      terminalId: 'T-1',
      amount: 1000,
      currencyCode: 'EUR',
      entryMode: 'CONTACT',
      track2: `${pan}=22122011758928889`,
      emvTlv: { '5A': pan, '9F26': '0102030405060708' },
      pinBlock: '0123456789ABCDEF',
      ksn: 'FFFF9876543210E00001',
    });
    const reply = await authorize(purchase(bench.trace(), { cardData, entryMode: 'CONTACT' }));
    // Nor is there an issuer's cryptogram (tag 91): it could only be a wrong one, by which a chip refuses what was approved.
    expect(reply).toMatchObject({ kind: 'ANSWERED', answer: { responseCode: '00' } });
    expect(reply).not.toHaveProperty('answer.issuerAuthData');
    const book = readFileSync(bench.simulator.ready.book, 'utf8');
    expect(book).toContain('"account":"CLEAR","hasPin":true,"hasChipData":true');
    for (const secret of [pan, '22122011758928889', '0123456789ABCDEF', 'FFFF9876543210E00001', '0102030405060708'])
      expect(book).not.toContain(secret);
  });
});
