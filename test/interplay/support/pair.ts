import { join } from 'node:path';
import type { Clock } from '../../../app/ports/clock.ts';
import type {
  PreparedExchange,
  RecoveryAnswer,
  Terminal,
  TerminalCommand,
  TerminalOutcome,
} from '../../../app/ports/terminal.ts';
import { createTerminal, parseTerminalUrl } from '../../../drivers/registry.ts';
import type { BookSummary } from '../../../drivers/virtual/book/summary.ts';
import { realClock, until } from '../../support/zvt-clock.ts';
import { hooks, never, question, silentLog } from '../../support/zvt-terminal.ts';
import { startTestTerminal, type TestTerminal, temporaryFolder } from '../../virtual/support/running-terminal.ts';

export type LineKind = 'TCP' | 'PTY';

/** Longest wait of the driver: its time-outs of minutes are as long as this, its short ones are what they are. */
const MAX_WAIT_MS = 2_500;
/** How often the terminal is asked about one lost answer. */
const MAX_QUESTIONS = 8;

const impatientClock: Clock = {
  ...realClock,
  after: (delayMs, callback) => realClock.after(Math.min(delayMs, MAX_WAIT_MS), callback),
};

/** A driver attached to a virtual terminal. */
export interface Pair {
  readonly terminal: Terminal;
  readonly virtual: TestTerminal;
  /** The book, once the terminal has come to rest. */
  book(): Promise<BookSummary>;
  close(): Promise<void>;
}

export async function openPair(line: LineKind, args: readonly string[] = ['--think-ms', '0']): Promise<Pair> {
  const folder = temporaryFolder();
  const link = join(folder.path, 'tty');
  const listen = line === 'TCP' ? ['--tcp', '0'] : ['--pty', link];
  const book = join(folder.path, 'book.jsonl');
  // On a pty nothing tells the terminal that the till has gone, so its patience counts.
  const virtual = await startTestTerminal([...listen, '--book', book, '--ack-timeout-ms', '1500', ...args]);
  const url = line === 'TCP' ? `zvt+tcp://127.0.0.1:${virtual.port}` : `zvt+serial://${link}`;
  const address = parseTerminalUrl(`${url}?password=000000&currency=EUR`);
  const terminal = await createTerminal(address, { terminalId: 'till-1', clock: impatientClock, log: silentLog });
  terminal.start();
  await isReady(terminal);
  return {
    terminal,
    virtual,
    async book() {
      await virtual.control.untilState(({ state }) => state === 'IDLE');
      return virtual.control.book();
    },
    async close() {
      await terminal.stop();
      await virtual.stop();
      folder.remove();
    },
  };
}

export function isReady(terminal: Terminal): Promise<void> {
  return until(() => terminal.status().state === 'IDLE', 'a terminal that is ready');
}

/** What the till knows in the end, and how. */
export interface Known {
  readonly outcome: TerminalOutcome;
  readonly answers: readonly RecoveryAnswer[];
  /** What the till had on disk before the command left. */
  readonly mark: PreparedExchange['mark'];
}

/** As the engine does it: run once, and ask when the answer was lost. */
export async function carryOut(
  pair: Pair,
  command: TerminalCommand,
  meanwhile: (exchange: PreparedExchange) => Promise<void> = async () => {},
): Promise<Known> {
  const exchange = await pair.terminal.prepare(command, never);
  const heard = hooks();
  const [outcome] = await Promise.all([exchange.run(heard), meanwhile(exchange)]);
  if (outcome.kind !== 'UNKNOWN') return { outcome, answers: [], mark: exchange.mark };
  const answers: RecoveryAnswer[] = [];
  while (answers.length < MAX_QUESTIONS) {
    const answer = await pair.terminal.recover(question(command, exchange.mark, heard.provisional[0]), never);
    answers.push(answer);
    if (answer.kind === 'SETTLED') return { outcome: answer.outcome, answers, mark: exchange.mark };
    if (answer.kind === 'UNDECIDED') break;
    await isReady(pair.terminal).catch(() => undefined);
  }
  return { outcome, answers, mark: exchange.mark };
}

type Transaction = BookSummary['transactions'][number];

/** What the terminal's book holds of one command. */
export interface Entered {
  /** Payments that were begun: the host was asked, or not any more. */
  readonly begun: number;
  readonly standing: readonly Transaction[];
}

/** What came into the book after `before`. */
export function enteredSince(before: BookSummary, after: BookSummary): Entered {
  const fresh = after.entries.slice(before.entries.length);
  return {
    begun: fresh.filter(({ kind }) => kind === 'AUTHORIZED' || kind === 'DECLINED' || kind === 'CANCELLED').length,
    standing: after.transactions.filter(({ id, reversedBy }) => id > before.entries.length && reversedBy === undefined),
  };
}
