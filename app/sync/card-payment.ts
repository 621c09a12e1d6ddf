import type { CompleteRequest } from '../contract/transactions.ts';
import type { CardFacts } from '../domain/transaction.ts';
import type { HostClient } from '../ports/host-client.ts';
import type { Log } from '../ports/log.ts';
import type { ExchangeHooks, PreparedExchange, TerminalOutcome } from '../ports/terminal.ts';
import { askIssuer, type IssuerVerdict, unreachable } from './ask-issuer.ts';
import type { Asking } from './ask-until-known.ts';
import { authorizeRequestOf, type CardCommand, offlineRequestOf, type ReadCard } from './authorize-request.ts';
import type { HostIdentity } from './host-identity.ts';
import type { OfflineSales } from './offline-sales.ts';
import type { Outbox } from './outbox.ts';
import { approvalOf, deferredApprovalOf, offlineApprovalOf, oweCapture, oweReversal } from './payment-outcomes.ts';

/** What the card is told when no issuer answer came: unable to go online (EMV book 4, annex A6). */
const UNABLE_TO_GO_ONLINE = 'Z3';
const DECLINED_WITHOUT_CODE = '05';
const authorizationCodePattern = /^[0-9A-Za-z]{1,6}$/;

export interface CardPaymentDeps extends Asking {
  readonly terminalId: string;
  readonly host: HostClient;
  readonly outbox: Outbox;
  readonly log: Log;
  /** Absent where no sale is taken without its issuer. */
  readonly offlineSales?: OfflineSales | undefined;
}

/** A payment that is ready to run: the reader is prepared for its card step, and the intent is on disk. */
export interface CardPayment {
  readonly command: CardCommand;
  readonly identity: HostIdentity;
  readonly exchange: PreparedExchange;
  /** A reversal of the terminal has not left yet, and no new authorization may overtake it: the issuer is not asked. */
  readonly isHostBehind: boolean;
  /** Whether it was aborted while the card was read. */
  isAborted(): boolean;
  /** From here on it is too late to abort. */
  onAuthorizing(): void;
}

/**
 * Reads the card, asks the issuer through the host, and gives the card its answer. What was authorized and cannot be finished is taken back, by a
 * reversal that is on disk before anybody is told (decisions: recovery/reverse).
 */
export async function runCardPayment(
  deps: CardPaymentDeps,
  payment: CardPayment,
  hooks: ExchangeHooks,
): Promise<TerminalOutcome> {
  const read = await payment.exchange.run({
    onProgress: (progress) => hooks.onProgress(progress),
    // The card step alone moves no money: there is nothing to have on disk before it is acknowledged.
    onProvisional: () => Promise.resolve(),
  });
  switch (read.kind) {
    case 'PENDING_ONLINE':
      return await authorizeCard(deps, payment, read, hooks);
    case 'CHIP_APPROVED':
      return await recordOffline(deps, payment, read, hooks);
    case 'APPROVED':
      return notCharged('The reader told an approval that no issuer has given; nothing was charged.');
    case 'UNKNOWN':
      return notCharged(`The card step was lost before the host was asked: ${read.message} Nothing was charged.`);
    default:
      return read;
  }
}

async function authorizeCard(
  deps: CardPaymentDeps,
  payment: CardPayment,
  read: ReadCard,
  hooks: ExchangeHooks,
): Promise<TerminalOutcome> {
  const { command, identity } = payment;
  if (payment.isAborted()) {
    await tellCard(payment, UNABLE_TO_GO_ONLINE);
    return { kind: 'CANCELLED', reason: 'POS_REQUEST', receipts: [] };
  }
  payment.onAuthorizing();
  hooks.onProgress({ step: 'PROCESSING', message: 'The issuer is asked.' });
  const { transactionId, paymentSession } = command;
  // One attempt per session, under the key that the session was created with (specification: authorization attempts).
  const key = paymentSession?.authorizationKey ?? `authorize-${transactionId}`;
  const verdict = payment.isHostBehind
    ? ({ kind: 'NOTHING_SENT', message: unreachable('it has not taken back an earlier payment yet') } as const)
    : await askIssuer(deps, authorizeRequestOf(command, read, identity), key);
  deps.log.info('The host was asked to authorize.', {
    transactionId,
    terminalId: deps.terminalId,
    state: verdict.kind,
    ...('message' in verdict ? { reason: verdict.message } : {}),
  });
  switch (verdict.kind) {
    case 'APPROVED':
      return await finishApproved(deps, payment, read, verdict, hooks);
    case 'DECLINED':
      return await finishDeclined(payment, read, verdict);
    case 'NOTHING_SENT':
      return await finishUnsent(deps, payment, read, verdict.message, hooks);
    case 'NOT_CHARGED':
      await tellCard(payment, UNABLE_TO_GO_ONLINE);
      return notCharged(verdict.message);
    case 'UNKNOWN':
      return await giveUp(deps, payment, verdict.message);
    case 'STOPPED':
      return { kind: 'UNKNOWN', message: 'The till ended while the host was asked.', evidence: [] };
  }
}

