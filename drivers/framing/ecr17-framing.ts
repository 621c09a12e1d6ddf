// Frames of ECR17 (Nexi, "Traditional POS"): 02 <text> 03 LRC, 06 03 LRC (ACK), 15 03 LRC (NAK), 01 <text> 04 (progress, no LRC).

const SOH = 0x01;
const STX = 0x02;
const ETX = 0x03;
const EOT = 0x04;
const ACK = 0x06;
const NAK = 0x15;
const LRC_START = 0x7f;
const FIRST_PRINTABLE = 0x20;

/** Longest text of a message: above the longest known (a value-added service in XML), so that a lost ETX cannot fill the memory. */
export const MAX_ECR17_TEXT = 4096;
/** Longest progress text. */
const MAX_PROGRESS_TEXT = 20;
/** Noise is reported in pieces of at most this size. */
const MAX_NOISE_BYTES = 4096;

/** Which bytes the checksum covers beside the text: none, STX and ETX, ETX, STX. It is a setting of the terminal. */
export type Lrc = 'STD' | 'STX' | 'NOEXT' | 'STX_NOEXT';

/** What each variant adds to the checksum of the text alone. */
const LRC_MARKS: Readonly<Record<Lrc, number>> = { STD: 0, STX: STX ^ ETX, NOEXT: ETX, STX_NOEXT: STX };
/** The same without an STX, for a sender that counts only what it sends: ACK and NAK begin with none. */
const LRC_MARKS_WITHOUT_STX: Readonly<Record<Lrc, number>> = { STD: 0, STX: ETX, NOEXT: ETX, STX_NOEXT: 0 };
const LRCS = Object.keys(LRC_MARKS) as readonly Lrc[];

/** One thing a receiver saw. Every received byte belongs to exactly one item or is still pending. */
export type Ecr17Item =
  /** `text` has one character for each byte (ISO 8859-1); `lrcs` are the variants that the checksum fits */
  | { readonly type: 'message'; readonly text: string; readonly lrcs: readonly Lrc[] }
  | { readonly type: 'ack' | 'nak'; readonly lrcs: readonly Lrc[] }
  | { readonly type: 'progress'; readonly text: string }
  /** a whole frame whose checksum fits no variant */
  | { readonly type: 'bad-lrc'; readonly frame: 'message' | 'ack' | 'nak'; readonly byteCount: number }
  | { readonly type: 'noise'; readonly bytes: Uint8Array };

type Phase = 'idle' | 'message' | 'message-lrc' | 'progress' | 'ack' | 'ack-lrc' | 'nak' | 'nak-lrc';

/** What is known of the frame being received. A value: strings share what they have in common, so that keeping it costs nothing. */
export interface Ecr17State {
  readonly phase: Phase;
  /** text since 02 or 01 */
  readonly text: string;
  /** checksum of `text` */
  readonly lrc: number;
}

export const INITIAL_ECR17_STATE: Ecr17State = { phase: 'idle', text: '', lrc: LRC_START };

/** True while a frame has begun: the time in which silence means that its rest is lost. */
export function isReceivingEcr17({ phase }: Ecr17State): boolean {
  return phase !== 'idle';
}

/** Frames a message. @throws RangeError for text that is too long, or holds a mark (02, 03) or what is no single byte */
export function encodeEcr17Message(text: string, lrc: Lrc): Uint8Array {
  if (text.length > MAX_ECR17_TEXT) throw new RangeError(`A message of ${text.length} characters is too long`);
  const bytes = Uint8Array.from(text, (character) => byteOf(character));
  return Uint8Array.of(STX, ...bytes, ETX, lrcOf(bytes) ^ LRC_MARKS[lrc]);
}

/** The control byte counts as the text, as the known client and the NAK seen in the field have it. */
export function encodeAck(lrc: Lrc): Uint8Array {
  return encodeControl(ACK, lrc);
}

export function encodeNak(lrc: Lrc): Uint8Array {
  return encodeControl(NAK, lrc);
}

/** A progress text as a terminal shows it: 20 characters, filled with blanks, cut if longer. */
export function encodeProgress(text: string): Uint8Array {
  const shown = text.slice(0, MAX_PROGRESS_TEXT).padEnd(MAX_PROGRESS_TEXT);
  return Uint8Array.of(SOH, ...Uint8Array.from(shown, (character) => byteOf(character)), EOT);
}

/**
 * Takes the next bytes from the line, in any fragmentation. Never throws. A second 02 begins the message anew (texts hold none); the byte after
 * ETX is the checksum, whatever it is.
 */
export function decodeEcr17(state: Ecr17State, bytes: Uint8Array): { state: Ecr17State; items: readonly Ecr17Item[] } {
  const receiver = new FrameReceiver(state);
  for (const byte of bytes) receiver.take(byte);
  return receiver.finish();
}

/** The line has fallen silent within a frame: what came of it is noise. */
export function giveUpEcr17(state: Ecr17State): { state: Ecr17State; items: readonly Ecr17Item[] } {
  const receiver = new FrameReceiver(state);
  receiver.abandon();
  return receiver.finish();
}

function encodeControl(control: number, lrc: Lrc): Uint8Array {
  return Uint8Array.of(control, ETX, LRC_START ^ control ^ LRC_MARKS[lrc]);
}

