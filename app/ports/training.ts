/** The control interface of a training till's virtual terminal (decisions section 6): arms what the next payment will meet. */
export interface TrainingControl {
  /** @param rule an issuer answer `decline-NN`, or the name of an outcome or fault of decisions section 6. */
  arm(rule: string): Promise<void>;
  /** Takes back what was armed and no payment has met. */
  disarm(): Promise<void>;
}
