import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ExchangeAction,
  type ExchangeEnding,
  type ExchangeInput,
  type ExchangeState,
  INITIAL_EXCHANGE_STATE,
  stepExchange,
} from '../../drivers/session/exchange.machine.ts';

const times = { replyTimeoutMs: 5_000, completionTimeoutMs: 180_000 };
const message = (more: Partial<ExchangeInput & { type: 'MESSAGE' }> = {}): ExchangeInput => ({
  type: 'MESSAGE',
  isSignOfLife: true,
  isEnd: false,
  isResult: false,
  beforeReply: 'FOREIGN',
  ...more,
});
const positive: ExchangeInput = { type: 'REPLY', isPositive: true };
const negative: ExchangeInput = { type: 'REPLY', isPositive: false };
const sent: ExchangeInput = { type: 'SENT' };

function play(ending: ExchangeEnding, ...inputs: readonly ExchangeInput[]) {
  let state: ExchangeState = INITIAL_EXCHANGE_STATE;
  const actions: ExchangeAction[] = [];
  for (const input of inputs) {
    const step = stepExchange(ending, times, state, input);
    state = step.state;
    actions.push(...step.actions);
  }
  return { state, actions, ends: actions.flatMap((action) => (action.type === 'END' ? [action.end] : [])) };
}

