import type { OpenedEntry, Stored } from '../../book/entries.ts';
import type { CardEntry, CardScheme } from '../../cards.ts';

/** The card as the book knows it: no full number. */
interface ReaderBookCard {
  readonly id: string;
  readonly scheme: CardScheme;
  readonly maskedPan: string;
  readonly entry: CardEntry;
}

/** What the till asked the card to pay. */
export interface ReaderOrder {
  /** 9C: 00 purchase, 09 with cash-back, 20 refund */
  readonly transactionType: string;
  /** 9F02, cash-back included */
  readonly amountMinor: number;
  /** 9F03 */
  readonly cashbackMinor: number;
  /** ISO 4217 number, four digits (5F2A) */
  readonly currency: string;
}

/** The DUKPT keys that a reader goes on with. */
export type ReaderKeyName = 'account' | 'pin' | 'aesPin';

/**
 * A card was read. ONLINE: the issuer is to be asked; an inserted card then has the last word. APPROVED and DECLINED: the chip decided by itself.
 * Written before a byte of it leaves the reader, so that no key and no counter is used twice.
 */
export interface CardReadEntry {
  readonly kind: 'CARD_READ';
  readonly card: ReaderBookCard;
  readonly order: ReaderOrder;
  readonly decision: 'ONLINE' | 'APPROVED' | 'DECLINED';
  /** the chip's counter of this payment (9F36); absent for a stripe */
  readonly counter?: number;
  /** serial number of the account data, upper-case hex */
  readonly accountKsn: string;
}

/** What the chip was told of its issuer. */
export interface ToldAnswer {
  readonly isHostReached: boolean;
  /** 8A, two characters; absent when no host was reached */
  readonly responseCode?: string;
  /** how the chip found tag 91; ABSENT: there was none */
  readonly check: 'PASSED' | 'FAILED' | 'ABSENT';
  readonly scriptCount: number;
}

/** The chip's last word: TC approves, AAC does not. `id` is the sequence of its CARD_READ. */
interface CardFinishedEntry {
  readonly kind: 'CARD_FINISHED';
  readonly id: number;
  readonly cryptogram: 'TC' | 'AAC';
  readonly told: ToldAnswer;
}

/** What can be written into the book of a reader. */
export type ReaderEntry =
  | OpenedEntry
  | CardReadEntry
  | CardFinishedEntry
  /** an inserted card never heard of its issuer: nothing was approved at it */
  | { readonly kind: 'CARD_ABANDONED'; readonly id: number; readonly reason: string }
  /** a PIN left the reader under this serial number */
  | { readonly kind: 'PIN_SEALED'; readonly key: Exclude<ReaderKeyName, 'account'>; readonly ksn: string };

export type StoredReaderEntry = Stored<ReaderEntry>;
