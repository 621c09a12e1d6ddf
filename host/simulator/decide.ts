import { isDeepStrictEqual } from 'node:util';
import { answerOfIssuer } from './issuer/test-issuer.ts';
import { isApproval, type LedgerView, stands, type Transaction } from './ledger.ts';
import type {
  AuthorizeRequest,
  BookedRequest,
  CloseBatchRequest,
  FollowUpRequest,
  MoneyAnswer,
  ReverseRequest,
  SimulatorReply,
  SimulatorRequest,
  Standing,
} from './protocol.ts';
import { codeOfAmount, type Rule } from './rules.ts';

/** The acquirer's own idea of what is owed: it refuses what the host should never have asked. Codes are those of DE 39. */
const codes = {
  approved: '00',
  partial: '10',
  /** not in this state */
  invalidTransaction: '12',
  invalidAmount: '13',
  noSuchOriginal: '25',
  /** the reference was used before, with other content */
  duplicate: '94',
} as const;

interface Decision {
  readonly reply: SimulatorReply;
  /** the rule that chose the answer */
  readonly rule?: string;
}

export interface DecisionDeps {
  readonly ledger: LedgerView;
  /** armed by the control interface; wins over `simulate` and over the amount */
  readonly rule: Rule | undefined;
  /** YYYY-MM-DD on which the batch is funded */
  readonly fundingDate: string;
}

/** What the acquirer answers to a message that it has not seen before. Changes nothing. */
export function decide(request: BookedRequest, deps: DecisionDeps): Decision {
  switch (request.type) {
    case 'AUTHORIZE':
      return decideAuthorization(request, deps);
    case 'REVERSE':
      return { reply: decideReversal(request, deps.ledger) };
    case 'CLOSE_BATCH':
      return { reply: decideClose(request, deps) };
    default:
      return decideFollowUp(request, deps);
  }
}

/** What a message is told whose reference is known. Changes nothing. */
export function decideAgain(
  request: BookedRequest,
  known: { readonly request: BookedRequest; readonly reply: SimulatorReply },
  ledger: LedgerView,
): { readonly isSame: boolean; readonly reply: SimulatorReply } {
  const isExact = isDeepStrictEqual(known.request, request);
  if (isExact) return { isSame: true, reply: known.reply };
  if (!isFoundedAgain(request, known.request)) return { isSame: false, reply: decideConflict(request) };
  return { isSame: true, reply: standsStill(request, known.reply, ledger) };
}

/** A host that has forgotten the message asks for the same under another number and another time. */
function isFoundedAgain(request: BookedRequest, known: BookedRequest): boolean {
  if (request.type !== 'AUTHORIZE' || known.type !== 'AUTHORIZE') return false;
  const { stan, rrn, sentAtMs } = known;
  return isDeepStrictEqual({ ...request, stan, rrn, sentAtMs }, known);
}

/** The first answer; of an approval that was taken back since, a refusal: the host would count on money that is not there. */
function standsStill(request: BookedRequest, reply: SimulatorReply, ledger: LedgerView): SimulatorReply {
  const transaction = ledger.transaction(request.reference);
  const isGone = isApproval(reply) && transaction !== undefined && !stands(transaction);
  if (!isGone || request.type !== 'AUTHORIZE') return reply;
  return answer(request, codes.invalidTransaction, request.operation);
}

/** What a message that was booked before is told again when its reference comes with other content. */
function decideConflict(request: BookedRequest): SimulatorReply {
  const { reference } = request;
  const responseCode = codes.duplicate;
  if (request.type === 'CLOSE_BATCH') return { type: 'REFUSED', reference, responseCode };
  if (request.type === 'REVERSE') return { type: 'REVERSED', reference, result: 'REFUSED', responseCode };
  return answer(request, responseCode, 'purchase');
}

function decideAuthorization(request: AuthorizeRequest, { ledger, rule }: DecisionDeps): Decision {
  const { operation, amountMinor } = request;
  if (ledger.isTombstoned(request.reference))
    return { reply: answer(request, codes.invalidTransaction, operation), rule: 'reversed-before' };
  if (operation === 'refund' && request.originalReference !== undefined) {
    const refusal = refuseRefund(ledger, request, request.originalReference);
    if (refusal !== undefined) return { reply: answer(request, refusal, operation) };
  }
  const issuer = issuerOf(request, rule);
  if (issuer.code === codes.partial && amountMinor > 1)
    return {
      reply: approval(request, operation, ledger, { code: codes.partial, amountMinor: Math.floor(amountMinor / 2) }),
      ...ruleOf(issuer),
    };
  if (issuer.code !== codes.approved)
    return { reply: answer(request, issuer.code, operation, issuer.name), ...ruleOf(issuer) };
  return { reply: approval(request, operation, ledger), ...ruleOf(issuer) };
}

