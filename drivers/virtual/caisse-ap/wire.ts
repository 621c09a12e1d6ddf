// How requests travel: fields one after the other, without an end. What has come when the line falls silent is the request.
import type { Clock } from '../../../app/ports/clock.ts';
import { decodeTlvStream, INITIAL_TLV_STATE, isOnBoundary } from '../../framing/ascii-tlv.ts';
import { concatBytes } from '../../framing/bytes.ts';
import type { ByteLink } from '../link/byte-link.ts';
import type { Damage } from '../machine.ts';
import type { MachineWire } from '../machine-terminal.ts';
import type { CaisseApMachine } from './state.ts';

/** Silence after whole fields that ends a request, and after half a field, whose rest may still come. */
const QUIET_MS = 100;
const HALF_FIELD_QUIET_MS = 2000;
/** Longer is no request. */
const MAX_REQUEST_BYTES = 4096;
/** Bytes that begin no field. */
const NOISE_BYTES: readonly number[] = [0x00, 0x43, 0x5a, 0xff];

export interface Wire extends MachineWire {
  send(bytes: Uint8Array, damage?: Damage): void;
}

export function createWire(link: ByteLink, clock: Clock, take: (input: CaisseApMachine['input']) => void): Wire {
  let fields = INITIAL_TLV_STATE;
  let received: Uint8Array = new Uint8Array();
  let stopQuietTimer = () => {};
  const reset = () => {
    stopQuietTimer();
    fields = INITIAL_TLV_STATE;
    received = new Uint8Array();
  };
  const deliver = () => {
    const bytes = received;
    reset();
    take({ type: 'request', bytes });
  };
  const sendNoise = () => link.write(Uint8Array.from(NOISE_BYTES));
  return {
    send(bytes, damage) {
      if (damage === 'NOISE') sendNoise();
      link.write(damage === 'HALF' ? bytes.subarray(0, bytes.length >> 1) : bytes);
      if (damage === 'HALF') link.dropPeer();
    },
    sendNoise,
    receive(bytes) {
      stopQuietTimer();
      fields = decodeTlvStream(fields, bytes).state;
      received = concatBytes(received, bytes);
      if (fields.isLost || received.length > MAX_REQUEST_BYTES) {
        reset();
        link.dropPeer();
        return;
      }
      stopQuietTimer = clock.after(isOnBoundary(fields) ? QUIET_MS : HALF_FIELD_QUIET_MS, deliver);
    },
    reset,
  };
}