describe('a command', () => {
  it('waits T3 for its reply and T4 for its end', () => {
    const { actions } = play('MESSAGE', sent, positive);
    expect(actions).toEqual([
      { type: 'START_TIMER', delayMs: 5_000 },
      { type: 'STARTED' },
      { type: 'START_TIMER', delayMs: 180_000 },
    ]);
  });

  it.each<[string, readonly ExchangeInput[], string]>([
    ['is refused', [sent, negative], 'REFUSED'],
    ['gets no reply', [sent, { type: 'TIMER_EXPIRED' }], 'REPLY_TIMEOUT'],
    ['gets no end', [sent, positive, { type: 'TIMER_EXPIRED' }], 'COMPLETION_TIMEOUT'],
    ['completes', [sent, positive, message(), message({ isEnd: true })], 'COMPLETED'],
    ['loses its link before it was sent', [{ type: 'LINK_DOWN' }], 'LINK_LOST'],
    ['loses its link before the reply', [sent, { type: 'LINK_DOWN' }], 'LINK_LOST'],
    ['loses its link while it runs', [sent, positive, { type: 'LINK_DOWN' }], 'LINK_LOST'],
    ['gets an end before its reply', [sent, message({ isEnd: true })], 'FOREIGN_RESULT'],
    ['gets a result before its reply', [sent, message({ isResult: true })], 'FOREIGN_RESULT'],
    ['is an enquiry whose answer comes at once', [sent, message({ isEnd: true, beforeReply: 'ANSWER' })], 'COMPLETED'],
    ['gets its reply before the news of its sending', [positive, sent, message({ isEnd: true })], 'COMPLETED'],
  ])('%s', (_, inputs, end) => {
    expect(play('MESSAGE', ...inputs).ends).toEqual([end]);
  });

  it('acknowledges the end of an earlier abort before its reply, and goes on waiting for its own', () => {
    const stray = message({ isEnd: true, beforeReply: 'STRAY' });
    expect(play('MESSAGE', sent, stray).actions.slice(1)).toEqual([{ type: 'SERVE' }]);
    expect(play('MESSAGE', sent, stray, positive, message({ isEnd: true })).ends).toEqual(['COMPLETED']);
  });

  it('that some terminals complete ends with the completion, or with the time for it', () => {
    expect(play('REPLY_OR_MESSAGE', sent, positive).ends).toEqual([]);
    expect(play('REPLY_OR_MESSAGE', sent, positive, { type: 'TIMER_EXPIRED' }).ends).toEqual(['REPLIED']);
    expect(play('REPLY_OR_MESSAGE', sent, positive, message({ isEnd: true })).ends).toEqual(['COMPLETED']);
    expect(play('REPLY_OR_MESSAGE', sent, negative).ends).toEqual(['REFUSED']);
  });

  it('that ends with its reply runs no T4', () => {
    const { actions, ends } = play('REPLY', sent, positive);
    expect(ends).toEqual(['REPLIED']);
    expect(actions.some((action) => action.type === 'STARTED')).toBe(false);
  });

  it('serves what has nothing to do with it before its reply, and does not count it as a sign of life', () => {
    const { actions, state } = play('MESSAGE', sent, message());
    expect(actions.slice(1)).toEqual([{ type: 'SERVE' }]);
    expect(state).toEqual({ phase: 'AWAITING_REPLY' });
  });

  it('takes a new T4 from the terminal and keeps it', () => {
    const { actions } = play('MESSAGE', sent, positive, message({ completionTimeoutMs: 600_000 }), message());
    expect(actions.filter((action) => action.type === 'START_TIMER').map((action) => action.delayMs)).toEqual([
      5_000, 180_000, 600_000, 600_000,
    ]);
  });

  it('shortens T4 once only the end is to come, until the next sign of life', () => {
    const { actions, ends } = play('MESSAGE', sent, positive, { type: 'END_EXPECTED', withinMs: 10_000 }, message(), {
      type: 'TIMER_EXPIRED',
    });
    expect(actions.filter((action) => action.type === 'START_TIMER').map((action) => action.delayMs)).toEqual([
      5_000, 180_000, 10_000, 180_000,
    ]);
    expect(ends).toEqual(['COMPLETION_TIMEOUT']);
    expect(play('MESSAGE', sent, { type: 'END_EXPECTED', withinMs: 10_000 }).actions).toHaveLength(1);
  });

  it('tells the reply to an interruption from its own, and ignores a reply to nothing', () => {
    const { actions } = play('MESSAGE', sent, positive, { type: 'INTERRUPTION_SENT' }, negative, negative);
    expect(actions.slice(-2)).toEqual([{ type: 'INTERRUPTION_REPLIED' }, { type: 'IGNORE' }]);
  });

  it('that awaits its reply is given up by an abort: it ends when no more answers come, or when none comes', () => {
    const interruption: ExchangeInput = { type: 'INTERRUPTION_SENT' };
    const timeUp: ExchangeInput = { type: 'TIMER_EXPIRED' };
    expect(play('REPLY', sent, interruption, positive, negative).ends).toEqual([]);
    expect(play('REPLY', sent, interruption, positive, negative, timeUp).ends).toEqual(['GIVEN_UP']);
    expect(play('REPLY', sent, interruption, timeUp).ends).toEqual(['REPLY_TIMEOUT']);
    expect(play('MESSAGE', sent, interruption, positive).state.phase).toBe('RUNNING');
  });

  it('stops its timer whenever it ends', () => {
    const { actions } = play('MESSAGE', sent, positive, message({ isEnd: true }));
    expect(actions.slice(-3)).toEqual([{ type: 'STOP_TIMER' }, { type: 'HANDLE' }, { type: 'END', end: 'COMPLETED' }]);
  });

  it('ends once, whatever comes, and serves messages after its end', () => {
    const anyInput = fc.constantFrom<ExchangeInput>(
      sent,
      positive,
      negative,
      message(),
      message({ isEnd: true }),
      message({ isResult: true }),
      message({ isEnd: true, beforeReply: 'STRAY' }),
      { type: 'TIMER_EXPIRED' },
      { type: 'LINK_DOWN' },
      { type: 'END_EXPECTED', withinMs: 10_000 },
      { type: 'INTERRUPTION_SENT' },
    );
    fc.assert(
      fc.property(
        fc.constantFrom<ExchangeEnding>('REPLY', 'MESSAGE', 'REPLY_OR_MESSAGE'),
        fc.array(anyInput, { maxLength: 20 }),
        (ending, inputs) => {
          const { ends, actions, state } = play(ending, ...inputs);
          expect(ends.length).toBeLessThanOrEqual(1);
          expect(ends.length === 1).toBe(state.phase === 'ENDED');
          const messages = inputs.filter((input) => input.type === 'MESSAGE').length;
          const answered = actions.filter((action) => action.type === 'HANDLE' || action.type === 'SERVE').length;
          const foreign = ends.includes('FOREIGN_RESULT') ? 1 : 0;
          expect(answered + foreign).toBe(messages);
        },
      ),
    );
  });
});
