// The reader as a pure function: (state, input) → (state, outputs). Timers, wires, the book's file and the control interface live around it.
import type { NeoCommand } from '../../neo2/codec/command-types.ts';
import { decodeCommand } from '../../neo2/codec/commands.ts';
import type { Malformed } from '../../neo2/codec/message-types.ts';
import { STATUS_OK } from '../../neo2/codec/status-codes.ts';
import { encodeNeoTlv, type NeoTag } from '../../neo2/codec/tlv.ts';
import type { TestCard } from '../cards.ts';
import { createMachine } from '../create-machine.ts';
import type { Step } from '../machine.ts';
import { dropCardIfAlone, setActivity, startTimer, stopTimers, update } from '../machine-turn.ts';
import type { Key } from '../terminal-view.ts';
import * as cards from './card-step.ts';
import * as ends from './ends.ts';
import * as entries from './key-entry.ts';
import { applyResponse, chipDecides } from './last-word.ts';
import { initialState, type ReaderMachine, type ReaderState, type TimerName } from './state.ts';
import { becomeIdle, reply, send, sendCardData, type Turn, tellCard } from './turn.ts';

const UNKNOWN_COMMAND = 0x02;
const UNKNOWN_SUB_COMMAND = 0x03;
const BAD_CHECKSUM = 0x04;
const BAD_PARAMETER = 0x05;
const NOT_SUPPORTED = 0x06;
const NOT_ALLOWED = 0x0b;
const STEP_NOT_ALLOWED = 0x0c;
const OVERFLOW = 0x0d;
const NO_DATA = 0x60;
const ENTRY = 0x62;
/** A frame that cannot be read names no command. */
const NO_COMMAND = 0x00;

/** What 03-02 can tell in one frame. */
const MAX_CONFIGURATION_BYTES = 1400;
/** Configuration: whether 63 goes before an answer (00: it does). */
const FIRST_RESPONSE_TAG = 'DFED59';

/** Command bytes with at least one sub-command that is known. */
const KNOWN_COMMANDS: ReadonlySet<number> = new Set([0x01, 0x02, 0x03, 0x04, 0x05, 0x18, 0x29, 0x2c, 0x60, 0x61, 0x62]);

/** What the reader does about one input. A till that has gone changes nothing: it learns of that by its own time-outs, or by the next cancel. */
export const step: Step<ReaderMachine> = createMachine<ReaderMachine>({
  takeOwn(turn, input) {
    if (input.type === 'frame') takeCommand(turn, input.command, decodeCommand({ kind: 'message', ...input }));
    else reply(turn, NO_COMMAND, BAD_CHECKSUM);
  },
  timerExpired,
  cardPresented,
  cardRemoved,
  keyPressed,
  customerGoesOn,
  isPoweredByCable: true,
  boot,
  isIdle: ({ activity, entry }) => activity.kind === 'IDLE' && entry === null,
});

function takeCommand(turn: Turn, code: number, command: NeoCommand | Malformed): void {
  if (command.type === 'cancel' || command.type === 'stop') {
    entries.cancelEntry(turn);
    ends.cancel(turn);
  } else if (command.type === 'cancel-entry') {
    reply(turn, ENTRY);
    entries.cancelEntry(turn);
  } else if (isWorking(turn.state)) reply(turn, code, NOT_ALLOWED);
  else runCommand(turn, code, command);
}

/** A command waits for its answer: only cancels are taken. */
function isWorking({ activity, entry }: ReaderState): boolean {
  return entry !== null || activity.kind === 'WAIT_CARD' || activity.kind === 'READING' || activity.kind === 'APPLYING';
}

function runCommand(turn: Turn, code: number, command: NeoCommand | Malformed): void {
  switch (command.type) {
    case 'get-firmware':
      send(turn, { type: 'firmware', command: code, status: STATUS_OK, text: turn.settings.firmware });
      return;
    case 'set-configuration':
      configure(turn, code, command.tags);
      return;
    case 'get-configuration':
      send(turn, { type: 'configuration', command: code, status: STATUS_OK, tags: turn.state.configuration });
      return;
    case 'start-contact':
      if (isBetweenSteps(turn.state)) reply(turn, code, STEP_NOT_ALLOWED);
      else cards.startContact(turn, command);
      return;
    case 'activate':
      if (isBetweenSteps(turn.state)) reply(turn, code, NOT_ALLOWED);
      else cards.activate(turn, command);
      return;
    case 'authenticate':
      cards.authenticate(turn, command);
      return;
    case 'apply-response':
      applyResponse(turn, command);
      return;
    case 'get-contact-result':
    case 'get-transaction-result':
      tellLastResult(turn, code);
      return;
    case 'get-encrypted-pin':
      entries.askPin(turn, command);
      return;
    case 'get-function-key':
      entries.askKey(turn);
      return;
    case 'get-amount':
      entries.askAmount(turn, command);
      return;
    case 'exchange-apdu':
      reply(turn, code, NOT_SUPPORTED);
      return;
    case 'malformed':
      reply(turn, code, BAD_PARAMETER);
      return;
    case 'unknown':
      reply(turn, code, KNOWN_COMMANDS.has(code) ? UNKNOWN_SUB_COMMAND : UNKNOWN_COMMAND);
      return;
    default:
      reply(turn, code);
      return;
  }
}

