// A card from its presentation to the question for its issuer: 60-10 or 02-40, 60-11, 62-01. Nothing of it moves money.
import type { TerminalOutcome, TerminalProgress } from '../../app/ports/terminal.ts';
import {
  amountMinorOf,
  type CardReplies,
  cardFactsOf,
  chipDataOf,
  type PinBlock,
  readingOf,
  wantsOnlinePin,
} from './card-reading.ts';
import type { CommandEnd, NeoConnection } from './connection.ts';
import type { Received } from './expected-replies.ts';
import { neo2Limits } from './neo2-limits.ts';
import type { Neo2Settings } from './neo2-settings.ts';
import { type CardCommand, type StartCommand, startCommand, stripeCommand } from './operations.ts';
import { readPinStep } from './pin-step.ts';
import { cancelled, type Ended, failed, readStep } from './step-ends.ts';

export interface CardStepDeps {
  readonly connection: NeoConnection;
  readonly settings: Neo2Settings;
  readonly command: CardCommand;
  onProgress(progress: TerminalProgress): void;
  isAbortRequested(): boolean;
}

/** A card that waits for its issuer's answer. */
export interface OpenCard {
  readonly replies: CardReplies;
  /** The chip is seated and takes the answer; a tap or a swipe is over. */
  readonly isSeated: boolean;
  readonly isFallback: boolean;
}

export type CardStepEnd = Ended | { readonly kind: 'OPEN'; readonly outcome: TerminalOutcome; readonly card: OpenCard };

const WAITING = 'Present the card.';
const SWIPE = 'The chip does not work: swipe the card.';
/** Status 0E: a card was seen. */
const CARD_SEEN = 0x01;
const PIN_PROMPT = 'ENTER PIN';

/** Runs the card up to its issuer. An abort that was asked for ends it between two steps, whatever the card has said meanwhile. */
export async function runCardStep(deps: CardStepDeps): Promise<CardStepEnd> {
  const end = await present(deps, startCommand(deps.command, deps.settings), WAITING, []);
  if (!deps.isAbortRequested() || end.outcome.kind === 'CHIP_APPROVED') return end;
  // Its own 05-01 has ended what ran; only a card that answered before it may still be held.
  return cancelled('POS_REQUEST', end.kind === 'ENDED' && end.isAtRest);
}

async function present(
  deps: CardStepDeps,
  start: StartCommand,
  message: string,
  before: CardReplies,
): Promise<CardStepEnd> {
  deps.onProgress({ step: 'WAITING_FOR_CARD', message });
  const isFallback = before.length > 0;
  const end = await deps.connection.ask(start, {
    isStillWanted: () => !deps.isAbortRequested(),
    answerTimeoutMs: neo2Limits.cardTimeoutSeconds * 1_000 + neo2Limits.answerMarginMs,
    firstResponseTimeoutMs: neo2Limits.answerTimeoutMs,
    onAside: (aside) => tellCard(deps, aside),
  });
  const told = refusedStart(end) ?? readStep(end, false);
  if (told.kind === 'ENDED') return told;
  const replies = [told.reply];
  if (told.result === 'FALL_BACK')
    return fallBack(deps, told.reply.attribution.interface === 'CONTACT', isFallback, replies);
  const card = cardFactsOf(replies, isFallback);
  deps.onProgress({ step: 'CARD_DETECTED', card });
  if (isOtherAmount(deps.command, replies)) return otherAmount;
  const isSeated = isContact(deps, told.reply.attribution.interface);
  const isAtRest = !(isSeated && told.result === 'CONTINUE');
  if (deps.command.operation === 'CARD_READ')
    return { kind: 'ENDED', outcome: { kind: 'APPROVED', card, reference: {}, receipts: [] }, isAtRest };
  const opened = { replies, isSeated, isFallback };
  if (isSeated && told.result === 'CONTINUE') return authenticate(deps, opened);
  return decide(deps, opened, told.result === 'CONTINUE' ? 'GO_ONLINE' : told.result);
}

/** The card signs an amount: one that is not the till's must reach no issuer. */
function isOtherAmount(command: CardCommand, replies: CardReplies): boolean {
  const told = amountMinorOf(replies);
  return command.operation === 'GRANULAR' && told !== undefined && told !== command.amountMinor;
}

const otherAmount = failed('The card was asked for another amount than the one that was sent; nothing was authorized.');

/** The first command was refused before anything was done. */
function refusedStart(end: CommandEnd): Ended | undefined {
  if (end.kind !== 'ANSWERED' || end.message.type !== 'reply') return undefined;
  const { status } = end.message;
  const errorCode = refusalCodes.get(status);
  if (errorCode === undefined) return undefined;
  const message =
    errorCode === 'TERMINAL_BUSY'
      ? 'The reader is in the middle of something else.'
      : 'The reader cannot read cards in this way.';
  return { kind: 'ENDED', outcome: { kind: 'NOT_STARTED', errorCode, message }, isAtRest: false };
}

