/** What a scan can find. The value itself is never kept. */
export type SecretKind =
  | 'CARD_NUMBER'
  | 'TRACK_1'
  | 'TRACK_2'
  | 'PIN_BLOCK'
  | 'KEY_SERIAL_NUMBER'
  | 'LABELLED_CARD_DATA'
  | 'API_KEY'
  | 'TOKEN'
  | 'CIPHER_KEY'
  | 'PRIVATE_KEY'
  /** Compressed or nested so that its end could not be read: what is not seen does not count as clean. */
  | 'UNREADABLE';

/** How the value was written: each step that had to be undone, outermost first. */
export type Encoding =
  | 'base64'
  | 'hex'
  | 'utf-16'
  | 'gzip'
  | 'deflate'
  | 'escapes'
  | 'percent'
  | 'full-width'
  | 'line-breaks'
  | 'zip';

/** Where something was found. */
export interface Finding {
  readonly kind: SecretKind;
  /** Bytes from the beginning; of an encoded value, where its encoding begins. */
  readonly offset: number;
  readonly through: readonly Encoding[];
}

/** Takes what a detector finds at an index of the text that it was given. */
export type Report = (kind: SecretKind, index: number) => void;
