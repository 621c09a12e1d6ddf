import type { TransactionEvent } from '../session.ts';
import type { ProcedureName, ProcedureRequest, ProcedureResponse } from './procedures.ts';
import type { ConsoleRefusal } from './refusal.ts';
import type { VirtualTerminalView } from './virtual.ts';

/**
 * The channel between screen and till, by birpc over the WebSocket at CONSOLE_SOCKET_PATH of the console's own address (JSON text frames), or over
 * the shell's IPC. A call may take as long as a payment: the screen sets birpc's `timeout` to -1.
 */

/** Path of the WebSocket on the console's address. */
export const CONSOLE_SOCKET_PATH = '/console';

/** Files that a procedure made ready are fetched under this path, each once. */
export const CONSOLE_DOWNLOADS_PATH = '/downloads';

/** An answer: refusals are values, for an error object does not survive the channel. */
export type ConsoleAnswer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: ConsoleRefusal };

/** What the screen calls. */
export interface ConsoleServerFunctions {
  call<Name extends ProcedureName>(
    name: Name,
    request: ProcedureRequest<Name>,
  ): Promise<ConsoleAnswer<ProcedureResponse<Name>>>;
}

/** Events as the console gets them: those with chip data stay between terminal and POS. */
export type ConsoleEvent = Exclude<TransactionEvent, { event: 'online_authorization' }>;

/** IDLE: nobody touched the screen. SIGNED_OUT: in this or another window. STAFF_CHANGED: deactivated, or given another role or PIN. */
export type SignedOutReason = 'IDLE' | 'SIGNED_OUT' | 'STAFF_CHANGED';

/** What the till calls, without waiting for an answer. */
export interface ConsoleClientFunctions {
  /** Every event of every terminal, while somebody is signed in. What a lost connection missed is looked up again. */
  event(event: ConsoleEvent): void;
  signedOut(reason: SignedOutReason): void;
  /** What a virtual terminal shows has changed; told once `virtual.state` was asked for. */
  virtualTerminal(terminalId: string, view: VirtualTerminalView): void;
}
