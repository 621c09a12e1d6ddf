import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AuthorizationOutcome, authorizationOutcomeOf } from '../../app/domain/authorization-outcome.ts';
import type {
  Acquirer,
  AcquirerReply,
  AuthorizeMessage,
  BatchTotals,
  LateAnswer,
  MessageAnswer,
  MessageTrace,
} from '../../host/ports/acquirer.ts';
import { followUp, held, originalOf, patient, preAuth, purchase, reversal, shop } from './support/acquirer-messages.ts';
import { until } from './support/until.ts';

/** What the acquirer's own book says, in minor units. */
interface BenchBook {
  /** sums of what stands */
  readonly heldMinor: number;
  readonly capturedMinor: number;
  readonly refundedMinor: number;
  /** messages that were taken for new */
  readonly messages: number;
}

/** An acquirer of ours in front of one of another origin, which can be made to misbehave. */
export interface AcquirerBench {
  readonly acquirer: Acquirer;
  readonly trace: () => MessageTrace;
  /** The next message is declined with this code. */
  decline(code: string): Promise<void>;
  /** The answer to the next message is kept back. */
  withhold(): Promise<void>;
  /** What was kept back is sent. */
  release(): Promise<void>;
  /** The answer to the next message tells another amount than was asked. */
  tellWrongAmount(): Promise<void>;
  /** The line is down, and stays so, until it is up. */
  lineDown(): Promise<void>;
  lineUp(): Promise<void>;
  book(): Promise<BenchBook>;
  stop(): Promise<void>;
}

const nothing: BatchTotals = {
  saleCount: 0,
  saleAmountMinor: 0,
  refundCount: 0,
  refundAmountMinor: 0,
  voidCount: 0,
  voidAmountMinor: 0,
};

function answerOf(reply: AcquirerReply): MessageAnswer {
  if (reply.kind !== 'ANSWERED') throw new Error(`not answered: ${reply.kind} ${reply.reason}`);
  return reply.answer;
}

function outcomeOf(message: AuthorizeMessage, reply: AcquirerReply): AuthorizationOutcome {
  return authorizationOutcomeOf(message, answerOf(reply));
}

