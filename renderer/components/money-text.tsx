import { Text, type TextProps } from '@mantine/core';
import { useMoney } from '../hooks/use-money.ts';

export interface MoneyTextProps extends TextProps {
  readonly amountMinor: number;
  readonly currency: string;
}

/** An amount with the places of its currency, in figures of one width; it never breaks over a line. */
export function MoneyText({ amountMinor, currency, ...text }: MoneyTextProps) {
  const money = useMoney();
  return (
    <Text span inherit {...text} className="figures">
      {money(amountMinor, currency)}
    </Text>
  );
}
