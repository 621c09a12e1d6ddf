import type { TerminalCommand, TerminalOriginal, TerminalOutcome } from '../../../app/ports/terminal.ts';

let count = 0;

/** A payment of the customer's. `amountMinor` includes the tip. */
export function payment(operation: 'SALE' | 'PRE_AUTH', amountMinor: number, tipAmountMinor = 0): TerminalCommand {
  count++;
  return {
    transactionId: `T${count}`,
    operation,
    amountMinor,
    tipAmountMinor,
    cashbackAmountMinor: 0,
    currency: 'EUR',
    entryMode: 'AUTO',
  };
}

/** What acts on an approved payment. @throws Error when it was not approved */
export function following(
  operation: 'VOID' | 'REFUND' | 'PRE_AUTH_COMPLETE',
  amountMinor: number,
  kind: TerminalOriginal['kind'],
  approved: TerminalOutcome,
): TerminalCommand {
  if (approved.kind !== 'APPROVED') throw new Error(`the original ended ${approved.kind}`);
  count++;
  const original = {
    transactionId: `T${count}-original`,
    kind,
    amountMinor: approved.chargedMinor ?? 0,
    reference: approved.reference,
  };
  return { transactionId: `T${count}`, operation, amountMinor, currency: 'EUR', original };
}
