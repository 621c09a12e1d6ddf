import type { VirtualTerminalView } from '../contract/console/virtual.ts';
import type { VirtualTerminalControl, VirtualTerminals } from '../ports/virtual-terminal.ts';

/** Longest time of one payment, with some to spare (decisions: Time-outs). */
const PAYMENT_SECONDS = 300;
/** After so long without a touch of the drawn terminal the simulated customer goes on. */
const HELD_SECONDS = 600;

/**
 * Who presents cards to a virtual terminal: the simulated customer, or the person at the console (ADR 0012). A payment that begins at the console
 * is the person's, at the till's own terminal; one of the POS API never waits for anybody who has not taken the terminal in hand.
 */
export interface Hand {
  /** Runs a payment that a person at the console began. */
  during<T>(terminalId: string, payment: () => Promise<T>): Promise<T>;
  hold(terminalId: string, control: VirtualTerminalControl): Promise<VirtualTerminalView>;
  letGo(terminalId: string, control: VirtualTerminalControl): Promise<VirtualTerminalView>;
  /** Somebody touched the drawing: what is held is held for another while. */
  touch(terminalId: string, control: VirtualTerminalControl): Promise<void>;
}

export function createHand(virtualTerminals: VirtualTerminals): Hand {
  /** Taken by the switch of the drawing, until let go. */
  const held = new Set<string>();
  /** Payments of the console that run at each terminal. */
  const running = new Map<string, number>();

  function count(terminalId: string, change: 1 | -1): number {
    const next = (running.get(terminalId) ?? 0) + change;
    running.set(terminalId, next);
    return next;
  }

  return {
    async during(terminalId, payment) {
      const control = virtualTerminals.isOwn(terminalId) ? virtualTerminals.controlOf(terminalId) : undefined;
      if (control === undefined) return payment();
      count(terminalId, 1);
      try {
        // A terminal that does not hear this does what it would do without anybody: the payment itself is the same.
        if (!held.has(terminalId)) await control.takeInHand(PAYMENT_SECONDS).catch(() => undefined);
        return await payment();
      } finally {
        if (count(terminalId, -1) === 0 && !held.has(terminalId)) await control.letGo().catch(() => undefined);
      }
    },
    async hold(terminalId, control) {
      const view = await control.takeInHand(HELD_SECONDS);
      held.add(terminalId);
      return view;
    },
    async letGo(terminalId, control) {
      held.delete(terminalId);
      return control.letGo();
    },
    async touch(terminalId, control) {
      if (held.has(terminalId)) await control.takeInHand(HELD_SECONDS);
    },
  };
}
