import type { LinkAnswer, LinkCall } from '../../app/contract/host/link.ts';

/** A terminal as the host names it. */
export interface TerminalName {
  readonly merchantId: string;
  readonly terminalId: string;
}

export type CallResult =
  /** The till that holds the terminal has answered. */
  | { readonly kind: 'ANSWERED'; readonly answer: Pick<LinkAnswer, 'statusCode' | 'headers' | 'body'> }
  /** Nothing was sent: no till is linked for the terminal, or its link takes no more. */
  | { readonly kind: 'NOT_LINKED' }
  /** It may have reached the till; it is never sent again. */
  | { readonly kind: 'LOST' };

/** POS calls to the till that holds a terminal (decisions: Cloud POS). */
export interface TerminalCalls {
  /**
   * Sends the call at most once.
   * @param call with a `callId` that no other call has had
   * @param timeoutMs milliseconds after which the answer is waited for no longer
   */
  call(terminal: TerminalName, call: LinkCall, timeoutMs: number): Promise<CallResult>;
}
