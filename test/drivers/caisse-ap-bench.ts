import type { TerminalCommand } from '../../app/ports/terminal.ts';
import { createCaisseApTerminal } from '../../drivers/caisse-ap/caisse-ap-terminal.ts';
import { decodeTlv } from '../../drivers/framing/ascii-tlv.ts';
import { concatBytes } from '../../drivers/framing/bytes.ts';
import { createCaisseApTerminal as createVirtualTerminal } from '../../drivers/virtual/caisse-ap/caisse-ap-terminal.ts';
import type { ByteLink } from '../../drivers/virtual/link/byte-link.ts';
import { CAISSE_AP_RULES } from '../../drivers/virtual/rules.ts';
import { settings } from '../caisse-ap/support/rig.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { silentLog } from '../support/zvt-terminal.ts';
import { TEST_SETTINGS } from '../virtual/support/machine-bench.ts';
import { undisturbed } from './attempt.ts';
import type { Bench, BenchKind, MoneyCase } from './bench.ts';
import { createPaymentBook } from './payment-book.ts';
import { createStreamLine } from './stream-line.ts';

/** Between the parts of a reply that comes in pieces: shorter than a till waits for the rest. */
const PIECE_GAP_MS = 20;

/** The link, and how many requests have come over it whole: each has one amount, close to its end. */
function counted(link: ByteLink): { readonly link: ByteLink; requests(): number } {
  let before = 0;
  let received: Uint8Array = new Uint8Array();
  const ofThisConnection = (): number => decodeTlv(received).fields.filter(({ tag }) => tag === 'CB').length;
  return {
    requests: () => before + ofThisConnection(),
    link: {
      ...link,
      start: (events) =>
        link.start({
          ...events,
          onUp() {
            before += ofThisConnection();
            received = new Uint8Array();
            events.onUp();
          },
          onBytes(bytes) {
            received = concatBytes(received, bytes);
            events.onBytes(bytes);
          },
        }),
    },
  };
}

async function createBench(): Promise<Bench> {
  const clock = createManualClock();
  const book = createPaymentBook();
  const stream = createStreamLine('TCP', clock);
  const { link, requests } = counted(stream.byteLink);
  const device = createVirtualTerminal({
    settings: { ...TEST_SETTINGS, pieceGapMs: PIECE_GAP_MS },
    book: book.file,
    ledger: book.ledger,
    clock,
    link,
    onFatal(error) {
      throw error;
    },
  });
  await device.start();
  return {
    clock,
    line: stream.line,
    startTill() {
      const terminal = createCaisseApTerminal({
        terminalId: 'T1',
        clock,
        log: silentLog,
        settings,
        createTransport: stream.connectTill(),
      });
      terminal.start();
      return terminal;
    },
    approvals: book.approvals,
    onFinal: book.onFinal,
    moneyCommands: requests,
    arm: (rule) => device.arm(rule, 1),
    causeFault: (fault) => device.causeFault(fault),
    stop: () => device.stop(),
  };
}

const saleCommand = {
  transactionId: 'T-1',
  operation: 'SALE',
  amountMinor: 1_234,
  tipAmountMinor: 0,
  cashbackAmountMinor: 0,
  currency: 'EUR',
  entryMode: 'AUTO',
} as const satisfies TerminalCommand;

const sale: MoneyCase = {
  name: 'sale',
  operation: 'SALE',
  prepare: async () => saleCommand,
  pay: (exchange, hooks) => exchange.run(hooks),
};

const refund: MoneyCase = {
  ...sale,
  name: 'refund',
  operation: 'REFUND',
  async prepare(bench, terminal) {
    const sold = await undisturbed(bench, terminal, sale, { ...saleCommand, transactionId: 'T-0' });
    if (sold.kind !== 'APPROVED') throw new Error(`the original ended ${sold.kind}`);
    const original = { transactionId: 'T-0', kind: 'SALE', amountMinor: 1_234, reference: sold.reference } as const;
    return { transactionId: 'T-1', operation: 'REFUND', amountMinor: 500, currency: 'EUR', original };
  },
};

/** The Caisse-AP driver against the virtual Caisse-AP terminal. */
export function caisseApKind(): BenchKind {
  return {
    name: 'Caisse-AP over TCP',
    method: 'ETHERNET',
    currency: 'EUR',
    create: createBench,
    sale,
    others: [refund],
    fragments: 'STREAM',
    damage: 'UNSEEN',
    acknowledges: false,
    remembers: false,
    abortsNothing: true,
    isBrief: true,
    declined: { reason: 'The terminal says: the payment was refused.' },
    rules: CAISSE_AP_RULES,
    ends: {
      // There is no word for it but "forbidden".
      busy: ['DECLINED'],
      'no-answer': ['UNKNOWN'],
      'half-frame': ['UNKNOWN'],
      noise: ['UNKNOWN'],
      'drop-before-host': ['UNKNOWN'],
      'drop-after-host': ['UNKNOWN'],
      'drop-after-final': ['APPROVED'],
      'reply-in-pieces': ['APPROVED'],
    },
    noises: [Uint8Array.of(0x00, 0xff, 0x41, 0x0d), new TextEncoder().encode('AE00210'), new TextEncoder().encode('0')],
    soonMs: 3_000,
    patienceMs: 30 * 60_000,
  };
}
