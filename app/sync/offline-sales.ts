import { type OfflineLimits, offlineRefusal, waitingSalesOf } from '../domain/offline-sales.ts';
import { Secret } from '../domain/secret.ts';
import type { Clock } from '../ports/clock.ts';
import type { KeptAccount } from '../ports/kept-account.ts';
import type { OutboxItem } from '../ports/outbox.ts';
import { type CardCommand, deferredRequestOf, type ReadCard } from './authorize-request.ts';
import type { HostIdentity } from './host-identity.ts';

/** A sale as it is kept until its issuer can be asked: the request without card data, and the encrypted account apart from it. */
interface DeferredSale {
  readonly body: OutboxItem['body'];
  readonly account: KeptAccount;
}

/** Which sales are taken without their issuer (decisions section 7). */
export interface OfflineSales {
  /** Whether they are switched on. */
  isOpen(): boolean;
  /** @returns why it is not taken, in words; otherwise what is to be kept of it */
  take(command: CardCommand, read: ReadCard, identity: HostIdentity): DeferredSale | string;
}

interface OfflineSalesDeps {
  readonly limits: () => OfflineLimits;
  readonly openItems: () => readonly OutboxItem[];
  readonly clock: Clock;
}

export function createOfflineSales({ limits, openItems, clock }: OfflineSalesDeps): OfflineSales {
  return {
    isOpen: () => limits().enabled,
    take(command, read, identity) {
      const account = keptAccountOf(command, read);
      if (typeof account === 'string') return account;
      const refusal = offlineRefusal(limits(), waitingSalesOf(openItems()), command, clock.nowMs());
      if (refusal !== undefined) return words[refusal];
      return { body: { ...deferredRequestOf(command, read, identity) }, account };
    },
  };
}

const words = {
  OFF: 'Sales without the issuer are switched off.',
  SALE_TOO_LARGE: 'The sale is too large to be taken without its issuer.',
  TOTAL_REACHED: 'The sales that wait for their issuer come to too much already.',
  TOO_MANY: 'Too many sales wait for their issuer already.',
  TOO_OLD: 'A sale waits for its issuer for too long already.',
} as const;

/** Chip and contactless only, never with a PIN for the issuer, never with an account that the till could read. */
function keptAccountOf(command: CardCommand, { card, chipData, reading }: ReadCard): KeptAccount | string {
  if (command.operation !== 'SALE' || command.cashbackAmountMinor > 0 || command.paymentSession !== undefined) {
    return 'Only a plain sale of this till can be taken without its issuer.';
  }
  if (card.entryMode !== 'CONTACT' && card.entryMode !== 'CONTACTLESS') {
    return 'Only a chip can be taken without its issuer.';
  }
  if (chipData.encryptedPinBlock !== null || card.cvmResult === 'ONLINE_PIN' || card.cvmResult === 'FAILED') {
    return 'Only its issuer can check the PIN of this card.';
  }
  const account = reading?.account.reveal();
  if (account?.kind !== 'ENCRYPTED') return 'The reader does not encrypt the account of the card.';
  return new Secret(account);
}
