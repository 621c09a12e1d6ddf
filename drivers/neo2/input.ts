// Questions at the reader's keypad: 62-02 (one key) and 62-04 (digits behind a short text).
import type { InputRequest, InputResult } from '../../app/contract/device.ts';
import { BridgeError } from '../../app/contract/errors.ts';
import { DEFAULT_INPUT_TIMEOUT_MS } from '../../app/contract/limits.ts';
import type { GetAmount } from './codec/command-types.ts';
import { ENTRY_STATES } from './codec/entries.ts';
import { statusMeaning } from './codec/status-codes.ts';
import type { CommandEnd, NeoConnection } from './connection.ts';
import type { Received } from './expected-replies.ts';

const MAX_DIGITS = 15;
const PROMPT = /^[\x20-\x7e]{1,16}$/;
/** 62-04 shows the last two digits behind a point. */
const DECIMALS = 2;
const STATUS_TIMEOUT = 0x08;

/** What is sent for a question. @throws BridgeError for what the keypad cannot ask, before anything is sent */
export function inputCommand(request: InputRequest): GetAmount | { readonly type: 'get-function-key' } {
  const { inputType, prompt } = request;
  if (inputType === 'CONFIRM') return { type: 'get-function-key' };
  if (inputType !== 'DIGITS' && inputType !== 'DECIMAL')
    throw unsupported(`The reader cannot ask for ${inputType}.`, 'inputType');
  if (!PROMPT.test(prompt)) throw unsupported('The reader shows a prompt of 1 to 16 plain characters.', 'prompt');
  const minDigits = Math.max(1, request.minLength ?? 1);
  const maxDigits = Math.min(MAX_DIGITS, request.maxLength ?? MAX_DIGITS);
  if (minDigits > maxDigits) throw unsupported(`The reader takes at most ${MAX_DIGITS} digits.`, 'minLength');
  return { type: 'get-amount', minDigits, maxDigits, prompt };
}

function unsupported(message: string, field: string): BridgeError {
  return new BridgeError('OPERATION_NOT_SUPPORTED', message, { field });
}

/** Asks the person at the reader; the caller's signal ends it. @throws BridgeError */
export async function askPerson(
  connection: NeoConnection,
  request: InputRequest,
  signal: AbortSignal,
): Promise<InputResult> {
  const giveUp = (): void => void connection.cancel();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    const end = await connection.ask(inputCommand(request), {
      answerTimeoutMs: request.timeoutMs ?? DEFAULT_INPUT_TIMEOUT_MS,
      isStillWanted: () => !signal.aborted,
    });
    return readInput(end, request);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

function readInput(end: CommandEnd, request: InputRequest): InputResult {
  switch (end.kind) {
    case 'CANCELLED':
      return { status: 'CANCELLED' };
    case 'SILENT':
      return { status: 'TIMEOUT' };
    case 'LOST':
      throw new BridgeError('TERMINAL_UNREACHABLE', 'The link to the reader was lost.');
    case 'ANSWERED':
      return readAnswer(end.message, request);
  }
}

function readAnswer(message: Received, { inputType }: InputRequest): InputResult {
  if (message.type === 'amount' && message.digits !== undefined)
    return { status: 'ENTERED', value: inputType === 'DECIMAL' ? decimal(message.digits) : message.digits };
  if (message.type === 'function-key' && message.key !== undefined) return confirmation(message.key);
  if ('state' in message) return unentered(message.state);
  if (!('status' in message)) throw notReady('with data that contradict themselves.');
  if (message.status === STATUS_TIMEOUT) return { status: 'TIMEOUT' };
  const { kind, name, meaning } = statusMeaning(message.status);
  if (kind === 'REFUSED' && /^(UNKNOWN|NOT_SUPPORTED)/.test(name))
    throw new BridgeError('OPERATION_NOT_SUPPORTED', 'This reader has no keypad.');
  throw notReady(meaning);
}

/** ENTER means yes, the correction key no; any other key ends the question. */
function confirmation(key: string): InputResult {
  if (key === 'ENTER') return { status: 'ENTERED', value: 'yes' };
  return key === 'BACKSPACE' ? { status: 'ENTERED', value: 'no' } : { status: 'CANCELLED' };
}

function unentered(state: number): InputResult {
  const { name, meaning } = ENTRY_STATES.get(state) ?? { name: '', meaning: 'without a reason.' };
  if (name.startsWith('CANCELLED')) return { status: 'CANCELLED' };
  throw notReady(meaning);
}

function notReady(meaning: string): BridgeError {
  return new BridgeError('TERMINAL_NOT_READY', `The reader refused: ${meaning}`);
}

function decimal(digits: string): string {
  const padded = digits.padStart(DECIMALS + 1, '0');
  const whole = padded.slice(0, -DECIMALS).replace(/^0+(?=\d)/, '');
  return `${whole}.${padded.slice(-DECIMALS)}`;
}
