import { BridgeError } from '../../app/contract/errors.ts';
import type {
  PreparedExchange,
  RecoveryAnswer,
  Terminal,
  TerminalCommand,
  TerminalOutcome,
} from '../../app/ports/terminal.ts';
import { type ManualClock, settle } from '../support/manual-clock.ts';
import type { Approval, Bench, BenchKind, MoneyCase } from './bench.ts';
import type { LineFault } from './line-faults.ts';

/** Time that passes in one go while something is waited for. */
const STEP_MS = 2_500;
/** A disk that takes its time: what is acknowledged earlier was not stored. */
const STORE_MS = 40;
const MAX_QUESTIONS = 20;
const MAX_TRIES = 24;
/** One of its own for each call: a shared one would gather the listeners of all that run at once. */
const never = () => new AbortController().signal;

/** What an attempt at a payment met. */
export interface Scenario {
  readonly fault?: LineFault;
  /** Made for one attempt, once the bench is there. */
  readonly faultOn?: (bench: Bench, exchange: () => PreparedExchange | undefined) => LineFault;
  readonly arm?: Parameters<Bench['arm']>[0];
  /** The result cannot be stored. */
  readonly diskIsFull?: true;
  /** Something that lasts is left behind: no further payment is tried. */
  readonly leavesTerminalOut?: true;
}

/** How it ended, with everything that the invariants are held against. */
export interface Attempt {
  readonly name: string;
  /** REFUSED: before anything was sent. */
  readonly till: TerminalOutcome | { readonly kind: 'REFUSED'; readonly code: string };
  /** After an unknown outcome: what asking told. */
  readonly recovered?: RecoveryAnswer;
  readonly approvals: readonly Approval[];
  readonly moneyCommands: number;
  readonly stored: number;
  /** What was found wrong, in words. */
  readonly problems: readonly string[];
}

/** Lets time pass until something has come to its end. */
export async function awaited<T>(clock: ManualClock, work: Promise<T>, withinMs: number): Promise<T> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  over.catch(() => undefined);
  await settle();
  for (let passedMs = 0; !isOver; passedMs += STEP_MS) {
    if (passedMs > withinMs) throw new Error(`nothing came within ${withinMs} ms`);
    await clock.advance(STEP_MS);
    await settle();
  }
  return over;
}

/** Something is prepared as soon as the terminal lets it. */
async function prepared(bench: Bench, terminal: Terminal, command: TerminalCommand): Promise<PreparedExchange> {
  for (let tries = 0; ; tries++) {
    try {
      return await awaited(bench.clock, terminal.prepare(command, never()), 10 * 60_000);
    } catch (error) {
      if (tries >= MAX_TRIES || !(error instanceof BridgeError)) throw error;
      await bench.clock.advance(5_000);
    }
  }
}

/** A payment that nothing disturbs. */
export async function undisturbed(
  bench: Bench,
  terminal: Terminal,
  money: MoneyCase,
  command: TerminalCommand,
): Promise<TerminalOutcome> {
  const exchange = await prepared(bench, terminal, command);
  const hooks = { onProgress() {}, async onProvisional() {} };
  return awaited(bench.clock, money.pay(exchange, hooks, bench), 10 * 60_000);
}

/** A bench whose driver has found its terminal and is idle. */
export async function readyBench(kind: BenchKind): Promise<{ bench: Bench; terminal: Terminal }> {
  const bench = await kind.create();
  const terminal = bench.startTill();
  for (let step = 0; terminal.status().state !== 'IDLE'; step++) {
    if (step > 40) throw new Error(`the terminal did not become ready: ${JSON.stringify(terminal.status())}`);
    await bench.clock.advance(1_000);
  }
  await bench.clock.advance(1_000);
  return { bench, terminal };
}

/** Tries one payment under one scenario, asks afterwards, sells once more, and holds all of it against the terminal's book. */
export async function attempt(
  kind: BenchKind,
  money: MoneyCase,
  name: string,
  scenario: Scenario = {},
): Promise<Attempt> {
  const { bench, terminal } = await readyBench(kind);
  try {
    return await attemptOn(kind, money, name, scenario, bench, terminal);
  } finally {
    const stopped = terminal.stop();
    await bench.clock.advance(5_000);
    await stopped;
    await bench.stop();
  }
}

