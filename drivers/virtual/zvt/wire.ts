// How APDUs travel: as they are over TCP, framed over a serial line. Bytes come from a ByteLink and go to it.
import type { Clock } from '../../../app/ports/clock.ts';
import { decodeStream, INITIAL_STREAM_STATE } from '../../framing/apdu-stream.ts';
import { T1_MS } from '../../framing/dle-crc-framing.ts';
import type { ByteLink } from '../link/byte-link.ts';
import type { Damage } from '../machine.ts';
import type { MachineWire } from '../machine-terminal.ts';
import {
  INITIAL_SERIAL_LINE,
  NOISE_BYTES,
  type SerialLineInput,
  type SerialLineOutput,
  stepSerialLine,
} from './serial-line.ts';

/** Time the other side has for the ACK of a frame (PA00P016: T2). */
const T2_MS = 5000;
/** Silence of the other side after which a frame that comes again is no repeat: a repeat comes T2 after the frame. */
const REPEAT_WITHIN_MS = 6000;

export interface Wire extends MachineWire {
  send(apdu: Uint8Array, damage?: Damage): void;
  /** forgets frames that are not acknowledged yet */
  flush(): void;
}

export interface WireEvents {
  onApdu(apdu: Uint8Array): void;
  /** the line is there, but the other side does not acknowledge */
  onFailed(): void;
}

/** APDUs one after the other, as on TCP. After bytes that cannot be an APDU the connection is given up. */
export function createStreamWire(link: ByteLink, events: WireEvents): Wire {
  let state = INITIAL_STREAM_STATE;
  return {
    send(apdu, damage) {
      if (damage === 'NOISE') link.write(Uint8Array.from(NOISE_BYTES));
      link.write(damage === 'HALF' ? apdu.subarray(0, apdu.length >> 1) : apdu);
      if (damage === 'HALF') link.dropPeer();
    },
    sendNoise: () => link.write(Uint8Array.from(NOISE_BYTES)),
    flush: () => {},
    receive(bytes) {
      const result = decodeStream(state, bytes);
      state = result.state;
      for (const item of result.items) {
        if (item.type === 'apdu') events.onApdu(item.apdu);
        else {
          link.dropPeer();
          return;
        }
      }
    },
    reset: () => {
      state = INITIAL_STREAM_STATE;
    },
  };
}

/** Frames with checksum, ACK and repeats, as on a serial line. */
export function createSerialWire(link: ByteLink, clock: Clock, events: WireEvents): Wire {
  let state = INITIAL_SERIAL_LINE;
  let lastReceivedMs = 0;
  let stopT1 = () => {};
  let stopT2 = () => {};
  const take = (input: SerialLineInput) => {
    const result = stepSerialLine(state, input);
    state = result.state;
    for (const output of result.outputs) perform(output);
  };
  const perform = (output: SerialLineOutput) => {
    switch (output.type) {
      case 'write':
        link.write(output.bytes);
        return;
      case 'deliver':
        events.onApdu(output.apdu);
        return;
      case 'failed':
        events.onFailed();
        return;
      case 'stop-t1':
        stopT1();
        return;
      case 'stop-t2':
        stopT2();
        return;
      case 'start-t1':
        stopT1();
        stopT1 = clock.after(T1_MS, () => take({ type: 't1' }));
        return;
      case 'start-t2':
        stopT2();
        stopT2 = clock.after(T2_MS, () => take({ type: 't2' }));
        return;
    }
  };
  return {
    send: (apdu, damage) => take({ type: 'send', apdu, ...(damage === undefined ? {} : { damage }) }),
    sendNoise: () => link.write(Uint8Array.from(NOISE_BYTES)),
    flush: () => take({ type: 'flush' }),
    receive(bytes) {
      const nowMs = clock.monotonicMs();
      if (nowMs - lastReceivedMs > REPEAT_WITHIN_MS) take({ type: 'silence' });
      lastReceivedMs = nowMs;
      take({ type: 'bytes', bytes });
    },
    reset() {
      stopT1();
      stopT2();
      state = INITIAL_SERIAL_LINE;
    },
  };
}
