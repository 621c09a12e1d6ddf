// A card from the command that wants one to its first cryptogram, or to its stripe.
import { fromHex, toHex } from '../../framing/bytes.ts';
import type { NeoCommand } from '../../neo2/codec/command-types.ts';
import { STATUS_FAILED, STATUS_OK, STATUS_ONLINE } from '../../neo2/codec/status-codes.ts';
import { clearTag, type NeoTag } from '../../neo2/codec/tlv.ts';
import { readTransactionFacts } from '../../neo2/codec/transaction-tags.ts';
import { type CardEntry, lastFourOnly, type TestCard } from '../cards.ts';
import { book, isAttended, setActivity, show, startTimer, stopTimers, update } from '../machine-turn.ts';
import { takeRule } from '../rules.ts';
import type { ReaderOrder } from './book/entries.ts';
import { nextCounter } from './card/chip.ts';
import { type ChipCard, findChipCard } from './card/chip-cards.ts';
import { authorizeByChip, type ChipPaymentInput } from './card/chip-payment.ts';
import { type ChipPayment, paymentTags } from './card/payment.ts';
import { accountNumber, track2Equivalent } from './card/tracks.ts';
import { sealTags } from './crypto/sealed.ts';
import { type DukptStep, ISSUER_KEY } from './crypto/test-keys.ts';
import { abandonCard, cancelWaiting, isLate, tellLast } from './ends.ts';
import { takeKey } from './keys.ts';
import type { Activity, Presentation, Transaction } from './state.ts';
import { becomeIdle, orderLines, reply, showText, TEXT_NUMBERS, type Turn, tellCard, tellWorking } from './turn.ts';

const MS = 1000;
const NOT_ALLOWED = 0x0b;
const STEP_NOT_ALLOWED = 0x0c;
const TIMED_OUT = 0x08;
const CONTACT = 0x60;
const ACTIVATE = 0x02;
/** What wrong-amount adds to what was asked. */
const WRONG_AMOUNT_EXTRA_MINOR = 100;
/** Twelve digits (9F02). */
const MAX_AMOUNT_MINOR = 999_999_999_999;
const KSN = 'DFEE12';
/** Point-of-service entry mode (9F39). */
const ENTRY_MODES: Readonly<Record<CardEntry, string>> = { CONTACT: '05', CONTACTLESS: '07', MAGSTRIPE: '90' };
const PRESENTATIONS: Readonly<Record<CardEntry, Presentation>> = {
  CONTACT: 'CONTACT',
  CONTACTLESS: 'CONTACTLESS',
  MAGSTRIPE: 'STRIPE',
};

type Waiting = Extract<Activity, { kind: 'WAIT_CARD' }>;
type Reading = Extract<Activity, { kind: 'READING' }>;
type Command<Type extends NeoCommand['type']> = Extract<NeoCommand, { type: Type }>;

/** 60-10: waits for a card in the slot. */
export function startContact(turn: Turn, command: Command<'start-contact'>): void {
  waitForCard(turn, {
    command: CONTACT,
    tags: command.tags,
    presentations: ['CONTACT'],
    isFallbackAllowed: command.isFallbackAllowed,
    cardTimeoutMs: timeoutMs(turn, command.seatTimeoutSeconds),
    nextTimeoutMs: timeoutMs(turn, command.authenticateTimeoutSeconds),
  });
}

/** 02-40: waits for a card at any of the named interfaces. An inserted one goes on with 60-11. */
export function activate(turn: Turn, { tags, timeoutSeconds }: Command<'activate'>): void {
  const { presentations = ['CONTACTLESS'], fallback } = readTransactionFacts(tags);
  const cardTimeoutMs = timeoutMs(turn, timeoutSeconds);
  waitForCard(turn, {
    command: ACTIVATE,
    tags,
    presentations,
    isFallbackAllowed: fallback?.isAllowed ?? false,
    cardTimeoutMs,
    nextTimeoutMs: timeoutMs(turn, fallback?.nextCommandTimeoutSeconds ?? timeoutSeconds),
  });
}

