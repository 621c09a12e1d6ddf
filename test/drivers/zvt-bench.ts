import type { TerminalCommand, TerminalOriginal } from '../../app/ports/terminal.ts';
import { ZVT_RULES } from '../../drivers/virtual/rules.ts';
import { createSerialWire, createStreamWire, type WireEvents } from '../../drivers/virtual/zvt/wire.ts';
import { createZvtTerminal as createVirtualTerminal } from '../../drivers/virtual/zvt/zvt-terminal.ts';
import { createZvtTerminal } from '../../drivers/zvt/zvt-terminal.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { settings, silentLog } from '../support/zvt-terminal.ts';
import { TEST_SETTINGS } from '../virtual/support/machine-bench.ts';
import { undisturbed } from './attempt.ts';
import type { Bench, BenchKind, MoneyCase } from './bench.ts';
import { createPaymentBook } from './payment-book.ts';
import { createStreamLine } from './stream-line.ts';

/** 06 and these: what moves money, and the end of day. */
const moneyInstructions: ReadonlySet<number> = new Set([0x01, 0x22, 0x23, 0x24, 0x25, 0x30, 0x31, 0x50]);

/** Longer than a serial line takes to repeat a frame, so that a repeat comes in time. */
const ACK_TIMEOUT_MS = 15_000;

async function createZvtBench(line: 'TCP' | 'SERIAL', receipts: 'TILL' | 'TERMINAL'): Promise<Bench> {
  const clock = createManualClock();
  const book = createPaymentBook();
  const stream = createStreamLine(line, clock);
  let commands = 0;
  const counted = (events: WireEvents): WireEvents => ({
    ...events,
    onApdu(apdu) {
      if (apdu[0] === 0x06 && moneyInstructions.has(apdu[1] ?? 0)) commands++;
      events.onApdu(apdu);
    },
  });
  const device = createVirtualTerminal({
    settings: { ...TEST_SETTINGS, ackTimeoutMs: ACK_TIMEOUT_MS },
    book: book.file,
    ledger: book.ledger,
    clock,
    link: stream.byteLink,
    createWire: (link, events) =>
      line === 'TCP' ? createStreamWire(link, counted(events)) : createSerialWire(link, clock, counted(events)),
    onFatal(error) {
      throw error;
    },
  });
  await device.start();
  return {
    clock,
    line: stream.line,
    startTill() {
      const terminal = createZvtTerminal({
        terminalId: 'T1',
        clock,
        log: silentLog,
        settings: { ...settings, receipts },
        line,
        createTransport: stream.connectTill(),
      });
      terminal.start();
      return terminal;
    },
    approvals: book.approvals,
    onFinal: book.onFinal,
    moneyCommands: () => commands,
    arm: (rule) => device.arm(rule, 1),
    causeFault: (fault) => device.causeFault(fault),
    stop: () => device.stop(),
  };
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
    async prepare(bench, terminal) {
      const original = await originalOf(bench, terminal, holdCommand);
      return { ...common, operation: 'PRE_AUTH_COMPLETE', amountMinor: 3_000, original };
    },
  },
  {
    ...sale,
    name: 'refund',
    operation: 'REFUND',
    async prepare(bench, terminal) {
      const original = await originalOf(bench, terminal, saleCommand);
      return { ...common, operation: 'REFUND', amountMinor: 500, original };
    },
  },
  {
    ...sale,
    name: 'void',
    operation: 'VOID',
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

/** The ZVT driver against the virtual ZVT terminal. */
export function zvtKind(line: 'TCP' | 'SERIAL', receipts: 'TILL' | 'TERMINAL' = 'TERMINAL'): BenchKind {
  return {
    name: line === 'TCP' ? 'ZVT over TCP' : 'ZVT over a serial line',
    method: line === 'TCP' ? 'ETHERNET' : 'SERIAL',
    currency: 'EUR',
    create: () => createZvtBench(line, receipts),
    sale,
    others,
    fragments: 'STREAM',
    damage: line === 'SERIAL' ? 'REPAIRED' : 'UNSEEN',
    acknowledges: true,
    remembers: true,
    rules: ZVT_RULES,
    noises: [Uint8Array.of(0x00, 0xff, 0x41, 0x0d), Uint8Array.of(0x10, 0x02, 0x04, 0x0f), Uint8Array.of(0x15)],
    soonMs: 3_000,
    patienceMs: 30 * 60_000,
  };
}
