// The terminal's display, keys and printer as the till's.

import type { DisplayRequest, InputRequest, InputResult } from '../../app/contract/device.ts';
import { BridgeError } from '../../app/contract/errors.ts';
import { DEFAULT_INPUT_TIMEOUT_MS } from '../../app/contract/limits.ts';
import type { DisplayCommand, ZvtCommand } from './codec/command-types.ts';
import type { AnswerTo, PositiveReply, ZvtKey } from './codec/message-types.ts';
import { judgeResultCode } from './codec/result-codes.ts';
import type { ZvtConnection } from './connection.ts';
import { refusalCode } from './questions.ts';
import { zvtLimits } from './zvt-settings.ts';

/** F0 is one byte of seconds; 00 = until replaced. */
const MAX_DURATION_SECONDS = 255;
/** How long after the terminal's own time-out its answer may still come. */
const ANSWER_MARGIN_MS = 5_000;
/** F1–F8 */
const MAX_LINES = 8;
/** 06 E2: largest E9. */
const MAX_DIGITS = 99;
/** Menu keys of the terminal. */
const MENU_KEYS: readonly ZvtKey[] = ['F1', 'F2', 'F3', 'F4'];
/** Attribute of the last line of a print-out. */
const LAST_LINE = 0x81;
const UNSUPPORTED = 0x83;
const TEXT_NOT_AUTHENTIC = 0x75;
/** The network operator issues a MAC for each text; without one a terminal that insists answers 75. */
const NO_MAC = new Uint8Array(8);

/** Shows a text. @throws BridgeError */
export async function showText(connection: ZvtConnection, request: DisplayRequest): Promise<void> {
  const durationSeconds = secondsOf(request.duration ?? 0);
  await askDevice(connection, { type: 'display', durationSeconds, lines: request.lines }, {});
}

function secondsOf(durationMs: number): number {
  return Math.min(MAX_DURATION_SECONDS, Math.ceil(durationMs / 1_000));
}

/** Ends with its reply; given up, the terminal may answer the abort and the command. */
const deviceExchange = {
  ending: 'REPLY',
  ignoresEarlierEnd: true,
  completionTimeoutMs: zvtLimits.abortEndMs,
} as const;

interface DeviceOptions {
  readonly answerTo?: AnswerTo;
  readonly replyTimeoutMs?: number;
}

/** One command that ends with its reply. @throws BridgeError for a refusal or silence */
async function askDevice(
  connection: ZvtConnection,
  command: ZvtCommand,
  options: DeviceOptions,
): Promise<PositiveReply> {
  const result = await connection.exchange({ command, ...deviceExchange, ...options });
  if (result.kind === 'REPLIED') return result.reply;
  if (result.kind === 'REFUSED') throw refusal(refusalCode(result.reply));
  throw new BridgeError('TERMINAL_UNREACHABLE', 'The terminal did not answer.');
}

function refusal(code: number): BridgeError {
  if (code === UNSUPPORTED) return new BridgeError('OPERATION_NOT_SUPPORTED', 'This terminal cannot do that.');
  if (code === TEXT_NOT_AUTHENTIC)
    return new BridgeError(
      'OPERATION_NOT_SUPPORTED',
      'This terminal asks for digits only with texts that its network operator has signed.',
    );
  const { meaning } = judgeResultCode(code);
  return new BridgeError(code === 0x9c ? 'TERMINAL_BUSY' : 'TERMINAL_NOT_READY', `The terminal refused: ${meaning}`);
}

/** Refuses what the terminal's keys cannot give, before anything is sent. @throws BridgeError */
export function checkInput(request: InputRequest): void {
  const optionCount = request.options?.length ?? 0;
  if (request.inputType === 'MENU' && optionCount > MENU_KEYS.length)
    throw new BridgeError('OPERATION_NOT_SUPPORTED', `The terminal has keys for ${MENU_KEYS.length} options.`, {
      field: 'options',
    });
  if (request.inputType !== 'CONFIRM' && request.inputType !== 'MENU' && request.inputType !== 'DIGITS')
    throw new BridgeError('OPERATION_NOT_SUPPORTED', `The terminal cannot ask for ${request.inputType}.`, {
      field: 'inputType',
    });
  if (inputLines(request).length > MAX_LINES)
    throw new BridgeError('OPERATION_NOT_SUPPORTED', `The terminal shows ${MAX_LINES} lines; the prompt is too long.`, {
      field: 'prompt',
    });
}

