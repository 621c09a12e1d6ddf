import type { StoredEntry } from '../../../drivers/virtual/book/entries.ts';
import { createLedger, type FirstNumbers } from '../../../drivers/virtual/book/ledger.ts';
import { summarise } from '../../../drivers/virtual/book/summary.ts';
import { TEST_CARDS } from '../../../drivers/virtual/cards.ts';
import { localTimeOf } from '../../../drivers/virtual/local-time.ts';
import { TEXTS } from '../../../drivers/virtual/texts.ts';
import { step } from '../../../drivers/virtual/zvt/machine.ts';
import {
  initialState,
  type TerminalInput,
  type TerminalOutput,
  type TerminalSettings,
  type TimerName,
} from '../../../drivers/virtual/zvt/state.ts';
import { viewOf } from '../../../drivers/virtual/zvt/view.ts';
import { bytesOf, hexOf } from '../../support/hex.ts';

export const ACK = '80 00 00';
/** Registration of a till that wants intermediate status, and makes its receipts itself. */
const PLAIN_REGISTRATION = '06 00 06 00 00 00 1A 09 78';
/** Registration of a till that prints 06 D1 lines. */
export const LINE_REGISTRATION = '06 00 06 00 00 00 8E 09 78';

export const TEST_SETTINGS: TerminalSettings = {
  terminalId: '29000001',
  vuNumber: '100000001',
  softwareVersion: 'VIRTUAL 1.0 CTL 40123',
  merchantLines: ['TEST Portalum', 'RIEDG 50', '6850 DORNBIRN'],
  texts: TEXTS.de,
  currency: 'EUR',
  currencyNumber: '978',
  currencyExponent: 2,
  cards: TEST_CARDS,
  isManual: false,
  thinkMs: 10,
  hostMs: 5,
  ackTimeoutMs: 5000,
  cardTimeoutMs: 60_000,
  slowMs: 3000,
  outageMs: 3000,
  authorizationCode: () => '611804',
};

interface BenchOptions {
  readonly settings?: Partial<TerminalSettings>;
  readonly first?: FirstNumbers;
  readonly at?: Date;
}

/** The pure machine on a table: inputs by hand, outputs as readable lines, timers only when the test lets them run out. */
export function createMachineBench({
  settings: changes,
  first,
  at = new Date(2026, 10, 27, 12, 30, 0),
}: BenchOptions = {}) {
  const settings = { ...TEST_SETTINGS, ...changes };
  const ledger = createLedger(first);
  const entries: StoredEntry[] = [];
  const timers = new Map<TimerName, number>();
  let state = initialState(settings);

  const perform = (output: TerminalOutput): string => {
    switch (output.type) {
      case 'send':
        return `${hexOf(output.apdu)}${output.damage === undefined ? '' : ` ${output.damage}`}`;
      case 'book': {
        const entry: StoredEntry = { sequence: entries.length + 1, at: at.toISOString(), ...output.entry };
        entries.push(entry);
        ledger.apply(entry);
        return `book ${entry.kind}`;
      }
      case 'start-timer':
        timers.set(output.name, output.delayMs);
        return '';
      case 'stop-timer':
        timers.delete(output.name);
        return '';
      case 'outage':
        return `outage ${output.cause} ${output.durationMs}`;
      default:
        return output.type;
    }
  };
  const take = (input: TerminalInput): readonly string[] => {
    const result = step({ settings, ledger, now: localTimeOf(at.getTime()) }, state, input);
    state = result.state;
    return result.outputs.map(perform).filter((line) => line !== '' && line !== 'flush-link');
  };

  return {
    take,
    /** the till sends an APDU */
    till: (hex: string) => take({ type: 'apdu', apdu: bytesOf(hex) }),
    /** a timer that runs must run out; one that does not is a mistake of the test */
    expire(name: TimerName) {
      if (!timers.delete(name))
        throw new Error(`Timer ${name} is not running; running: ${[...timers.keys()].join(' ')}`);
      return take({ type: 'timer', name });
    },
    isRunning: (name: TimerName) => timers.has(name),
    delayOf: (name: TimerName) => timers.get(name),
    /** acknowledges whatever is on its way until nothing more comes; gives back what the terminal did */
    acknowledgeAll(): readonly string[] {
      const seen: string[] = [];
      for (let more = take({ type: 'apdu', apdu: bytesOf(ACK) }); ; more = take({ type: 'apdu', apdu: bytesOf(ACK) })) {
        seen.push(...more);
        if (more.length === 0) return seen;
      }
    },
    connect(registration = PLAIN_REGISTRATION) {
      take({ type: 'link-up' });
      this.till(registration);
      this.till(ACK);
    },
    view: () => viewOf(state),
    entries: () => entries,
    kinds: () => entries.map(({ kind }) => kind),
    book: () => summarise('test', entries),
  };
}

export type MachineBench = ReturnType<typeof createMachineBench>;

/** A sale up to and with its result on the wire (not yet acknowledged); gives back what came with the result. */
export function saleUntilResult(
  bench: MachineBench,
  sale = '06 01 0A 04 00 00 00 00 12 34 49 09 78',
): readonly string[] {
  bench.till(sale);
  bench.acknowledgeAll();
  bench.expire('think');
  bench.acknowledgeAll();
  return bench.expire('host');
}

/** A whole approved sale. */
export function wholeSale(bench: MachineBench, sale?: string): readonly string[] {
  return [...saleUntilResult(bench, sale), ...bench.acknowledgeAll()];
}
