// 62-xx: PIN, function key and amount at the reader's keypad.
import { Secret } from '../../../app/domain/secret.ts';
import { toHex } from '../../framing/bytes.ts';
import type { GetAmount, GetEncryptedPin } from '../../neo2/codec/command-types.ts';
import type { NeoFunctionKey } from '../../neo2/codec/message-types.ts';
import { STATUS_OK } from '../../neo2/codec/status-codes.ts';
import type { TestCard } from '../cards.ts';
import { book, isAttended, show, startTimer, stopTimers, update } from '../machine-turn.ts';
import type { Key } from '../terminal-view.ts';
import { sealPin } from './crypto/sealed.ts';
import { takeKey } from './keys.ts';
import type { KeyEntry } from './state.ts';
import { reply, send, type Turn } from './turn.ts';

const ENTRY = 0x62;
const TIMED_OUT = 0x08;
const BAD_PARAMETER = 0x05;
/** How an entry ended (ENTRY_STATES of the codec). */
const states = {
  entered: 0x00,
  cancelledAtReader: 0x01,
  cancelledByHost: 0x02,
  badParameter: 0x03,
  badPan: 0x04,
  keyMissing: 0x05,
  keyUsedUp: 0x06,
} as const;
/** What a simulated customer types. */
const TYPED_BY_ITSELF = '123456789012345';
const PIN_BY_ITSELF = '1234';
const USUAL_DIGITS = 4;
const RANDOM_BYTES = 8;
const MIN_PIN_DIGITS = 4;
const MAX_PIN_DIGITS = 12;

const FUNCTION_KEYS: Readonly<Partial<Record<Key, NeoFunctionKey>>> = {
  OK: 'ENTER',
  STOP: 'CANCEL',
  CORR: 'BACKSPACE',
  F1: 'F1',
  F2: 'F2',
  F3: 'F3',
  F4: 'F4',
};

type Typing = Extract<KeyEntry, { kind: 'PIN' | 'AMOUNT' }>;

/** 62-01 */
export function askPin(turn: Turn, { keyUse, pan, minDigits, maxDigits, prompt }: GetEncryptedPin): void {
  reply(turn, ENTRY);
  const account = keyUse === 'DUKPT_GIVEN_PAN' ? pan?.reveal() : turn.state.read?.pan;
  const isPossible = minDigits >= MIN_PIN_DIGITS && maxDigits >= minDigits && maxDigits <= MAX_PIN_DIGITS;
  // There is no session with the till that could have given a key.
  if (keyUse === 'SESSION_KEY_GIVEN_PAN' || keyUse === 'SESSION_KEY_OWN_PAN') endPin(turn, states.keyMissing);
  else if (!isPossible) endPin(turn, states.badParameter);
  else if (account === undefined || !/^[0-9]{12,19}$/.test(account)) endPin(turn, states.badPan);
  else begin(turn, { kind: 'PIN', digits: '', minDigits, maxDigits, prompt, pan: account });
}

/** 62-02 */
export function askKey(turn: Turn): void {
  reply(turn, ENTRY);
  begin(turn, { kind: 'KEY' });
}

/** 62-04 */
export function askAmount(turn: Turn, { minDigits, maxDigits, prompt }: GetAmount): void {
  if (minDigits < 1 || maxDigits < minDigits || maxDigits > TYPED_BY_ITSELF.length) {
    reply(turn, ENTRY, BAD_PARAMETER);
    return;
  }
  reply(turn, ENTRY);
  begin(turn, { kind: 'AMOUNT', digits: '', minDigits, maxDigits, prompt, pan: '' });
}

function begin(turn: Turn, entry: KeyEntry): void {
  update(turn, { entry });
  if (entry.kind !== 'KEY') showTyping(turn, entry);
  startTimer(turn, 'entry', turn.settings.entryTimeoutMs);
  if (!isAttended(turn)) startTimer(turn, 'think', turn.settings.thinkMs);
}

function showTyping(turn: Turn, { kind, digits, prompt }: Typing): void {
  const title = kind === 'PIN' && prompt === '' ? turn.settings.texts.enterPin : prompt;
  show(turn, title, kind === 'PIN' ? '*'.repeat(digits.length) : digits);
}