/** Asks the person at the terminal. @throws BridgeError */
export async function askPerson(connection: ZvtConnection, request: InputRequest): Promise<InputResult> {
  const timeoutMs = request.timeoutMs ?? DEFAULT_INPUT_TIMEOUT_MS;
  // T3 does not hold for texts that wait for a person: their own duration does.
  const waits = { replyTimeoutMs: timeoutMs + ANSWER_MARGIN_MS };
  const shown = { durationSeconds: secondsOf(timeoutMs), lines: inputLines(request) };
  if (request.inputType === 'DIGITS')
    return readDigits(
      await askDevice(connection, digitsCommand(request, shown), { ...waits, answerTo: 'NUMERIC_INPUT' }),
    );
  const reply = await askDevice(connection, { type: 'display-key', ...shown }, { ...waits, answerTo: 'DISPLAY_KEY' });
  return request.inputType === 'MENU' ? readChoice(reply.key, request.options ?? []) : readConfirmation(reply.key);
}

/** The prompt, line by line, and the options with their keys. */
function inputLines(request: InputRequest): readonly string[] {
  const prompt = request.prompt.split('\n').flatMap(wrap);
  const options = request.inputType === 'MENU' ? (request.options ?? []) : [];
  return [...prompt, ...options.map((option, index) => `${MENU_KEYS[index] ?? ''} ${option}`)];
}

const LINE_CHARACTERS = 40;

function wrap(line: string): readonly string[] {
  return line.length <= LINE_CHARACTERS
    ? [line]
    : (line.match(/.{1,40}(?=\s|$)|.{1,40}/gu) ?? [line]).map((part) => part.trim());
}

function digitsCommand(
  request: InputRequest,
  shown: Pick<DisplayCommand, 'lines' | 'durationSeconds'>,
): DisplayCommand {
  return {
    type: 'numeric-input',
    ...shown,
    input: {
      confirm: 1,
      minLength: Math.min(request.minLength ?? 0, MAX_DIGITS),
      maxLength: Math.min(request.maxLength ?? MAX_DIGITS, MAX_DIGITS),
      echo: 0xff,
      mac: NO_MAC,
    },
  };
}

function ended(key: ZvtKey | undefined): InputResult {
  return { status: key === 'TIMEOUT' ? 'TIMEOUT' : 'CANCELLED' };
}

function readDigits(reply: PositiveReply): InputResult {
  if (reply.digits !== undefined) return { status: 'ENTERED', value: reply.digits };
  // OK without digits: an empty input that the length allowed.
  return reply.key === undefined && reply.data === undefined ? { status: 'ENTERED', value: '' } : ended(reply.key);
}

function readChoice(key: ZvtKey | undefined, options: readonly string[]): InputResult {
  const optionIndex = key === undefined ? -1 : MENU_KEYS.indexOf(key);
  const value = options[optionIndex];
  return value === undefined ? ended(key) : { status: 'ENTERED', value, optionIndex };
}

/** OK means yes, the correction key no, stop ends the question. */
function readConfirmation(key: ZvtKey | undefined): InputResult {
  if (key === 'OK') return { status: 'ENTERED', value: 'yes' };
  return key === 'CORRECTION' ? { status: 'ENTERED', value: 'no' } : ended(key);
}

/** Prints on the terminal's own printer: as one text block, else line by line. @throws BridgeError */
export async function printLines(connection: ZvtConnection, lines: readonly string[]): Promise<void> {
  const block = await connection.exchange({ command: textBlock(lines), ...deviceExchange });
  if (block.kind === 'REPLIED') return;
  if (block.kind === 'LOST') throw new BridgeError('TERMINAL_UNREACHABLE', 'The terminal did not answer.');
  if (block.kind !== 'REFUSED' || refusalCode(block.reply) !== UNSUPPORTED)
    throw refusal(block.kind === 'REFUSED' ? refusalCode(block.reply) : 0);
  for (const [index, text] of lines.entries()) {
    const isLastLine = index === lines.length - 1;
    await askDevice(connection, { type: 'print-line', attribute: isLastLine ? LAST_LINE : 0, text, isLastLine }, {});
  }
}

function textBlock(lines: readonly string[]): ZvtCommand {
  return {
    type: 'text-block',
    lines: lines.map((text, index) => ({ attribute: index === lines.length - 1 ? LAST_LINE : 0, text })),
    isLastLine: true,
    receiptType: 'administration',
  };
}
