import { describe, expect, it } from 'vitest';
import { createLateAnswers } from '../../host/acquirers/late-answers.ts';
import { createPendingAnswers } from '../../host/acquirers/line/pending-answers.ts';
import type { LateAnswer } from '../../host/ports/acquirer.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { silentLog } from '../support/zvt-terminal.ts';
import { patient } from './support/acquirer-messages.ts';

const clock = createManualClock();
const create = () => createPendingAnswers<string, string>(clock);
const call = (timeoutMs = 1000) => patient({ timeoutMs });

describe('pending answers', () => {
  it('let several calls wait for one answer: repeats of one message', async () => {
    const pending = create();
    const first = pending.expect('key', 'note', call(1000));
    const repeat = pending.expect('key', 'note', call(2000));
    await clock.advance(1000);
    expect(await first).toEqual({ kind: 'LOST', reason: 'TIMEOUT' });
    expect(pending.settle('key', 'yes')).toEqual({ kind: 'MATCHED' });
    expect(await repeat).toEqual({ kind: 'ANSWER', answer: 'yes' });
    expect(pending.settle('key', 'yes')).toEqual({ kind: 'REPEATED' });
    expect(pending.settle('key', 'no')).toEqual({ kind: 'LATE', note: 'note' });
    expect(pending.settle('other', 'yes')).toEqual({ kind: 'UNKNOWN' });
  });

  it('leave no timer and no wait behind', async () => {
    const pending = create();
    const waiting = ['a', 'b'].map((key) => pending.expect(key, key, call()));
    const giveUp = new AbortController();
    const givenUp = pending.expect('c', 'c', patient({ signal: giveUp.signal }));
    expect(pending.size()).toBe(3);
    giveUp.abort();
    pending.loseAll('LINE_LOST');
    expect(await Promise.all([...waiting, givenUp])).toEqual([
      { kind: 'LOST', reason: 'LINE_LOST' },
      { kind: 'LOST', reason: 'LINE_LOST' },
      { kind: 'LOST', reason: 'ABORTED' },
    ]);
    expect([pending.size(), clock.waiting]).toEqual([0, 0]);
  });

  it('are bounded: at 10,000 that wait there is no room, and the oldest of 10,000 that ended are forgotten', async () => {
    const pending = create();
    const waiting = Array.from({ length: 10_000 }, (_, index) => pending.expect(`${index}`, 'note', call()));
    expect(pending.canExpect('one more', () => true)).toBe(false);
    expect(pending.canExpect('7', () => true)).toBe(true);
    expect(pending.canExpect('7', () => false)).toBe(false);
    pending.loseAll('LINE_LOST');
    await Promise.all(waiting);
    const last = pending.expect('last', 'note', call());
    pending.loseAll('LINE_LOST');
    await last;
    expect(pending.settle('0', 'yes')).toEqual({ kind: 'UNKNOWN' });
    expect(pending.settle('1', 'yes')).toMatchObject({ kind: 'LATE' });
    expect(pending.settle('last', 'yes')).toMatchObject({ kind: 'LATE' });
  });
});

describe('late answers', () => {
  const late = (stan: number): LateAnswer => ({ stan, terminalId: 'T-1', answer: { responseCode: '00', echo: {} } });

  it('that come before anybody listens are kept for the first who does', () => {
    const answers = createLateAnswers(silentLog);
    answers.tell(late(1));
    answers.tell(late(2));
    const told: number[] = [];
    const end = answers.subscribe(({ stan }) => told.push(stan));
    answers.tell(late(3));
    end();
    answers.tell(late(4));
    expect(told).toEqual([1, 2, 3]);
    answers.subscribe(({ stan }) => told.push(stan));
    expect(told).toEqual([1, 2, 3, 4]);
  });

  it('are kept up to a limit, and the log says what is dropped', () => {
    const errors: string[] = [];
    const answers = createLateAnswers({ ...silentLog, error: (message) => errors.push(message) });
    for (let stan = 1; stan <= 1001; stan++) answers.tell(late(stan));
    const told: number[] = [];
    answers.subscribe(({ stan }) => told.push(stan));
    expect([told.length, errors.length]).toEqual([1000, 1]);
  });
});
