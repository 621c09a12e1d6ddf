// The issuer's answer for a card that waits: 60-12, sent once, and what the card makes of it.
import { BridgeError } from '../../app/contract/errors.ts';
import { type IssuerVerdict, verdictOf } from '../../app/contract/issuer-answers.ts';
import type { CompleteRequest } from '../../app/contract/transactions.ts';
import type { CardFacts } from '../../app/domain/transaction.ts';
import type { TerminalOutcome } from '../../app/ports/terminal.ts';
import { fromHex } from '../framing/bytes.ts';
import { cardFactsOf, chipDataOf, counterOf } from './card-reading.ts';
import type { OpenCard } from './card-step.ts';
import type { ApplyResponse } from './codec/command-types.ts';
import { encodeCommand } from './codec/commands.ts';
import type { TransactionReply } from './codec/message-types.ts';
import { decodeNeoTlv } from './codec/tlv.ts';
import { isCardApproval } from './codec/transaction-results.ts';
import { issuerResponseTags, transactionTags } from './codec/transaction-tags.ts';
import type { CommandEnd, NeoConnection } from './connection.ts';
import type { Received } from './expected-replies.ts';
import { neo2Limits } from './neo2-limits.ts';
import { resultOf } from './step-ends.ts';

/** The code under which the card is told that its issuer was not reached (EMV book 4, annex A6). */
const NOT_REACHED = 'Z3';
const MIN_ISSUER_DATA_BYTES = 8;
const MAX_ISSUER_DATA_BYTES = 16;

/** The one 60-12 of an answer. @throws BridgeError INVALID_REQUEST for what does not fit, before a byte is sent */
export function applyCommand(answer: CompleteRequest): ApplyResponse {
  const command = answerCommand(answer);
  try {
    encodeCommand(command);
  } catch (error) {
    throw new BridgeError('INVALID_REQUEST', 'The issuer scripts are too long for the reader.', {
      field: 'issuerScripts71',
      cause: error,
    });
  }
  return command;
}

function answerCommand(answer: CompleteRequest): ApplyResponse {
  const { responseCode, issuerAuthData } = answer;
  const data = issuerAuthData === undefined ? undefined : fromHex(issuerAuthData);
  if (data !== undefined && (data.length < MIN_ISSUER_DATA_BYTES || data.length > MAX_ISSUER_DATA_BYTES))
    throw new BridgeError('INVALID_REQUEST', 'Issuer authentication data (tag 91) have 8 to 16 bytes.', {
      field: 'issuerAuthData',
    });
  if (responseCode === NOT_REACHED) return { type: 'apply-response', isHostReached: false };
  const scripts = [...scriptsOf('71', answer.issuerScripts71), ...scriptsOf('72', answer.issuerScripts72)];
  const tags = issuerResponseTags({
    responseCode,
    ...(data === undefined ? {} : { issuerAuthenticationData: data }),
    scripts,
  });
  return { type: 'apply-response', isHostReached: true, tags };
}

/** A script is the content of its tag; one that comes with the tag around it is taken out of it. */
function scriptsOf(tag: '71' | '72', scripts: string | readonly string[] | undefined) {
  const list = typeof scripts === 'string' ? [scripts] : (scripts ?? []);
  return list.map((hex) => {
    const bytes = fromHex(hex);
    const read = decodeNeoTlv(bytes);
    const [only, ...others] = read.ok ? read.tags : [];
    return { tag, content: only?.tag === tag && others.length === 0 ? only.value : bytes };
  });
}

/** Asked for again after 60-12: result, cryptogram, counter and verification. */
const LAST_WORD = ['DFEE25', '9F26', '9F27', '9F10', '9F36', '95', '9B', '8A'];

/** Sends 60-12 once. Where its answer did not come whole over a link that still is, the reader is asked what it was (60-13). */
export async function applyOnce(connection: NeoConnection, apply: ApplyResponse, card: OpenCard): Promise<CommandEnd> {
  const end = await connection.ask(apply, { answerTimeoutMs: neo2Limits.applyTimeoutMs });
  const isUnheard = end.kind === 'SILENT' || (end.kind === 'ANSWERED' && end.message.type === 'malformed');
  if (!isUnheard) return end;
  const told = await connection.ask({ type: 'get-contact-result', tags: transactionTags({ outputTags: LAST_WORD }) });
  return told.kind === 'ANSWERED' && isLastWord(told.message, card) ? told : end;
}

