import { BridgeError } from '../contract/errors.ts';
import { parseStrictJson } from '../contract/json.ts';
import { MAX_REQUEST_ID_CHARACTERS } from '../contract/limits.ts';
import type { ClientAction, RefusalEvent, RepeatedResultEvent } from '../contract/session.ts';
import { ClientAction as ClientActionSchema } from '../contract/session.ts';
import type { TransactionResponse } from '../contract/transactions.ts';
import { validateRequest } from '../contract/validate.ts';

/** What of a message can be echoed even when the message is refused. */
export interface Addressee {
  readonly requestId?: string;
  readonly terminalId?: string;
}

export type ActionName = ClientAction['action'];

/** A message of the client, read as far as it could be; `name` is the action that it asks for. */
export type ReadMessage =
  | { readonly action: ClientAction; readonly name: ActionName; readonly addressee: Addressee }
  | { readonly error: unknown; readonly name?: ActionName; readonly addressee: Addressee };

const actionNames = [
  'auth',
  'sale',
  'pre_auth',
  'card_read',
  'complete',
  'display',
  'input',
  'abort',
  'replay',
] as const satisfies readonly ActionName[];

/** Reads one text frame by the strict reader and the contract. */
export function readMessage(text: Uint8Array): ReadMessage {
  let addressee: Addressee = {};
  let name: ActionName | undefined;
  try {
    const value = parseStrictJson(text);
    addressee = addresseeOf(value);
    name = nameOf(value);
    const action = validateRequest(ClientActionSchema, value);
    return { action, name: action.action, addressee };
  } catch (error) {
    return { error, addressee, ...(name === undefined ? {} : { name }) };
  }
}

/** One of our own names, or nothing: what a client writes goes nowhere else. */
function nameOf(value: unknown): ActionName | undefined {
  if (typeof value !== 'object' || value === null || !('action' in value)) return undefined;
  return actionNames.find((name) => name === value.action);
}

function addresseeOf(value: unknown): Addressee {
  if (typeof value !== 'object' || value === null || !('requestId' in value)) return {};
  const { requestId } = value;
  const isShort =
    typeof requestId === 'string' && requestId !== '' && [...requestId].length <= MAX_REQUEST_ID_CHARACTERS;
  return isShort ? { requestId } : {};
}

/** A refusal in the words of the session (specification: Errors 3): error event with errorCode and message. */
export function refusalOf(error: BridgeError, addressee: Addressee, atMs: number): RefusalEvent {
  const { transactionId, outcome, retryAfterSeconds } = error.details ?? {};
  return {
    event: 'error',
    at: new Date(atMs).toISOString(),
    ...addressee,
    errorCode: error.code,
    message: error.message,
    ...(error.field === undefined ? {} : { field: error.field }),
    ...(transactionId === undefined ? {} : { transactionId }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/** The first answer again, for the client that repeated its key: the engine announced it once already. */
export function repeatedResultOf(body: string, addressee: Addressee, atMs: number): RepeatedResultEvent {
  const response: TransactionResponse = JSON.parse(body);
  return { event: 'result', at: new Date(atMs).toISOString(), ...addressee, replayed: true, response };
}

/** @returns the error as one of ours; anything unexpected is told as INTERNAL, without what it says. */
export function tellableError(error: unknown, requestId: string): BridgeError {
  if (error instanceof BridgeError) return error;
  return new BridgeError('INTERNAL', `the action failed; the log has it under request id ${requestId}`);
}