/** A key while somebody is asked to type. */
export function keyPressed(turn: Turn, entry: KeyEntry, key: Key): void {
  if (entry.kind === 'KEY') {
    const pressed = FUNCTION_KEYS[key];
    if (pressed !== undefined) endKey(turn, states.entered, pressed);
  } else if (key === 'STOP') endEntry(turn, entry, states.cancelledAtReader);
  else if (key === 'OK') {
    if (entry.digits.length >= entry.minDigits) take(turn, entry, entry.digits);
  } else if (key === 'CORR') type(turn, { ...entry, digits: entry.digits.slice(0, -1) });
  else if (/^[0-9]$/.test(key) && entry.digits.length < entry.maxDigits)
    type(turn, { ...entry, digits: entry.digits + key });
}

function type(turn: Turn, entry: Typing): void {
  update(turn, { entry });
  showTyping(turn, entry);
}

/** The simulated customer types. */
export function customerTypes(turn: Turn, entry: KeyEntry): void {
  if (entry.kind === 'KEY') endKey(turn, states.entered, 'ENTER');
  else if (entry.kind === 'PIN') take(turn, entry, pinOf(turn.state.read));
  else {
    const count = Math.max(entry.minDigits, Math.min(USUAL_DIGITS, entry.maxDigits));
    take(turn, entry, TYPED_BY_ITSELF.slice(0, count));
  }
}

function pinOf(card: TestCard | null): string {
  return card?.pin ?? PIN_BY_ITSELF;
}

function take(turn: Turn, entry: Typing, digits: string): void {
  if (entry.kind === 'PIN') takePin(turn, entry.pan, digits);
  else {
    send(turn, { type: 'amount', command: ENTRY, status: STATUS_OK, state: states.entered, digits });
    end(turn);
  }
}

function takePin(turn: Turn, pan: string, pin: string): void {
  const key = turn.settings.encryption === 'AES' ? 'aesPin' : 'pin';
  const step = takeKey(turn, key);
  if (step === undefined) {
    endPin(turn, states.keyUsedUp);
    return;
  }
  const sealed = sealPin(step, { pin, pan, random: turn.settings.randomBytes(RANDOM_BYTES) });
  const ksn = toHex(sealed.ksn);
  book(turn, { kind: 'PIN_SEALED', key, ksn });
  const pinBlock = new Secret(toHex(sealed.block));
  send(turn, {
    type: 'pin',
    command: ENTRY,
    status: STATUS_OK,
    state: states.entered,
    pin:
      sealed.format === 'ISO_4'
        ? { keyScheme: 'AES_DUKPT', format: 4, ksn: new Secret(ksn), pinBlock }
        : { keyScheme: 'TDES_DUKPT', format: 0, ksn: new Secret(ksn), pinBlock },
  });
  end(turn);
}

/** 62-00, and any other cancel of the till: the entry ends by it. Nothing happens without one. */
export function cancelEntry(turn: Turn): void {
  const { entry } = turn.state;
  if (entry !== null) endEntry(turn, entry, states.cancelledByHost);
}

/** Nobody typed. */
export function entryTimesOut(turn: Turn): void {
  reply(turn, ENTRY, TIMED_OUT);
  end(turn);
}

function endEntry(turn: Turn, entry: KeyEntry, state: number): void {
  if (entry.kind === 'KEY') endKey(turn, state);
  else if (entry.kind === 'PIN') endPin(turn, state);
  else {
    send(turn, { type: 'amount', command: ENTRY, status: STATUS_OK, state });
    end(turn);
  }
}

function endPin(turn: Turn, state: number): void {
  send(turn, { type: 'pin', command: ENTRY, status: STATUS_OK, state });
  end(turn);
}

function endKey(turn: Turn, state: number, key?: NeoFunctionKey): void {
  const pressed = key === undefined ? {} : { key };
  send(turn, { type: 'function-key', command: ENTRY, status: STATUS_OK, state, ...pressed });
  end(turn);
}

function end(turn: Turn): void {
  stopTimers(turn, 'entry', 'think');
  update(turn, { entry: null });
  show(turn, ...turn.settings.texts.idle);
}
