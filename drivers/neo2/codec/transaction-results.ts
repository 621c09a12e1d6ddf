// DFEE25, the result of a step of a transaction (guide 80139403-002, chapters 8.4 and 8.5, and published logs).

/**
 * What a result means for the payment. APPROVED and DECLINED end it at the card; GO_ONLINE asks for the issuer; CONTINUE asks for the next command;
 * FALL_BACK asks for the stripe; NO_CARD_STEP: the card step ended without a decision of the card.
 */
type TransactionResultKind = 'APPROVED' | 'DECLINED' | 'GO_ONLINE' | 'CONTINUE' | 'FALL_BACK' | 'NO_CARD_STEP';

export interface TransactionResult {
  /** four hexadecimal digits */
  readonly code: string;
  readonly name: string;
  readonly kind: TransactionResultKind;
  readonly meaning: string;
}

const ROWS: readonly (readonly [code: string, name: string, kind: TransactionResultKind, meaning: string])[] = [
  ['0000', 'OFFLINE_APPROVED', 'APPROVED', 'offline approved'],
  ['0001', 'OFFLINE_DECLINED', 'DECLINED', 'offline declined'],
  ['0002', 'APPROVED', 'APPROVED', 'approved'],
  ['0003', 'DECLINED', 'DECLINED', 'declined'],
  ['0004', 'GO_ONLINE', 'GO_ONLINE', 'go online'],
  ['0005', 'CALL_BANK', 'DECLINED', 'call your bank'],
  ['0006', 'NOT_ACCEPTED', 'DECLINED', 'not accepted'],
  ['0007', 'FALL_BACK_TO_STRIPE', 'FALL_BACK', 'fall back to stripe'],
  ['0008', 'TIMEOUT', 'NO_CARD_STEP', 'timeout'],
  ['0009', 'GO_ONLINE_CONTACTLESS', 'GO_ONLINE', 'online (contactless)'],
  ['0010', 'STARTED', 'CONTINUE', 'started, send 60-11'],
  ['0011', 'SWIPE_OR_TAP_DONE', 'CONTINUE', 'swipe or tap done'],
  ['0012', 'CANCELLED', 'NO_CARD_STEP', 'cancelled'],
  ['3001', 'CHIP_OK', 'CONTINUE', 'chip ok'],
  ['3002', 'CHIP_FAILED', 'NO_CARD_STEP', 'chip failed'],
  ['3004', 'CHIP_FALL_BACK', 'FALL_BACK', 'fallback'],
  ['3005', 'NO_CARD', 'NO_CARD_STEP', 'no card'],
  ['3006', 'CHIP_TIMEOUT', 'NO_CARD_STEP', 'chip timeout'],
];

/** Code → meaning. A code that is not here decides nothing. */
export const TRANSACTION_RESULTS: ReadonlyMap<string, TransactionResult> = new Map(
  ROWS.map(([code, name, kind, meaning]) => [code, { code, name, kind, meaning }]),
);

/** Kinds of cryptogram a card gives (9F27): TC approves, AAC declines, ARQC asks the issuer. */
export type CryptogramType = 'AAC' | 'TC' | 'ARQC';

/** The kind in the two top bits of 9F27; undefined for the reserved one. */
export function cryptogramType(information: number): CryptogramType | undefined {
  return (['AAC', 'TC', 'ARQC', undefined] as const)[information >> 6];
}

/** What the last step of a contact transaction said (60-12, 60-13). */
interface LastStep {
  readonly resultCode?: string;
  readonly cryptogram?: CryptogramType;
}

/** Whether the card approved: only result 0000 or 0002, and no cryptogram that says otherwise. */
export function isCardApproval({ resultCode, cryptogram }: LastStep): boolean {
  const isApproved = resultCode !== undefined && TRANSACTION_RESULTS.get(resultCode)?.kind === 'APPROVED';
  return isApproved && (cryptogram === undefined || cryptogram === 'TC');
}

/** After an issuer's approval everything but the card's own approval must be reversed at the host, a lost answer too. */
export function mustReverseAtHost(isHostApproval: boolean, lastStep: LastStep | undefined): boolean {
  return isHostApproval && (lastStep === undefined || !isCardApproval(lastStep));
}
