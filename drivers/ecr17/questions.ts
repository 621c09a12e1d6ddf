// What the till asks a terminal without moving money: status, last result, totals, where receipts go.
import type { StatusReply } from './codec/message-types.ts';
import type { Ecr17Connection, ExchangeResult, Judgement, LostReason, Reply } from './connection.ts';
import { type Ecr17Settings, ecr17Limits } from './ecr17-settings.ts';
import { type LastResult, lastResultOf } from './last-result.ts';
import { questionCommand, receiptsToTillCommand, statusCommand } from './operations.ts';

/** Three NAK: the terminal does not know the question, or is in the middle of something. */
export interface Refused {
  readonly kind: 'REFUSED';
}

/** No answer came: the link was lost or the time ran out. The connection is closed. */
export interface Silent {
  readonly kind: 'SILENT';
  readonly reason: LostReason;
  readonly words: string;
}

export interface Questions {
  status(): Promise<{ readonly kind: 'STATUS'; readonly status: StatusReply } | Refused | Silent>;
  lastResult(): Promise<
    { readonly kind: 'RESULT'; readonly reply: Reply; readonly last: LastResult } | Refused | Silent
  >;
  /** `totalMinor` is absent when the terminal says no. */
  totals(): Promise<{ readonly kind: 'TOTALS'; readonly totalMinor?: number } | Refused | Silent>;
  /** The receipt of the next procedure goes to the till (E 1). */
  receiptsToTill(): Promise<{ readonly kind: 'DONE' } | Refused | Silent>;
}

/**
 * What is done with a message that answers something else. A result that nobody waits for has no place on disk, so that it is not acknowledged; anything
 * else moves nothing, and the terminal may stop repeating it.
 */
export function judgeOther(reply: Reply): Judgement {
  const last = lastResultOf(reply);
  return last === undefined || last.procedure === 'TOTALS' ? 'IGNORE' : 'LEAVE';
}

const question = { ending: 'REPLY', replyTimeoutMs: ecr17Limits.questionTimeoutMs } as const;

export function createQuestions(connection: Ecr17Connection, settings: Ecr17Settings): Questions {
  return {
    async status() {
      const judge = (reply: Reply): Judgement => (reply.type === 'status-reply' ? 'TAKE' : judgeOther(reply));
      const result = await connection.exchange({ ...question, command: statusCommand, judge });
      return result.kind === 'REPLIED' && result.reply.type === 'status-reply'
        ? { kind: 'STATUS', status: result.reply }
        : negative(result);
    },

    async lastResult() {
      const command = questionCommand('last-result', settings);
      const judge = (reply: Reply): Judgement => (lastResultOf(reply) === undefined ? 'IGNORE' : 'TAKE');
      const result = await connection.exchange({ ...question, command, judge });
      const last = result.kind === 'REPLIED' ? lastResultOf(result.reply) : undefined;
      return result.kind === 'REPLIED' && last !== undefined
        ? { kind: 'RESULT', reply: result.reply, last }
        : negative(result);
    },

    async totals() {
      const command = questionCommand('totals', settings);
      const judge = (reply: Reply): Judgement => (reply.type === 'totals-reply' ? 'TAKE' : judgeOther(reply));
      const result = await connection.exchange({ ...question, command, judge });
      if (result.kind !== 'REPLIED' || result.reply.type !== 'totals-reply') return negative(result);
      const { terminalTotalMinor: totalMinor } = result.reply;
      return { kind: 'TOTALS', ...(totalMinor === undefined ? {} : { totalMinor }) };
    },

    async receiptsToTill() {
      const result = await connection.exchange({
        command: receiptsToTillCommand,
        ending: 'ACKNOWLEDGEMENT',
        replyTimeoutMs: ecr17Limits.questionTimeoutMs,
      });
      return result.kind === 'ACKNOWLEDGED' ? { kind: 'DONE' } : negative(result);
    },
  };
}

function negative(result: ExchangeResult): Refused | Silent {
  if (result.kind === 'REFUSED') return { kind: 'REFUSED' };
  if (result.kind === 'LOST') return { kind: 'SILENT', reason: result.reason, words: result.message };
  return { kind: 'SILENT', reason: 'UNREADABLE', words: 'an answer without content' };
}
