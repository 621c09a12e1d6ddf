// How texts travel: framed, with the checksum that the terminal is set to. Bytes come from a ByteLink and go to it.
import {
  decodeEcr17,
  type Ecr17Item,
  encodeAck,
  encodeEcr17Message,
  encodeNak,
  encodeProgress,
  INITIAL_ECR17_STATE,
  type Lrc,
} from '../../framing/ecr17-framing.ts';
import type { ByteLink } from '../link/byte-link.ts';
import type { Damage } from '../machine.ts';
import type { MachineWire } from '../machine-terminal.ts';
import type { Ecr17Machine } from './state.ts';

/** What noise puts on the line before a frame. */
const NOISE_BYTES: readonly number[] = [0x00, 0xff, 0x41, 0x0d];

export interface Wire extends MachineWire {
  send(text: string, damage?: Damage): void;
  acknowledge(): void;
  refuse(): void;
  progress(text: string): void;
}

type Received = Exclude<Ecr17Machine['input'], { type: 'auto-close' }>;

/** @param dropsAfterHalf a connection ends where a frame breaks off; on a serial line its rest never comes */
export function createWire(
  link: ByteLink,
  settings: { readonly lrc: Lrc; readonly dropsAfterHalf: boolean },
  take: (input: Received) => void,
): Wire {
  const { lrc } = settings;
  let state = INITIAL_ECR17_STATE;
  const sendNoise = () => link.write(Uint8Array.from(NOISE_BYTES));
  return {
    send(text, damage) {
      const frame = encodeEcr17Message(text, lrc);
      if (damage === 'NOISE') sendNoise();
      link.write(damaged(frame, damage));
      if (damage === 'HALF' && settings.dropsAfterHalf) link.dropPeer();
    },
    acknowledge: () => link.write(encodeAck(lrc)),
    refuse: () => link.write(encodeNak(lrc)),
    progress: (text) => link.write(encodeProgress(text)),
    sendNoise,
    receive(bytes) {
      const result = decodeEcr17(state, bytes);
      state = result.state;
      for (const item of result.items) {
        const input = inputOf(item, lrc);
        if (input !== undefined) take(input);
      }
    },
    reset() {
      state = INITIAL_ECR17_STATE;
    },
  };
}

/** A checksum of another variant is a wrong one: a terminal knows only its own. */
function inputOf(item: Ecr17Item, lrc: Lrc): Received | undefined {
  switch (item.type) {
    case 'message':
      return item.lrcs.includes(lrc) ? { type: 'message', text: item.text } : { type: 'damaged' };
    case 'ack':
      return item.lrcs.includes(lrc) ? { type: 'acknowledged' } : undefined;
    case 'nak':
      return item.lrcs.includes(lrc) ? { type: 'refused' } : undefined;
    case 'bad-lrc':
      return item.frame === 'message' ? { type: 'damaged' } : undefined;
    default:
      return undefined;
  }
}

function damaged(frame: Uint8Array, damage: Damage | undefined): Uint8Array {
  if (damage === 'HALF') return frame.subarray(0, frame.length >> 1);
  if (damage !== 'CHECKSUM') return frame;
  // No variant differs from another in this bit.
  return Uint8Array.from(frame, (byte, index) => (index === frame.length - 1 ? byte ^ 0x40 : byte));
}
