// A terminal that plays a script. It speaks texts laid out by hand from the digest, framed by its own reading of the rule, never by our encoder, and it
// judges the driver: it counts every command and every acknowledgement.

const STX = 0x02;
const ETX = 0x03;
const ACK = 0x06;
const NAK = 0x15;

/** 02 text 03 and 7F XOR the text. */
export function frame(text: string): Uint8Array {
  const bytes = Array.from(text, (character) => character.charCodeAt(0));
  return Uint8Array.of(STX, ...bytes, ETX, check(bytes));
}

function check(bytes: readonly number[]): number {
  return bytes.reduce((sum, byte) => sum ^ byte, 0x7f);
}

const control = (byte: number): Uint8Array => Uint8Array.of(byte, ETX, check([byte]));
const progressFrame = (text: string): Uint8Array =>
  Uint8Array.of(0x01, ...Array.from(text.padEnd(20), (character) => character.charCodeAt(0)), 0x04);

export interface ResultFields {
  readonly stan?: string;
  readonly amount?: number;
  /** DDDHHMM */
  readonly time?: string;
  readonly online?: string;
}

const HEAD = '123456780';
const PAN = '000411111******1111';
const ACQUIRER = '00000000001';
const digits = (value: number, count: number): string => String(value).padStart(count, '0');

/** The result of a payment: in full length with its amount (X), in the short one without (P). */
export function paid({ stan = '000101', amount, time = '3321200', online = '000202' }: ResultFields = {}): string {
  const tail = amount === undefined ? '' : `000${digits(amount, 8)}0000000000`;
  return `${HEAD}E00${PAN}CLIA1B2C3${time}1${ACQUIRER}${stan}${online}${tail}`;
}

/** A refusal in the layout of X. */
export function refusal({
  result = '01',
  text = 'TRANSAZIONE NEGATA',
  stan = '000102',
  online = '000203',
  action = '116',
  amount = 1234,
}: ResultFields & { readonly result?: string; readonly text?: string; readonly action?: string } = {}): string {
  return `${HEAD}E${result}${text.padEnd(24)}${'0'.repeat(11)}2${ACQUIRER}${stan}${online}${action}${digits(amount, 8)}0000000000`;
}

/** The short refusal of a card that was not shown: no number, no time, no amount. */
export const NOT_SHOWN = `${HEAD}E05CARTA NON PRESENTE      00000000000            000000000000`;

export function held({ stan = '000107', amount = 4000, time = '3321201' }: ResultFields = {}): string {
  return `${HEAD}e00${PAN}CLIAUTH01${digits(amount, 8)}000000123000${time}000 ${ACQUIRER}${stan}000208000000000000`;
}

export function charged({ stan = '000105', time = '3321202' }: ResultFields = {}): string {
  return `${HEAD}c00${PAN}ICCA1B2C3${time}2${ACQUIRER}${stan}000206000`;
}

export function reversed({ stan = '000103', time = '3321203' }: ResultFields = {}): string {
  return `${HEAD}E00${PAN}ICC000000${time}2${ACQUIRER}${stan}0002040000000000000`;
}

export function totals(minor: number): string {
  return `${HEAD}T00${digits(minor, 16)}000000`;
}

export function session(terminal: number, host: number): string {
  return `${HEAD}C00${digits(terminal, 16)}${digits(host, 16)}`;
}

export function operative(state = '2'): string {
  return `${HEAD}s00000000002711261200${state}V1.2.3`;
}

/** One piece of a receipt with its end. */
export function receipt(text: string): string {
  return `${HEAD}S${text}}}}}}}\u001b`;
}

/** One step of an answer. A text is a message, and what follows it waits for the till's acknowledgement. */
export type Step =
  | string
  | { readonly progress: string }
  | { readonly raw: Uint8Array }
  | { readonly drop: string }
  | { readonly call: () => void };

export const DROP: Step = { drop: 'unplugged' };

/** What a command meets: NAK, nothing at all, or steps, after an acknowledgement unless that is lost. */
export type Script = 'NAK' | 'SILENCE' | readonly Step[] | { readonly withoutAck: readonly Step[] };

interface PeerLine {
  send(bytes: Uint8Array): void;
  drop(reason: string): void;
}

export interface ScriptedEcr17 {
  connected(line: PeerLine): void;
  disconnected(): void;
  received(bytes: Uint8Array): void;
  /** The answers to a command by its code, used one after the other; the last one stays. */
  on(code: string, ...scripts: Script[]): void;
  /** Sends something that nobody asked for. */
  say(...steps: readonly Step[]): void;
  /** Commands of the till as texts, transmissions apart, all connections. */
  readonly commands: readonly string[];
  count(code: string): number;
  acknowledgements(): number;
  connections(): number;
}

export function createScriptedEcr17(): ScriptedEcr17 {
  const scripts = new Map<string, Script[]>([
    ['s', [[operative()]]],
    ['G', [[paid({ stan: '000100', amount: 500, time: '3321100' })]]],
    ['E', [[]]],
    ['T', [[totals(500)]]],
  ]);
  const commands: string[] = [];
  let line: PeerLine | undefined;
  let pending: number[] = [];
  let rest: Step[] = [];
  let acknowledgementCount = 0;
  let connectionCount = 0;

  function play(): void {
    for (let step = rest.shift(); step !== undefined; step = rest.shift()) {
      if (typeof step === 'string') line?.send(frame(step));
      else if ('progress' in step) line?.send(progressFrame(step.progress));
      else if ('raw' in step) line?.send(step.raw);
      else if ('call' in step) step.call();
      else line?.drop(step.drop);
      // What follows a message waits for its acknowledgement.
      if (typeof step === 'string' || 'drop' in step) break;
    }
  }

  function answer(text: string): void {
    commands.push(text);
    const waiting = scripts.get(text.charAt(9)) ?? ['NAK'];
    const script = (waiting.length > 1 ? waiting.shift() : waiting[0]) ?? 'NAK';
    if (script === 'NAK') line?.send(control(NAK));
    if (script === 'NAK' || script === 'SILENCE') return;
    const isAcknowledged = !('withoutAck' in script);
    if (isAcknowledged) line?.send(control(ACK));
    rest = [...(isAcknowledged ? script : script.withoutAck)];
    play();
  }

  /** The test's own reading of the frames that a till sends. */
  function next(): (() => void) | undefined {
    const [first] = pending;
    if (first === ACK || first === NAK) {
      if (pending.length < 3) return undefined;
      pending.splice(0, 3);
      return () => {
        if (first !== ACK) return;
        acknowledgementCount++;
        play();
      };
    }
    const end = pending.indexOf(ETX);
    if (first !== STX || end < 0 || pending.length < end + 2) return undefined;
    const [, ...text] = pending.splice(0, end + 2).slice(0, end);
    return () => answer(String.fromCharCode(...text));
  }

  return {
    commands,
    count: (code) => commands.filter((text) => text.charAt(9) === code).length,
    acknowledgements: () => acknowledgementCount,
    connections: () => connectionCount,
    connected(made) {
      line = made;
      connectionCount++;
      pending = [];
      rest = [];
    },
    disconnected() {
      line = undefined;
      rest = [];
    },
    on(code, ...answers) {
      scripts.set(code, answers);
    },
    say(...steps) {
      rest.push(...steps);
      play();
    },
    received(bytes) {
      pending.push(...bytes);
      for (let act = next(); act !== undefined; act = next()) act();
    },
  };
}
