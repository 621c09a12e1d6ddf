/** Source of identifiers and of randomness. */
export interface Ids {
  /** A new transactionId, settlement id or recovery task id (UUID). */
  next(): string;
  /** `byteCount` random bytes from a cryptographic source. */
  randomBytes(byteCount: number): Uint8Array;
}
