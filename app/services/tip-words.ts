import { exponentOf } from '../contract/currencies.ts';
import { formatMinor } from '../domain/money.ts';
import type { ChosenTip } from '../domain/tip-choices.ts';
import { parseTipSource } from '../domain/tip-source.ts';

/** What a terminal's display says about tips, in one language. Plain letters: not every terminal has others. */
interface TipTexts {
  /** With a currency behind it at most 16 characters: the shortest prompt that a terminal takes. */
  readonly tip: string;
  readonly none: string;
  readonly other: string;
  readonly more: string;
}

const english: TipTexts = { tip: 'Tip', none: 'No tip', other: 'Other amount', more: 'More' };

const languages: Readonly<Record<string, TipTexts>> = {
  de: { tip: 'Trinkgeld', none: 'Kein Trinkgeld', other: 'Anderer Betrag', more: 'Weitere' },
  fr: { tip: 'Pourboire', none: 'Sans pourboire', other: 'Autre montant', more: 'Suite' },
  es: { tip: 'Propina', none: 'Sin propina', other: 'Otro importe', more: 'Otras' },
  it: { tip: 'Mancia', none: 'Senza mancia', other: 'Altro importo', more: 'Altre' },
};

export interface TipWords extends Omit<TipTexts, 'tip'> {
  /** Above the choices, with what is paid without a tip. */
  readonly question: string;
  /** For an amount that is entered with its decimal places. */
  readonly amountPrompt: string;
  /** For an amount that is entered in minor units: an example says so. */
  readonly minorPrompt: string;
  /** After too large an amount: as many digits as there are, whatever else does not fit. */
  most(largestMinor: number): string;
  option(tip: ChosenTip): string;
}

/** @param language BCP 47; English for one that there are no words for */
export function tipWords(language: string | undefined, goodsMinor: number, currency: string): TipWords {
  const [code = ''] = (language ?? '').split('-');
  const { tip, ...words } = languages[code] ?? english;
  const exponent = exponentOf(currency);
  const money = (minor: number) => `${formatMinor(minor, exponent)} ${currency}`;
  return {
    ...words,
    question: `${money(goodsMinor)}\n${tip}?`,
    amountPrompt: `${tip} ${currency}`,
    minorPrompt: `${tip} (250 = ${money(250)})`,
    most: (largestMinor) => `Max ${money(largestMinor)}`,
    option(chosen) {
      const source = parseTipSource(chosen.tipSource);
      const amount = money(chosen.tipAmountMinor);
      // Hundredths of a per cent, without the zeros behind the point.
      return source.kind === 'PRESET' ? `${Number(formatMinor(source.basisPoints, 2))} %  ${amount}` : amount;
    },
  };
}
