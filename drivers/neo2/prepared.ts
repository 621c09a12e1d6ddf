// A payment at the reader: run up to the issuer, then complete; it holds the reader until its end.
import { BridgeError } from '../../app/contract/errors.ts';
import type { CompleteRequest } from '../../app/contract/transactions.ts';
import type { ExchangeHooks, PreparedExchange, TerminalOutcome } from '../../app/ports/terminal.ts';
import type { Turn } from '../session/turns.ts';
import type { Attachment } from './attachment.ts';
import { type OpenCard, runCardStep } from './card-step.ts';
import { applyCommand, applyOnce, outcomeByChip, outcomeByIssuer } from './complete-card.ts';
import type { NeoConnection } from './connection.ts';
import type { Neo2Settings } from './neo2-settings.ts';
import type { CardCommand } from './operations.ts';

export interface PreparedDeps {
  readonly settings: Neo2Settings;
  readonly attachment: Attachment;
  readonly connection: NeoConnection;
  readonly turn: Turn;
  readonly command: CardCommand;
}

/** WAITING: the card waits for its issuer. */
type Phase = 'READY' | 'RUNNING' | 'WAITING' | 'COMPLETING' | 'DONE';

export function createPrepared({ settings, attachment, connection, turn, command }: PreparedDeps): PreparedExchange {
  let phase: Phase = 'READY';
  let isAbortRequested = false;
  let card: OpenCard | undefined;
  let completion: Promise<TerminalOutcome> | undefined;
  const amountMinor = 'amountMinor' in command ? command.amountMinor : 0;

  async function run(hooks: ExchangeHooks): Promise<TerminalOutcome> {
    if (phase !== 'READY') throw new BridgeError('ILLEGAL_STATE', 'A prepared command runs once.');
    phase = 'RUNNING';
    attachment.setBusy(true);
    let isAtRest = false;
    try {
      const end = await runCardStep({
        connection,
        settings,
        command,
        onProgress: (progress) => hooks.onProgress(progress),
        isAbortRequested: () => isAbortRequested,
      });
      if (end.kind === 'OPEN') {
        card = end.card;
        phase = 'WAITING';
      } else isAtRest = end.isAtRest;
      return end.outcome;
    } finally {
      if (phase === 'RUNNING') finish(isAtRest);
    }
  }

  /** Gives the reader free when nothing is under way any more; whoever waits for the outcome does not wait for that. */
  function finish(isAtRest: boolean): void {
    phase = 'DONE';
    void rest(isAtRest).finally(() => {
      attachment.setBusy(false);
      turn.release();
    });
  }

  async function rest(isAtRest: boolean): Promise<void> {
    if (!isAtRest) await connection.cancel();
    await connection.whenFree();
  }

  /** A positive answer is not the end: that still comes through `run`. What has ended for `run` ends by `complete` or `discard`. */
  async function requestAbort(): Promise<'REQUESTED' | 'TOO_LATE'> {
    if (phase !== 'READY' && phase !== 'RUNNING') return 'TOO_LATE';
    const wasRequested = isAbortRequested;
    isAbortRequested = true;
    if (phase === 'READY' || (await connection.cancel()) !== 'REFUSED') return 'REQUESTED';
    isAbortRequested = wasRequested;
    return 'TOO_LATE';
  }

  async function giveAnswer(open: OpenCard, answer: CompleteRequest): Promise<TerminalOutcome> {
    const answered = { card: open, amountMinor, answer };
    const apply = applyCommand(answer);
    phase = 'COMPLETING';
    if (!open.isSeated) {
      finish(true);
      return outcomeByIssuer(answered);
    }
    const end = await applyOnce(connection, apply, open);
    const outcome = outcomeByChip(answered, end);
    finish(outcome.kind !== 'UNKNOWN');
    return outcome;
  }

  return {
    mark: {},
    run,
    requestAbort,
    /** A second answer gets the outcome of the first: 60-12 is sent once. An answer that does not fit leaves the card waiting. */
    complete(answer) {
      if (completion !== undefined) return completion;
      if (phase !== 'WAITING' || card === undefined)
        return Promise.reject(new BridgeError('ILLEGAL_STATE', 'No card waits for its issuer.'));
      const given = giveAnswer(card, answer);
      if (phase !== 'WAITING') completion = given;
      return given;
    },
    discard() {
      if (phase === 'READY') {
        phase = 'DONE';
        turn.release();
      } else if (phase === 'WAITING') finish(card?.isSeated !== true);
    },
  };
}
