import type { BookedRequest, SimulatorReply } from './protocol.ts';

/** What can be written into the book, one line each. */
export type BookEntry =
  | { readonly kind: 'OPENED'; readonly version: 1 }
  /** A message that came for the first time, and the truth about it; what was told may have been another thing (rules.ts). */
  | {
      readonly kind: 'MESSAGE';
      readonly request: BookedRequest;
      readonly reply: SimulatorReply;
      /** the rule that was played */
      readonly rule?: string;
    }
  /** The same message again; it moved nothing. */
  | { readonly kind: 'REPEATED'; readonly reference: string }
  /** A reference that was used before, with other content; it moved nothing. The host must never do this. */
  | { readonly kind: 'CONFLICT'; readonly reference: string };

/** An entry as it stands in the file. */
export type StoredEntry = BookEntry & { readonly sequence: number; readonly at: string };