async function attemptOn(
  kind: BenchKind,
  money: MoneyCase,
  name: string,
  scenario: Scenario,
  bench: Bench,
  terminal: Terminal,
): Promise<Attempt> {
  const problems: string[] = [];
  const command = await money.prepare(bench, terminal);
  const before = bench.approvals().length;
  const commandsBefore = bench.moneyCommands();
  const unconfirmedBefore = bench.issuer?.unconfirmed() ?? 0;
  const since = () => bench.approvals().slice(before);
  if (scenario.arm !== undefined) bench.arm(scenario.arm);
  let exchange: PreparedExchange | undefined;
  bench.line.watch(scenario.fault ?? scenario.faultOn?.(bench, () => exchange));

  const stored: TerminalOutcome[] = [];
  let till: Attempt['till'];
  try {
    exchange = await awaited(bench.clock, terminal.prepare(command, never()), kind.patienceMs);
    till = await awaited(
      bench.clock,
      money.pay(
        exchange,
        {
          onProgress() {},
          async onProvisional(outcome) {
            await new Promise<void>((resolve) => void bench.clock.after(STORE_MS, resolve));
            if (kind.acknowledges && since().some((approval) => approval.isFinal))
              problems.push('the terminal was acknowledged before its result was stored');
            if (scenario.diskIsFull) throw new Error('disk full');
            stored.push(outcome);
          },
        },
        bench,
      ),
      kind.patienceMs,
    );
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    till = { kind: 'REFUSED', code: error.code };
  }
  bench.line.heal();
  const startedAt = new Date(bench.clock.nowMs()).toISOString();
  const recovered =
    till.kind === 'UNKNOWN' && kind.remembers && exchange !== undefined
      ? await recoveredBy(bench, terminal, { command, mark: exchange.mark, startedAt }, stored[0])
      : undefined;
  // Whatever the terminal still has to take back, it takes back now.
  await bench.clock.advance(30_000);
  const result: Omit<Attempt, 'problems'> = {
    name,
    till,
    ...(recovered === undefined ? {} : { recovered }),
    approvals: since(),
    moneyCommands: bench.moneyCommands() - commandsBefore,
    stored: stored.length,
  };
  problems.push(...brokenBy(kind, result));
  const wanted = 'amountMinor' in command ? command.amountMinor : 0;
  const isOther = result.approvals.some(({ stands, amountMinor }) => stands && amountMinor !== wanted);
  if (till.kind === 'APPROVED' && isOther && money.tellsNoAmount !== true)
    problems.push('another amount is approved than was asked for');
  if ((bench.issuer?.unconfirmed() ?? 0) > unconfirmedBefore && till.kind !== 'UNKNOWN')
    problems.push('approved by the issuer, and neither confirmed by the card nor unknown');
  if (!scenario.leavesTerminalOut) problems.push(...(await sellsAgain(kind, bench, terminal)));
  return { ...result, problems: problems.map((problem) => `${name}: ${problem} (${till.kind})`) };
}

/** The rules that hold whatever happens. */
function brokenBy(kind: BenchKind, { till, recovered, approvals, moneyCommands, stored }: Omit<Attempt, 'problems'>) {
  const problems: string[] = [];
  const stands = approvals.some((approval) => approval.stands && approval.isOfChipAlone !== true);
  const isOfChipAlone = approvals.some((approval) => approval.isOfChipAlone === true);
  if (moneyCommands > 1) problems.push(`${moneyCommands} money commands reached the terminal`);
  if (approvals.length > 1) problems.push(`${approvals.length} approvals stand in the book of the terminal`);
  if (stands && till.kind !== 'APPROVED' && till.kind !== 'UNKNOWN') problems.push('approved at the terminal only');
  if (!stands && till.kind === 'APPROVED') problems.push('approved at the till only');
  if (!isOfChipAlone && till.kind === 'CHIP_APPROVED') problems.push('approved by the chip at the till only');
  if (till.kind === 'REFUSED' && moneyCommands > 0) problems.push('refused although the command had been sent');
  if (kind.acknowledges && stored === 0 && approvals.some((approval) => approval.isFinal))
    problems.push('acknowledged without having been stored');
  if (recovered?.kind === 'SETTLED' && (recovered.outcome.kind === 'APPROVED') !== stands)
    problems.push(`recovery says ${recovered.outcome.kind}, the book says ${stands ? 'approved' : 'nothing'}`);
  if (recovered?.kind === 'ASK_AGAIN') problems.push(`recovery came to no end: ${recovered.reason}`);
  return problems;
}

async function recoveredBy(
  bench: Bench,
  terminal: Terminal,
  about: { readonly command: TerminalCommand; readonly mark: PreparedExchange['mark']; readonly startedAt: string },
  provisional: TerminalOutcome | undefined,
): Promise<RecoveryAnswer> {
  for (let asked = 1; ; asked++) {
    const question =
      provisional === undefined
        ? ({ ...about, state: 'INTENT' } as const)
        : ({ ...about, state: 'PROVISIONAL', provisional } as const);
    const answer = await awaited(bench.clock, terminal.recover(question, never()), 10 * 60_000);
    if (answer.kind !== 'ASK_AGAIN' || asked >= MAX_QUESTIONS) return answer;
    await bench.clock.advance(5_000);
  }
}

/** Nothing of the attempt is left in the line, in the driver or in the terminal. */
async function sellsAgain(kind: BenchKind, bench: Bench, terminal: Terminal): Promise<readonly string[]> {
  const before = bench.approvals().length;
  bench.line.watch();
  try {
    const command = { ...(await kind.sale.prepare(bench, terminal)), transactionId: 'T-next' };
    const next = await undisturbed(bench, terminal, kind.sale, command);
    const added = bench.approvals().slice(before);
    if (next.kind === 'APPROVED' && added.length === 1 && added[0]?.stands === true) return [];
    return [`the sale after it ended ${next.kind} with ${added.length} approvals`];
  } catch (error) {
    return [`the sale after it failed: ${String(error)}`];
  }
}
