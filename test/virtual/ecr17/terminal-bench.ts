import type { StoredEntry } from '../../../drivers/virtual/book/entries.ts';
import { createLedger, type FirstNumbers } from '../../../drivers/virtual/book/ledger.ts';
import { summarise } from '../../../drivers/virtual/book/summary.ts';
import { findCard, TEST_CARDS } from '../../../drivers/virtual/cards.ts';
import { step } from '../../../drivers/virtual/ecr17/machine.ts';
import {
  initialState,
  type TerminalInput,
  type TerminalOutput,
  type TerminalSettings,
  type TimerName,
} from '../../../drivers/virtual/ecr17/state.ts';
import { localTimeOf } from '../../../drivers/virtual/local-time.ts';
import { viewOfPaymentTerminal } from '../../../drivers/virtual/machine-view.ts';
import { TEXTS } from '../../../drivers/virtual/texts.ts';

export const TERMINAL = '12345678';
const TILL = '87654321';

const SETTINGS: TerminalSettings = {
  terminalId: TERMINAL,
  vuNumber: '100000001',
  softwareVersion: 'VIRTUAL 1.0 CTL 40123',
  merchantLines: ['NEGOZIO TEST'],
  texts: TEXTS.en,
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
  authorizationCode: () => 'A1B2C3',
  lrc: 'STD',
  closesBetween: false,
};

const spaces = ' '.repeat(128);
const amount = (minor: number) => String(minor).padStart(8, '0');

/** Requests, written out as the specification has them. */
export const ask = {
  status: () => `${TERMINAL}0s`,
  lastResult: () => `${TERMINAL}0G${TILL}0000`,
  totals: () => `${TERMINAL}0T${TILL}00000000`,
  close: () => `${TERMINAL}0C${TILL}00000000`,
  receiptsTo: (place: 'TILL' | 'TERMINAL') => `${TERMINAL}0E${place === 'TILL' ? 1 : 0}`,
  reprint: (place: 'TILL' | 'TERMINAL') => `${TERMINAL}0R${place === 'TILL' ? 1 : 0}00000000000`,
  payment: (minor: number, code: 'P' | 'X' | 'p' = 'X') =>
    `${TERMINAL}0${code}${TILL}00000${amount(minor)}${spaces}00000000`,
  onPreAuthorization: (code: 'i' | 'c', minor: number, reference: string) =>
    `${TERMINAL}0${code}${TILL}00000${amount(minor)}${spaces}${reference}00000000`,
  reversal: (stan = '000000') => `${TERMINAL}0S${TILL}${stan}00`,
  verification: () => `${TERMINAL}0H${TILL}00000${'0'.repeat(16)}`,
};

interface BenchOptions {
  readonly settings?: Partial<TerminalSettings>;
  readonly first?: FirstNumbers;
}

/** The pure machine on a table: inputs by hand, outputs as readable lines, timers only when the test lets them run out. */
export function createEcr17Bench({ settings: changes, first }: BenchOptions = {}) {
  const at = new Date(2026, 6, 30, 15, 20, 0);
  const settings = { ...SETTINGS, ...changes };
  const ledger = createLedger(first);
  const entries: StoredEntry[] = [];
  const timers = new Map<TimerName, number>();
  let state = initialState(settings);

  const perform = (output: TerminalOutput): string => {
    switch (output.type) {
      case 'send':
        return output.damage === undefined ? output.text : `${output.damage} ${output.text}`;
      case 'acknowledge':
        return 'ACK';
      case 'refuse':
        return 'NAK';
      case 'progress':
        return `… ${output.text}`;
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
        return `outage ${output.cause}`;
      default:
        return output.type;
    }
  };
  const take = (input: TerminalInput): readonly string[] => {
    const result = step({ settings, ledger, now: localTimeOf(at.getTime()) }, state, input);
    state = result.state;
    return result.outputs.map(perform).filter((line) => line !== '');
  };
  take({ type: 'boot' });
  take({ type: 'link-up' });

  return {
    take,
    till: (text: string) => take({ type: 'message', text }),
    ack: () => take({ type: 'acknowledged' }),
    nak: () => take({ type: 'refused' }),
    card: (id: string) => {
      const card = findCard(TEST_CARDS, id);
      if (card === undefined) throw new Error(`There is no card ${id}`);
      return take({ type: 'card', card });
    },
    /** a timer that runs must run out; one that does not is a mistake of the test */
    expire(name: TimerName) {
      if (!timers.delete(name))
        throw new Error(`Timer ${name} is not running; running: ${[...timers.keys()].join(' ')}`);
      return take({ type: 'timer', name });
    },
    isRunning: (name: TimerName) => timers.has(name),
    /** a whole procedure in front of the simulated customer, up to its result; gives back everything that the terminal did */
    procedure(text: string): readonly string[] {
      const seen = [...this.till(text)];
      while (timers.has('think')) seen.push(...this.expire('think'));
      if (timers.has('host')) seen.push(...this.expire('host'));
      return seen;
    },
    /** the same, with the till's acknowledgement of everything that it is told; gives back the result */
    completed(text: string): string {
      const result = messagesOf(this.procedure(text))[0];
      while (timers.has('ack')) this.ack();
      if (result === undefined) throw new Error('The terminal told no result');
      return result;
    },
    /** an entry of an earlier run */
    restore(entry: StoredEntry) {
      entries.push(entry);
      ledger.apply(entry);
    },
    view: () => viewOfPaymentTerminal(state),
    entries: () => entries,
    kinds: () => entries.map(({ kind }) => kind),
    book: () => summarise('test', entries),
  };
}

export type Ecr17Bench = ReturnType<typeof createEcr17Bench>;

/** The messages among what a terminal did. */
export function messagesOf(seen: readonly string[]): readonly string[] {
  return seen.filter((line) => line.startsWith(TERMINAL));
}
