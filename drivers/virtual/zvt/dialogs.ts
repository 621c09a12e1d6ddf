// Till and customer talk through the terminal's display and keys: 06 E0, 06 E1, 06 E2, 06 C0.
import type { DisplayCommand, ReadCardCommand } from '../../zvt/codec/command-types.ts';
import type { ZvtKey } from '../../zvt/codec/message-types.ts';
import type { TestCard } from '../cards.ts';
import { isAttended, setActivity, show, showBriefly, startTimer, stopTimers, update } from '../machine-turn.ts';
import type { Key } from '../terminal-view.ts';
import type { Activity } from './state.ts';
import { readCardStatus } from './status-fields.ts';
import { acknowledge, becomeIdle, refuse, reply, report, send, type Turn } from './turn.ts';

const INSERT_CARD = 0x0a;
const STOPPED = 0x6c;
const UNREADABLE = 0x64;
const NO_MAC = 0x75;
const MS = 1000;
const DEFAULT_MAX_DIGITS = 12;
/** What a simulated customer types. */
const TYPED_BY_ITSELF = '1234567890';

/** The keys of the pad that 06 E1 can report. */
const REPORTED_KEYS: Readonly<Partial<Record<Key, ZvtKey>>> = {
  OK: 'OK',
  STOP: 'STOP',
  CORR: 'CORRECTION',
  F1: 'F1',
  F2: 'F2',
  F3: 'F3',
  F4: 'F4',
};

/** 06 E0: shows text for a while (0 s: until something else is shown). */
export function showText(turn: Turn, { lines, durationSeconds = 0 }: DisplayCommand): void {
  show(turn, ...lines);
  if (durationSeconds > 0) startTimer(turn, 'display', durationSeconds * MS);
  acknowledge(turn);
}

/** 06 E1: shows text and answers with the key that is pressed. */
export function waitForKey(turn: Turn, { lines, durationSeconds = 0 }: DisplayCommand): void {
  // Of a menu he takes the first choice.
  const ownKey = lines.some((line) => line.startsWith('F1 ')) ? 'F1' : 'OK';
  setActivity(turn, { kind: 'WAIT_FOR_KEY', ownKey });
  show(turn, ...lines);
  waitForCustomer(turn, durationSeconds);
}

/** 06 E2: shows text and answers with the digits that are typed. Without a MAC over the text real terminals refuse. */
export function waitForNumber(turn: Turn, { lines, durationSeconds = 0, input }: DisplayCommand): void {
  if (input?.mac === undefined) {
    refuse(turn, NO_MAC);
    return;
  }
  setActivity(turn, {
    kind: 'NUMBER_INPUT',
    digits: '',
    lines,
    minLength: input.minLength ?? 0,
    maxLength: input.maxLength ?? DEFAULT_MAX_DIGITS,
    isEchoed: input.echo === 0xff,
  });
  show(turn, ...lines);
  waitForCustomer(turn, durationSeconds);
}

function waitForCustomer(turn: Turn, durationSeconds: number): void {
  if (durationSeconds > 0) startTimer(turn, 'input', durationSeconds * MS);
  if (!isAttended(turn)) startTimer(turn, 'think', turn.settings.thinkMs);
}

/** A key while one is waited for. */
export function answerKey(turn: Turn, key: Key): void {
  const reported = REPORTED_KEYS[key];
  if (reported !== undefined) endDialog(turn, { key: reported });
}

/** A key during a number input. */
export function changeNumber(turn: Turn, input: Extract<Activity, { kind: 'NUMBER_INPUT' }>, key: Key): void {
  if (key === 'STOP') endDialog(turn, { key: 'STOP' });
  else if (key === 'OK') {
    if (input.digits.length >= input.minLength)
      endDialog(turn, input.digits === '' ? { key: 'OK' } : { digits: input.digits });
  } else if (key === 'CORR') showNumber(turn, { ...input, digits: input.digits.slice(0, -1) });
  else if (/^[0-9]$/.test(key) && input.digits.length < input.maxLength)
    showNumber(turn, { ...input, digits: input.digits + key });
}

function showNumber(turn: Turn, input: Extract<Activity, { kind: 'NUMBER_INPUT' }>): void {
  setActivity(turn, input);
  show(turn, ...input.lines, input.isEchoed ? input.digits : '*'.repeat(input.digits.length));
}

function endDialog(turn: Turn, answer: { readonly key: ZvtKey } | { readonly digits: string }): void {
  reply(turn, { type: 'positive', ...answer });
  becomeIdle(turn);
}

/** The simulated customer answers. */
export function customerAnswers(turn: Turn): void {
  const { activity } = turn.state;
  if (activity.kind === 'WAIT_FOR_KEY') endDialog(turn, { key: activity.ownKey });
  else if (activity.kind === 'NUMBER_INPUT') {
    const wanted = Math.max(activity.minLength, Math.min(4, activity.maxLength));
    endDialog(turn, { digits: TYPED_BY_ITSELF.repeat(Math.ceil(wanted / 10)).slice(0, wanted) });
  } else if (activity.kind === 'READ_CARD') {
    const card = turn.state.card ?? turn.settings.cards[0];
    if (card !== undefined) readCard(turn, card);
  }
}

/** Nobody pressed anything. */
export function inputTimesOut(turn: Turn): void {
  endDialog(turn, { key: 'TIMEOUT' });
}

/** 06 B0 while a key or a number is waited for: the command ends as if stopped. */
export function abortDialog(turn: Turn): void {
  acknowledge(turn);
  becomeIdle(turn);
  show(turn, ...turn.settings.texts.idle);
}

/** 06 C0 */
export function startReadCard(turn: Turn, { timeoutSeconds = 0 }: ReadCardCommand): void {
  acknowledge(turn);
  setActivity(turn, { kind: 'READ_CARD' });
  show(turn, turn.settings.texts.readCard, turn.settings.texts.presentCard);
  report(turn, INSERT_CARD);
  startTimer(turn, 'card', timeoutSeconds > 0 ? timeoutSeconds * MS : turn.settings.cardTimeoutMs);
  if (turn.state.card !== null) readCard(turn, turn.state.card);
  else if (!isAttended(turn)) startTimer(turn, 'think', turn.settings.thinkMs);
}

/** A card is presented while one is to be read. Ends without a completion. */
export function readCard(turn: Turn, card: TestCard): void {
  stopTimers(turn, 'card', 'think');
  update(turn, { card: card.entry === 'CONTACT' && isAttended(turn) ? card : null });
  setActivity(turn, { kind: 'REPORT' });
  showBriefly(turn, ...turn.settings.texts.idle);
  if (card.isUnreadable === true) send(turn, 'END', { type: 'status-information', resultCode: UNREADABLE });
  else send(turn, 'END', readCardStatus(card, turn.state.registration?.usesTlv === true));
}

/** No card came, the customer pressed stop, or the till gave up. */
export function abortReadCard(turn: Turn): void {
  stopTimers(turn, 'card', 'think');
  setActivity(turn, { kind: 'REPORT' });
  showBriefly(turn, turn.settings.texts.cancelled);
  send(turn, 'END', { type: 'abort', resultCode: STOPPED });
}
