import { describe, expect, it } from 'vitest';
import { judgeReply } from '../../drivers/caisse-ap/judge.ts';
import { checkCommand } from '../../drivers/caisse-ap/operations.ts';
import { bytesOf } from '../support/hex.ts';
import { CAISSE_AP_FIXTURE, type FixtureItem } from './codec/fixture.ts';
import { createRig, message, never, question, refund, sale, settings } from './support/rig.ts';

/** The kinds in which an end of the fixture may be told. */
const kindsOf: Readonly<Record<string, readonly string[]>> = {
  approved: ['APPROVED'],
  'not-approved': ['DECLINED', 'CANCELLED', 'FAILED'],
  pending: ['NO_CONCLUSION'],
  mismatch: ['NO_CONCLUSION'],
  unknown: ['NO_CONCLUSION'],
};

/** The command to which a reply of the fixture is the answer. */
function asked({ id, expect: expected }: FixtureItem) {
  const requested = expected.requestedAmount ?? expected.amount;
  const amountMinor = typeof requested === 'number' ? requested : 1_000;
  return checkCommand(id === 'reply-refund' ? refund(amountMinor) : sale(amountMinor), settings);
}

const judgedItems = CAISSE_AP_FIXTURE.filter((item) => item.expect.outcome !== undefined);

describe('a reply of the fixture', () => {
  it.each(judgedItems.map((item) => [item.id, item] as const))('%s is judged as it says', (_id, item) => {
    const kinds = kindsOf[String(item.expect.outcome)];
    expect(kinds).toContain(judgeReply(bytesOf(item.hex), asked(item), settings).kind);
  });

  it('of which every outcome is there', () => {
    expect(new Set(judgedItems.map((item) => item.expect.outcome))).toEqual(new Set(Object.keys(kindsOf)));
    expect(judgedItems.length).toBe(28);
  });
});

describe('AE 01', () => {
  it.each([
    ['reply-failed-04', { kind: 'DECLINED', reason: 'The terminal says: the payment was refused.' }],
    ['reply-failed-05', { kind: 'DECLINED', reason: 'The terminal says: the payment is forbidden.' }],
    ['reply-failed-08', { kind: 'CANCELLED', reason: 'TIMEOUT' }],
    ['reply-failed-09', { kind: 'FAILED', errorCode: 'TERMINAL_ERROR' }],
    ['reply-failed-11', { kind: 'CANCELLED', reason: 'CARDHOLDER' }],
    ['reply-abandoned-no-amount', { kind: 'CANCELLED', reason: 'CARDHOLDER' }],
    ['reply-failed-no-reason', { kind: 'FAILED', errorCode: 'TERMINAL_ERROR' }],
  ])('%s ends the payment', async (id, outcome) => {
    const rig = createRig();
    await rig.ready();
    rig.answers([message(id)]);
    expect(await rig.pay()).toMatchObject(outcome);
  });

  it('tells no issuer code: AF is the terminal’s own', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([message('reply-failed-05')]);
    expect(await rig.pay()).toMatchObject({ kind: 'DECLINED', card: {} });
  });
});

describe('an answer that proves nothing', () => {
  it.each([
    ['another amount', message('reply-other-amount'), 'RESULT_DIFFERS', '2000 minor units, but 1000'],
    ['done without an amount', 'CZ0040300AE00210', 'ANSWER_LOST', 'lost'],
    ['another currency', 'CZ0040300CE003756CB0041000AE00210', 'RESULT_DIFFERS', 'another currency'],
    ['accepted, not finished', message('reply-accepted'), 'ANSWER_LOST', 'does not tell how'],
    ['no status', message('reply-no-ae'), 'ANSWER_LOST', 'lost'],
    ['a status that is not known', 'CZ0040300CB0041000AE00277', 'ANSWER_LOST', 'not known'],
    ['failed, then done', message('duplicate-tag'), 'ANSWER_LOST', 'AE has two values'],
    ['cut in a value', message('cut-in-value'), 'ANSWER_LOST', 'lost'],
    ['cut in a length', message('cut-in-length'), 'ANSWER_LOST', 'lost'],
    ['cut in a tag', message('cut-in-tag'), 'ANSWER_LOST', 'lost'],
    ['a length that is no number', message('bad-length'), 'ANSWER_LOST', 'no message'],
    ['a tag that is none', message('bad-tag'), 'ANSWER_LOST', 'no message'],
    ['a web server', message('http'), 'ANSWER_LOST', 'no message'],
    ['more than any reply has', `CZ0040300${`ZR999${'X'.repeat(999)}`.repeat(9)}`, 'ANSWER_LOST', 'does not end'],
    ['nothing', message('empty'), 'ANSWER_LOST', 'lost'],
  ])('%s is unknown, with what came as evidence, and never sent again', async (_what, text, reasonCode, words) => {
    const rig = createRig();
    await rig.ready();
    rig.answers([text, 1_000, 'DROP']);
    const outcome = await rig.pay();
    expect(outcome).toMatchObject({
      kind: 'UNKNOWN',
      reasonCode,
      evidence: [{ question: 'Sale of 1000 minor units EUR', questionCode: 'COMMAND' }],
    });
    expect(JSON.stringify(outcome)).toContain(words);
    expect(rig.requests).toHaveLength(1);
  });

  it('is left to a person at once: asking again would never tell', async () => {
    const rig = createRig();
    await rig.ready();
    const answer = await rig.terminal.recover(question(sale()), never());
    expect(answer).toMatchObject({ kind: 'UNDECIDED', reasonCode: 'ANSWER_LOST' });
    expect(answer.evidence).toHaveLength(1);
    expect(rig.requests).toEqual([]);
  });

  it('with BA 1 is all that there is: each payment stays unknown', async () => {
    const rig = createRig({ answerMode: 'AT_ONCE' });
    await rig.ready();
    rig.answers([message('reply-accepted').replace('CB0041000', 'CB0041010')]);
    expect(await rig.pay(sale(1_010))).toMatchObject({ kind: 'UNKNOWN' });
    expect(rig.requests).toEqual([message('sale-at-once')]);
  });

  it('with BA 1 and a status that decides is taken at its word', async () => {
    const rig = createRig({ answerMode: 'AT_ONCE' });
    await rig.ready();
    rig.answers([message('reply-failed-05')]);
    expect((await rig.pay()).kind).toBe('DECLINED');
  });
});
