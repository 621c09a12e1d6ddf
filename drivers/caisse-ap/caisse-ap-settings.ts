/** How one Caisse-AP terminal is addressed, and what the till says of itself. */
export interface CaisseApSettings {
  /** ISO 4217 code; the terminal settles in this one currency. */
  readonly currency: string;
  /** Its numeric code, which travels in CE. */
  readonly currencyNumeric: string;
  /** Number of the till in the shop, two digits; travels in CA. */
  readonly tillNumber: string;
  /** Identifier of the till's dialogue, twelve characters; travels in CJ. */
  readonly protocolId: string;
  /**
   * BA. WAIT: the terminal answers when the payment has ended. AT_ONCE: it answers that it has accepted the request and never how the payment ended,
   * so that each one stays UNKNOWN until a person has looked.
   */
  readonly answerMode: 'WAIT' | 'AT_ONCE';
}
