import type { TerminalCommand } from '../../app/ports/terminal.ts';
import { readFrame, readFrameLayout } from '../../drivers/framing/vivotech2-frame.ts';
import type { NeoCommand } from '../../drivers/neo2/codec/command-types.ts';
import { decodeCommand } from '../../drivers/neo2/codec/commands.ts';
import { createNeo2Terminal } from '../../drivers/neo2/neo2-terminal.ts';
import type { LinkFactory } from '../../drivers/session/link.ts';
import { tracedLink } from '../../drivers/session/traced-link.ts';
import { frameLinks, reportLinks } from '../../drivers/session/vivotech2-link.ts';
import { findCard } from '../../drivers/virtual/cards.ts';
import type { StoredReaderEntry } from '../../drivers/virtual/neo2/book/entries.ts';
import { summariseReaderBook } from '../../drivers/virtual/neo2/book/reader-ledger.ts';
import { READER_CARDS } from '../../drivers/virtual/neo2/reader-cards.ts';
import { createReaderTerminal } from '../../drivers/virtual/neo2/reader-terminal.ts';
import { createHidReaderWire, createSerialReaderWire } from '../../drivers/virtual/neo2/wire.ts';
import { declineCode, NEO2_RULES, type Rule } from '../../drivers/virtual/rules.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { silentLog } from '../support/zvt-terminal.ts';
import { READER_SETTINGS } from '../virtual/neo2/reader-bench.ts';
import type { Approval, Bench, BenchKind, MoneyCase } from './bench.ts';
import { createReportLine } from './report-line.ts';
import { createStreamLine } from './stream-line.ts';
import { createTestIssuer, type TestIssuer } from './test-issuer.ts';

/** How long an issuer takes. */
const ISSUER_MS = 300;

/** A book in memory, and what the issuer makes of it. */
function createBook() {
  const entries: StoredReaderEntry[] = [];
  const listeners: (() => void)[] = [];
  const read = () => summariseReaderBook('memory', entries);
  return {
    file: {
      initialEntries: [],
      append(entry: Parameters<Parameters<typeof createReaderTerminal>[0]['book']['append']>[0], at: string) {
        const stored: StoredReaderEntry = { sequence: entries.length + 1, at, ...entry };
        entries.push(stored);
        if (entry.kind === 'CARD_FINISHED' && entry.cryptogram === 'TC') for (const listener of listeners) listener();
        return stored;
      },
    },
    read,
    onFinal: (listener: () => void) => void listeners.push(listener),
    /** An inserted card has the last word; a tapped or swiped one has gone before its issuer answers. */
    approvals: (issuer: TestIssuer): readonly Approval[] =>
      read().steps.flatMap(({ end, told, accountKsn, order: { amountMinor } }): readonly Approval[] => {
        const approval = { operation: 'GRANULAR', amountMinor, isFinal: true, stands: true } as const;
        if (end === 'LEFT_TO_ISSUER') return issuer.hasApproved(accountKsn) ? [approval] : [];
        if (end !== 'APPROVED') return [];
        return [told?.isHostReached === true ? approval : { ...approval, isOfChipAlone: true }];
      }),
  };
}

/** Commands with which a card decides, as the driver gave them to its line. */
function createCommandCounter() {
  const counts: Record<string, number> = { authenticate: 0, 'apply-response': 0 };
  const note = (message: Uint8Array): void => {
    const type = commandType(message);
    if (type in counts) counts[type] = (counts[type] ?? 0) + 1;
  };
  return {
    watching: (createLink: LinkFactory): LinkFactory =>
      tracedLink(createLink, (direction, message) => {
        if (direction === 'TO_TERMINAL') note(message);
      }),
    count: () => Math.max(...Object.values(counts)),
  };
}

function commandType(message: Uint8Array): NeoCommand['type'] | 'malformed' {
  const layout = readFrameLayout(message);
  const read = layout === undefined ? undefined : readFrame(message, layout);
  return read?.frame.kind === 'message' ? decodeCommand(read.frame).type : 'malformed';
}

async function createNeo2Bench(line: 'HID' | 'SERIAL'): Promise<Bench> {
  const clock = createManualClock();
  const book = createBook();
  const issuer = createTestIssuer(book.read);
  const commands = createCommandCounter();
  const isHid = line === 'HID';
  const made = isHid ? createReportLine(clock) : createStreamLine('SERIAL', clock);
  const reader = createReaderTerminal({
    settings: READER_SETTINGS,
    book: book.file,
    clock,
    link: made.byteLink,
    createWire: isHid ? createHidReaderWire : createSerialReaderWire,
    onFatal(error) {
      throw error;
    },
  });
  await reader.start();
  return {
    clock,
    line: made.line,
    startTill() {
      const links = isHid ? reportLinks(made.connectTill(), clock) : frameLinks(made.connectTill(), clock);
      const terminal = createNeo2Terminal({
        terminalId: 'T1',
        clock,
        log: silentLog,
        settings: { currency: 'EUR', currencyNumeric: '978', encryption: 'ALWAYS' },
        line,
        createLink: commands.watching(links),
      });
      terminal.start();
      return terminal;
    },
    approvals: () => book.approvals(issuer),
    onFinal: book.onFinal,
    moneyCommands: commands.count,
    arm(rule: Rule) {
      const code = declineCode(rule);
      // A reader has no host: its issuer is behind the till.
      if (code === undefined) reader.arm(rule, 1);
      else issuer.declineNext(String(code).padStart(2, '0'));
    },
    causeFault: (fault) => reader.causeFault(fault),
    presentCard(id) {
      const card = findCard(READER_CARDS, id);
      if (card === undefined) throw new Error(`There is no card ${id}`);
      reader.presentCard(card);
    },
    issuer,
    stop: () => reader.stop(),
  };
}