const refusalCodes: ReadonlyMap<number, 'TERMINAL_BUSY' | 'OPERATION_NOT_SUPPORTED'> = new Map([
  [0x02, 'OPERATION_NOT_SUPPORTED'],
  [0x03, 'OPERATION_NOT_SUPPORTED'],
  [0x06, 'OPERATION_NOT_SUPPORTED'],
  [0x0b, 'TERMINAL_BUSY'],
  [0x0c, 'TERMINAL_BUSY'],
]);

function isContact({ command }: CardStepDeps, origin: string | undefined): boolean {
  return origin === 'CONTACT' && command.entryMode !== 'CONTACTLESS';
}

/** A chip that does not work is swiped instead, once. */
function fallBack(
  deps: CardStepDeps,
  isChip: boolean,
  isFallback: boolean,
  replies: CardReplies,
): Promise<CardStepEnd> | Ended {
  if (!isChip) return failed('The card asks for another way to be read: insert it.', 'CARD_READ_FAILED', true);
  if (isFallback) return failed('The stripe of the card could not be read.', 'CARD_READ_FAILED', true);
  return present(deps, stripeCommand(deps.command, deps.settings), SWIPE, replies);
}

async function authenticate(deps: CardStepDeps, card: OpenCard): Promise<CardStepEnd> {
  const timeoutSeconds = neo2Limits.nextStepTimeoutSeconds;
  const end = await deps.connection.ask(
    { type: 'authenticate', flags: 0, timeoutSeconds, tags: [] },
    {
      isStillWanted: () => !deps.isAbortRequested(),
      answerTimeoutMs: neo2Limits.authenticateTimeoutMs,
      firstResponseTimeoutMs: neo2Limits.answerTimeoutMs,
    },
  );
  const told = readStep(end, true);
  if (told.kind === 'ENDED') return told;
  const replies = [...card.replies, told.reply];
  if (told.result === 'FALL_BACK') return fallBack(deps, true, false, replies);
  if (isOtherAmount(deps.command, replies)) return otherAmount;
  return decide(deps, { ...card, replies }, told.result);
}

/** What the card decided; when it asks its issuer, the PIN comes first where it is the issuer's to check. */
async function decide(deps: CardStepDeps, card: OpenCard, result: string): Promise<CardStepEnd> {
  const { replies, isFallback } = card;
  const facts = cardFactsOf(replies, isFallback);
  if (result === 'GO_ONLINE') return goOnline(deps, card);
  // A result that its own cryptogram contradicts approves nothing.
  if (result === 'APPROVED' && (facts.cryptogramType ?? 'TC') === 'TC') {
    const outcome: TerminalOutcome = { kind: 'CHIP_APPROVED', chipData: chipDataOf(replies, undefined), card: facts };
    return { kind: 'ENDED', outcome, isAtRest: true };
  }
  const reason = 'The card declined without asking its issuer.';
  return { kind: 'ENDED', outcome: { kind: 'DECLINED', card: facts, reason, receipts: [] }, isAtRest: true };
}

async function goOnline(deps: CardStepDeps, card: OpenCard): Promise<CardStepEnd> {
  let pin: PinBlock | undefined;
  if (wantsOnlinePin(card.replies)) {
    const told = await askPin(deps);
    if (told.kind === 'ENDED') return told;
    pin = told.pin;
  }
  const reading = readingOf(card.replies, pin);
  const outcome: TerminalOutcome = {
    kind: 'PENDING_ONLINE',
    chipData: chipDataOf(card.replies, pin),
    card: cardFactsOf(card.replies, card.isFallback),
    ...(reading === undefined ? {} : { reading }),
  };
  return { kind: 'OPEN', outcome, card };
}

async function askPin({
  connection,
  onProgress,
  isAbortRequested,
}: CardStepDeps): Promise<ReturnType<typeof readPinStep>> {
  const end = await connection.ask(
    { type: 'get-encrypted-pin', keyUse: 'DUKPT_OWN_PAN', maxDigits: 12, minDigits: 4, prompt: PIN_PROMPT },
    {
      isStillWanted: () => !isAbortRequested(),
      answerTimeoutMs: neo2Limits.pinTimeoutMs + neo2Limits.answerMarginMs,
      onTaken: () => onProgress({ step: 'PIN_REQUIRED' }),
    },
  );
  return readPinStep(end);
}

function tellCard({ onProgress }: CardStepDeps, aside: Received): void {
  if (aside.type === 'progress' && aside.transactionStatus === CARD_SEEN)
    onProgress({ step: 'CARD_DETECTED', card: {} });
}
