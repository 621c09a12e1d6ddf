import { useCallback } from 'react';
import { exponentOf } from '../../app/contract/currencies.ts';
import { formatMinor } from '../../app/domain/money.ts';
import type { Formats } from '../i18n/formats.ts';
import { useTexts } from './use-texts.ts';

/** Minor units as text of the language, with as many places as the currency has and its sign: (1250, EUR) → 12,50 € in German. */
export function formatMoney(formats: Formats, amountMinor: number, currency: string): string {
  const exponent = exponentOf(currency);
  const format = formats.number({
    style: 'currency',
    currency,
    minimumFractionDigits: exponent,
    maximumFractionDigits: exponent,
  });
  // Decimal text, not a number: an amount is never a float.
  return format.format(formatMinor(amountMinor, exponent) as `${number}`);
}

/** `formatMoney` in the language that is shown. */
export function useMoney(): (amountMinor: number, currency: string) => string {
  const { formats } = useTexts();
  return useCallback((amountMinor, currency) => formatMoney(formats, amountMinor, currency), [formats]);
}
