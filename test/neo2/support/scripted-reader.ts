// A reader that plays a script at the far end of a memory line, and judges the driver: it keeps every frame it was sent.

import { encodeVivotech2Frame } from '../../../drivers/framing/vivotech2-frame.ts';
import {
  decodeVivotech2,
  INITIAL_VIVOTECH2_STATE,
  type Vivotech2State,
} from '../../../drivers/framing/vivotech2-stream.ts';
import type { Link, LinkFactory, LinkListeners } from '../../../drivers/session/link.ts';
import { TransportError } from '../../../drivers/transport/transport.ts';
import { hexOf } from '../../support/hex.ts';
import { vector } from '../../support/vectors.ts';
import { reply } from './frames.ts';

/** What is sent for a command: frames at once, or a call; nothing leaves it unanswered. */
type Move = Uint8Array | (() => void);

export interface ScriptedReader {
  readonly createLink: LinkFactory;
  /** Every frame of the till, hex. */
  readonly sent: readonly string[];
  /** Commands without what every reader answers (ping, firmware, 04-00), e.g. `60 10`. */
  commands(): readonly string[];
  /** The moves for the next command of this kind; each call is one command. */
  on(command: string, ...moves: readonly Move[]): void;
  /** Sends a frame now. */
  say(...frames: readonly Uint8Array[]): void;
  /** Every frame travels in pieces of this many bytes. */
  cutInto(byteCount: number): void;
  /** Pulls the plug of the open connection. */
  unplug(reason?: string): void;
  /** Whether it can be reached. */
  plug(isIn: boolean): void;
  /** What it takes for the next command makes the line break. */
  readonly connections: number;
}

const everyReader: ReadonlyMap<string, readonly Uint8Array[]> = new Map([
  ['18 01', [vector('ping-reply')]],
  ['05 01', [vector('cancel-reply')]],
  ['29 00', [vector('firmware-reply')]],
  ['04 00', [reply('04', '00')]],
]);
const unscripted = ['18 01', '29 00', '04 00'];

export function createScriptedReader(): ScriptedReader {
  const sent: string[] = [];
  const script = new Map<string, (readonly Move[])[]>();
  let listeners: LinkListeners | undefined;
  let isPlugged = true;
  let pieceBytes: number | undefined;
  let connections = 0;

  function take(bytes: Uint8Array): void {
    const hex = hexOf(bytes);
    sent.push(hex);
    const command = commandOf(hex);
    const moves = script.get(command)?.shift() ?? everyReader.get(command) ?? [];
    for (const move of moves) {
      if (move instanceof Uint8Array) say(move);
      else move();
    }
  }

  function say(...frames: readonly Uint8Array[]): void {
    const deliver = listeners;
    for (const frame of frames) queueMicrotask(() => deliver === listeners && receive(frame));
  }

  /** As a serial link does it: bytes in pieces, then whole frames. */
  function receive(frame: Uint8Array): void {
    const size = pieceBytes ?? frame.length;
    let state: Vivotech2State = INITIAL_VIVOTECH2_STATE;
    for (let offset = 0; offset < frame.length; offset += size) {
      const step = decodeVivotech2(state, frame.subarray(offset, offset + size));
      state = step.state;
      for (const item of step.items) {
        if (item.type === 'frame') listeners?.onMessage(encodeVivotech2Frame(item.frame, item.crcOrder));
        else listeners?.onReport(item.type, 0);
      }
    }
  }

  function unplug(reason = 'unplugged'): void {
    const told = listeners;
    listeners = undefined;
    told?.onDown(reason);
  }

  function createLink(given: LinkListeners): Link {
    return {
      description: 'scripted reader',
      async open() {
        if (!isPlugged) throw new TransportError('NO_SUCH_PORT', 'The reader is not plugged in.');
        connections++;
        listeners = given;
      },
      isOpen: () => listeners === given,
      async send(message) {
        if (listeners !== given) throw new TransportError('CLOSED', 'not open');
        const copy = message.slice();
        queueMicrotask(() => listeners === given && take(copy));
        return 'DELIVERED';
      },
      async close(reason = 'closed by the till') {
        if (listeners === given) unplug(reason);
      },
    };
  }

  return {
    createLink,
    sent,
    commands: () => sent.map(commandOf).filter((command) => !unscripted.includes(command)),
    on(command, ...moves) {
      script.set(command, [...(script.get(command) ?? []), moves]);
    },
    say,
    cutInto(byteCount) {
      pieceBytes = byteCount;
    },
    unplug,
    plug(isIn) {
      isPlugged = isIn;
      if (!isIn) unplug();
    },
    get connections() {
      return connections;
    },
  };
}

function commandOf(hex: string): string {
  return hex.split(' ').slice(10, 12).join(' ');
}
