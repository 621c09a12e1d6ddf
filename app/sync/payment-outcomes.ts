import { MAX_REASON_CHARACTERS } from '../contract/host/host-limits.ts';
import type { Payment } from '../contract/host/payment.ts';
import type { JsonObject } from '../domain/json-value.ts';
import type { CardFacts, TerminalReceipt } from '../domain/transaction.ts';
import type { Log } from '../ports/log.ts';
import type { TerminalCommand, TerminalOutcome } from '../ports/terminal.ts';
import type { CardCommand } from './authorize-request.ts';
import type { Outbox } from './outbox.ts';

type Approval = TerminalOutcome & { kind: 'APPROVED' };

/** An approval of the issuer that the card has taken. */
export function approvalOf(
  command: TerminalCommand,
  card: CardFacts,
  payment: Payment,
  receipts: readonly TerminalReceipt[],
): Approval {
  const { id, status, authorizationCode, rrn, cardScheme, maskedPan, amountMinor } = payment;
  const reference = { paymentId: id, ...(status === 'REQUIRES_CAPTURE' ? { isHeld: true } : {}) };
  return {
    kind: 'APPROVED',
    card: {
      ...(cardScheme === undefined ? {} : { cardScheme }),
      ...(maskedPan === undefined ? {} : { maskedPan }),
      ...card,
      responseCode: '00',
      ...(authorizationCode === undefined ? {} : { authorizationCode }),
      ...(rrn === undefined ? {} : { rrn }),
    },
    chargedMinor: amountMinor,
    reference,
    receipts,
    ...(waitsForTip(command, reference) ? { awaitsCapture: true } : {}),
  };
}

/** An approval of the chip that is owed to the host. */
export function offlineApprovalOf(command: CardCommand, card: CardFacts): Approval {
  const { transactionId, amountMinor } = command;
  return { kind: 'APPROVED', card, chargedMinor: amountMinor, reference: { paymentId: transactionId }, receipts: [] };
}

/** A sale that is accepted without its issuer, who is asked later. */
export function deferredApprovalOf(command: CardCommand, card: CardFacts): Approval {
  const { responseCode: _code, ...facts } = card;
  return { ...offlineApprovalOf(command, facts), isDeferred: true };
}

interface Owing {
  readonly terminalId: string;
  readonly outbox: Outbox;
  readonly log: Log;
}

/**
 * Puts the reversal of a payment on disk, and sends it.
 * @returns false when it could not be kept: then the row is left open, and recovery takes it back at the next start
 */
export function oweReversal({ terminalId, outbox, log }: Owing, transactionId: string, reason: string): boolean {
  try {
    const body = { originalTransactionId: transactionId, reason: reason.slice(0, MAX_REASON_CHARACTERS) };
    outbox.add({ terminalId, transactionId, kind: 'REVERSAL', body });
  } catch (error) {
    log.error('A reversal could not be kept.', { transactionId, terminalId, reason: String(error) });
    return false;
  }
  void outbox.attempt(transactionId, 'REVERSAL');
  return true;
}

/**
 * Whether the sale is held and waits for its tip (decisions: Tip after authorization). One whose tip was chosen before it was authorized, be it none,
 * has nothing to wait for, nor has a payment session, whose tip is chosen at the terminal.
 */
export function waitsForTip(command: TerminalCommand, reference: JsonObject): boolean {
  if (command.operation !== 'SALE' || reference.isHeld !== true) return false;
  const { tipAmountMinor, tipSource, paymentSession } = command;
  return tipAmountMinor === 0 && tipSource === undefined && paymentSession === undefined;
}

/** A sale that the host holds, and that waits for no tip, is captured as it is, in its turn. @throws BridgeError */
export function oweCapture({ terminalId, outbox }: Owing, command: TerminalCommand, reference: JsonObject): void {
  const { transactionId } = command;
  if (command.operation !== 'SALE' || reference.isHeld !== true || waitsForTip(command, reference)) return;
  outbox.add({ terminalId, transactionId, kind: 'CAPTURE', body: { amountMinor: command.amountMinor } });
  void outbox.attempt(transactionId, 'CAPTURE');
}
