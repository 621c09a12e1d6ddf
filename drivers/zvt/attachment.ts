// The attached ZVT terminal between payments: registers it, learns its status and last receipt, serves what it begins by itself.
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type { TerminalBatchTotals } from '../../app/ports/terminal.ts';
import {
  type AttachedLine,
  createAttachedLine,
  type LineConnection,
  type LineEvents,
} from '../session/attached-line.ts';
import type { LinkFactory } from '../session/link.ts';
import { BUSY, fellSilent, isBusyAnswer, isUnableToRepeat, markFromAnswer, registrationProblem } from './answers.ts';
import { type TerminalStatusMeaning, terminalStatusOf } from './codec/status-tables.ts';
import { createConnection, type ZvtConnection } from './connection.ts';
import { type Mark, UNKNOWN_MARK } from './mark.ts';
import {
  type AbortPatience,
  createQuestions,
  type Questions,
  type Refused,
  type Registered,
  type Silent,
} from './questions.ts';
import { createUnaskedMessages } from './unasked.ts';
import { type ZvtSettings, zvtLimits } from './zvt-settings.ts';

/** A live connection and the questions that can be put through it. */
export interface Attached extends LineConnection {
  readonly connection: ZvtConnection;
  readonly questions: Questions;
}

export interface Attachment extends AttachedLine<Attached> {
  /** Registers unless that was done on this connection. The caller holds the turn. */
  ensureRegistered(attached: Attached): Promise<Registered | Refused | Silent>;
  /** Registers anew. The caller holds the turn. */
  register(attached: Attached): Promise<Registered | Refused | Silent>;
  /** Asks for the last receipt and remembers it. The caller holds the turn. */
  learnMark(attached: Attached): Promise<Awaited<ReturnType<Questions['lastReceipt']>>>;
  /** Asks for the totals of the open batch, unless the terminal is known to fall silent at that. The caller holds the turn. */
  learnTurnover(
    attached: Attached,
  ): Promise<Awaited<ReturnType<Questions['turnover']>> | { readonly kind: 'NOT_TOLD' }>;
  /** Asks for the status and remembers it. The caller holds the turn. */
  askStatus(attached: Attached): Promise<Awaited<ReturnType<Questions['status']>>>;
  mark(): Mark;
  setMark(mark: Mark): void;
  /** The answer to a command was lost: on the next connection the abort comes before everything but the registration. */
  abortOnReconnect(): void;
}

export interface AttachmentDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly terminalId: string;
  readonly settings: ZvtSettings;
  readonly createLink: LinkFactory;
  onChange(): void;
  onBatchClosed(batch: TerminalBatchTotals): void;
}

/** Status enquiries without an answer after which the link counts as dead. */
const MAX_MISSED_ENQUIRIES = 2;
/** After an enquiry that was answered late or not at all: silence in which its answer may still arrive, to be taken as nothing. */
const SETTLE_MS = 500;
const MISSED_RETRY_MS = 5_000;

const lineLimits = { ...zvtLimits, maxHoldMs: zvtLimits.completionTimeoutMs };

