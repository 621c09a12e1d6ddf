// The request from its single send to its end.
import type { RecoveryReasonCode } from '../../app/contract/recovery.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { ExchangeHooks, TerminalOutcome } from '../../app/ports/terminal.ts';
import { createProgressReporter } from '../session/progress-reporter.ts';
import { caisseApLimits } from './caisse-ap-limits.ts';
import type { CaisseApSettings } from './caisse-ap-settings.ts';
import { encodeRequest } from './codec/requests.ts';
import type { CaisseApConnection } from './connection.ts';
import { judgeReply } from './judge.ts';
import { describeCommand, type MoneyCommand, requestFor } from './operations.ts';

export interface RunDeps {
  readonly clock: Clock;
  readonly settings: CaisseApSettings;
  readonly connection: CaisseApConnection;
  readonly command: MoneyCommand;
}

/** Sends the request, once, and stays with it until it is answered or its answer is lost. */
export async function runCommand(deps: RunDeps, hooks: ExchangeHooks): Promise<TerminalOutcome> {
  const { clock, settings, connection, command } = deps;
  if (!connection.isOpen())
    return {
      kind: 'NOT_STARTED',
      errorCode: 'TERMINAL_UNREACHABLE',
      message: 'The terminal closed the connection before it was asked; nothing was sent.',
    };
  const { answerTimeoutMs, acceptTimeoutMs } = caisseApLimits;
  const answering = connection.ask(
    encodeRequest(requestFor(command, settings)),
    settings.answerMode === 'WAIT' ? answerTimeoutMs : acceptTimeoutMs,
  );
  // All that can be told of its progress: the terminal says nothing before the end.
  createProgressReporter(hooks)({ step: 'WAITING_FOR_CARD', message: 'The terminal was asked for the payment' });
  const answer = await answering;
  const unknown = (message: string, reasonCode: RecoveryReasonCode, isLost: boolean): TerminalOutcome => ({
    kind: 'UNKNOWN',
    message,
    reasonCode,
    evidence: [
      {
        at: new Date(clock.nowMs()).toISOString(),
        question: describeCommand(command),
        answer: message,
        questionCode: 'COMMAND',
        answerCode: isLost ? 'LOST' : 'UNCLEAR',
      },
    ],
  });
  if (answer.kind === 'LOST')
    return unknown(`The answer of the terminal was lost: ${answer.reason}.`, 'ANSWER_LOST', true);
  const judged = judgeReply(answer.bytes, command, settings);
  return judged.kind === 'NO_CONCLUSION' ? unknown(judged.message, judged.reasonCode, false) : judged;
}