type GranularCommand = TerminalCommand & { readonly operation: 'GRANULAR' };

const granular: GranularCommand = {
  transactionId: 'T-1',
  operation: 'GRANULAR',
  type: 'SALE',
  amountMinor: 1_234,
  tipAmountMinor: 0,
  cashbackAmountMinor: 0,
  currency: 'EUR',
  entryMode: 'AUTO',
};

/** A payment with this card: from its presentation over its issuer to its last word. */
function paymentWith(cardId: string, name: string, change: Partial<GranularCommand> = {}): MoneyCase {
  return {
    name,
    operation: 'GRANULAR',
    async prepare(bench) {
      bench.presentCard?.(cardId);
      return { ...granular, ...change };
    },
    async pay(exchange, hooks, bench) {
      const outcome = await exchange.run(hooks);
      if (outcome.kind !== 'PENDING_ONLINE') return outcome;
      if (bench.issuer === undefined || exchange.complete === undefined)
        throw new Error('Nobody answers for the card.');
      const answer = bench.issuer.answer(outcome);
      await new Promise<void>((resolve) => void bench.clock.after(ISSUER_MS, resolve));
      return exchange.complete(answer);
    },
  };
}

const others: readonly MoneyCase[] = [
  paymentWith('visa-signature', 'payment at whatever the card has'),
  paymentWith('mastercard-strict', 'payment whose card wants to hear its issuer'),
  paymentWith('visa-contactless', 'contactless payment', { entryMode: 'CONTACTLESS' }),
  paymentWith('visa-contactless', 'contactless payment with online PIN', {
    entryMode: 'CONTACTLESS',
    amountMinor: 8_000,
  }),
  paymentWith('visa-magstripe', 'swiped payment'),
  paymentWith('mastercard-chip', 'refund', { type: 'REFUND', amountMinor: 500 }),
  paymentWith('mastercard-chip', 'payment with cash-back', { amountMinor: 6_000, cashbackAmountMinor: 5_000 }),
  { ...paymentWith('visa-offline', 'payment that the chip approves alone'), end: 'CHIP_APPROVED' },
];

/** How a sale ends under what a reader can be told to meet. Before the issuer is asked nothing has moved; afterwards only the chip's word counts. */
const ends: NonNullable<BenchKind['ends']> = {
  'no-answer': ['FAILED'],
  'drop-before-host': ['FAILED'],
  'wrong-amount': ['FAILED'],
  'clear-card-data': ['FAILED'],
  'drop-before-chip': ['UNKNOWN'],
  'drop-after-host': ['UNKNOWN'],
  'half-frame': ['UNKNOWN'],
  unplug: ['UNKNOWN'],
  reboot: ['UNKNOWN'],
  'card-removed': ['UNKNOWN'],
  'late-approval-after-abort': ['APPROVED'],
  noise: ['APPROVED'],
  'chip-refuses-after-approval': ['DECLINED'],
  'offline-approval': ['CHIP_APPROVED'],
};

const streamNoises = [
  Uint8Array.of(0x00, 0xff, 0x41, 0x0d),
  // The beginning of a header, and a whole one that promises more than ever comes.
  Uint8Array.from(Buffer.from('ViVO')),
  Uint8Array.from([...Buffer.from('ViVOtech2\0'), 0x60, 0x00, 0x01, 0x00]),
];

function reportOf(id: number): Uint8Array {
  const report = new Uint8Array(64).fill(0x5a);
  report[0] = id;
  return report;
}

/** A report that no frame has, one that breaks into a frame, one that continues one, one that ends one, and an empty one. */
const reportNoises = [reportOf(7), reportOf(1), reportOf(3), reportOf(4), new Uint8Array(0)];

/** The NEO 2 driver against the virtual reader. */
export function neo2Kind(line: 'HID' | 'SERIAL'): BenchKind {
  return {
    name: line === 'HID' ? 'NEO 2 over HID' : 'NEO 2 over a serial line',
    method: line === 'HID' ? 'USB' : 'SERIAL',
    currency: 'EUR',
    create: () => createNeo2Bench(line),
    sale: paymentWith('visa-chip', 'sale', { entryMode: 'CONTACT' }),
    others,
    fragments: line === 'HID' ? 'REPORTS' : 'STREAM',
    damage: 'DETECTED',
    acknowledges: false,
    remembers: false,
    rules: NEO2_RULES,
    ends,
    noises: line === 'HID' ? reportNoises : streamNoises,
    // Half a frame is given up after a second.
    soonMs: 800,
    patienceMs: 10 * 60_000,
  };
}
