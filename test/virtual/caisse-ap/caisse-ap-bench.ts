import type { StoredEntry } from '../../../drivers/virtual/book/entries.ts';
import { createLedger } from '../../../drivers/virtual/book/ledger.ts';
import { summarise } from '../../../drivers/virtual/book/summary.ts';
import { step } from '../../../drivers/virtual/caisse-ap/machine.ts';
import {
  initialState,
  type TerminalInput,
  type TerminalOutput,
  type TerminalSettings,
  type TimerName,
} from '../../../drivers/virtual/caisse-ap/state.ts';
import { findCard, TEST_CARDS, type TestCard } from '../../../drivers/virtual/cards.ts';
import { localTimeOf } from '../../../drivers/virtual/local-time.ts';
import { viewOfPaymentTerminal } from '../../../drivers/virtual/machine-view.ts';
import type { Rule } from '../../../drivers/virtual/rules.ts';
import { TEXTS } from '../../../drivers/virtual/texts.ts';
import { vector } from '../../support/vectors.ts';

const SETTINGS: TerminalSettings = {
  terminalId: '29000001',
  vuNumber: '100000001',
  merchantLines: ['VIRTUAL TERMINAL'],
  texts: TEXTS.en,
  currency: 'EUR',
  currencyNumber: '978',
  currencyExponent: 2,
  cards: TEST_CARDS,
  isManual: false,
  thinkMs: 10,
  hostMs: 5,
  cardTimeoutMs: 60_000,
  slowMs: 3000,
  outageMs: 3000,
  pieceGapMs: 20,
  authorizationCode: () => '611804',
};

/** What every reply to the specified sale of 10.00 begins with. */
export const ECHO = 'CZ0040300CJ012000000000001CA00201CE003978CD0010';
/** The reply to that sale, paid with the first test card: written by hand from the digest of the protocol. */
export const DONE = `${ECHO}CB0041000AE00210AC006611804AA016476173******0119AI014A0000000031010AB0043112CI0012CG009100000001`;
export const SALE = 'CZ0040300CJ012000000000001CA00201CE003978BA0010CD0010CB0041000';

export function bytesOfText(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

export function textOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

/** The pure machine on a table: requests by hand, outputs as readable lines, timers only when the test lets them run out. */
export function createCaisseApBench(changes: Partial<TerminalSettings> = {}) {
  const settings = { ...SETTINGS, ...changes };
  const at = new Date(2026, 10, 27, 12, 30, 0);
  const ledger = createLedger();
  const entries: StoredEntry[] = [];
  const timers = new Map<TimerName, number>();
  let state = initialState(settings);

  const perform = (output: TerminalOutput): string => {
    switch (output.type) {
      case 'send':
        return `${textOf(output.bytes)}${output.damage === undefined ? '' : ` ${output.damage}`}`;
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
    return result.outputs.map(perform).filter((line) => line !== '');
  };
  const expire = (name: TimerName) => {
    if (!timers.delete(name)) throw new Error(`Timer ${name} does not run; ${[...timers.keys()].join(' ')} do`);
    return take({ type: 'timer', name });
  };
  take({ type: 'boot' });
  take({ type: 'link-up' });

  return {
    take,
    expire,
    /** the till sends a request */
    till: (text: string) => take({ type: 'request', bytes: bytesOfText(text) }),
    /** the till sends a specified request. @param id in test/fixtures/protocols/caisse-ap.json */
    tillVector: (id: string) => take({ type: 'request', bytes: vector(id) }),
    /** a simulated customer pays, and the host answers */
    pay(text = SALE): readonly string[] {
      return [...take({ type: 'request', bytes: bytesOfText(text) }), ...expire('think'), ...expire('host')];
    },
    present(id: string) {
      return take({ type: 'card', card: cardOf(id) });
    },
    press: (...keys: readonly Extract<TerminalInput, { type: 'key' }>['key'][]) =>
      keys.flatMap((key) => take({ type: 'key', key })),
    arm: (rule: Rule) => void take({ type: 'arm', rule, times: 1 }),
    isRunning: (name: TimerName) => timers.has(name),
    delayOf: (name: TimerName) => timers.get(name),
    view: () => viewOfPaymentTerminal(state),
    kinds: () => entries.map(({ kind }) => kind),
    entries: () => entries,
    book: () => summarise('test', entries),
  };
}

export function cardOf(id: string): TestCard {
  const card = findCard(TEST_CARDS, id);
  if (card === undefined) throw new Error(`There is no card ${id}`);
  return card;
}
