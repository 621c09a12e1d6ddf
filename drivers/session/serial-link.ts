import type { Clock } from '../../app/ports/clock.ts';
import { T1_MS } from '../framing/dle-crc-framing.ts';
import type { TransportFactory } from '../transport/transport.ts';
import type { Link, LinkListeners } from './link.ts';
import { createMachineLink, type LinkAction, type LinkInput } from './machine-link.ts';
import {
  INITIAL_SEND_ACK_STATE,
  type SendAckAction,
  type SendAckInput,
  type SendAckOptions,
  stepSendAck,
  T2_MS,
} from './send-ack.machine.ts';

/** The send–ack machine with timers and a serial line around it. */
export function createSerialLink(
  createTransport: TransportFactory,
  clock: Clock,
  options: SendAckOptions,
  listeners: LinkListeners,
): Link {
  return createMachineLink(
    createTransport,
    clock,
    {
      initial: INITIAL_SEND_ACK_STATE,
      step(state, input) {
        const step = stepSendAck(options, state, inputOf(input));
        return { state: step.state, actions: step.actions.map(actionOf) };
      },
    },
    listeners,
  );
}

function inputOf(input: LinkInput): SendAckInput {
  if (input.type === 'SEND') return { type: 'SEND', apdu: input.message, yieldsToPeer: input.yieldsToPeer };
  if (input.type === 'BYTES') return input;
  return { type: input.timer === 'GAP' ? 'T1_EXPIRED' : 'T2_EXPIRED' };
}

function actionOf(action: SendAckAction): LinkAction {
  switch (action.type) {
    case 'DELIVER':
      return { type: 'DELIVER', message: action.apdu };
    case 'SENT':
      return { type: 'SETTLE', result: 'DELIVERED' };
    case 'SEND_FAILED':
      if (action.reason === 'COLLISION') return { type: 'SETTLE', result: 'COLLISION' };
      return { type: 'FAIL', reason: 'the terminal acknowledges nothing (three sends)' };
    case 'START_T1':
      return { type: 'START_TIMER', timer: 'GAP', delayMs: T1_MS };
    case 'STOP_T1':
      return { type: 'STOP_TIMER', timer: 'GAP' };
    case 'START_T2':
      return { type: 'START_TIMER', timer: 'ACKNOWLEDGEMENT', delayMs: T2_MS };
    case 'STOP_T2':
      return { type: 'STOP_TIMER', timer: 'ACKNOWLEDGEMENT' };
    default:
      return action;
  }
}
