import { exponentOf } from '../contract/currencies.ts';
import { MAX_AMOUNT_MINOR } from '../contract/limits.ts';
import type { ActivityFilter } from '../ports/journal.ts';

type Match = NonNullable<ActivityFilter['match']>;

/** Characters. Ids are random: what is shorter is an amount or a reference, and ids that happen to begin so are none of what was meant. */
const MIN_ID_PREFIX = 6;

/** What a typed search may mean: an amount in each currency of the till, a card's last digits, the begin of a reference or id. */
export function matchOf(query: string, currencies: readonly string[]): Match {
  const text = query.trim();
  const amounts = [...new Set(currencies)].flatMap((currency) => {
    const totalMinor = minorOf(text, exponentOf(currency));
    return totalMinor === undefined ? [] : [{ totalMinor, currency }];
  });
  return {
    amounts,
    ...(/^[0-9]{4}$/.test(text) ? { lastFour: text } : {}),
    prefix: text,
    ...(text.length < MIN_ID_PREFIX ? {} : { idPrefix: text }),
  };
}

/** `12`, `12.5`, `12,50` in minor units; undefined for what is no amount of this currency. */
function minorOf(text: string, exponent: number): number | undefined {
  const parts = /^([0-9]{1,13})(?:[.,]([0-9]{1,4}))?$/.exec(text);
  if (parts === null) return undefined;
  const [, whole = '', fraction = ''] = parts;
  if (fraction.length > exponent) return undefined;
  const minor = Number(whole + fraction.padEnd(exponent, '0'));
  return minor <= MAX_AMOUNT_MINOR ? minor : undefined;
}