async function finishApproved(
  deps: CardPaymentDeps,
  payment: CardPayment,
  read: ReadCard,
  verdict: IssuerVerdict & { kind: 'APPROVED' },
  hooks: ExchangeHooks,
): Promise<TerminalOutcome> {
  const { command } = payment;
  const end = await completeCard(payment, approvingAnswer(command.transactionId, verdict));
  if (end.kind === 'DECLINED') return await refusedByCard(deps, payment, read.card, end);
  if (end.kind !== 'APPROVED')
    return lostAfterApproval(deps, payment, 'The card was lost after the host had approved.');
  const outcome = approvalOf(command, { ...read.card, ...end.card }, verdict.payment, end.receipts);
  try {
    await hooks.onProvisional(outcome);
  } catch (error) {
    return lostAfterApproval(deps, payment, `The approval could not be kept (${String(error)}).`);
  }
  oweCapture(deps, command, outcome.reference);
  return outcome;
}

function approvingAnswer(
  transactionId: string,
  { payment, emv }: IssuerVerdict & { kind: 'APPROVED' },
): CompleteRequest {
  const { authorizationCode = '' } = payment;
  return {
    ...issuerAnswer(transactionId, '00', emv),
    ...(authorizationCodePattern.test(authorizationCode) ? { authorizationCode } : {}),
  };
}

function issuerAnswer(
  transactionId: string,
  responseCode: string,
  emv: (IssuerVerdict & { kind: 'APPROVED' })['emv'],
): CompleteRequest {
  const { issuerAuthData, issuerScript71, issuerScript72 } = emv;
  return {
    transactionId,
    responseCode,
    ...(issuerAuthData === undefined ? {} : { issuerAuthData }),
    ...(issuerScript71 === undefined ? {} : { issuerScripts71: issuerScript71 }),
    ...(issuerScript72 === undefined ? {} : { issuerScripts72: issuerScript72 }),
  };
}

async function refusedByCard(
  deps: CardPaymentDeps,
  { command }: CardPayment,
  card: CardFacts,
  end: TerminalOutcome & { kind: 'DECLINED' },
): Promise<TerminalOutcome> {
  const reason = 'The card refused after the issuer had approved; the authorization is taken back.';
  if (!oweReversal(deps, command.transactionId, reason)) return unknown(reason);
  const { responseCode: _code, ...facts } = { ...card, ...end.card };
  return { kind: 'DECLINED', card: facts, reason, receipts: end.receipts };
}

async function finishDeclined(
  payment: CardPayment,
  read: ReadCard,
  verdict: IssuerVerdict & { kind: 'DECLINED' },
): Promise<TerminalOutcome> {
  const { responseCode, rrn, cardScheme, decline } = verdict.payment;
  const { transactionId } = payment.command;
  const end = await completeCard(
    payment,
    issuerAnswer(transactionId, responseCode ?? DECLINED_WITHOUT_CODE, verdict.emv),
  );
  const told = end.kind === 'DECLINED' ? end : undefined;
  const { responseCode: _chip, ...facts } = { ...read.card, ...told?.card };
  return {
    kind: 'DECLINED',
    card: {
      ...(cardScheme === undefined ? {} : { cardScheme }),
      ...facts,
      ...(responseCode === undefined ? {} : { responseCode }),
      ...(rrn === undefined ? {} : { rrn }),
    },
    ...(responseCode === undefined && decline !== undefined ? { reason: decline.merchantMessage } : {}),
    receipts: told?.receipts ?? [],
  };
}