function byteOf(character: string): number {
  const code = character.charCodeAt(0);
  if (code > 0xff || code === STX || code === ETX) throw new RangeError('A character that a message cannot hold');
  return code;
}

function lrcOf(bytes: Uint8Array): number {
  return bytes.reduce((lrc, byte) => lrc ^ byte, LRC_START);
}

function lrcsOfMessage(textLrc: number, received: number): readonly Lrc[] {
  return LRCS.filter((lrc) => (textLrc ^ LRC_MARKS[lrc]) === received);
}

/** In the STX variants a terminal may count the STX that an ACK does not have, or not: some checksums fit two variants. */
function lrcsOfControl(control: number, received: number): readonly Lrc[] {
  const rest = LRC_START ^ control ^ received;
  return LRCS.filter((lrc) => rest === LRC_MARKS[lrc] || rest === LRC_MARKS_WITHOUT_STX[lrc]);
}

/** The mutable working copy of one call; nothing of it outlives finish(). */
class FrameReceiver {
  #phase: Phase;
  #text: string;
  #lrc: number;
  readonly #noise: number[] = [];
  readonly #items: Ecr17Item[] = [];

  constructor({ phase, text, lrc }: Ecr17State) {
    this.#phase = phase;
    this.#text = text;
    this.#lrc = lrc;
  }

  take(byte: number): void {
    const phase = this.#phase;
    if (phase === 'idle') this.#takeIdle(byte);
    else if (phase === 'message') this.#takeText(byte);
    else if (phase === 'message-lrc') this.#closeMessage(byte);
    else if (phase === 'progress') this.#takeProgress(byte);
    else if (phase === 'ack' || phase === 'nak') this.#takeControlEnd(phase, byte);
    else this.#closeControl(phase === 'ack-lrc' ? 'ack' : 'nak', byte);
  }

  /** What was begun is noise. */
  abandon(): void {
    this.#noise.push(...startOf(this.#phase));
    for (const character of this.#text) this.#noise.push(character.charCodeAt(0));
    if (this.#phase.endsWith('-lrc')) this.#noise.push(ETX);
    this.#begin('idle');
  }

  finish(): { state: Ecr17State; items: readonly Ecr17Item[] } {
    this.#flushNoise();
    return { state: { phase: this.#phase, text: this.#text, lrc: this.#lrc }, items: this.#items };
  }

  #takeIdle(byte: number): void {
    if (byte === STX) this.#begin('message');
    else if (byte === SOH) this.#begin('progress');
    else if (byte === ACK) this.#begin('ack');
    else if (byte === NAK) this.#begin('nak');
    else this.#addNoise(byte);
  }

  #takeText(byte: number): void {
    if (byte === ETX) this.#phase = 'message-lrc';
    else if (byte === STX || this.#text.length === MAX_ECR17_TEXT) this.#beginAnewWith(byte);
    else {
      this.#text += String.fromCharCode(byte);
      this.#lrc ^= byte;
    }
  }

  #takeProgress(byte: number): void {
    if (byte === EOT) {
      this.#emit({ type: 'progress', text: this.#text });
      this.#begin('idle');
    }
    // A control byte begins something else: the 01 was noise, or its end was lost.
    else if (byte < FIRST_PRINTABLE || this.#text.length === MAX_PROGRESS_TEXT) this.#beginAnewWith(byte);
    else this.#text += String.fromCharCode(byte);
  }

  #takeControlEnd(control: 'ack' | 'nak', byte: number): void {
    if (byte === ETX) this.#phase = `${control}-lrc`;
    else this.#beginAnewWith(byte);
  }

  #closeMessage(received: number): void {
    const lrcs = lrcsOfMessage(this.#lrc, received);
    const text = this.#text;
    if (lrcs.length > 0) this.#emit({ type: 'message', text, lrcs });
    else this.#emit({ type: 'bad-lrc', frame: 'message', byteCount: text.length + 3 });
    this.#begin('idle');
  }

  #closeControl(type: 'ack' | 'nak', received: number): void {
    const lrcs = lrcsOfControl(type === 'ack' ? ACK : NAK, received);
    if (lrcs.length > 0) this.#emit({ type, lrcs });
    else this.#emit({ type: 'bad-lrc', frame: type, byteCount: 3 });
    this.#begin('idle');
  }

  #beginAnewWith(byte: number): void {
    this.abandon();
    this.#takeIdle(byte);
  }

  #begin(phase: Phase): void {
    this.#phase = phase;
    this.#text = '';
    this.#lrc = LRC_START;
  }

  #addNoise(byte: number): void {
    this.#noise.push(byte);
    if (this.#noise.length >= MAX_NOISE_BYTES) this.#flushNoise();
  }

  #emit(item: Ecr17Item): void {
    this.#flushNoise();
    this.#items.push(item);
  }

  #flushNoise(): void {
    if (this.#noise.length > 0) this.#items.push({ type: 'noise', bytes: Uint8Array.from(this.#noise.splice(0)) });
  }
}

/** The bytes that led into a phase, before its text. */
function startOf(phase: Phase): readonly number[] {
  if (phase === 'idle') return [];
  if (phase === 'progress') return [SOH];
  if (phase === 'message' || phase === 'message-lrc') return [STX];
  return [phase === 'ack' || phase === 'ack-lrc' ? ACK : NAK];
}
