import type { Clock } from '../../app/ports/clock.ts';
import { T1_MS } from '../framing/dle-crc-framing.ts';
import { TransportError, type TransportFactory } from '../transport/transport.ts';
import type { Link, LinkListeners, SendResult } from './link.ts';
import {
  INITIAL_SEND_ACK_STATE,
  type SendAckAction,
  type SendAckInput,
  type SendAckOptions,
  stepSendAck,
  T2_MS,
} from './send-ack.machine.ts';

interface Waiter {
  resolve(result: SendResult): void;
  reject(error: TransportError): void;
}

/** The send–ack machine with timers and a serial line around it. */
export function createSerialLink(
  createTransport: TransportFactory,
  clock: Clock,
  options: SendAckOptions,
  listeners: LinkListeners,
): Link {
  let state = INITIAL_SEND_ACK_STATE;
  let isOpen = false;
  let downReason: string | undefined;
  let waiter: Waiter | undefined;
  let stopT1 = (): void => undefined;
  let stopT2 = (): void => undefined;
  /** Sends follow one another; each waits for its acknowledgement. */
  let lastSend: Promise<unknown> = Promise.resolve();

  const transport = createTransport({
    onData: (bytes) => feed({ type: 'BYTES', bytes }),
    onClose(reason) {
      isOpen = false;
      stopTimers();
      waiter?.reject(new TransportError('CLOSED', `${transport.description} was lost: ${downReason ?? reason}.`));
      waiter = undefined;
      listeners.onDown(downReason ?? reason);
    },
  });

  function feed(input: SendAckInput): void {
    if (!isOpen) return;
    const step = stepSendAck(options, state, input);
    state = step.state;
    for (const action of step.actions) perform(action);
  }

  function perform(action: SendAckAction): void {
    if (!isOpen) return;
    switch (action.type) {
      case 'WRITE':
        transport.write(action.bytes).catch(() => close('a write failed'));
        return;
      case 'DELIVER':
        listeners.onMessage(action.apdu);
        return;
      case 'SENT':
        settle('DELIVERED');
        return;
      case 'SEND_FAILED':
        if (action.reason === 'COLLISION') settle('COLLISION');
        else void close('the terminal acknowledges nothing (three sends)');
        return;
      case 'START_T1':
        stopT1();
        stopT1 = clock.after(T1_MS, () => feed({ type: 'T1_EXPIRED' }));
        return;
      case 'STOP_T1':
        stopT1();
        return;
      case 'START_T2':
        stopT2();
        stopT2 = clock.after(T2_MS, () => feed({ type: 'T2_EXPIRED' }));
        return;
      case 'STOP_T2':
        stopT2();
        return;
      case 'REPORT':
        listeners.onReport(action.what, action.byteCount);
        return;
    }
  }

  function settle(result: SendResult): void {
    const settled = waiter;
    waiter = undefined;
    settled?.resolve(result);
  }

  function stopTimers(): void {
    stopT1();
    stopT2();
  }

  async function close(reason?: string): Promise<void> {
    isOpen = false;
    stopTimers();
    downReason ??= reason;
    await transport.close();
  }

  function sendNow(message: Uint8Array, yieldsToPeer: boolean): Promise<SendResult> {
    if (!isOpen)
      return Promise.reject(new TransportError('CLOSED', `${transport.description} is not open; nothing was sent.`));
    return new Promise((resolve, reject) => {
      waiter = { resolve, reject };
      feed({ type: 'SEND', apdu: message, yieldsToPeer });
    });
  }

  return {
    description: transport.description,
    isOpen: () => isOpen,
    async open(signal) {
      await transport.open(signal);
      isOpen = true;
    },
    send(message, yieldsToPeer = false) {
      const sent = lastSend.then(() => sendNow(message, yieldsToPeer));
      lastSend = sent.catch(() => undefined);
      return sent;
    },
    close,
  };
}
