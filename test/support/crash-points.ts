import type { Clock } from '../../app/ports/clock.ts';
import type { Journal } from '../../app/ports/journal.ts';
import type { PreparedExchange, Terminal } from '../../app/ports/terminal.ts';

/**
 * Counts every place where the engine meets the outside (a commit before and after the disk, a call to the terminal and its return) and drops the
 * engine at one of them: from then on nothing that it does has an effect, as if the process were gone.
 */
export interface CrashPoints {
  readonly passed: readonly string[];
  readonly hasCrashed: boolean;
  wrapJournal(journal: Journal): Journal;
  wrapTerminal(terminal: Terminal): Terminal;
  wrapClock(clock: Clock): Clock;
}

class SimulatedCrash extends Error {}

/** @param crashAt number of the point, from 0; Infinity only counts. @param onCrash the line to the terminal is cut here */
export function createCrashPoints(crashAt: number, onCrash: () => void): CrashPoints {
  const passed: string[] = [];
  let hasCrashed = false;

  function point(name: string): void {
    if (hasCrashed) throw new SimulatedCrash('the engine is gone');
    passed.push(name);
    if (passed.length - 1 !== crashAt) return;
    hasCrashed = true;
    onCrash();
    throw new SimulatedCrash(`dropped at ${name}`);
  }

  async function around<T>(name: string, work: () => Promise<T>): Promise<T> {
    point(`before ${name}`);
    const result = await work();
    point(`after ${name}`);
    return result;
  }

  function wrapExchange(exchange: PreparedExchange): PreparedExchange {
    return {
      ...exchange,
      run: (hooks) =>
        around('run', () =>
          exchange.run({
            onProgress: (progress) => {
              if (!hasCrashed) hooks.onProgress(progress);
            },
            onProvisional: (outcome) => around('provisional result', () => hooks.onProvisional(outcome)),
          }),
        ),
      requestAbort: () => around('abort', exchange.requestAbort),
    };
  }

  return {
    passed,
    get hasCrashed() {
      return hasCrashed;
    },
    wrapJournal: (journal) => ({
      ...journal,
      commit(work) {
        point('before a commit');
        const result = journal.commit(work);
        point('after a commit');
        return result;
      },
      reserveEventBlock(terminalId, size) {
        point('before a block of numbers');
        return journal.reserveEventBlock(terminalId, size);
      },
    }),
    wrapTerminal: (terminal) => ({
      ...terminal,
      prepare: async (command, signal) =>
        wrapExchange(await around('prepare', () => terminal.prepare(command, signal))),
      recover: (question, signal) => around('recover', () => terminal.recover(question, signal)),
    }),
    wrapClock: (clock) => ({
      ...clock,
      nowMs: clock.nowMs,
      monotonicMs: clock.monotonicMs,
      after: (delayMs, callback) => clock.after(delayMs, () => (hasCrashed ? undefined : callback())),
    }),
  };
}
