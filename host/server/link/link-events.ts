import { LinkEvent } from '../../../app/contract/host/link.ts';
import { validate } from '../../../app/contract/validate.ts';
import type { TerminalName } from '../../ports/terminal-calls.ts';
import type { TerminalEvent, TerminalEvents } from '../../ports/terminal-events.ts';

/** Hears of every linked terminal: where there are several nodes, clients of any of them may listen. */
type TellOfAll = (terminal: TerminalName, event: TerminalEvent, text: Uint8Array) => void;

/** Who listens to the events that come over links. */
export interface LinkEvents extends TerminalEvents {
  /** Each event of each linked terminal, for good; called before any is linked. */
  listenToAll(tell: TellOfAll): void;
  isWanted(merchantId: string): boolean;
  /** Takes what the till of a terminal has sent. @returns false for what is no event */
  receive(terminal: TerminalName, message: string): boolean;
}

const encoder = new TextEncoder();

/** @param onWanted somebody begins to listen to a merchant's terminals, or nobody does any more */
export function createLinkEvents(onWanted: (merchantId: string, isWanted: boolean) => void): LinkEvents {
  const listeners = new Map<string, Set<(event: TerminalEvent, text: Uint8Array) => void>>();
  let tellOfAll: TellOfAll | undefined;
  return {
    listenToAll(tell) {
      tellOfAll = tell;
    },
    isWanted: (merchantId) => tellOfAll !== undefined || listeners.has(merchantId),
    listen(merchantId, tell) {
      const known = listeners.get(merchantId);
      const all = known ?? new Set();
      all.add(tell);
      if (known === undefined) {
        listeners.set(merchantId, all);
        onWanted(merchantId, true);
      }
      return () => {
        if (!all.delete(tell) || all.size > 0) return;
        listeners.delete(merchantId);
        onWanted(merchantId, false);
      };
    },
    receive({ merchantId, terminalId }, message) {
      const happened = eventIn(message);
      if (happened === undefined) return false;
      const event = { ...happened, terminalId };
      const text = encoder.encode(JSON.stringify(event));
      tellOfAll?.({ merchantId, terminalId }, event, text);
      for (const tell of listeners.get(merchantId) ?? []) tell(event, text);
      return true;
    },
  };
}

function eventIn(message: string): LinkEvent['happened'] | undefined {
  try {
    const { event, happened } = Object(JSON.parse(message));
    return validate(LinkEvent, { event, happened }).happened;
  } catch {
    return undefined;
  }
}
