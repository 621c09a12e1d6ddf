import type { Ref } from 'react';
import { useMoney } from '../../hooks/use-money.ts';
import styles from './big-amount.module.css';

export interface BigAmountProps {
  readonly amountMinor: number;
  readonly currency: string;
  readonly label: string;
  /** For whoever wants to put the focus here; it is not reached by Tab. */
  readonly ref?: Ref<HTMLOutputElement>;
}

/** Characters that fit at the largest size; longer amounts are set smaller, so that none is ever cut. */
const LARGE_CHARACTERS = 10;
const MEDIUM_CHARACTERS = 16;

/** The amount, readable from the other side of the counter. */
export function BigAmount({ amountMinor, currency, label, ref }: BigAmountProps) {
  const text = useMoney()(amountMinor, currency);
  const size = text.length <= LARGE_CHARACTERS ? 'LARGE' : text.length <= MEDIUM_CHARACTERS ? 'MEDIUM' : 'SMALL';
  return (
    <output
      ref={ref}
      tabIndex={-1}
      className={`${styles.amount} figures`}
      data-size={size}
      aria-label={label}
      data-testid="amount"
    >
      {text}
    </output>
  );
}
