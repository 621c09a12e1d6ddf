// Whether a message can be the reply to the command that waits: by its command byte, and by what it says.
import { commandCodes } from './codec/command-codes.ts';
import type { ClearCardData, Malformed, NeoMessage } from './codec/message-types.ts';
import { STATUS_OK, STATUS_ONLINE, statusMeaning } from './codec/status-codes.ts';
import { TRANSACTION_RESULTS } from './codec/transaction-results.ts';
import type { CommandInput, CommandType } from './command.machine.ts';

export type Received = NeoMessage | ClearCardData | Malformed;
type ResultKind = 'APPROVED' | 'DECLINED' | 'GO_ONLINE' | 'CONTINUE' | 'FALL_BACK' | 'NO_CARD_STEP';

/** Results that a step cannot have: they are a late or doubled answer to the step before. */
const impossibleResults: { readonly [Type in CommandType]?: ReadonlySet<ResultKind> } = {
  'start-contact': new Set(['APPROVED', 'GO_ONLINE']),
  authenticate: new Set(['CONTINUE']),
  'apply-response': new Set(['GO_ONLINE', 'CONTINUE']),
};

/** The input that a message is for the command machine; undefined for what only happens beside a command (61-xx, progress, events). */
export function replyInput(message: Received, waiting: CommandType | undefined): CommandInput | undefined {
  if (!('command' in message) || message.command === undefined || message.type === 'progress') return undefined;
  if (message.type === 'unknown') return undefined;
  if (message.command === commandCodes('display-answer').command) return undefined;
  if (message.command === commandCodes('cancel').command)
    return { type: 'CANCEL_REPLY', isDone: 'status' in message && message.status === STATUS_OK };
  const isOfCommand = waiting !== undefined && commandCodes(waiting).command === message.command;
  return { type: 'REPLY', kind: kindOf(message), isExpected: isOfCommand && canAnswer(waiting, message) };
}

function kindOf(message: Received): 'FIRST' | 'ANSWER' | 'REFUSAL' {
  if (message.type === 'first-response') return 'FIRST';
  if (message.type === 'reply') return isDone(message.status) ? 'ANSWER' : 'REFUSAL';
  return 'state' in message && message.state !== 0 ? 'REFUSAL' : 'ANSWER';
}

function isDone(status: number): boolean {
  const { kind } = statusMeaning(status);
  return kind === 'DONE' || kind === 'ONLINE';
}

function canAnswer(waiting: CommandType, message: Received): boolean {
  if (message.type !== 'transaction') return true;
  const code = message.resultCode;
  const kind = code === undefined ? onlineStatus(message.status) : TRANSACTION_RESULTS.get(code)?.kind;
  return kind === undefined || impossibleResults[waiting]?.has(kind) !== true;
}

function onlineStatus(status: number): ResultKind | undefined {
  return status === STATUS_ONLINE ? 'GO_ONLINE' : undefined;
}
