import type { LinkEvent } from '../../app/contract/host/link.ts';

/** An event of a terminal, with the terminal as the host names it. */
export type TerminalEvent = LinkEvent['happened'] & { readonly terminalId: string };

/** What happens at the linked terminals (decisions: Cloud POS, Events). */
export interface TerminalEvents {
  /**
   * Each event of each linked terminal of the merchant from now on, until what is returned is called.
   * @param tell also gets the event's JSON, made once for all who listen
   */
  listen(merchantId: string, tell: (event: TerminalEvent, text: Uint8Array) => void): () => void;
}
