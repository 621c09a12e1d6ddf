import type { TerminalCommand, TerminalOriginal } from '../../app/ports/terminal.ts';
import { createEcr17Terminal } from '../../drivers/ecr17/ecr17-terminal.ts';
import { step } from '../../drivers/virtual/ecr17/machine.ts';
import { type Ecr17Machine, initialState, type TerminalSettings } from '../../drivers/virtual/ecr17/state.ts';

import { createWire, type Wire } from '../../drivers/virtual/ecr17/wire.ts';
import { createMachineTerminal } from '../../drivers/virtual/machine-terminal.ts';
import { viewOfPaymentTerminal } from '../../drivers/virtual/machine-view.ts';
import { ECR17_RULES } from '../../drivers/virtual/rules.ts';
import { ecr17Settings } from '../support/ecr17-terminal.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { silentLog } from '../support/zvt-terminal.ts';
import { TEST_SETTINGS } from '../virtual/support/machine-bench.ts';
import { undisturbed } from './attempt.ts';
import type { Bench, BenchKind, MoneyCase } from './bench.ts';
import { createPaymentBook } from './payment-book.ts';
import { createStreamLine } from './stream-line.ts';

const settings: TerminalSettings = {
  ...TEST_SETTINGS,
  terminalId: '12345678',
  // Longer than a serial line takes to repeat a message, so that a repeat comes in time.
  ackTimeoutMs: 15_000,
  lrc: 'STD',
  closesBetween: false,
};

/** Codes of what moves money, and of the end of a session. */
const moneyCodes: ReadonlySet<string> = new Set(['P', 'X', 'p', 'c', 'S', 'C']);

/** Money commands that the terminal acknowledged. The same text again, with nothing between, is a repeat of its link layer. */
function createCounter() {
  let commands = 0;
  let last: string | undefined;
  return {
    commands: () => commands,
    /** @param take what the terminal does about it; it acknowledges meanwhile or not */
    count(text: string, take: () => boolean): void {
      const isRepeat = text === last;
      last = text;
      if (take() && !isRepeat && moneyCodes.has(text.charAt(9))) commands++;
    },
  };
}

async function createBench(line: 'TCP' | 'SERIAL', receipts: 'TILL' | 'TERMINAL', closesBetween: boolean) {
  const clock = createManualClock();
  const book = createPaymentBook();
  const stream = createStreamLine(line, clock);
  const counter = createCounter();
  let hasAcknowledged = false;
  const device = createMachineTerminal<Ecr17Machine, Wire>({
    settings: { ...settings, closesBetween },
    book: book.file,
    ledger: book.ledger,
    clock,
    link: stream.byteLink,
    initialState: initialState(settings),
    step,
    viewOf: viewOfPaymentTerminal,
    createWire: (take) =>
      createWire(stream.byteLink, { lrc: 'STD', dropsAfterHalf: line === 'TCP' }, (input) => {
        if (input.type !== 'message') return take(input);
        counter.count(input.text, () => {
          hasAcknowledged = false;
          take(input);
          return hasAcknowledged;
        });
      }),
    perform(output, wire) {
      if (output.type === 'send') wire.send(output.text, output.damage);
      else if (output.type === 'progress') wire.progress(output.text);
      else if (output.type === 'refuse') wire.refuse();
      else wire.acknowledge();
      if (output.type === 'acknowledge') hasAcknowledged = true;
    },
    dayClose: { type: 'auto-close' },
    onFatal(error) {
      throw error;
    },
  });
  await device.start();
  const bench: Bench = {
    clock,
    line: stream.line,
    startTill() {
      const terminal = createEcr17Terminal({
        terminalId: 'T1',
        clock,
        log: silentLog,
        settings: { ...ecr17Settings, receipts },
        line,
        createTransport: stream.connectTill(),
      });
      terminal.start();
      return terminal;
    },
    approvals: book.approvals,
    onFinal: book.onFinal,
    moneyCommands: counter.commands,
    arm: (rule) => device.arm(rule, 1),
    causeFault: (fault) => device.causeFault(fault),
    stop: () => device.stop(),
  };
  return bench;
}

