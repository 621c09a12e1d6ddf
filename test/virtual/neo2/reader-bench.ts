import { toHex } from '../../../drivers/framing/bytes.ts';
import { decodeVivotech2, INITIAL_VIVOTECH2_STATE } from '../../../drivers/framing/vivotech2-stream.ts';
import type { NeoCommand } from '../../../drivers/neo2/codec/command-types.ts';
import { encodeCommand } from '../../../drivers/neo2/codec/commands.ts';
import type { NeoMessage, TransactionReply } from '../../../drivers/neo2/codec/message-types.ts';
import { decodeMessage } from '../../../drivers/neo2/codec/messages.ts';
import type { NeoTag } from '../../../drivers/neo2/codec/tlv.ts';
import { type TransactionFacts, transactionTags } from '../../../drivers/neo2/codec/transaction-tags.ts';
import { findCard } from '../../../drivers/virtual/cards.ts';
import { localTimeOf } from '../../../drivers/virtual/local-time.ts';
import type { ReaderEntry, StoredReaderEntry } from '../../../drivers/virtual/neo2/book/entries.ts';
import { createReaderLedger, summariseReaderBook } from '../../../drivers/virtual/neo2/book/reader-ledger.ts';
import { TEST_READER } from '../../../drivers/virtual/neo2/card/payment.ts';
import { step } from '../../../drivers/virtual/neo2/machine.ts';
import { READER_CARDS } from '../../../drivers/virtual/neo2/reader-cards.ts';
import {
  initialState,
  type ReaderInput,
  type ReaderOutput,
  type ReaderSettings,
  type TimerName,
} from '../../../drivers/virtual/neo2/state.ts';
import { viewOf } from '../../../drivers/virtual/neo2/view.ts';
import type { Rule } from '../../../drivers/virtual/rules.ts';
import type { Key } from '../../../drivers/virtual/terminal-view.ts';
import { TEXTS } from '../../../drivers/virtual/texts.ts';

export const READER_SETTINGS: ReaderSettings = {
  firmware: 'VIRTUAL 1.0 CTL 40123',
  texts: TEXTS.en,
  currency: 'EUR',
  currencyNumber: '978',
  currencyExponent: 2,
  cards: READER_CARDS,
  reader: TEST_READER,
  encryption: 'TDES',
  isManual: false,
  thinkMs: 10,
  chipMs: 5,
  entryTimeoutMs: 60_000,
  slowMs: 3000,
  outageMs: 3000,
  randomBytes: (count) => new Uint8Array(count).fill(0xa5),
};

/** The pure machine on a table: frames by hand, outputs as they leave, timers only when the test lets them run out. */
export function createReaderBench(changes: Partial<ReaderSettings> = {}, given: readonly StoredReaderEntry[] = []) {
  const settings = { ...READER_SETTINGS, ...changes };
  const at = new Date(2026, 10, 28, 12, 30, 0);
  const ledger = createReaderLedger();
  const entries: StoredReaderEntry[] = [...given];
  for (const entry of given) ledger.apply(entry);
  const timers = new Map<TimerName, number>();
  let state = initialState(settings);

  const note = (entry: ReaderEntry) => {
    const stored: StoredReaderEntry = { sequence: entries.length + 1, at: at.toISOString(), ...entry };
    entries.push(stored);
    ledger.apply(stored);
  };
  const perform = (output: ReaderOutput) => {
    if (output.type === 'book') note(output.entry);
    else if (output.type === 'start-timer') timers.set(output.name, output.delayMs);
    else if (output.type === 'stop-timer') timers.delete(output.name);
  };
  const take = (input: ReaderInput): readonly ReaderOutput[] => {
    const result = step({ settings, ledger, now: localTimeOf(at.getTime()) }, state, input);
    state = result.state;
    result.outputs.forEach(perform);
    return result.outputs;
  };
  const frame = (bytes: Uint8Array) => {
    const [item] = decodeVivotech2(INITIAL_VIVOTECH2_STATE, bytes).items;
    if (item?.type !== 'frame' || item.frame.kind !== 'message') throw new Error('The test wrote no frame');
    return take({ type: 'frame', ...item.frame });
  };

  return {
    take,
    /** the till sends these bytes */
    bytes: frame,
    /** the till sends a command */
    till: (command: NeoCommand) => frame(encodeCommand(command)),
    /** a timer that runs must run out; one that does not is a mistake of the test */
    expire(name: TimerName) {
      if (!timers.delete(name)) throw new Error(`Timer ${name} does not run; ${[...timers.keys()].join(' ')} do`);
      return take({ type: 'timer', name });
    },
    isRunning: (name: TimerName) => timers.has(name),
    delayOf: (name: TimerName) => timers.get(name),
    present(id: string) {
      const card = findCard(READER_CARDS, id);
      if (card === undefined) throw new Error(`There is no card ${id}`);
      return take({ type: 'card', card });
    },
    press: (...keys: readonly Key[]) => keys.flatMap((key) => take({ type: 'key', key })),
    arm: (rule: Rule) => take({ type: 'arm', rule, times: 1 }),
    view: () => viewOf(state),
    entries: () => entries,
    kinds: () => entries.map(({ kind }) => kind),
    book: () => summariseReaderBook('test', entries),
  };
}

