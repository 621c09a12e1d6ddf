// The gate before a command: the terminal answers, is operative and at rest, and has told what recovery will compare with.
import { BridgeError } from '../../app/contract/errors.ts';
import type { Clock } from '../../app/ports/clock.ts';
import type { TerminalCommand } from '../../app/ports/terminal.ts';
import { gaveUp, pause } from '../session/give-up.ts';
import { type Attached, type Attachment, notOperativeWords } from './attachment.ts';
import { OPERATIVE_STATE } from './codec/session-replies.ts';
import { ecr17Limits } from './ecr17-settings.ts';
import { type Mark, UNKNOWN_MARK } from './mark.ts';

export interface ReadinessDeps {
  readonly clock: Clock;
  readonly attachment: Attachment;
  readonly signal: AbortSignal;
}

export interface Ready {
  readonly attached: Attached;
  readonly mark: Mark;
}

/** Resolves when the terminal may be given the command. The caller holds the turn. @throws BridgeError */
export async function makeReady(
  deps: ReadinessDeps,
  first: Attached,
  operation: TerminalCommand['operation'],
): Promise<Ready> {
  const ready = await withLastResult(deps, await operative(deps, first));
  const { attached, mark } = operation === 'DAY_CLOSE' ? await withTotals(deps, ready) : ready;
  return { attached: await stillOpen(deps, attached), mark };
}

/** What recovery of a day close compares with. @throws BridgeError */
async function withTotals(deps: ReadinessDeps, { attached: probed, mark }: Ready): Promise<Ready> {
  const attached = await stillOpen(deps, probed);
  const totals = await attached.questions.totals();
  if (deps.signal.aborted) throw gaveUp();
  if (totals.kind === 'SILENT') throw silent(totals.words);
  const total = totals.kind === 'TOTALS' ? totals.totalMinor : undefined;
  return { attached, mark: { ...mark, ...(total === undefined ? {} : { sessionTotalMinor: total }) } };
}

/** Some terminals close the connection after each answer: a new one then. @throws BridgeError */
async function stillOpen(deps: ReadinessDeps, attached: Attached): Promise<Attached> {
  return attached.isOpen() ? attached : reopened(deps, 'it closed the connection');
}

/** A terminal that has just answered is as ready on its next connection. @throws BridgeError */
async function reopened(deps: ReadinessDeps, words: string): Promise<Attached> {
  const next = await newConnection(deps, words);
  deps.attachment.learn(next, { isReady: true });
  return next;
}

/** Probes the connection, which may have been closed since the last operation, once more on a new one. @throws BridgeError */
async function operative(deps: ReadinessDeps, first: Attached): Promise<Attached> {
  const { attachment, clock, signal } = deps;
  let attached = first;
  let isStale = false;
  for (let waits = 0; ; ) {
    const answer = await attachment.askStatus(attached);
    if (signal.aborted) throw gaveUp();
    if (answer.kind === 'STATUS') {
      const { state } = answer.status;
      if (state === OPERATIVE_STATE) return attached;
      throw new BridgeError('TERMINAL_NOT_READY', notOperativeWords(state));
    }
    if (answer.kind === 'REFUSED') {
      if (waits >= ecr17Limits.maxWaitRetries || !(await pause(clock, ecr17Limits.waitRetryMs, signal)))
        throw new BridgeError('TERMINAL_BUSY', attachment.state().problem ?? 'The terminal is busy.');
      waits++;
      continue;
    }
    if (isStale) throw silent(answer.words);
    isStale = true;
    attached = await newConnection(deps, answer.words);
  }
}

/** @throws BridgeError */
async function newConnection({ attachment, signal }: ReadinessDeps, words: string): Promise<Attached> {
  const next = await attachment.waitForLink(signal, ecr17Limits.maxTurnWaitMs);
  if (signal.aborted) throw gaveUp();
  if (next === undefined) throw silent(words);
  return next;
}

/** A terminal that falls silent at the question for its last result is connected anew and paid with without it. @throws BridgeError */
async function withLastResult(deps: ReadinessDeps, probed: Attached): Promise<Ready> {
  const { attachment, signal } = deps;
  let attached = await stillOpen(deps, probed);
  let answer = await attachment.learnLastResult(attached);
  if (answer.kind === 'SILENT' && answer.reason === 'LINK_LOST' && !signal.aborted) {
    attached = await reopened(deps, answer.words);
    answer = await attachment.learnLastResult(attached);
  }
  if (signal.aborted) throw gaveUp();
  if (answer.kind === 'NOT_TOLD') return { attached, mark: UNKNOWN_MARK };
  if (answer.kind !== 'SILENT') return { attached, mark: attachment.memory.mark() };
  if (attachment.memory.tellsLastResult) throw silent(answer.words);
  return { attached: await operative(deps, await newConnection(deps, answer.words)), mark: UNKNOWN_MARK };
}

function silent(words: string): BridgeError {
  return new BridgeError('TERMINAL_UNREACHABLE', `The terminal does not answer: ${words}.`);
}
