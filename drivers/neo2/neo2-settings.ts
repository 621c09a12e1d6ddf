/** How a reader is set up, from its URL (`neo2+hid://…`, `neo2+serial://…`). */
export interface Neo2Settings {
  /** ISO 4217 letters; the reader serves this one currency. */
  readonly currency: string;
  /** ISO 4217 number, three digits. */
  readonly currencyNumeric: string;
  /** ALWAYS (default): card data in the clear are refused. AS_ATTRIBUTED: only where the reader says that it encrypts, for readers without keys. */
  readonly encryption: 'ALWAYS' | 'AS_ATTRIBUTED';
}