export type ReaderBench = ReturnType<typeof createReaderBench>;

/** What was sent, without the texts of 61-01, as readable lines: command, status and DFEE25, or whatever else happened on the line. */
export function told(outputs: readonly ReaderOutput[]): readonly string[] {
  return outputs.flatMap((output) => {
    if (output.type === 'send') {
      const message = decoded(output.frame);
      if (message.type === 'display') return [];
      const damage = output.damage === undefined ? '' : ` ${output.damage}`;
      if (message.type === 'transaction') return [`${head(message)} ${message.resultCode ?? ''}${damage}`];
      if (message.type === 'unknown' || message.type === 'swipe-request' || message.type === 'user-interface')
        return [];
      return [`${head(message)}${damage}`];
    }
    return output.type === 'drop-link' || output.type === 'outage' || output.type === 'send-noise' ? [output.type] : [];
  });
}

/** Texts of 61-01 by number. */
export function texts(outputs: readonly ReaderOutput[]): readonly number[] {
  return outputs.flatMap((output) => {
    const message = output.type === 'send' ? decoded(output.frame) : undefined;
    return message?.type === 'display' && message.content.kind === 'SHORT' ? [message.content.messageId] : [];
  });
}

/** The frames that were sent, as hex. */
export function frames(outputs: readonly ReaderOutput[]): readonly string[] {
  return outputs.flatMap((output) => (output.type === 'send' ? [toHex(output.frame)] : []));
}

/** The first answer with card data. Refused ones throw: a test that wants them reads them itself. */
export function cardData(outputs: readonly ReaderOutput[]): TransactionReply & { readonly list: readonly NeoTag[] } {
  for (const output of outputs) {
    const message = output.type === 'send' ? decoded(output.frame) : undefined;
    if (message?.type === 'transaction') return { ...message, list: message.tags.reveal() };
  }
  throw new Error('No card data were told');
}

/** What a till makes of a frame that answers `answerTo`. */
export function answerOf(
  outputs: readonly ReaderOutput[],
  answerTo: NeoCommand['type'],
): ReturnType<typeof decodeMessage> {
  const sent = outputs.flatMap((output) => (output.type === 'send' ? [output.frame] : []));
  const last = sent.at(-1);
  if (last === undefined) throw new Error('Nothing was sent');
  return decodeMessage(frameIn(last), { answerTo, encryptionExpected: 'ALWAYS' });
}

const SALE: TransactionFacts = {
  transactionType: '00',
  amountMinor: 1234,
  otherAmountMinor: 0,
  currency: '978',
};

export function startCommand(facts: TransactionFacts = {}, isFallbackAllowed = true): NeoCommand {
  return {
    type: 'start-contact',
    isFallbackAllowed,
    seatTimeoutSeconds: 30,
    authenticateTimeoutSeconds: 20,
    tags: transactionTags({ ...SALE, ...facts }),
  };
}

export function activateCommand(facts: TransactionFacts = {}): NeoCommand {
  const presentations = ['STRIPE', 'CONTACTLESS', 'CONTACT'] as const;
  return {
    type: 'activate',
    timeoutSeconds: 30,
    tags: transactionTags({ ...SALE, presentations, fallback: { isAllowed: true }, ...facts }),
  };
}

export const AUTHENTICATE: NeoCommand = { type: 'authenticate', flags: 0, timeoutSeconds: 60, tags: [] };

/** An inserted card up to its first cryptogram: what was told with it. */
export function untilCryptogram(bench: ReaderBench, card = 'visa-chip', facts: TransactionFacts = {}) {
  bench.till(startCommand(facts));
  bench.present(card);
  bench.till(AUTHENTICATE);
  return bench.expire('chip');
}

/** A tapped or swiped card up to its one answer. */
export function tap(bench: ReaderBench, card = 'visa-contactless', facts: TransactionFacts = {}) {
  bench.till(activateCommand(facts));
  bench.present(card);
  return bench.expire('chip');
}

function head({ command, status }: { readonly command: number; readonly status: number }): string {
  return toHex(Uint8Array.of(command, status));
}

function decoded(frame: Uint8Array): Exclude<NeoMessage, never> {
  const message = decodeMessage(frameIn(frame), { encryptionExpected: 'ALWAYS' });
  if (message.type === 'malformed' || message.type === 'refused')
    throw new Error(`The reader sent a ${message.type} frame`);
  return message;
}

function frameIn(bytes: Uint8Array) {
  const [item] = decodeVivotech2(INITIAL_VIVOTECH2_STATE, bytes).items;
  if (item?.type !== 'frame') throw new Error('The reader sent no frame');
  return item.frame;
}
