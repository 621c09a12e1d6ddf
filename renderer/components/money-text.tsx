import { useMoney } from '../hooks/use-money.ts';

export interface MoneyTextProps {
  readonly amountMinor: number;
  readonly currency: string;
  /** The figure that the others lead to. */
  readonly isStrong?: boolean;
}

/** An amount with the places of its currency, in figures of one width; it never breaks over a line. */
export function MoneyText({ amountMinor, currency, isStrong = false }: MoneyTextProps) {
  const money = useMoney();
  const text = money(amountMinor, currency);
  return isStrong ? <strong className="figures">{text}</strong> : <span className="figures">{text}</span>;
}
