import { Secret } from '../../../app/domain/secret.ts';
import { fromHex } from '../../framing/bytes.ts';
import { readAttribution } from '../../neo2/codec/attribution.ts';
import { type EncodableMessage, encodeMessage } from '../../neo2/codec/messages.ts';
import { STATUS_OK, STATUS_WORKING } from '../../neo2/codec/status-codes.ts';
import { clearTag, type NeoTag } from '../../neo2/codec/tlv.ts';
import type { Damage } from '../machine.ts';
import {
  dropCardIfAlone,
  letDisplayGo,
  type MachineTurn,
  setActivity,
  show,
  stopTimers,
  update,
} from '../machine-turn.ts';
import { amountText } from '../payment.ts';
import type { ReaderOrder } from './book/entries.ts';
import { IDLE, type ReaderMachine } from './state.ts';

/** 61-01 for a text. */
const SHOW_MODE = 0x03;
const RESULT = 'DFEE25';
/** Both bits of encryption, then the interface and the cipher. */
const ENCRYPTED = 0xc0;
const AES = 0x02;
const INTERFACES = { CONTACT: 0x00, CONTACTLESS: 0x01, MAGSTRIPE: 0x08 } as const;

/** Texts by number (61-01). */
export const TEXT_NUMBERS = { approved: 0x03, declined: 0x07, pleaseWait: 0x0b } as const;

export type Turn = MachineTurn<ReaderMachine>;

/** Shows lines, and asks the till to show the text of this number (61-01). */
export function showText(turn: Turn, messageId: number, ...display: readonly string[]): void {
  show(turn, ...display);
  send(turn, { type: 'display', mode: SHOW_MODE, content: { kind: 'SHORT', language: 'EN', messageId } });
}

/** What is paid, for the display. */
export function orderLines({ settings }: Turn, { transactionType, amountMinor }: ReaderOrder): readonly string[] {
  const title = transactionType === '20' ? settings.texts.refund : settings.texts.sale;
  return [title, amountText(settings, amountMinor)];
}

export function send(turn: Turn, message: EncodableMessage, damage?: Damage): void {
  const frame = encodeMessage(message);
  turn.outputs.push({ type: 'send', frame, ...(damage === undefined ? {} : { damage }) });
}

/** A status and nothing else. */
export function reply(turn: Turn, command: number, status: number = STATUS_OK): void {
  send(turn, { type: 'reply', command, status });
}

/** The command was taken; its answer follows. */
export function tellWorking(turn: Turn, command: number): void {
  if (turn.state.tellsWorking) send(turn, { type: 'first-response', command, status: STATUS_WORKING });
}

function attributionOf({ settings }: Turn, source: keyof typeof INTERFACES): number {
  return ENCRYPTED | INTERFACES[source] | (settings.encryption === 'AES' ? AES : 0);
}

interface CardAnswer {
  readonly command: number;
  readonly status?: number;
  readonly source: keyof typeof INTERFACES;
  /** DFEE25, four digits */
  readonly resultCode: string;
  readonly tags?: readonly NeoTag[];
}

/** Tells data of a card, and keeps them for 60-13 and 03-40. */
export function tellCard(turn: Turn, answer: CardAnswer, damage?: Damage): void {
  const { command, status = STATUS_OK, source, resultCode, tags = [] } = answer;
  const all = [clearTag(RESULT, fromHex(resultCode)), ...tags];
  const attribution = attributionOf(turn, source);
  update(turn, { lastResult: { attribution, tags: all } });
  sendCardData(turn, { command, status, attribution, tags: all }, damage);
}

export function sendCardData(
  turn: Turn,
  answer: {
    readonly command: number;
    readonly status: number;
    readonly attribution: number;
    readonly tags: readonly NeoTag[];
  },
  damage?: Damage,
): void {
  const { command, status, attribution, tags } = answer;
  send(
    turn,
    { type: 'transaction', command, status, attribution: readAttribution(attribution), tags: new Secret(tags) },
    damage,
  );
}

/** Back to waiting for commands; what is on the display stays for a moment. */
export function becomeIdle(turn: Turn): void {
  stopTimers(turn, 'think', 'card', 'next', 'chip');
  setActivity(turn, IDLE);
  letDisplayGo(turn);
  dropCardIfAlone(turn);
}
