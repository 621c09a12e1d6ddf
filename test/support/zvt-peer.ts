// A terminal that plays a script. It speaks hand-written hex and captured messages, never anything made by our encoder, and it
// judges the driver: it counts every command and every acknowledgement.
import { bytesOf, hexOf } from './hex.ts';
import { vectorHex } from './vectors.ts';

export const OK = '80 00 00';
export const DONE = '06 0F 00';
export const READY = vectorHex('own-terminal-status-00');
const REGISTERED = vectorHex('own-registration-done');

/** Twelve, six or four digits as BCD in hex. */
export function digits(value: number | string, count: number): string {
  return (String(value).padStart(count, '0').match(/../g) ?? []).join(' ');
}

export interface PaymentFields {
  readonly result?: string;
  readonly amount?: number;
  readonly receipt?: string;
  readonly trace?: string;
  readonly time?: string;
  readonly more?: string;
}

/** A status information as the captured ones are built: 27, 04, 49, 0C, 0D, 0B, 87, and what is added. */
export function payment(fields: PaymentFields = {}): string {
  const { result = '00', amount, receipt = '0471', trace = '000471', time = '120000', more = '' } = fields;
  const data = [
    result === '' ? '' : `27 ${result}`,
    amount === undefined ? '' : `04 ${digits(amount, 12)}`,
    '49 09 78',
    `0C ${digits(time, 6)} 0D 11 27`,
    `0B ${digits(trace, 6)}`,
    `87 ${digits(receipt, 4)}`,
    more,
  ]
    .filter((part) => part !== '')
    .join(' ');
  return `04 0F ${data.split(' ').length.toString(16).padStart(2, '0').toUpperCase()} ${data}`;
}

/** What a real card payment adds: masked card number, card type, authorization code, TLV with AID, technology and CVM. */
export const CARD_PART =
  '22 F0 F8 EE EE EE EE EE EE 47 71 8A 06 8B F1 F1 4D 41 53 54 45 52 43 41 52 44 00 3B 31 32 33 34 35 36 00 00 06 2E 2F 08 1F 12 01 02 1F 10 01 00 60 1B 43 07 A0 00 00 00 04 10 10 44 10 44 65 62 69 74 20 4D 61 73 74 65 72 63 61 72 64 1F 2B 04 00 00 04 71';

/** One step of an answer: bytes to send, or something that happens to the line. */
export type Step = string | { readonly drop: true } | { readonly call: () => void } | { readonly raw: string };

export const DROP: Step = { drop: true };

/** Everything that a command is answered with: the first step at once, each further one after the till's acknowledgement. */
export type Script = readonly Step[];

export interface PeerLine {
  send(bytes: Uint8Array): void;
  drop(): void;
}

export interface ScriptedTerminal {
  /** A till has connected. */
  connected(line: PeerLine): void;
  disconnected(): void;
  /** Bytes from the till, in any fragmentation. */
  received(bytes: Uint8Array): void;
  /** The answers to a command (control field as "06 01"), used one after the other; the last one stays. */
  on(command: string, ...scripts: Script[]): void;
  /** The terminal starts something itself. */
  begin(...steps: Script): void;
  /** Commands of the till as hex, all connections. */
  readonly commands: readonly string[];
  count(command: string): number;
  /** Acknowledgements and refusals of the till. */
  readonly replies: readonly string[];
  connections(): number;
}

/** Splits a raw stream; the test's own reading of the length rule (FF = two more bytes, low first). */
function splitApdus(pending: number[]): string[] {
  const found: string[] = [];
  for (;;) {
    const [, , length, low, high] = pending;
    if (length === undefined) return found;
    const isLong = length === 0xff;
    if (isLong && high === undefined) return found;
    const size = isLong ? 5 + (high ?? 0) * 256 + (low ?? 0) : 3 + length;
    if (pending.length < size) return found;
    found.push(hexOf(Uint8Array.from(pending.splice(0, size))));
  }
}

export function createScriptedTerminal(): ScriptedTerminal {
  const scripts = new Map<string, Script[]>([
    ['06 00', [[OK, REGISTERED]]],
    ['05 01', [[OK, READY]]],
    ['06 20', [[OK, payment({ amount: 500, receipt: '0470', trace: '000470', time: '110000' }), DONE]]],
    ['06 B0', [[OK]]],
    ['06 10', [[OK, vectorHex('own-eod-totals'), DONE]]],
  ]);
  const commands: string[] = [];
  const replies: string[] = [];
  let line: PeerLine | undefined;
  let connectionCount = 0;
  let pending: number[] = [];
  let rest: Step[] = [];

  function play(): void {
    const step = rest.shift();
    if (step === undefined) return;
    if (typeof step === 'string') {
      line?.send(bytesOf(step));
      // The reply to a command is not acknowledged: what follows it comes at once.
      if (step.startsWith('80 00') && !step.startsWith('80 00 00 0')) play();
    } else if ('raw' in step) {
      line?.send(bytesOf(step.raw));
    } else if ('call' in step) {
      step.call();
      play();
    } else {
      line?.drop();
    }
  }

  return {
    commands,
    replies,
    connections: () => connectionCount,
    count: (command) => commands.filter((sent) => sent.startsWith(command)).length,
    connected(next) {
      line = next;
      connectionCount++;
      pending = [];
      rest = [];
    },
    disconnected() {
      line = undefined;
      rest = [];
    },
    on(command, ...answers) {
      scripts.set(command, answers);
    },
    begin(...steps) {
      rest.push(...steps);
      play();
    },
    received(bytes) {
      pending.push(...bytes);
      for (const apdu of splitApdus(pending)) {
        if (apdu.startsWith('80') || apdu.startsWith('84')) {
          replies.push(apdu);
          play();
          continue;
        }
        commands.push(apdu);
        const waiting = scripts.get(apdu.slice(0, 5)) ?? [['84 83 00']];
        const script = waiting.length > 1 ? waiting.shift() : waiting[0];
        // An abort comes into the middle of a running command and is answered on its own.
        if (apdu.startsWith('06 B0'))
          rest = [...(script ?? []), ...(apdu.startsWith('06 B0') && rest.length > 0 ? rest : [])];
        else rest = [...(script ?? [])];
        play();
      }
    },
  };
}