function issuerOf(
  request: AuthorizeRequest,
  rule: Rule | undefined,
): { readonly code: string; readonly name?: string } {
  if (rule?.kind === 'DECLINE') return { code: rule.code, name: rule.name };
  if (rule?.kind === 'FAULT' && rule.fault === 'partial-approval') return { code: codes.partial, name: rule.name };
  if (rule !== undefined) return { code: codes.approved, name: rule.name };
  const code = codeOfAmount(request);
  return code === codes.approved ? { code } : { code, name: `amount-ending-${code}` };
}

function ruleOf({ name }: { readonly name?: string }): { readonly rule?: string } {
  return name === undefined ? {} : { rule: name };
}

function decideFollowUp(request: FollowUpRequest, { ledger, rule }: DecisionDeps): Decision {
  const original = ledger.transaction(request.originalReference);
  const operation = request.type === 'REFUND' ? 'refund' : (original?.operation ?? 'purchase');
  if (ledger.isTombstoned(request.reference))
    return { reply: answer(request, codes.invalidTransaction, operation), rule: 'reversed-before' };
  const refusal =
    request.type === 'REFUND'
      ? refuseRefund(ledger, request, request.originalReference)
      : refuseFollowUp(ledger, request, original);
  if (refusal !== undefined) return { reply: answer(request, refusal, operation) };
  if (rule?.kind === 'DECLINE') return { reply: answer(request, rule.code, operation, rule.name), rule: rule.name };
  return { reply: approval(request, operation, ledger), ...(rule === undefined ? {} : { rule: rule.name }) };
}

function refuseFollowUp(
  ledger: LedgerView,
  request: FollowUpRequest,
  original: Transaction | undefined,
): string | undefined {
  if (original === undefined) return codes.noSuchOriginal;
  if (!isSameMoney(request, original) || original.operation === 'refund') return codes.invalidTransaction;
  switch (request.type) {
    case 'CAPTURE':
      if (original.state !== 'HELD') return codes.invalidTransaction;
      return request.amountMinor > original.heldMinor ? codes.invalidAmount : undefined;
    case 'ADJUST_TIP':
      return original.state === 'HELD' ? undefined : codes.invalidTransaction;
    default:
      if (original.state === 'HELD') return undefined;
      return original.state === 'CAPTURED' && original.refundedMinor === 0 && !ledger.isSettled(original)
        ? undefined
        : codes.invalidTransaction;
  }
}

/** Refunds of one payment together never exceed what was charged without cash-back (decisions: Refund ceiling). */
function refuseRefund(
  ledger: LedgerView,
  request: AuthorizeRequest | FollowUpRequest,
  originalReference: string,
): string | undefined {
  const original = ledger.transaction(originalReference);
  if (original === undefined) return codes.noSuchOriginal;
  if (!isSameMoney(request, original)) return codes.invalidTransaction;
  if (original.state !== 'CAPTURED' || original.operation === 'refund') return codes.invalidTransaction;
  const left = original.capturedMinor - original.cashbackMinor - original.refundedMinor;
  return request.amountMinor > left ? codes.invalidAmount : undefined;
}

function isSameMoney(request: AuthorizeRequest | FollowUpRequest, original: Transaction): boolean {
  return request.merchantId === original.merchantId && request.currencyCode === original.currencyCode;
}

function decideReversal(request: ReverseRequest, ledger: LedgerView): SimulatorReply {
  const reversed = (result: 'CONFIRMED' | 'UNKNOWN_ORIGINAL' | 'REFUSED', responseCode: string): SimulatorReply => ({
    type: 'REVERSED',
    reference: request.reference,
    result,
    responseCode,
  });
  const { originalReference } = request;
  const message = ledger.message(originalReference);
  if (message === undefined) return reversed('UNKNOWN_ORIGINAL', codes.noSuchOriginal);
  const { type, merchantId } = message.request;
  if (type === 'REVERSE' || type === 'CLOSE_BATCH' || merchantId !== request.merchantId)
    return reversed('REFUSED', codes.invalidTransaction);
  if (!isApproval(message.reply)) return reversed('CONFIRMED', codes.approved);
  const isAct = type === 'CAPTURE' || type === 'ADJUST_TIP' || type === 'VOID';
  const act = ledger.act(originalReference);
  // What was taken back before needs nothing more.
  if (isAct && act === undefined) return reversed('CONFIRMED', codes.approved);
  const target = ledger.transaction(act?.transactionReference ?? originalReference);
  if (target === undefined) return reversed('UNKNOWN_ORIGINAL', codes.noSuchOriginal);
  if (target.state === 'REVERSED' || (!isAct && !stands(target))) return reversed('CONFIRMED', codes.approved);
  const isLast = !isAct || target.lastAct === originalReference;
  return isLast && target.refundedMinor === 0 && !ledger.isSettled(target)
    ? reversed('CONFIRMED', codes.approved)
    : reversed('REFUSED', codes.invalidTransaction);
}

