import type { TransactionResponse } from '../../../app/contract/transactions.ts';
import { totalMinor } from '../../../app/domain/money.ts';

type Amounts = Pick<TransactionResponse, 'amount' | 'tipAmount' | 'cashbackAmount'>;

/** What the customer is charged in all: amount, tip and cash-back. */
export function totalOf({ amount, tipAmount = 0, cashbackAmount = 0 }: Amounts): number {
  return totalMinor({ amountMinor: amount, tipAmountMinor: tipAmount, cashbackAmountMinor: cashbackAmount });
}

/** Digits typed one after the other as an amount: each moves the others to the left. Stays as it was where the terminal takes no more. */
export function withDigits(amountMinor: number, digits: string, maxMinor: number): number {
  const next = Number(`${amountMinor}${digits}`);
  return Number.isSafeInteger(next) && next <= maxMinor ? next : amountMinor;
}

export function withoutLastDigit(amountMinor: number): number {
  return Math.trunc(amountMinor / 10);
}

/**
 * An amount as a person writes it (`2`, `2,5`, `2.50`), in minor units; undefined for anything else, and for more places than the currency has.
 * Works on the digits, never on a float.
 */
export function parseAmount(text: string, exponent: number): number | undefined {
  const parts = /^(\d{1,12})(?:[.,](\d*))?$/.exec(text.trim());
  if (parts === null) return undefined;
  const [, whole = '', places = ''] = parts;
  if (places.length > exponent) return undefined;
  const minor = Number(whole + places.padEnd(exponent, '0'));
  return Number.isSafeInteger(minor) ? minor : undefined;
}