/** A till that names no time gets the usual one. */
function timeoutMs({ settings }: Turn, seconds: number): number {
  return seconds === 0 ? settings.entryTimeoutMs : seconds * MS;
}

interface Wish {
  readonly command: Transaction['command'];
  readonly tags: readonly NeoTag[];
  readonly presentations: readonly Presentation[];
  readonly isFallbackAllowed: boolean;
  readonly cardTimeoutMs: number;
  readonly nextTimeoutMs: number;
}

function waitForCard(turn: Turn, wish: Wish): void {
  const { command, presentations, isFallbackAllowed, nextTimeoutMs } = wish;
  const { rule, left } = takeRule(turn.state.armed);
  update(turn, { armed: left, read: null, lastResult: null });
  if (rule === 'no-answer') return;
  if (rule === 'busy') reply(turn, command, NOT_ALLOWED);
  // A reader that has used up its keys takes no card.
  else if (takeKey(turn, 'account') === undefined) reply(turn, command, STATUS_FAILED);
  else {
    const order = orderOf(turn, wish.tags);
    const waiting: Waiting = {
      kind: 'WAIT_CARD',
      transaction: { command, order, rule, isFallbackAllowed, nextTimeoutMs },
      presentations,
    };
    setActivity(turn, waiting);
    tellWorking(turn, command);
    show(turn, ...orderLines(turn, order), turn.settings.texts.presentCard);
    startTimer(turn, 'card', wish.cardTimeoutMs);
    const { card } = turn.state;
    if (rule !== 'cardholder-cancel' && card !== null && isWanted(waiting, card)) takeCard(turn, waiting, card);
    else if (rule === 'cardholder-cancel' || !isAttended(turn)) startTimer(turn, 'think', turn.settings.thinkMs);
  }
}

function orderOf({ settings }: Turn, tags: readonly NeoTag[]): ReaderOrder {
  const { transactionType = '00', amountMinor = 0, otherAmountMinor = 0, currency } = readTransactionFacts(tags);
  return {
    transactionType,
    amountMinor,
    cashbackMinor: otherAmountMinor,
    currency: `0${currency ?? settings.currencyNumber}`,
  };
}

/** The simulated customer presents a card, or thinks better of it. */
export function customerActs(turn: Turn, waiting: Waiting): void {
  if (waiting.transaction.rule === 'cardholder-cancel') {
    cancelWaiting(turn, waiting);
    return;
  }
  const card = turn.settings.cards.find((known) => isWanted(waiting, known));
  if (card !== undefined) takeCard(turn, waiting, card);
}

/** Nobody presented a card in time. */
export function cardTimesOut(turn: Turn, { transaction }: Waiting): void {
  if (transaction.command === ACTIVATE) reply(turn, ACTIVATE, TIMED_OUT);
  else tellCard(turn, { command: CONTACT, source: 'CONTACT', resultCode: '0008' });
  show(turn, turn.settings.texts.cancelled);
  becomeIdle(turn);
}

/** A card comes while one is waited for. One for another interface is not seen. */
export function takeCard(turn: Turn, waiting: Waiting, card: TestCard): void {
  if (!isWanted(waiting, card)) return;
  stopTimers(turn, 'card', 'think');
  update(turn, { card: card.entry === 'CONTACT' ? card : null });
  const { transaction } = waiting;
  const { command } = transaction;
  if (card.isUnreadable === true) {
    show(turn, turn.settings.texts.unreadable);
    tellCard(turn, { command, source: 'CONTACT', resultCode: transaction.isFallbackAllowed ? '0007' : '3002' });
    becomeIdle(turn);
  } else if (card.entry === 'CONTACT') {
    setActivity(turn, { kind: 'STARTED', transaction, card });
    tellCard(turn, { command, source: 'CONTACT', resultCode: '0010' });
    startTimer(turn, 'next', transaction.nextTimeoutMs);
  } else read(turn, { kind: 'READING', transaction, card, command });
}

