import { exponentOf } from '../contract/currencies.ts';
import { formatMinor } from '../domain/money.ts';
import type { Settings } from '../ports/settings.ts';
import { de } from './texts/paper-texts.de.ts';
import { en } from './texts/paper-texts.en.ts';
import { es } from './texts/paper-texts.es.ts';
import { fr } from './texts/paper-texts.fr.ts';
import { it } from './texts/paper-texts.it.ts';
import type { PaperTexts } from './texts/paper-texts.ts';

const languages: Readonly<Record<string, PaperTexts>> = { en, de, fr, es, it };

/** How the till writes on paper: words, money and times in its language and time zone. */
export interface PaperWords {
  readonly texts: PaperTexts;
  /** (1250, EUR) → `12,50 EUR` in German; with as many places as the currency has. The code, not the sign: not every printer knows it. */
  money(amountMinor: number, currency: string): string;
  /** An ISO instant in the time of the shop. */
  time(iso: string): string;
  /** A calendar day, YYYY-MM-DD. */
  day(date: string): string;
}

export function paperWords({ language, timeZone }: Pick<Settings, 'language' | 'timeZone'>): PaperWords {
  const [code = ''] = (language ?? '').split('-');
  const texts = languages[code];
  // English without a region would write the month first.
  const locale = texts === undefined || language === undefined || language === 'en' ? 'en-GB' : language;
  const times = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'medium', timeZone });
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  return {
    texts: texts ?? en,
    money(amountMinor, currency) {
      const exponent = exponentOf(currency);
      const format = new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        currencyDisplay: 'code',
        minimumFractionDigits: exponent,
        maximumFractionDigits: exponent,
      });
      // Decimal text, not a number: an amount is never a float.
      return format.format(formatMinor(amountMinor, exponent) as `${number}`);
    },
    time: (iso) => times.format(new Date(iso)),
    day: (date) => days.format(new Date(`${date}T00:00:00Z`)),
  };
}