/** What a reader kept may be of the step before, or of another card. */
function isLastWord(message: Received, card: OpenCard): boolean {
  if (message.type !== 'transaction' || verdictOfChip(message) === 'NOTHING') return false;
  const counter = counterOf([message]);
  return counter !== undefined && counter === counterOf(card.replies) && message.cryptogram !== 'ARQC';
}

interface Answered {
  readonly card: OpenCard;
  readonly amountMinor: number;
  readonly answer: CompleteRequest;
}

/** A tap or a swipe is over when its issuer answers: his code alone decides. */
export function outcomeByIssuer({ card, amountMinor, answer }: Answered): TerminalOutcome {
  const facts = withAnswer(cardFactsOf(card.replies, card.isFallback), answer);
  switch (verdictOf(answer.responseCode, amountMinor)) {
    case 'APPROVED':
      return { kind: 'APPROVED', card: facts, reference: {}, receipts: [] };
    case 'UNKNOWN':
      return undecided(answer);
    default:
      return { kind: 'DECLINED', card: facts, receipts: [] };
  }
}

/** What the chip made of the answer. Whatever is lost here is unknown, never declined: the issuer may have approved. */
export function outcomeByChip(answered: Answered, end: CommandEnd): TerminalOutcome {
  if (end.kind !== 'ANSWERED') return cardStepLost('its answer did not arrive');
  const { card, amountMinor, answer } = answered;
  const verdict = verdictOf(answer.responseCode, amountMinor);
  const { message } = end;
  const reply = message.type === 'transaction' ? message : undefined;
  const replies = reply === undefined ? card.replies : [...card.replies, reply];
  const facts = withAnswer(cardFactsOf(replies, card.isFallback), answer);
  const chip = reply === undefined ? 'NOTHING' : verdictOfChip(reply);
  if (answer.responseCode === NOT_REACHED) {
    if (chip === 'APPROVED') return { kind: 'CHIP_APPROVED', chipData: chipDataOf(replies, undefined), card: facts };
    const reason = 'The card declined: its issuer could not be reached.';
    return chip === 'DECLINED'
      ? { kind: 'DECLINED', card: facts, reason, receipts: [] }
      : cardStepLost('it told no result');
  }
  return judge(verdict, chip, facts, answer);
}

function judge(
  verdict: IssuerVerdict,
  chip: ReturnType<typeof verdictOfChip>,
  card: CardFacts,
  answer: CompleteRequest,
): TerminalOutcome {
  if (verdict === 'UNKNOWN') return undecided(answer);
  // An approval of the chip after its issuer has declined is none.
  if (verdict !== 'APPROVED') return { kind: 'DECLINED', card, receipts: [] };
  switch (chip) {
    case 'APPROVED':
      return { kind: 'APPROVED', card, reference: {}, receipts: [] };
    case 'DECLINED': {
      const { responseCode: _approval, authorizationCode: _code, ...facts } = card;
      return { kind: 'DECLINED', card: facts, reason: 'The card refused after its issuer had approved.', receipts: [] };
    }
    case 'NOTHING':
      return cardStepLost('it told no result');
  }
}

function verdictOfChip(reply: TransactionReply): 'APPROVED' | 'DECLINED' | 'NOTHING' {
  if (isCardApproval(reply)) return 'APPROVED';
  const kind = resultOf(reply)?.kind;
  return kind === 'DECLINED' || reply.cryptogram === 'AAC' ? 'DECLINED' : 'NOTHING';
}

function withAnswer(card: CardFacts, { responseCode, authorizationCode }: CompleteRequest): CardFacts {
  return { ...card, responseCode, ...(authorizationCode === undefined ? {} : { authorizationCode }) };
}

function undecided({ responseCode }: CompleteRequest): TerminalOutcome {
  return {
    kind: 'UNKNOWN',
    message: `The issuer answered ${responseCode}, which decides nothing.`,
    reasonCode: 'ISSUER_UNSURE',
    evidence: [],
  };
}

function cardStepLost(why: string): TerminalOutcome {
  return {
    kind: 'UNKNOWN',
    message: `The card step was lost: the card did not confirm its issuer's answer (${why}).`,
    reasonCode: 'ANSWER_LOST',
    evidence: [],
  };
}
