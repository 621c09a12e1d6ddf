import type { OfflineSalesView } from '../../app/contract/console/offline-sales.ts';
import type { TextKey } from '../i18n/text-key.ts';
import { useMoney } from './use-money.ts';
import { useTexts } from './use-texts.ts';

type Unreached = OfflineSalesView['unreached'][number];

const msPerMinute = 60_000;
const minutesPerHour = 60;

/** Why no more sales are taken with a reader whose host does not answer. */
const closedWords = {
  OFF: 'host:offlineSales.off',
  TOTAL_REACHED: 'host:offlineSales.totalReached',
  TOO_MANY: 'host:offlineSales.tooMany',
  TOO_OLD: 'host:offlineSales.tooOld',
  HOST_UNKNOWN: 'host:offlineSales.hostUnknown',
} as const satisfies Record<Exclude<Unreached['taking'], 'TAKES'>, TextKey>;

/** What there is to say of sales without their issuer, in words: what waits, what is taken now and why not, and what to do. */
export interface OfflineWords {
  readonly waiting: string | undefined;
  /** One sentence for each reader whose host does not answer. */
  readonly unreached: readonly string[];
  readonly advice: string;
}

export function useOfflineWords(): (view: OfflineSalesView) => OfflineWords {
  const { t, formats } = useTexts();
  const money = useMoney();
  const units = (amount: number, currency: string) =>
    formats.number({ style: 'currency', currency, maximumFractionDigits: 0 }).format(amount);

  function ageOf(since: string): string {
    const minutes = Math.max(1, Math.floor((Date.now() - Date.parse(since)) / msPerMinute));
    return minutes < minutesPerHour
      ? t('host:offlineSales.minutes', { count: minutes })
      : t('host:offlineSales.hours', { count: Math.floor(minutes / minutesPerHour) });
  }

  function waitingWords({ count, sums, oldestSince }: OfflineSalesView): string | undefined {
    if (count === 0 || oldestSince === undefined) return undefined;
    const sum = sums.map(({ amount, currency }) => money(amount, currency)).join(' + ');
    return t('host:offlineSales.waits', { count, sum, age: ageOf(oldestSince) });
  }

  function unreachedWords({ limits }: OfflineSalesView, { terminalId, name, currency, taking, room }: Unreached) {
    const terminal = name ?? terminalId;
    if (taking !== 'TAKES') {
      const values = { terminal, total: units(limits.maxTotalUnits, currency), count: limits.maxSales };
      return t(closedWords[taking], values);
    }
    const { amount = 0, total = 0, count = 0 } = room ?? {};
    return t('host:offlineSales.takes', {
      ...{ terminal, count },
      amount: money(amount, currency),
      total: money(total, currency),
    });
  }

  return (view) => {
    const isClosing = view.isLate && view.unreached.every(({ taking }) => taking !== 'TOO_OLD');
    const late = isClosing ? `${t('host:offlineSales.late')} ` : '';
    return {
      waiting: waitingWords(view),
      unreached: view.unreached.map((each) => unreachedWords(view, each)),
      advice: `${late}${t(view.count > 0 ? 'host:offlineSales.advice' : 'host:offlineSales.network')}`,
    };
  };
}
