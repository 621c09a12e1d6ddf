import type { Clock } from '../../app/ports/clock.ts';
import { TransportError, type TransportFactory } from '../transport/transport.ts';
import type { Link, LinkListeners, SendResult } from './link.ts';

/** ACKNOWLEDGEMENT: how long one of a frame of ours is waited for. GAP: how long the rest of a frame is. */
type LinkTimer = 'ACKNOWLEDGEMENT' | 'GAP';

export type LinkInput =
  | { readonly type: 'SEND'; readonly message: Uint8Array; readonly yieldsToPeer: boolean }
  | { readonly type: 'BYTES'; readonly bytes: Uint8Array }
  | { readonly type: 'TIMER_EXPIRED'; readonly timer: LinkTimer };

export type LinkAction =
  | { readonly type: 'WRITE'; readonly bytes: Uint8Array }
  | { readonly type: 'DELIVER'; readonly message: Uint8Array }
  /** What was sent last came to its end. */
  | { readonly type: 'SETTLE'; readonly result: SendResult }
  /** The line is of no use any more. */
  | { readonly type: 'FAIL'; readonly reason: string }
  | { readonly type: 'START_TIMER'; readonly timer: LinkTimer; readonly delayMs: number }
  | { readonly type: 'STOP_TIMER'; readonly timer: LinkTimer }
  | { readonly type: 'REPORT'; readonly what: string; readonly byteCount: number };

/** A line's own rules as a pure function over a state. */
export interface LinkMachine<State> {
  readonly initial: State;
  step(state: State, input: LinkInput): { readonly state: State; readonly actions: readonly LinkAction[] };
}

interface Waiter {
  resolve(result: SendResult): void;
  reject(error: TransportError): void;
}

/** A machine that sends and acknowledges, with timers and a line around it. */
export function createMachineLink<State>(
  createTransport: TransportFactory,
  clock: Clock,
  machine: LinkMachine<State>,
  listeners: LinkListeners,
): Link {
  let state = machine.initial;
  let isOpen = false;
  let downReason: string | undefined;
  let waiter: Waiter | undefined;
  const timers = new Map<LinkTimer, () => void>();
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

  function feed(input: LinkInput): void {
    if (!isOpen) return;
    const step = machine.step(state, input);
    state = step.state;
    for (const action of step.actions) perform(action);
  }

  function perform(action: LinkAction): void {
    if (!isOpen) return;
    switch (action.type) {
      case 'WRITE':
        transport.write(action.bytes).catch(() => close('a write failed'));
        return;
      case 'DELIVER':
        listeners.onMessage(action.message);
        return;
      case 'SETTLE':
        settle(action.result);
        return;
      case 'FAIL':
        void close(action.reason);
        return;
      case 'START_TIMER':
        stopTimer(action.timer);
        timers.set(
          action.timer,
          clock.after(action.delayMs, () => feed({ type: 'TIMER_EXPIRED', timer: action.timer })),
        );
        return;
      case 'STOP_TIMER':
        stopTimer(action.timer);
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

  function stopTimer(timer: LinkTimer): void {
    timers.get(timer)?.();
  }

  function stopTimers(): void {
    for (const stop of timers.values()) stop();
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
      feed({ type: 'SEND', message, yieldsToPeer });
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
