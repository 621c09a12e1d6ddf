// The terminal's end of a serial line, written for the tests: its own frames, checksum and acknowledgements.

import { bytesOf, hexOf } from './hex.ts';
import type { PeerLine, ScriptedTerminal } from './zvt-peer.ts';

const ACK = 0x06;
const NAK = 0x15;

/** Bit by bit, low bit first, start value 0 (KERMIT). */
function crc(bytes: readonly number[]): number {
  let value = 0;
  for (const byte of bytes) {
    for (let bit = 0; bit < 8; bit++) {
      const feedback = ((value ^ (byte >> bit)) & 1) === 1;
      value = feedback ? (value >> 1) ^ 0x8408 : value >> 1;
    }
  }
  return value;
}

function frameOf(apdu: Uint8Array): Uint8Array {
  const sum = crc([...apdu, 0x03]);
  const doubled = [...apdu].flatMap((byte) => (byte === 0x10 ? [0x10, 0x10] : [byte]));
  return Uint8Array.from([0x10, 0x02, ...doubled, 0x10, 0x03, sum & 0xff, sum >> 8]);
}

export interface SerialSideOptions {
  readonly naksFirst?: boolean;
  readonly repeatsFrames?: boolean;
  readonly damagesFirst?: boolean;
  /** Of commands; replies are acknowledged. */
  readonly losesAcks?: boolean;
  readonly joinsAck?: boolean;
  readonly chunkBytes?: number;
}

export interface SerialSide {
  connected(line: PeerLine): void;
  received(bytes: Uint8Array): void;
  /** From now on nothing is answered any more. */
  goDeaf(): void;
  deafFrames(): readonly string[];
  /** Sends this at the moment the till sends its next frame, which is not acknowledged. */
  collideOnce(apduHex: string): void;
  /** The till's next frame that begins so is taken at once and acknowledged only when the returned function is called. */
  holdAckOf(controlField: string): () => void;
}

/** Puts the link layer between a scripted terminal and the line. */
export function createSerialSide(peer: ScriptedTerminal, options: SerialSideOptions = {}): SerialSide {
  let line: PeerLine | undefined;
  let pending: number[] = [];
  let isDeaf = false;
  const heardDeaf: string[] = [];
  const refused = new Set<string>();
  let last: string | undefined;
  let collision: string | undefined;
  let awaiting: { frame: Uint8Array; wasDamaged: boolean } | undefined;
  const queue: Uint8Array[] = [];
  let heldAck: number[] = [];
  let lateAckOf: string | undefined;

  function write(bytes: readonly number[]): void {
    const size = options.chunkBytes ?? bytes.length;
    for (let at = 0; at < bytes.length; at += size) line?.send(Uint8Array.from(bytes.slice(at, at + size)));
  }

  function sendNext(): void {
    const frame = queue[0];
    if (awaiting !== undefined || frame === undefined) return;
    queue.shift();
    awaiting = { frame, wasDamaged: options.damagesFirst === true };
    const wire = [...frame];
    if (options.damagesFirst === true) wire[wire.length - 1] = (wire.at(-1) ?? 0) ^ 0xff;
    write([...heldAck, ...wire]);
    heldAck = [];
    if (options.repeatsFrames === true) write([...frame]);
  }

  function acknowledge(apdu: Uint8Array): void {
    const isCommand = apdu[0] !== 0x80 && apdu[0] !== 0x84;
    if (lateAckOf !== undefined && hexOf(apdu).startsWith(lateAckOf)) {
      lateAckOf = undefined;
      return;
    }
    if (options.joinsAck === true) heldAck = [ACK];
    else if (options.losesAcks !== true || !isCommand) write([ACK]);
  }

  function takeFrame(wire: readonly number[], apdu: Uint8Array): void {
    const hex = hexOf(Uint8Array.from(wire));
    if (isDeaf) {
      heardDeaf.push(hex);
      return;
    }
    if (collision !== undefined) {
      const apduHex = collision;
      collision = undefined;
      peer.begin(apduHex);
      return;
    }
    if (options.naksFirst === true && !refused.has(hex)) {
      refused.add(hex);
      write([NAK]);
      return;
    }
    refused.delete(hex);
    // A frame of the till that comes although we wait shows that ours arrived.
    awaiting = undefined;
    acknowledge(apdu);
    if (hex === last && options.losesAcks === true) return;
    last = hex;
    peer.received(apdu);
    if (heldAck.length > 0) {
      write(heldAck);
      heldAck = [];
    }
    sendNext();
  }

  function takeByte(byte: number): void {
    if (byte === ACK) {
      awaiting = undefined;
      last = undefined;
      sendNext();
    } else if (byte === NAK && awaiting !== undefined) write([...awaiting.frame]);
  }

  function read(): void {
    while (pending.length > 0) {
      if (pending[0] !== 0x10) {
        takeByte(pending.shift() ?? 0);
        continue;
      }
      const frame = cutFrame(pending);
      if (frame === undefined) return;
      pending = pending.slice(frame.size);
      takeFrame(frame.wire, frame.apdu);
    }
  }

  return {
    connected(next) {
      line = next;
      pending = [];
      queue.length = 0;
      awaiting = undefined;
      last = undefined;
      peer.connected({
        send: (bytes) => {
          queue.push(frameOf(bytes));
          sendNext();
        },
        drop: () => next.drop(),
      });
    },
    received(bytes) {
      pending.push(...bytes);
      read();
    },
    goDeaf() {
      isDeaf = true;
    },
    deafFrames: () => heardDeaf,
    collideOnce(apduHex) {
      collision = hexOf(bytesOf(apduHex));
    },
    holdAckOf(controlField) {
      lateAckOf = controlField;
      return () => write([ACK]);
    },
  };
}

function cutFrame(bytes: readonly number[]): { size: number; wire: readonly number[]; apdu: Uint8Array } | undefined {
  const apdu: number[] = [];
  for (let at = 2; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte !== 0x10) {
      apdu.push(byte);
      continue;
    }
    at++;
    if (bytes[at] === 0x10) apdu.push(0x10);
    else if (bytes[at] === 0x03) {
      if (bytes.length < at + 3) return undefined;
      return { size: at + 3, wire: bytes.slice(0, at + 3), apdu: Uint8Array.from(apdu) };
    }
  }
  return undefined;
}