const common = { transactionId: 'T-1', currency: 'EUR' } as const;
const presented = { tipAmountMinor: 0, cashbackAmountMinor: 0, entryMode: 'AUTO' } as const;
const saleCommand: TerminalCommand = { ...common, ...presented, operation: 'SALE', amountMinor: 1_234 };
const holdCommand: TerminalCommand = { ...common, ...presented, operation: 'PRE_AUTH', amountMinor: 4_000 };

const sale: MoneyCase = {
  name: 'sale',
  operation: 'SALE',
  prepare: async () => saleCommand,
  pay: (exchange, hooks) => exchange.run(hooks),
};

/** What a later command acts on. */
async function originalOf(
  bench: Bench,
  terminal: Parameters<MoneyCase['prepare']>[1],
  command: TerminalCommand & { readonly operation: 'SALE' | 'PRE_AUTH' },
): Promise<TerminalOriginal> {
  const outcome = await undisturbed(bench, terminal, sale, { ...command, transactionId: 'T-0' });
  if (outcome.kind !== 'APPROVED') throw new Error(`the original ended ${outcome.kind}`);
  const { operation: kind, amountMinor } = command;
  return { transactionId: 'T-0', kind, amountMinor, reference: outcome.reference };
}

const others: readonly MoneyCase[] = [
  { ...sale, name: 'pre-authorization', operation: 'PRE_AUTH', prepare: async () => holdCommand },
  {
    ...sale,
    name: 'completion of a pre-authorization',
    operation: 'PRE_AUTH_COMPLETE',
    tellsNoAmount: true,
    async prepare(bench, terminal) {
      const original = await originalOf(bench, terminal, holdCommand);
      return { ...common, operation: 'PRE_AUTH_COMPLETE', amountMinor: 3_000, original };
    },
  },
  {
    ...sale,
    name: 'void',
    operation: 'VOID',
    tellsNoAmount: true,
    async prepare(bench, terminal) {
      const original = await originalOf(bench, terminal, saleCommand);
      return { ...common, operation: 'VOID', amountMinor: 1_234, original };
    },
  },
  {
    ...sale,
    name: 'day close',
    operation: 'DAY_CLOSE',
    async prepare(bench, terminal) {
      await originalOf(bench, terminal, saleCommand);
      return { ...common, operation: 'DAY_CLOSE' };
    },
  },
];

interface KindOptions {
  readonly receipts?: 'TILL' | 'TERMINAL';
  /** The terminal closes its connection after each procedure. */
  readonly closesBetween?: boolean;
}

/** The ECR17 driver against the virtual ECR17 terminal. */
export function ecr17Kind(
  line: 'TCP' | 'SERIAL',
  { receipts = 'TILL', closesBetween = false }: KindOptions = {},
): BenchKind {
  return {
    name: line === 'TCP' ? 'ECR17 over TCP' : 'ECR17 over a serial line',
    method: line === 'TCP' ? 'ETHERNET' : 'SERIAL',
    currency: 'EUR',
    create: () => createBench(line, receipts, closesBetween),
    sale,
    others,
    fragments: 'STREAM',
    damage: line === 'SERIAL' ? 'REPAIRED' : 'UNSEEN',
    acknowledges: false,
    remembers: true,
    abortsNothing: true,
    rules: ECR17_RULES,
    // What refuses X is asked with P, which it takes.
    ends: { busy: ['APPROVED'], 'no-extended': ['APPROVED'] },
    noises: [Uint8Array.of(0x00, 0xff, 0x41, 0x0d), Uint8Array.of(0x02, 0x31, 0x32), Uint8Array.of(0x15)],
    // Within the wait for an acknowledgement, which a stream is not asked for twice.
    soonMs: 2_000,
    patienceMs: 30 * 60_000,
  };
}
