import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CommandAction,
  type CommandInput,
  type CommandState,
  INITIAL_COMMAND_STATE,
  stepCommand,
} from '../../drivers/neo2/command.machine.ts';
import { SEED } from '../zvt/codec/support.ts';

const times = { cancelTimeoutMs: 3_000, drainMs: 300 };
const send: CommandInput = { type: 'SEND', command: 'authenticate', answerTimeoutMs: 70_000 };
const working: CommandInput = { type: 'REPLY', kind: 'FIRST', isExpected: true };
const answered: CommandInput = { type: 'REPLY', kind: 'ANSWER', isExpected: true };
const refused: CommandInput = { type: 'REPLY', kind: 'REFUSAL', isExpected: true };
const foreign: CommandInput = { type: 'REPLY', kind: 'ANSWER', isExpected: false };
const cancel: CommandInput = { type: 'CANCEL' };
const cancelDone: CommandInput = { type: 'CANCEL_REPLY', isDone: true };
const cancelRefused: CommandInput = { type: 'CANCEL_REPLY', isDone: false };
const timeOver: CommandInput = { type: 'TIMER_EXPIRED' };
const linkDown: CommandInput = { type: 'LINK_DOWN' };

function run(inputs: readonly CommandInput[], start: CommandState = INITIAL_COMMAND_STATE) {
  let state = start;
  const told: string[] = [];
  for (const input of inputs) {
    const step = stepCommand(times, state, input);
    state = step.state;
    told.push(...step.actions.map(shortly));
  }
  return { state, told };
}

function shortly(action: CommandAction): string {
  if (action.type === 'END' || action.type === 'CANCEL_ENDED') return `${action.type} ${action.end}`;
  return action.type === 'START_TIMER' ? `TIMER ${action.delayMs}` : action.type;
}

describe('The command machine', () => {
  it('waits anew after the first response, and ends with the answer', () => {
    expect(run([send, working, answered]).told).toEqual([
      ...['SEND_COMMAND', 'TIMER 70000', 'TIMER 70000', 'TAKEN', 'STOP_TIMER', 'END ANSWERED', 'FREE'],
    ]);
  });

  it('does not wait longer for a reader that says again and again that it works', () => {
    expect(run([send, working, working, working]).told.filter((each) => each.startsWith('TIMER'))).toHaveLength(2);
  });

  it('drops what belongs to nothing that waits', () => {
    expect(run([answered]).told).toEqual(['DROP']);
    expect(run([send, foreign]).told.at(-1)).toBe('DROP');
    expect(run([send, working, answered, answered]).told.at(-1)).toBe('DROP');
  });

  it('takes no answer before the 63 of a reader that sends it, but a refusal', () => {
    const { state } = run([send, working, answered]);
    expect(run([send, answered], state).told.at(-1)).toBe('DROP');
    expect(run([send, refused], state).told).toContain('END ANSWERED');
    expect(run([send, answered]).told).toContain('END ANSWERED');
  });

  it('sends nothing between 05-01 and its answer', () => {
    const { state, told } = run([send, working, cancel, cancel]);
    expect(told.filter((each) => each === 'SEND_CANCEL')).toHaveLength(1);
    expect(told).not.toContain('FREE');
    expect(() => stepCommand(times, state, send)).toThrow(RangeError);
    const after = run([cancelDone], state);
    expect(after.told).toEqual(['TIMER 300', 'END CANCELLED', 'CANCEL_ENDED DONE']);
    // A late answer of the cancelled command is dropped, and only then the next one goes.
    expect(run([answered, timeOver], after.state).told).toEqual(['DROP', 'FREE']);
  });

  it('lets an answer that was faster than the cancellation win', () => {
    const { told } = run([send, working, cancel, answered, cancelDone]);
    expect(told.slice(-4)).toEqual(['END ANSWERED', 'STOP_TIMER', 'CANCEL_ENDED DONE', 'FREE']);
  });

  it('goes on with a command whose cancellation was refused', () => {
    const { told } = run([send, working, cancel, cancelRefused, answered]);
    expect(told).toContain('CANCEL_ENDED REFUSED');
    expect(told.slice(-3)).toEqual(['STOP_TIMER', 'END ANSWERED', 'FREE']);
  });

  it('tells a reader to stop whose time is over, and closes one that is silent even to that', () => {
    const silent = run([send, timeOver]);
    expect(silent.told.slice(-2)).toEqual(['SEND_CANCEL', 'TIMER 3000']);
    expect(run([cancelDone], silent.state).told).toContain('END SILENT');
    expect(run([timeOver], silent.state).told).toEqual([
      'STOP_TIMER',
      'END LOST',
      'CANCEL_ENDED LOST',
      'CLOSE',
      'FREE',
    ]);
  });

  it('ends what runs when the link goes', () => {
    expect(run([send, working, linkDown]).told.slice(-3)).toEqual(['STOP_TIMER', 'END LOST', 'FREE']);
    expect(run([cancel, linkDown]).told).toContain('CANCEL_ENDED LOST');
  });

  it('notices soon that a reader that sends 63 first does not take a command, and gives it its whole time after the 63', () => {
    const soon: CommandInput = { ...send, firstResponseTimeoutMs: 3_000 };
    expect(run([soon]).told).toContain('TIMER 70000');
    const { state } = run([soon, working, answered]);
    expect(run([soon, timeOver], state).told).toEqual(['SEND_COMMAND', 'TIMER 3000', 'SEND_CANCEL', 'TIMER 3000']);
    expect(run([soon, working], state).told).toContain('TIMER 70000');
  });

  it('shortens the wait of a presumed first response, takes an answer without it, and presumes it no more after silence', () => {
    const soon: CommandInput = { ...send, firstResponseTimeoutMs: 3_000 };
    const presuming = { ...INITIAL_COMMAND_STATE, presumed: new Set([send.command]) };
    expect(run([soon], presuming).told).toEqual(['SEND_COMMAND', 'TIMER 3000']);
    expect(run([soon, working], presuming).told).toContain('TIMER 70000');
    expect(run([soon, answered], presuming).told.slice(-2)).toEqual(['END ANSWERED', 'FREE']);
    const { state } = run([soon, timeOver, cancelDone, timeOver], presuming);
    expect(run([soon], state).told).toEqual(['SEND_COMMAND', 'TIMER 70000']);
  });

  it('ends each command exactly once and never sends two at a time, whatever comes', () => {
    const inputs = fc.array(
      fc.constantFrom(send, working, answered, refused, foreign, cancel, cancelDone, cancelRefused, timeOver, linkDown),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(inputs, (given) => {
        let state = INITIAL_COMMAND_STATE;
        let open = 0;
        for (const input of given) {
          if (input.type === 'SEND' && state.phase !== 'IDLE') continue;
          const step = stepCommand(times, state, input);
          state = step.state;
          for (const { type } of step.actions) {
            if (type === 'SEND_COMMAND') open += 1;
            if (type === 'END') open -= 1;
            expect(open === 0 || open === 1).toBe(true);
            if (type === 'FREE') expect(state.phase).toBe('IDLE');
          }
        }
        const end = stepCommand(times, state, linkDown);
        expect(end.actions.filter(({ type }) => type === 'END')).toHaveLength(open);
        expect(end.state.phase).toBe('IDLE');
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });
});