/** A card step has begun and waits for the till's next command. */
function isBetweenSteps({ activity }: ReaderState): boolean {
  return activity.kind === 'STARTED' || activity.kind === 'ONLINE';
}

/** 04-00: keeps the tags and tells them back in 03-02; only the one about first responses changes what the reader does. */
function configure(turn: Turn, code: number, tags: readonly NeoTag[]): void {
  const kept = turn.state.configuration.filter(({ tag }) => !tags.some((given) => given.tag === tag));
  if (encodeNeoTlv([...kept, ...tags]).length > MAX_CONFIGURATION_BYTES) {
    reply(turn, code, OVERFLOW);
    return;
  }
  const [flag] = tags.find(({ tag }) => tag === FIRST_RESPONSE_TAG)?.value ?? [];
  const tellsWorking = flag === undefined ? turn.state.tellsWorking : flag === 0;
  update(turn, { isConfigured: true, configuration: [...kept, ...tags], tellsWorking });
  reply(turn, code);
}

/** 60-13 and 03-40 tell all that was told; a list of wanted tags is not looked at. */
function tellLastResult(turn: Turn, code: number): void {
  const { lastResult } = turn.state;
  if (lastResult === null) reply(turn, code, NO_DATA);
  else sendCardData(turn, { command: code, status: STATUS_OK, ...lastResult });
}

function timerExpired(turn: Turn, name: TimerName): void {
  const { activity, entry } = turn.state;
  switch (name) {
    case 'think':
      if (entry !== null) entries.customerTypes(turn, entry);
      else if (activity.kind === 'WAIT_CARD') cards.customerActs(turn, activity);
      return;
    case 'card':
      if (activity.kind === 'WAIT_CARD') cards.cardTimesOut(turn, activity);
      return;
    case 'chip':
      if (activity.kind === 'READING') cards.readingEnds(turn, activity);
      else if (activity.kind === 'APPLYING') chipDecides(turn, activity);
      return;
    case 'next':
      ends.nextTimesOut(turn);
      return;
    case 'entry':
      if (entry !== null) entries.entryTimesOut(turn);
      return;
    default:
      return;
  }
}

function cardPresented(turn: Turn, card: TestCard): void {
  const { activity } = turn.state;
  if (activity.kind === 'WAIT_CARD') cards.takeCard(turn, activity, card);
}

function cardRemoved(turn: Turn): void {
  const { activity } = turn.state;
  switch (activity.kind) {
    case 'STARTED':
      setActivity(turn, { kind: 'CARD_GONE' });
      return;
    case 'ONLINE':
      cards.removeOnlineCard(turn, activity.id);
      return;
    case 'READING':
    case 'APPLYING':
      if (activity.kind === 'READING' && activity.card.entry !== 'CONTACT') return;
      if (activity.kind === 'APPLYING') ends.abandonCard(turn, activity.id, 'the card was taken out');
      tellCard(turn, { command: 0x60, source: 'CONTACT', resultCode: '3005' });
      becomeIdle(turn);
      return;
    default:
      return;
  }
}

function keyPressed(turn: Turn, key: Key): void {
  const { activity, entry } = turn.state;
  if (entry !== null) entries.keyPressed(turn, entry, key);
  else if (key === 'STOP' && activity.kind === 'WAIT_CARD') ends.cancelWaiting(turn, activity);
}

function customerGoesOn(turn: Turn): void {
  const { activity, entry } = turn.state;
  if (entry !== null || activity.kind === 'WAIT_CARD') startTimer(turn, 'think', turn.settings.thinkMs);
  else if (activity.kind === 'IDLE') dropCardIfAlone(turn);
}

/** Power on: a card that waited for its issuer has lost it, and the till has to configure the reader again. */
function boot(turn: Turn): void {
  const { link, armed } = turn.state;
  turn.state = { ...initialState(turn.settings), link, armed };
  stopTimers(turn, 'think', 'card', 'next', 'chip', 'entry', 'display');
  for (const { id } of turn.ledger.open()) ends.abandonCard(turn, id, 'the reader lost its power');
}