function decideClose(request: CloseBatchRequest, { ledger, rule, fundingDate }: DecisionDeps): SimulatorReply {
  const { reference } = request;
  if (rule?.kind === 'DECLINE') return { type: 'REFUSED', reference, responseCode: rule.code };
  const open = ledger.openBatch(request);
  const isOff = rule?.kind === 'FAULT' && rule.fault === 'wrong-totals';
  const totals = isOff
    ? { ...open.totals, saleCount: open.totals.saleCount + 1, saleAmountMinor: open.totals.saleAmountMinor + 100 }
    : open.totals;
  const names = Object.keys(totals) as readonly (keyof typeof totals)[];
  return {
    type: 'CLOSED',
    reference,
    isAgreed: names.every((name) => totals[name] === request.totals[name]),
    totals,
    batchReference: `SIM-${String(open.batch).padStart(6, '0')}`,
    fundingDate,
  };
}

/** What a host that asks is told of a message. */
export function found(
  request: Extract<SimulatorRequest, { readonly type: 'ASK' }>,
  ledger: LedgerView,
): SimulatorReply {
  const { reference, originalReference } = request;
  const message = ledger.message(originalReference);
  if (message?.reply.type !== 'ANSWER' || message.request.merchantId !== request.merchantId)
    return { type: 'NOT_FOUND', reference };
  return {
    type: 'FOUND',
    reference,
    answer: message.reply.answer,
    standing: standingOf(message.reply, originalReference, ledger),
  };
}

function standingOf(reply: SimulatorReply, reference: string, ledger: LedgerView): Standing {
  if (!isApproval(reply)) return 'DECLINED';
  const act = ledger.act(reference);
  const target = ledger.transaction(act?.transactionReference ?? reference);
  if (target === undefined) return 'TAKEN_BACK';
  if (target.state === 'HELD') return 'HELD';
  return target.state === 'CAPTURED' ? 'CAPTURED' : 'TAKEN_BACK';
}

type MoneyRequest = AuthorizeRequest | FollowUpRequest;

function answer(
  request: MoneyRequest,
  responseCode: string,
  operation: MoneyAnswer['operation'],
  rule?: string,
): SimulatorReply {
  const { reference, stan, rrn, merchantId, terminalId, amountMinor, currencyCode } = request;
  const facts = { responseCode, stan, rrn, merchantId, terminalId, operation, amountMinor, currencyCode };
  return { type: 'ANSWER', reference, answer: { ...facts, ...(rule === undefined ? {} : { rule }) } };
}

function approval(
  request: MoneyRequest,
  operation: MoneyAnswer['operation'],
  ledger: LedgerView,
  partial: { readonly code: string; readonly amountMinor: number } = {
    code: codes.approved,
    amountMinor: request.amountMinor,
  },
): SimulatorReply {
  const { reference, stan, rrn, merchantId, terminalId, currencyCode } = request;
  return {
    type: 'ANSWER',
    reference,
    answer: {
      responseCode: partial.code,
      stan,
      rrn,
      merchantId,
      terminalId,
      operation,
      amountMinor: partial.amountMinor,
      currencyCode,
      authorizationCode: authorizationCode(ledger.nextSequence()),
      ...issuerDataOf(request, partial.code),
    },
  };
}

/** The issuer's word to a chip of his. None to another chip, which would refuse a wrong one where it lets a missing one pass. */
function issuerDataOf(request: MoneyRequest, responseCode: string): Pick<MoneyAnswer, 'issuerAuthData'> {
  const chip = request.type === 'AUTHORIZE' ? request.chip : undefined;
  const issuerAuthData = chip === undefined ? undefined : answerOfIssuer(chip, responseCode);
  return issuerAuthData === undefined ? {} : { issuerAuthData };
}

/** Six digits, different for neighbouring messages, the same at every start. */
function authorizationCode(sequence: number): string {
  return String((sequence * 7919 + 104_729) % 1_000_000).padStart(6, '0');
}