/** No issuer was asked: the card may still approve by itself, and the shop may take the sale at its own risk. */
async function finishUnsent(
  deps: CardPaymentDeps,
  payment: CardPayment,
  read: ReadCard,
  message: string,
  hooks: ExchangeHooks,
): Promise<TerminalOutcome> {
  const end = await tellCard(payment, UNABLE_TO_GO_ONLINE);
  if (end.kind === 'CHIP_APPROVED') return await recordOffline(deps, payment, end, hooks);
  // Only a card that was there to the end: one that was pulled out is no customer's consent.
  return end.kind === 'DECLINED' ? await defer(deps, payment, read, message, hooks) : notCharged(message);
}

/**
 * Takes the sale without its issuer, where that is allowed (decisions section 7): its authorization is on disk, with the account as the reader has
 * encrypted it, before anybody is told. The card has ended with a refusal, as cards do that cannot ask; what counts is the cryptogram it made for its
 * issuer before.
 */
async function defer(
  { terminalId, outbox, offlineSales, log }: CardPaymentDeps,
  { command, identity }: CardPayment,
  read: ReadCard,
  message: string,
  hooks: ExchangeHooks,
): Promise<TerminalOutcome> {
  const sale = offlineSales?.take(command, read, identity);
  const { transactionId } = command;
  if (sale === undefined || typeof sale === 'string') {
    if (sale !== undefined) log.info('The sale was not taken offline.', { transactionId, terminalId, reason: sale });
    return notCharged(message);
  }
  const { body, account } = sale;
  try {
    outbox.add({ terminalId, transactionId, kind: 'DEFERRED_AUTHORIZATION', body }, account);
  } catch {
    return notCharged('The sale could not be kept for its issuer; nothing was charged.');
  }
  const outcome = deferredApprovalOf(command, read.card);
  try {
    await hooks.onProvisional(outcome);
  } catch (error) {
    return unknown(`The sale could not be kept (${String(error)}).`);
  }
  return outcome;
}

/** The chip has approved without its issuer: the host is told, and until then it is owed (specification: offline-complete). */
async function recordOffline(
  { terminalId, outbox }: CardPaymentDeps,
  { command, identity }: CardPayment,
  read: ReadCard,
  hooks: ExchangeHooks,
): Promise<TerminalOutcome> {
  if (command.operation !== 'SALE') {
    return notCharged('The card approved without its issuer, who alone can do this; nothing was charged.');
  }
  const { transactionId } = command;
  const body = { ...offlineRequestOf(command, read, identity) };
  const outcome = offlineApprovalOf(command, read.card);
  try {
    outbox.add({ terminalId, transactionId, kind: 'OFFLINE_COMPLETION', body });
  } catch {
    return notCharged('The approval of the chip could not be kept, and counts as none; nothing was charged.');
  }
  try {
    await hooks.onProvisional(outcome);
  } catch (error) {
    return unknown(`The approval could not be kept (${String(error)}).`);
  }
  void outbox.attempt(transactionId, 'OFFLINE_COMPLETION');
  return outcome;
}

/** Nobody can say now whether the issuer approved: the card is told to give up, and whatever stands is taken back. */
async function giveUp(deps: CardPaymentDeps, payment: CardPayment, message: string): Promise<TerminalOutcome> {
  oweReversal(deps, payment.command.transactionId, message);
  await tellCard(payment, UNABLE_TO_GO_ONLINE);
  return unknown(message);
}

function lostAfterApproval(deps: CardPaymentDeps, { command }: CardPayment, message: string): TerminalOutcome {
  oweReversal(deps, command.transactionId, message);
  return unknown(message);
}

function tellCard(payment: CardPayment, responseCode: string): Promise<TerminalOutcome> {
  return completeCard(payment, { transactionId: payment.command.transactionId, responseCode });
}

/** A card that is gone, and a reader that fails, are an end that nobody knows. */
async function completeCard({ exchange }: CardPayment, answer: CompleteRequest): Promise<TerminalOutcome> {
  try {
    return (await exchange.complete?.(answer)) ?? unknown('The reader cannot complete the card.');
  } catch (error) {
    return unknown(`The card step was lost (${String(error)}).`);
  }
}

function notCharged(message: string): TerminalOutcome {
  return { kind: 'FAILED', errorCode: 'TERMINAL_ERROR', message, receipts: [] };
}

function unknown(message: string): TerminalOutcome & { kind: 'UNKNOWN' } {
  return { kind: 'UNKNOWN', message, reasonCode: 'ANSWER_LOST', evidence: [] };
}