/** What every acquirer must do. The book of the other side judges. */
export function describeAcquirer(name: string, open: () => Promise<AcquirerBench>): void {
  describe(`the acquirer battery on ${name}`, () => {
    let bench: AcquirerBench;
    let acquirer: Acquirer;

    beforeEach(async () => {
      bench = await open();
      acquirer = bench.acquirer;
    });
    afterEach(() => bench.stop());

    const book = () => bench.book();
    const approvedPurchase = async (change: Partial<AuthorizeMessage> = {}) => {
      const message = purchase(bench.trace(), change);
      const { authorizationCode } = answerOf(await acquirer.authorize(message, patient()));
      return { message, original: originalOf(message, 'AUTHORIZE', authorizationCode) };
    };
    const approvedHold = async (change: Partial<AuthorizeMessage> = {}) => {
      const message = held(bench.trace(), change);
      const { authorizationCode } = answerOf(await acquirer.authorize(message, patient()));
      return { message, original: originalOf(message, 'AUTHORIZE', authorizationCode) };
    };

    describe('authorizations', () => {
      it('are approved, with a code, and captured at once', async () => {
        const message = purchase(bench.trace());
        const reply = await acquirer.authorize(message, patient());
        expect(outcomeOf(message, reply)).toMatchObject({ to: 'SUCCEEDED', responseCode: '00', mismatches: [] });
        expect(answerOf(reply)).toMatchObject({
          authorizationCode: expect.stringMatching(/^[0-9A-Z]{6}$/),
          rrn: expect.any(String),
        });
        expect(answerOf(reply).echo).toMatchObject({
          amountMinor: 1000,
          currencyCode: 'EUR',
          terminalId: shop.terminalId,
        });
        expect(await book()).toMatchObject({ capturedMinor: 1000, heldMinor: 0, messages: 1 });
      });

      it('are declined, and nothing is booked', async () => {
        await bench.decline('51');
        const message = purchase(bench.trace());
        const reply = await acquirer.authorize(message, patient());
        expect(outcomeOf(message, reply)).toMatchObject({ to: 'DECLINED', responseCode: '51' });
        expect(await book()).toMatchObject({ capturedMinor: 0, heldMinor: 0 });
      });

      it('hold, where a capture is to follow', async () => {
        for (const message of [held(bench.trace()), preAuth(bench.trace())]) {
          const reply = await acquirer.authorize(message, patient());
          expect(outcomeOf(message, reply)).toMatchObject({ to: 'REQUIRES_CAPTURE', mismatches: [] });
        }
        expect(await book()).toMatchObject({ capturedMinor: 0, heldMinor: 2000 });
      });

      it('of pre-authorizations are declined', async () => {
        await bench.decline('05');
        const message = preAuth(bench.trace());
        expect(outcomeOf(message, await acquirer.authorize(message, patient()))).toMatchObject({ to: 'DECLINED' });
        expect(await book()).toMatchObject({ heldMinor: 0 });
      });

      it('of refunds are approved', async () => {
        const { original } = await approvedPurchase();
        const message = purchase(bench.trace(), { operation: 'refund', amountMinor: 400, original });
        expect(outcomeOf(message, await acquirer.authorize(message, patient()))).toMatchObject({
          to: 'SUCCEEDED',
          mismatches: [],
        });
        expect(await book()).toMatchObject({ capturedMinor: 1000, refundedMinor: 400 });
      });

      it('with cash-back and a tip carry the whole amount', async () => {
        const message = purchase(bench.trace(), { amountMinor: 1600, tipMinor: 100, cashbackMinor: 500 });
        const reply = await acquirer.authorize(message, patient());
        expect(outcomeOf(message, reply)).toMatchObject({ to: 'SUCCEEDED', mismatches: [] });
        expect(await book()).toMatchObject({ capturedMinor: 1600 });
      });

      it('of currencies without and with three decimals keep their minor units', async () => {
        for (const [currencyCode, amountMinor] of [
          ['JPY', 500],
          ['KWD', 92_000],
        ] as const) {
          const message = purchase(bench.trace(), { currencyCode, amountMinor });
          expect(outcomeOf(message, await acquirer.authorize(message, patient()))).toMatchObject({
            to: 'SUCCEEDED',
            mismatches: [],
          });
        }
        expect(await book()).toMatchObject({ capturedMinor: 92_500 });
      });

      it('that run side by side get each its own answer', async () => {
        const messages = Array.from({ length: 50 }, (_, index) =>
          purchase(bench.trace(), { amountMinor: 10_000 + index * 100 }),
        );
        const replies = await Promise.all(messages.map((message) => acquirer.authorize(message, patient())));
        expect(
          messages.map((message, index) => replies[index] && outcomeOf(message, replies[index]).mismatches),
        ).toEqual(messages.map(() => []));
        expect(await book()).toMatchObject({ messages: 50 });
      });

      it('of the largest amount are exact', async () => {
        const amountMinor = acquirer.capabilities.maxAmountMinor - (acquirer.capabilities.maxAmountMinor % 100);
        const message = purchase(bench.trace(), { amountMinor });
        expect(outcomeOf(message, await acquirer.authorize(message, patient()))).toMatchObject({
          to: 'SUCCEEDED',
          mismatches: [],
        });
        expect(await book()).toMatchObject({ capturedMinor: amountMinor });
      });
    });

    describe('what follows an authorization', () => {
      it('captures less than was held', async () => {
        const { message, original } = await approvedHold();
        const reply = await acquirer.capture(
          followUp(bench.trace(), message, { original, amountMinor: 700 }),
          patient(),
        );
        expect(answerOf(reply)).toMatchObject({ responseCode: '00', echo: { amountMinor: 700 } });
        expect(await book()).toMatchObject({ capturedMinor: 700, heldMinor: 0 });
      });

      it('adjusts the tip of a hold', async () => {
        expect(acquirer.capabilities.canAdjustTips).toBe(true);
        const { message, original } = await approvedHold();
        const adjusted = followUp(bench.trace(), message, { original, amountMinor: 1200 });
        expect(answerOf(await acquirer.adjustTip(adjusted, patient()))).toMatchObject({ responseCode: '00' });
        expect(await book()).toMatchObject({ heldMinor: 1200, capturedMinor: 0 });
        await acquirer.capture(followUp(bench.trace(), message, { original, amountMinor: 1200 }), patient());
        expect(await book()).toMatchObject({ heldMinor: 0, capturedMinor: 1200 });
      });

      it('voids a capture and a hold', async () => {
        const sale = await approvedPurchase();
        const hold = await approvedHold({ amountMinor: 500 });
        for (const { message, original } of [sale, hold])
          expect(
            answerOf(await acquirer.void(followUp(bench.trace(), message, { original }), patient())).responseCode,
          ).toBe('00');
        expect(await book()).toMatchObject({ heldMinor: 0, capturedMinor: 0 });
      });

      it('refunds a part, without the card', async () => {
        const { message, original } = await approvedPurchase();
        const refund = followUp(bench.trace(), message, { original, amountMinor: 300 });
        expect(answerOf(await acquirer.refund(refund, patient()))).toMatchObject({
          responseCode: '00',
          echo: { operation: 'refund' },
        });
        expect(await book()).toMatchObject({ capturedMinor: 1000, refundedMinor: 300 });
      });

      it('is declined, and then changes nothing', async () => {
        const { message, original } = await approvedHold();
        const sale = await approvedPurchase();
        const codes: string[] = [];
        for (const act of [
          () => acquirer.capture(followUp(bench.trace(), message, { original }), patient()),
          () => acquirer.adjustTip(followUp(bench.trace(), message, { original, amountMinor: 1100 }), patient()),
          () => acquirer.void(followUp(bench.trace(), message, { original }), patient()),
          () => acquirer.refund(followUp(bench.trace(), sale.message, { original: sale.original }), patient()),
        ]) {
          await bench.decline('12');
          codes.push(answerOf(await act()).responseCode);
        }
        expect(codes).toEqual(['12', '12', '12', '12']);
        expect(await book()).toMatchObject({ heldMinor: 1000, capturedMinor: 1000, refundedMinor: 0 });
      });
    });

    describe('the line', () => {
      it('down: nothing is sent, whatever is asked', async () => {
        const { message, original } = await approvedHold();
        const before = await book();
        await bench.lineDown();
        expect(acquirer.isReady()).toBe(false);
        const next = () => followUp(bench.trace(), message, { original });
        const replies = await Promise.all([
          acquirer.authorize(purchase(bench.trace()), patient()),
          acquirer.capture(next(), patient()),
          acquirer.adjustTip(next(), patient()),
          acquirer.void(next(), patient()),
          acquirer.refund(next(), patient()),
          acquirer.reverse(reversal(bench.trace(), original), patient()),
          acquirer.closeBatch({ ...shop, trace: bench.trace(), currencyCode: 'EUR', totals: nothing }, patient()),
        ]);
        expect(replies).toEqual(replies.map(() => ({ kind: 'NOT_SENT', reason: 'LINE_DOWN' })));
        expect(await book()).toEqual(before);
      });

      it('up again: the next message goes through', async () => {
        await bench.lineDown();
        await bench.lineUp();
        expect(acquirer.isReady()).toBe(true);
        await approvedPurchase();
        expect(await book()).toMatchObject({ capturedMinor: 1000 });
      });

      it('lost while an answer is awaited: the message is lost, not refused', async () => {
        await bench.withhold();
        const replying = acquirer.authorize(purchase(bench.trace()), patient());
        await until(async () => (await book()).messages === 1);
        await bench.lineDown();
        expect(await replying).toEqual({ kind: 'LOST', reason: 'LINE_LOST' });
        expect(await book()).toMatchObject({ capturedMinor: 1000 });
      });

      it('closed by us: what waits is lost, and nothing more is sent', async () => {
        await bench.withhold();
        const replying = acquirer.authorize(purchase(bench.trace()), patient());
        await until(async () => (await book()).messages === 1);
        await acquirer.stop();
        expect(await replying).toEqual({ kind: 'LOST', reason: 'LINE_LOST' });
        expect(await acquirer.authorize(purchase(bench.trace()), patient())).toMatchObject({ kind: 'NOT_SENT' });
      });
    });

    describe('a call', () => {
      it('that was given up before it began sends nothing', async () => {
        const reply = await acquirer.authorize(purchase(bench.trace()), patient({ signal: AbortSignal.abort() }));
        expect(reply).toEqual({ kind: 'NOT_SENT', reason: 'ABORTED' });
        expect(await book()).toMatchObject({ messages: 0 });
      });

      it('without an answer in time is lost', async () => {
        await bench.withhold();
        const reply = await acquirer.authorize(purchase(bench.trace()), patient({ timeoutMs: 1 }));
        expect(reply).toEqual({ kind: 'LOST', reason: 'TIMEOUT' });
      });

      it('whose answer comes after its end is told as late, once, with its message', async () => {
        const told: LateAnswer[] = [];
        acquirer.onLateAnswer((late) => told.push(late));
        const giveUp = new AbortController();
        await bench.withhold();
        const message = purchase(bench.trace());
        const replying = acquirer.authorize(message, patient({ signal: giveUp.signal }));
        await until(async () => (await book()).messages === 1);
        giveUp.abort();
        expect(await replying).toEqual({ kind: 'LOST', reason: 'ABORTED' });
        await bench.release();
        await until(() => told.length > 0);
        const { reference, stan } = message.trace;
        expect(told).toMatchObject([
          { reference, stan, terminalId: shop.terminalId, kind: 'AUTHORIZE', answer: { responseCode: '00' } },
        ]);
        expect(authorizationOutcomeOf(message, told[0]?.answer ?? { responseCode: '', echo: {} })).toMatchObject({
          to: 'SUCCEEDED',
        });
      });

      it('repeated with the same trace is answered the same and booked once', async () => {
        await bench.withhold();
        const message = purchase(bench.trace());
        expect(await acquirer.authorize(message, patient({ timeoutMs: 1 }))).toMatchObject({ kind: 'LOST' });
        await until(async () => (await book()).messages === 1);
        const second = await acquirer.authorize(message, patient({ isRepeat: true }));
        const third = await acquirer.authorize(message, patient({ isRepeat: true }));
        expect(outcomeOf(message, second)).toMatchObject({ to: 'SUCCEEDED' });
        expect(third).toEqual(second);
        expect(await book()).toMatchObject({ capturedMinor: 1000, messages: 1 });
      });

      it('that captures, repeated with the same trace, captures once', async () => {
        const { message, original } = await approvedHold();
        const capture = followUp(bench.trace(), message, { original });
        await bench.withhold();
        expect(await acquirer.capture(capture, patient({ timeoutMs: 1 }))).toMatchObject({ kind: 'LOST' });
        await until(async () => (await book()).messages === 2);
        expect(answerOf(await acquirer.capture(capture, patient({ isRepeat: true })))).toMatchObject({
          responseCode: '00',
        });
        expect(await book()).toMatchObject({ capturedMinor: 1000, heldMinor: 0, messages: 2 });
      });

      it('that is answered with another amount is never a success', async () => {
        await bench.tellWrongAmount();
        const message = purchase(bench.trace());
        const reply = await acquirer.authorize(message, patient());
        expect(outcomeOf(message, reply)).toMatchObject({
          to: 'FAILED',
          recovery: 'REVERSE',
          mismatches: ['amountMinor'],
        });
      });
    });

    describe('a reversal', () => {
      const reverse = (original: ReturnType<typeof originalOf>) =>
        acquirer.reverse(reversal(bench.trace(), original), patient());

      it('of an approval is confirmed', async () => {
        const { original } = await approvedPurchase();
        expect(await reverse(original)).toEqual({ kind: 'CONFIRMED' });
        expect(await book()).toMatchObject({ capturedMinor: 0 });
      });

      it('of a hold, and of a refund, is confirmed', async () => {
        const hold = await approvedHold();
        const sale = await approvedPurchase();
        const refund = followUp(bench.trace(), sale.message, { original: sale.original, amountMinor: 300 });
        await acquirer.refund(refund, patient());
        expect(await reverse(hold.original)).toEqual({ kind: 'CONFIRMED' });
        expect(await reverse(originalOf({ ...refund, operation: 'refund' }, 'REFUND'))).toEqual({ kind: 'CONFIRMED' });
        expect(await book()).toMatchObject({ heldMinor: 0, capturedMinor: 1000, refundedMinor: 0 });
      });

      it('of what was already reversed is confirmed, and changes nothing more', async () => {
        const { original } = await approvedPurchase();
        await approvedPurchase({ amountMinor: 500 });
        const first = reversal(bench.trace(), original);
        expect(await acquirer.reverse(first, patient())).toEqual({ kind: 'CONFIRMED' });
        expect(await acquirer.reverse(first, patient({ isRepeat: true }))).toEqual({ kind: 'CONFIRMED' });
        expect(await reverse(original)).toEqual({ kind: 'CONFIRMED' });
        expect(await book()).toMatchObject({ capturedMinor: 500 });
      });

      it('of a message that never arrived says so', async () => {
        expect(await reverse(originalOf(purchase(bench.trace())))).toEqual({ kind: 'UNKNOWN_ORIGINAL' });
        expect(await book()).toMatchObject({ capturedMinor: 0 });
      });

      it('of a message whose answer was lost takes back what it did', async () => {
        await bench.withhold();
        const message = purchase(bench.trace());
        expect(await acquirer.authorize(message, patient({ timeoutMs: 1 }))).toMatchObject({ kind: 'LOST' });
        await until(async () => (await book()).capturedMinor === 1000);
        expect(await reverse(originalOf(message))).toEqual({ kind: 'CONFIRMED' });
        expect(await book()).toMatchObject({ capturedMinor: 0 });
      });

      it('that is refused says with which code', async () => {
        const { original } = await approvedPurchase();
        await acquirer.closeBatch(
          {
            ...shop,
            trace: bench.trace(),
            currencyCode: 'EUR',
            totals: { ...nothing, saleCount: 1, saleAmountMinor: 1000 },
          },
          patient(),
        );
        expect(await reverse(original)).toMatchObject({ kind: 'REFUSED', responseCode: '12' });
        expect(await book()).toMatchObject({ capturedMinor: 1000 });
      });
    });

    describe('a question', () => {
      it('is answered, or known to be none', async () => {
        const { original, message } = await approvedPurchase();
        const ask = (asked: typeof original) =>
          acquirer.ask({ ...shop, trace: bench.trace(), original: asked }, patient());
        if (!acquirer.capabilities.canAsk) {
          expect(await ask(original)).toEqual({ kind: 'NOT_SENT', reason: 'UNSUPPORTED' });
          return;
        }
        expect(await ask(original)).toMatchObject({
          kind: 'FOUND',
          standing: 'CAPTURED',
          answer: { responseCode: '00' },
        });
        await acquirer.reverse(reversal(bench.trace(), original), patient());
        expect(await ask(original)).toMatchObject({ kind: 'FOUND', standing: 'TAKEN_BACK' });
        await bench.decline('51');
        const declined = purchase(bench.trace());
        await acquirer.authorize(declined, patient());
        expect(await ask(originalOf(declined))).toMatchObject({
          kind: 'FOUND',
          standing: 'DECLINED',
          answer: { responseCode: '51' },
        });
        expect(await ask(originalOf({ ...message, trace: bench.trace() }))).toEqual({ kind: 'NOT_FOUND' });
      });
    });

    describe('a batch', () => {
      it('closes with totals that agree, counting a void twice and a reversal not at all', async () => {
        const sale = await approvedPurchase();
        const voided = await approvedPurchase({ amountMinor: 500 });
        const reversed = await approvedPurchase({ amountMinor: 9000 });
        await acquirer.void(followUp(bench.trace(), voided.message, { original: voided.original }), patient());
        await acquirer.refund(
          followUp(bench.trace(), sale.message, { original: sale.original, amountMinor: 300 }),
          patient(),
        );
        await acquirer.reverse(reversal(bench.trace(), reversed.original), patient());
        const totals = {
          saleCount: 2,
          saleAmountMinor: 1500,
          refundCount: 1,
          refundAmountMinor: 300,
          voidCount: 1,
          voidAmountMinor: 500,
        };
        const close = (counted: BatchTotals) =>
          acquirer.closeBatch({ ...shop, trace: bench.trace(), currencyCode: 'EUR', totals: counted }, patient());
        expect(await close(totals)).toMatchObject({ kind: 'CLOSED', isAgreed: true });
        expect(await close(nothing)).toMatchObject({ kind: 'CLOSED', isAgreed: true });
      });

      it('closes with totals that differ, and says so', async () => {
        await approvedPurchase();
        const message = { ...shop, trace: bench.trace(), currencyCode: 'EUR', totals: nothing };
        const reply = await acquirer.closeBatch(message, patient());
        expect(reply).toMatchObject({
          kind: 'CLOSED',
          isAgreed: false,
          totals: { saleCount: 1, saleAmountMinor: 1000 },
        });
        expect(await acquirer.closeBatch(message, patient({ isRepeat: true }))).toEqual(reply);
      });

      it('that may not be closed says with which code', async () => {
        await bench.decline('96');
        const message = { ...shop, trace: bench.trace(), currencyCode: 'EUR', totals: nothing };
        expect(await acquirer.closeBatch(message, patient())).toEqual({ kind: 'REFUSED', responseCode: '96' });
      });
    });
  });
}
