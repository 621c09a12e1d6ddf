// The attached ECR17 terminal between payments: learns its status and its last result, and remembers them.
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import {
  type AttachedLine,
  createAttachedLine,
  type LineConnection,
  type LineEvents,
} from '../session/attached-line.ts';
import type { LinkFactory } from '../session/link.ts';
import { CLOSED_BY_TERMINAL } from '../transport/transport.ts';
import { OPERATIVE_STATE, TERMINAL_STATES } from './codec/session-replies.ts';
import { createConnection, type Ecr17Connection } from './connection.ts';
import { type Ecr17Settings, ecr17Limits } from './ecr17-settings.ts';
import { markOf, REFUSED_MARK } from './mark.ts';
import { createTerminalMemory, type TerminalMemory } from './memory.ts';
import { createQuestions, type Questions } from './questions.ts';

/** A live connection and the questions that can be put through it. */
export interface Attached extends LineConnection {
  readonly connection: Ecr17Connection;
  readonly questions: Questions;
}

export interface Attachment extends AttachedLine<Attached> {
  readonly memory: TerminalMemory;
  /** Asks for the status and remembers it. The caller holds the turn. */
  askStatus(attached: Attached): ReturnType<Questions['status']>;
  /** Asks for the last result and remembers it, unless the terminal is known to fall silent at that. The caller holds the turn. */
  learnLastResult(
    attached: Attached,
  ): Promise<Awaited<ReturnType<Questions['lastResult']>> | { readonly kind: 'NOT_TOLD' }>;
}

export interface AttachmentDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly terminalId: string;
  readonly settings: Ecr17Settings;
  readonly line: 'TCP' | 'SERIAL';
  readonly createLink: LinkFactory;
  onChange(): void;
}

/** Refusals of the question for the status after which it is not only busy: nothing in it is unknown to a terminal, except how its check byte is counted. */
const MAX_REFUSALS = 3;
const REFUSES =
  'The terminal refuses every message. It is in the middle of something, or it counts the check byte (lrc) in another way than is set here.';
/** What a terminal without an id of its own may echo. */
const NO_TERMINAL_ID = '00000000';

export function createAttachment(deps: AttachmentDeps): Attachment {
  const { clock, settings } = deps;
  const memory = createTerminalMemory();
  let refusals = 0;

  const line: AttachedLine<Attached> = createAttachedLine({
    clock,
    log: deps.log,
    terminalId: deps.terminalId,
    noun: 'terminal',
    limits: { ...ecr17Limits, maxHoldMs: ecr17Limits.paymentTimeoutMs },
    makeConnection,
    async setUp(made) {
      // Opened for somebody who has asked all this himself: a terminal that closes after each operation is not asked once more behind it.
      if (line.isReady(made)) return;
      const answer = await askStatus(made);
      if (answer.kind === 'STATUS' && line.current() === made) await learnLastResult(made);
    },
    keepAlive: {
      delayMs: () => ecr17Limits.keepAliveMs,
      ask: async (made) => void (await askStatus(made)),
    },
    // Some terminals close their TCP connection after each operation. A serial line has no such end.
    ...(deps.line === 'TCP'
      ? {
          onDemand: {
            maxOpenMs: ecr17Limits.maxTurnWaitMs,
            isOrdinaryEnd: (made, reason) => reason === CLOSED_BY_TERMINAL && made.connection.isAtRest(),
          },
        }
      : {}),
    onChange: deps.onChange,
  });

  function makeConnection(events: LineEvents): Attached {
    const connection = createConnection({ ...events, clock, createLink: deps.createLink });
    return {
      open: (signal) => connection.open(signal),
      isOpen: () => connection.isOpen(),
      close: (reason) => connection.close(reason),
      connection,
      questions: createQuestions(connection, settings),
    };
  }

  async function askStatus(made: Attached): ReturnType<Questions['status']> {
    const answer = await made.questions.status();
    refusals = answer.kind === 'REFUSED' ? refusals + 1 : 0;
    if (answer.kind === 'REFUSED') {
      const isBusy = refusals < MAX_REFUSALS;
      line.learn(made, { isReady: true, isTerminalBusy: isBusy, problem: isBusy ? null : REFUSES });
    }
    if (answer.kind !== 'STATUS') return answer;
    const { state, software, terminalId } = answer.status;
    line.learn(made, {
      isReady: true,
      isTerminalBusy: false,
      problem: state === OPERATIVE_STATE ? null : notOperativeWords(state),
      ...(software === '' ? {} : { firmwareVersion: software }),
      ...(terminalId === NO_TERMINAL_ID ? {} : { serialNumber: terminalId }),
    });
    return answer;
  }

  async function learnLastResult(made: Attached): ReturnType<Attachment['learnLastResult']> {
    if (!memory.tellsLastResult) return { kind: 'NOT_TOLD' };
    const answer = await made.questions.lastResult();
    if (answer.kind === 'RESULT') memory.learn(markOf(answer.last));
    if (answer.kind === 'REFUSED') memory.learn(REFUSED_MARK);
    if (answer.kind === 'SILENT' && answer.reason === 'SILENT') memory.tellsLastResult = false;
    return answer;
  }

  return { ...line, memory, askStatus, learnLastResult };
}

/** What a terminal that takes no payments says of itself, as a sentence for the person at the till. */
export function notOperativeWords(state: string): string {
  return `The terminal reports state ${state}: ${TERMINAL_STATES[state] ?? 'not operative'}.`;
}