function isWanted({ presentations }: Waiting, card: TestCard): boolean {
  return presentations.includes(PRESENTATIONS[card.entry]);
}

/** 60-11: the chip makes its first cryptogram. */
export function authenticate(turn: Turn, { timeoutSeconds }: Command<'authenticate'>): void {
  const { activity } = turn.state;
  if (activity.kind === 'CARD_GONE') {
    tellCard(turn, { command: CONTACT, source: 'CONTACT', resultCode: '3005' });
    becomeIdle(turn);
  } else if (activity.kind !== 'STARTED') reply(turn, CONTACT, STEP_NOT_ALLOWED);
  else {
    const transaction = { ...activity.transaction, nextTimeoutMs: timeoutMs(turn, timeoutSeconds) };
    stopTimers(turn, 'next');
    tellWorking(turn, CONTACT);
    read(turn, { kind: 'READING', transaction, card: activity.card, command: CONTACT });
  }
}

function read(turn: Turn, reading: Reading): void {
  setActivity(turn, reading);
  const { order, rule } = reading.transaction;
  showText(turn, TEXT_NUMBERS.pleaseWait, ...orderLines(turn, order), turn.settings.texts.pleaseWait);
  const isSlow = rule === 'slow' || isLate(reading);
  startTimer(turn, 'chip', isSlow ? turn.settings.slowMs : turn.settings.chipMs);
}

/** The first cryptogram is there, or the stripe was read. */
export function readingEnds(turn: Turn, reading: Reading): void {
  const { card, command } = reading;
  const step = takeKey(turn, 'account');
  const chip = chipOf(reading);
  const counter = nextCounter(turn.ledger.counterOf(card.id));
  update(turn, { read: card });
  if (step === undefined) {
    reply(turn, command, STATUS_FAILED);
    becomeIdle(turn);
  } else if (chip === undefined) tellSwipe(turn, reading, step);
  else if (counter === undefined) {
    tellCard(turn, { command, source: card.entry, resultCode: '3002' });
    becomeIdle(turn);
  } else tellCryptogram(turn, reading, step, { chip, counter });
}

function chipOf({ card, transaction }: Reading): ChipCard | undefined {
  const chip = findChipCard(card.id);
  if (chip === undefined) return undefined;
  switch (transaction.rule) {
    case 'chip-refuses-after-approval':
      return { ...chip, chip: { ...chip.chip, habit: 'REFUSES_AT_THE_END' } };
    case 'offline-approval':
      return {
        ...chip,
        chip: {
          ...chip.chip,
          habit: 'APPROVES_OFFLINE',
          actions: { default: '0000000000', denial: '0000000000', online: '0000000000' },
        },
      };
    default:
      return chip;
  }
}