export function createAttachment(deps: AttachmentDeps): Attachment {
  const { clock, log, settings, terminalId } = deps;
  const unasked = createUnaskedMessages({
    onBatchClosed: deps.onBatchClosed,
    mark: () => mark,
    onMark: setMark,
  });
  const patience: AbortPatience = { endMs: zvtLimits.abortEndMs };
  let mark: Mark = UNKNOWN_MARK;
  let canRepeatReceipts = true;
  let canTellTurnover = true;
  let missedEnquiries = 0;
  let isAbortDue = false;

  const line: AttachedLine<Attached> = createAttachedLine({
    clock,
    log,
    terminalId,
    noun: 'terminal',
    limits: lineLimits,
    makeConnection,
    setUp,
    keepAlive: {
      delayMs: () => (missedEnquiries > 0 || line.ready() === undefined ? MISSED_RETRY_MS : zvtLimits.keepAliveMs),
      ask: stayRegistered,
    },
    onLost() {
      unasked.linkLost();
      missedEnquiries = 0;
    },
    onChange: deps.onChange,
  });

  function makeConnection(events: LineEvents): Attached {
    const connection: ZvtConnection = createConnection({
      ...events,
      clock,
      createLink: deps.createLink,
      serve: (message) => unasked.serve(message),
    });
    return {
      open: (signal) => connection.open(signal),
      isOpen: () => connection.isOpen(),
      close: (reason) => connection.close(reason),
      connection,
      questions: createQuestions(connection, settings, patience, (message) => unasked.serve(message)),
    };
  }

  function setMark(next: Mark): void {
    mark = next;
  }

  /** After a new connection: register, learn the status and the last receipt. */
  async function setUp(made: Attached): Promise<void> {
    const goesOn = () => line.current() === made;
    const answer = await ensureRegistered(made);
    if (answer.kind === 'SILENT' && line.isAttached(made)) await made.close('no answer to the registration');
    if (isAbortDue && goesOn()) {
      isAbortDue = false;
      await made.questions.abort();
    }
    if (answer.kind !== 'REGISTERED' || !goesOn()) return;
    const status = await askStatus(made);
    if (status.kind === 'STATUS' && goesOn()) await repairIfAsked(made, terminalStatusOf(status.code));
    if (goesOn()) await learnMark(made);
  }

  async function repairIfAsked(made: Attached, meaning: TerminalStatusMeaning): Promise<void> {
    if (meaning.action !== 'initialise' && meaning.action !== 'diagnose') return;
    await made.questions.repair(meaning.action === 'initialise' ? 'initialisation' : 'diagnosis');
    if (line.isAttached(made)) await askStatus(made);
  }

  async function ensureRegistered(made: Attached): Promise<Registered | Refused | Silent> {
    return line.isReady(made) ? { kind: 'REGISTERED' } : register(made);
  }

  async function register(made: Attached): Promise<Registered | Refused | Silent> {
    const answer = await made.questions.register();
    if (answer.kind === 'SILENT') line.learn(made, { isReady: false, isTerminalBusy: false });
    if (answer.kind === 'REGISTERED')
      line.learn(made, { isReady: true, isTerminalBusy: false, problem: null, serialNumber: answer.terminalId });
    if (answer.kind === 'REFUSED') {
      const isTerminalBusy = answer.code === BUSY;
      const problem = isTerminalBusy ? null : registrationProblem(answer, settings);
      line.learn(made, { isReady: false, isTerminalBusy, problem });
    }
    return answer;
  }

  async function askStatus(made: Attached): Promise<Awaited<ReturnType<Questions['status']>>> {
    const wasMissed = missedEnquiries > 0;
    const answer = await made.questions.status();
    if (!line.isAttached(made)) return answer;
    if (answer.kind === 'SILENT') {
      missedEnquiries++;
      line.learn(made, { problem: 'The terminal does not answer.' });
      if (missedEnquiries >= MAX_MISSED_ENQUIRIES) await made.close('the terminal does not answer');
      return answer;
    }
    missedEnquiries = 0;
    // The answer to an enquiry that seemed lost may be this one; its own would then be taken for the end of a payment.
    if (wasMissed) await settle();
    line.learn(made, {
      isTerminalBusy: isBusyAnswer(answer),
      ...(answer.kind === 'STATUS'
        ? { firmwareVersion: answer.softwareVersion, problem: problemOf(terminalStatusOf(answer.code)) }
        : {}),
    });
    return answer;
  }

  function settle(): Promise<void> {
    return new Promise((resolve) => {
      clock.after(SETTLE_MS, resolve);
    });
  }

  async function learnMark(made: Attached): Promise<Awaited<ReturnType<Questions['lastReceipt']>>> {
    if (!canRepeatReceipts) return { kind: 'NOTHING' };
    const answer = await made.questions.lastReceipt();
    const told = markFromAnswer(answer);
    // "Not possible" says less than a receipt that is known already.
    if (told !== undefined && (told.knowledge !== 'REFUSED' || mark.knowledge === 'UNKNOWN')) mark = told;
    // A terminal that cannot do this is not asked again before each payment: a try without an answer costs the link.
    if (isUnableToRepeat(answer)) canRepeatReceipts = false;
    return answer;
  }

  async function learnTurnover(made: Attached): ReturnType<Attachment['learnTurnover']> {
    if (!canTellTurnover) return { kind: 'NOT_TOLD' };
    const answer = await made.questions.turnover();
    // Asked again it would cost the link at every try to close the day.
    if (!fellSilent(answer)) return answer;
    canTellTurnover = false;
    return { kind: 'NOT_TOLD' };
  }

  async function stayRegistered(made: Attached): Promise<void> {
    const answer = await ensureRegistered(made);
    if (answer.kind === 'REGISTERED') await askStatus(made);
  }

  return {
    ...line,
    abortOnReconnect() {
      isAbortDue = true;
    },
    ensureRegistered,
    register,
    learnMark,
    learnTurnover,
    askStatus,
    mark: () => mark,
    setMark,
  };
}

function problemOf({ isReady, action, meaning }: TerminalStatusMeaning): string | null {
  return isReady || action === 'wait' ? null : `The terminal reports: ${meaning}.`;
}
