import type { CardEntry, CardScheme } from '../cards.ts';

/** What an authorization does to money. */
export type BookOperation = 'SALE' | 'PRE_AUTH' | 'COMPLETION' | 'RELEASE' | 'VOID' | 'REFUND';

/** What asks the host about a card and moves no money. */
export type Enquiry = 'BALANCE' | 'VERIFICATION';

/** The card as the book knows it: no full number. */
export interface BookCard {
  readonly id: string;
  /** CHEQUE: no card at all (Caisse-AP) */
  readonly scheme: CardScheme | 'CHEQUE';
  readonly label: string;
  readonly maskedPan: string;
  readonly expiry: string;
  readonly sequence: string;
  readonly aid?: string;
  readonly entry: CardEntry;
  readonly verification: 'PIN' | 'SIGNATURE' | 'DEVICE' | 'NONE';
}

/** The host approved: from here on the money has moved, until REVERSED or a later VOID or RELEASE says otherwise. */
export interface AuthorizedEntry {
  readonly kind: 'AUTHORIZED';
  readonly operation: BookOperation;
  /** 1–9999 */
  readonly receipt: number;
  /** 1–999999 */
  readonly trace: number;
  readonly amountMinor: number;
  readonly currency: string;
  readonly card: BookCard;
  readonly authorizationCode: string;
  /** sequence of the AUTHORIZED entry that a COMPLETION, RELEASE or VOID ends */
  readonly originalId?: number;
  /** sequence of the pre-authorization that this one adds to */
  readonly extendsId?: number;
}

/** Whose book it is: the first line of each. */
export interface OpenedEntry {
  readonly kind: 'OPENED';
  readonly version: 1;
  readonly terminalId: string;
  readonly currency: string;
  /** absent in the book of a ZVT terminal */
  readonly protocol?: BookProtocol;
}

/** Protocols that name themselves in their books: no terminal goes on with the book of another protocol. */
export type BookProtocol = 'neo2' | 'ecr17' | 'caisse-ap';

/** What can be written into a book, one line each. `id` is always the sequence of an AUTHORIZED entry. */
export type BookEntry =
  | OpenedEntry
  | AuthorizedEntry
  /** the till acknowledged the result (and every line that it prints) */
  | { readonly kind: 'FINAL'; readonly id: number }
  /** the terminal took its own authorization back */
  | { readonly kind: 'REVERSED'; readonly id: number; readonly by: 'TERMINAL'; readonly reason: string }
  | {
      readonly kind: 'DECLINED';
      readonly operation: BookOperation | Enquiry;
      readonly amountMinor: number;
      readonly resultCode: number;
      readonly card?: BookCard;
    }
  | {
      readonly kind: 'CANCELLED';
      readonly operation: BookOperation | Enquiry;
      readonly amountMinor: number;
      readonly reason: string;
    }
  | {
      readonly kind: 'CLOSED';
      readonly batch: number;
      readonly startedBy: 'TILL' | 'TERMINAL';
      readonly totals: BatchTotals;
      /** 1–999999, used up by the close; absent in books from before closes had one */
      readonly trace?: number;
    }
  /** ECR17: the result as the till is told it and may ask for it again, so that it outlives a restart */
  | {
      readonly kind: 'TOLD';
      readonly text: string;
      /** 1–999999, used up by what has no other entry with a trace */
      readonly trace?: number;
    };

/** An entry as it stands in the file. */
export type Stored<Entry> = Entry & { readonly sequence: number; readonly at: string };
export type StoredEntry = Stored<BookEntry>;

export interface CountAndSum {
  readonly count: number;
  readonly sumMinor: number;
}

/** What a batch holds: sales and completions that stand, less refunds. */
export interface BatchTotals extends CountAndSum {
  readonly byScheme: Readonly<Partial<Record<CardScheme, CountAndSum>>>;
  readonly receiptFrom: number;
  readonly receiptTo: number;
}