function tellCryptogram(
  turn: Turn,
  reading: Reading,
  step: DukptStep,
  { chip, counter }: { readonly chip: ChipCard; readonly counter: number },
): void {
  const { card, transaction, command } = reading;
  const order = toldOrder(transaction);
  const input: ChipPaymentInput = {
    card: chip,
    issuerKey: ISSUER_KEY,
    reader: turn.settings.reader,
    payment: paymentOf(turn, order),
    counter,
    // Whoever asks for the PIN does so after this step (62-01).
    pin: 'ENTERED',
  };
  const authorization = authorizeByChip(input);
  const { decision } = authorization;
  const id = bookReading(turn, reading, step, { order, decision, counter });
  if (transaction.rule === 'drop-before-host') {
    if (decision === 'ONLINE' && card.entry === 'CONTACT')
      abandonCard(turn, id, 'the line was lost before the cryptogram was told');
    becomeIdle(turn);
    turn.outputs.push({ type: 'drop-link' });
    return;
  }
  const tags = sealedTags(turn, reading, step, authorization.tags);
  if (decision === 'ONLINE' && card.entry === 'CONTACT') {
    setActivity(turn, { kind: 'ONLINE', transaction: { ...transaction, order }, input, authorization, id });
    const answer = { command, source: 'CONTACT', resultCode: '0004', tags } as const;
    tellCard(turn, answer);
    if (transaction.rule === 'duplicate-reply') tellCard(turn, answer);
    startTimer(turn, 'next', transaction.nextTimeoutMs);
    if (transaction.rule === 'card-removed') removeOnlineCard(turn, id);
    return;
  }
  const { texts } = turn.settings;
  if (decision === 'ONLINE') show(turn, texts.pleaseWait);
  else if (decision === 'APPROVED') showText(turn, TEXT_NUMBERS.approved, texts.approved);
  else showText(turn, TEXT_NUMBERS.declined, texts.declined);
  const status = decision === 'ONLINE' ? STATUS_ONLINE : STATUS_OK;
  tellLast(turn, transaction.rule, { command, status, source: card.entry, resultCode: endCodes[decision], tags });
}

const endCodes = { ONLINE: '0009', APPROVED: '0000', DECLINED: '0001' } as const;

/** An inserted card is taken out while its issuer is asked. */
export function removeOnlineCard(turn: Turn, id: number): void {
  abandonCard(turn, id, 'the card was taken out');
  update(turn, { card: null });
  setActivity(turn, { kind: 'CARD_GONE' });
}

function tellSwipe(turn: Turn, reading: Reading, step: DukptStep): void {
  const { card, transaction, command } = reading;
  const order = toldOrder(transaction);
  bookReading(turn, reading, step, { order, decision: 'ONLINE' });
  if (transaction.rule === 'drop-before-host') {
    becomeIdle(turn);
    turn.outputs.push({ type: 'drop-link' });
    return;
  }
  const plain = new Map([
    ...paymentTags(paymentOf(turn, order), turn.settings.reader),
    ['5A', accountNumber(card)],
    ['57', track2Equivalent(card)],
  ] as const);
  const tags = sealedTags(turn, reading, step, plain);
  tellLast(turn, transaction.rule, { command, source: 'MAGSTRIPE', resultCode: '0011', tags });
}

function bookReading(
  turn: Turn,
  { card }: Reading,
  step: DukptStep,
  facts: {
    readonly order: ReaderOrder;
    readonly decision: 'ONLINE' | 'APPROVED' | 'DECLINED';
    readonly counter?: number;
  },
): number {
  const { id, scheme, pan, entry } = card;
  return book(turn, {
    kind: 'CARD_READ',
    card: { id, scheme, maskedPan: lastFourOnly(pan), entry },
    ...facts,
    accountKsn: toHex(step.ksn),
  });
}

/** What leaves the reader: numbers masked and encrypted, with the serial number of their key. */
function sealedTags(
  { settings }: Turn,
  { card, transaction }: Reading,
  step: DukptStep,
  tags: Iterable<readonly [tag: string, value: Uint8Array]>,
): readonly NeoTag[] {
  return [
    clearTag(KSN, step.ksn),
    ...sealTags(tags, step, settings.encryption),
    clearTag('9F39', fromHex(ENTRY_MODES[card.entry])),
    ...(transaction.rule === 'clear-card-data' ? [clearTag('57', track2Equivalent(card))] : []),
  ];
}

function toldOrder({ order, rule }: Transaction): ReaderOrder {
  if (rule !== 'wrong-amount') return order;
  return { ...order, amountMinor: Math.min(order.amountMinor + WRONG_AMOUNT_EXTRA_MINOR, MAX_AMOUNT_MINOR) };
}

function paymentOf({ now, settings }: Turn, order: ReaderOrder): ChipPayment {
  return { ...order, date: now.date.slice(2), time: now.time, unpredictable: settings.randomBytes(4) };
}
