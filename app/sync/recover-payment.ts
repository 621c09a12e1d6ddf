import type { AuthorizeRequest } from '../contract/host/authorize.ts';
import type { Payment } from '../contract/host/payment.ts';
import { cardSchemes } from '../contract/transactions.ts';
import type { CardFacts, Evidence } from '../domain/transaction.ts';
import type { OutboxItem } from '../ports/outbox.ts';
import type { DefiniteOutcome, RecoveryAnswer, RecoveryQuestion } from '../ports/terminal.ts';
import type { CardCommand } from './authorize-request.ts';
import type { CardPaymentDeps } from './card-payment.ts';
import { deferredApprovalOf, offlineApprovalOf, oweCapture, oweReversal, waitsForTip } from './payment-outcomes.ts';
import { againLater, noteOf, settled } from './recovery-answers.ts';
import { CALL_TIMEOUT_MS } from './sync-limits.ts';

const askHost = 'What has the host of this payment?';
const askReversal = 'Has the host taken the reversal?';
const askOwnRecord = 'How far was the card step?';

/**
 * What became of a payment whose end was lost: by the till's own record where the card had taken its approval, otherwise by the host. An authorization
 * whose card step nobody knows is taken back; one that the host has never seen is kept out for good (decisions: recovery/reverse).
 */
export async function recoverPayment(
  deps: CardPaymentDeps,
  command: CardCommand,
  { provisional }: RecoveryQuestion,
  signal: AbortSignal,
): Promise<RecoveryAnswer> {
  const { clock, host, outbox } = deps;
  const { transactionId } = command;
  const reversal = outbox.find(transactionId, 'REVERSAL');
  if (reversal !== undefined) return await afterReversal(deps, reversal, signal);
  if (provisional?.kind === 'APPROVED') {
    oweCapture(deps, command, provisional.reference);
    const held = waitsForTip(command, provisional.reference) ? ({ awaitsCapture: true } as const) : {};
    const note = noteOf(clock, askOwnRecord, 'The card had taken its approval.', 'DONE');
    return settled({ ...provisional, ...held }, note);
  }
  const offline = outbox.find(transactionId, 'OFFLINE_COMPLETION');
  if (offline !== undefined) {
    const note = noteOf(clock, askOwnRecord, 'The chip had approved without its issuer.', 'DONE');
    return settled(offlineApprovalOf(command, cardOf(offline)), note);
  }
  const deferred = outbox.find(transactionId, 'DEFERRED_AUTHORIZATION');
  if (deferred !== undefined) {
    const note = noteOf(clock, askOwnRecord, 'It was accepted without its issuer, who is asked later.', 'DONE');
    const { cryptogramType: _none, ...card } = cardOf(deferred);
    return settled(deferredApprovalOf(command, card), note);
  }
  const reply = await host.lookUp(transactionId, { timeoutMs: CALL_TIMEOUT_MS, signal });
  switch (reply.kind) {
    case 'LOST':
    case 'NOT_SENT':
      return againLater(clock, askHost, `The host cannot be asked: ${reply.reason}.`);
    case 'REFUSED': {
      if (reply.errorCode !== 'NOT_FOUND') return againLater(clock, askHost, `The host refused (${reply.errorCode}).`);
      return await takeBack(deps, transactionId, signal, noteOf(clock, askHost, 'It has never seen it.', 'NOT_DONE'));
    }
    case 'ANSWERED': {
      const note = noteOf(clock, askHost, `It is ${reply.body.status}.`);
      const outcome = endedAtHost(reply.body);
      return outcome === undefined ? await takeBack(deps, transactionId, signal, note) : settled(outcome, note);
    }
  }
}

async function takeBack(
  deps: CardPaymentDeps,
  transactionId: string,
  signal: AbortSignal,
  note: Evidence,
): Promise<RecoveryAnswer> {
  const { clock, outbox } = deps;
  const isKept = oweReversal(deps, transactionId, 'The end of the card step is not known.');
  const item = outbox.find(transactionId, 'REVERSAL');
  if (!isKept || item === undefined) return againLater(clock, askReversal, 'The reversal could not be kept.');
  const answer = await afterReversal(deps, item, signal);
  return { ...answer, evidence: [note, ...answer.evidence] };
}

async function afterReversal(
  { clock, host, outbox }: CardPaymentDeps,
  { transactionId }: OutboxItem,
  signal: AbortSignal,
): Promise<RecoveryAnswer> {
  const standing = await outbox.attempt(transactionId, 'REVERSAL');
  switch (standing) {
    case 'DONE':
      return settled(takenBack, noteOf(clock, askReversal, 'Nothing of it stands.', 'DONE'));
    case 'TAKEN':
      return againLater(clock, askReversal, 'The acquirer has not confirmed the reversal yet.');
    case 'WAITING':
      return againLater(clock, askReversal, 'The reversal has not left yet.');
    case 'SETTLED':
    case 'SET_ASIDE': {
      const reply = await host.lookUp(transactionId, { timeoutMs: CALL_TIMEOUT_MS, signal });
      const outcome = reply.kind === 'ANSWERED' ? endedAtHost(reply.body) : undefined;
      if (outcome !== undefined) {
        outbox.settle(transactionId);
        return settled(outcome, noteOf(clock, askHost, 'It does not stand.'));
      }
      const trouble = outbox.find(transactionId, 'REVERSAL')?.trouble ?? 'without a reason';
      const reason = `The host refuses to take the payment back: ${trouble}`;
      return { kind: 'UNDECIDED', reason, evidence: [noteOf(clock, askReversal, reason, 'REFUSED')] };
    }
  }
}

/** How a payment has ended at the host without money; undefined where some of it may stand. */
function endedAtHost(payment: Payment): DefiniteOutcome | undefined {
  const { status, responseCode, cardScheme, maskedPan } = payment;
  if (status === 'REVERSED' || status === 'CANCELED') return takenBack;
  if (status !== 'DECLINED') return undefined;
  return {
    kind: 'DECLINED',
    card: {
      ...(responseCode === undefined ? {} : { responseCode }),
      ...(cardScheme === undefined ? {} : { cardScheme }),
      ...(maskedPan === undefined ? {} : { maskedPan }),
    },
    receipts: [],
  };
}

const takenBack: DefiniteOutcome = {
  kind: 'FAILED',
  errorCode: 'TERMINAL_ERROR',
  message: 'The payment was not finished; nothing of it stands, and nothing was charged.',
  receipts: [],
};

/** What is known of a card whose approval is owed to the host. */
function cardOf({ body }: OutboxItem): CardFacts {
  const { cardScheme, maskedPan, entryMode } = body as Partial<AuthorizeRequest>;
  const scheme = cardSchemes.find((known) => known === cardScheme);
  return {
    ...(scheme === undefined ? {} : { cardScheme: scheme }),
    ...(maskedPan === undefined ? {} : { maskedPan }),
    ...(entryMode === undefined ? {} : { entryMode: entryMode as NonNullable<CardFacts['entryMode']> }),
    cryptogramType: 'TC',
  };
}
