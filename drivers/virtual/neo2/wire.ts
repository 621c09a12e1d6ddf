// How frames travel: one after the other on a serial line, cut into reports over HID. Bytes come from a ByteLink and go to it.
import type { Clock } from '../../../app/ports/clock.ts';
import { concatBytes } from '../../framing/bytes.ts';
import type { Vivotech2Frame } from '../../framing/vivotech2-frame.ts';
import {
  decodeReport,
  encodeReports,
  HID_REPORT_BYTES,
  INITIAL_REPORT_STATE,
} from '../../framing/vivotech2-reports.ts';
import {
  decodeVivotech2,
  giveUpVivotech2,
  INITIAL_VIVOTECH2_STATE,
  isReceivingVivotech2,
  MAX_VIVOTECH2_SILENCE_MS,
  type Vivotech2Item,
} from '../../framing/vivotech2-stream.ts';
import type { ByteLink } from '../link/byte-link.ts';
import type { Damage } from '../machine.ts';
import type { MachineWire } from '../machine-terminal.ts';

/** Bytes of a disturbed line: the beginning of a header among them. */
const NOISE_BYTES = [0x00, 0x56, 0x69, 0xff, 0x56] as const;
/** A report of a number that no frame has. */
const NOISE_REPORT_ID = 0x07;

export interface ReaderWire extends MachineWire {
  send(frame: Uint8Array, damage?: Damage): void;
}

export interface ReaderWireEvents {
  onFrame(frame: Vivotech2Frame): void;
  /** a frame whose checksum or length is wrong */
  onBroken(): void;
}

export type CreateReaderWire = (link: ByteLink, clock: Clock, events: ReaderWireEvents) => ReaderWire;

/** Frames as they are. After half a frame the line is dropped. */
export function createSerialReaderWire(link: ByteLink, clock: Clock, events: ReaderWireEvents): ReaderWire {
  let state = INITIAL_VIVOTECH2_STATE;
  let stopSilence = () => {};
  const deliver = (items: readonly Vivotech2Item[]) => {
    for (const item of items) {
      if (item.type === 'frame') events.onFrame(item.frame);
      else if (item.type === 'fault' && item.reason === 'bad-crc') events.onBroken();
    }
  };
  const fallSilent = () => {
    const result = giveUpVivotech2(state);
    state = result.state;
    deliver(result.items);
  };
  return {
    send(frame, damage) {
      if (damage === 'NOISE') link.write(concatBytes(Uint8Array.from(NOISE_BYTES), frame));
      else link.write(damage === 'HALF' ? frame.subarray(0, frame.length >> 1) : frame);
      if (damage === 'HALF') link.dropPeer();
    },
    sendNoise: () => link.write(Uint8Array.from(NOISE_BYTES)),
    receive(bytes) {
      stopSilence();
      const result = decodeVivotech2(state, bytes);
      state = result.state;
      if (isReceivingVivotech2(state)) stopSilence = clock.after(MAX_VIVOTECH2_SILENCE_MS, fallSilent);
      deliver(result.items);
    },
    reset() {
      stopSilence();
      state = INITIAL_VIVOTECH2_STATE;
    },
  };
}

/** Frames as HID reports. Half a frame is its first reports without the last one; then the reader is gone. */
export function createHidReaderWire(link: ByteLink, _clock: Clock, events: ReaderWireEvents): ReaderWire {
  let state = INITIAL_REPORT_STATE;
  const noise = new Uint8Array(HID_REPORT_BYTES).fill(0xff);
  noise[0] = NOISE_REPORT_ID;
  return {
    send(frame, damage) {
      const reports = encodeReports(frame);
      if (damage === 'NOISE') link.write(noise);
      for (const report of damage === 'HALF' ? reports.slice(0, -1) : reports) link.write(report);
      if (damage === 'HALF') link.dropPeer();
    },
    sendNoise: () => link.write(noise),
    receive(report) {
      const result = decodeReport(state, report);
      state = result.state;
      for (const item of result.items) {
        if (item.type === 'frame') events.onFrame(item.frame);
        else if (item.type === 'fault') events.onBroken();
      }
    },
    reset: () => {
      state = INITIAL_REPORT_STATE;
    },
  };
}
