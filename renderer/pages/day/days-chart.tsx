import { Button, Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { ProcedureResponse } from '../../../app/contract/console/procedures.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { MoneyText } from '../../components/money-text.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './days-chart.module.css';
import reportStyles from './report.module.css';
import { type TimeRange, useDayHistory } from './use-day.ts';

type Day = ProcedureResponse<'day.history'>['days'][number];

/** Bars that are shown; a longer time is read in the table. */
const maxBars = 62;
const chartHeight = 160;
const barWidth = 12;
const barGap = 4;

/** What each business day brought, one bar a day; the same as a table, for whoever reads figures rather than bars. */
export function DaysChart({ range }: { readonly range: TimeRange }) {
  const { t } = useTexts();
  const [isTable, setIsTable] = useState(false);
  const history = useDayHistory(range);
  if (history.isPending) return <LoadingState />;
  if (history.isError) return <ErrorState error={history.error} onRetry={() => void history.refetch()} />;
  const { days } = history.data;
  if (days.length === 0) return null;
  const currencies = [...new Set(days.map(({ currency }) => currency))];
  return (
    <section className={styles.panel}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('day:earlier.chart')}</Title>
        <Button variant="default" onClick={() => setIsTable(!isTable)}>
          {t(isTable ? 'day:earlier.asChart' : 'day:earlier.asTable')}
        </Button>
      </Group>
      {isTable ? (
        <DaysTable days={days} />
      ) : (
        currencies.map((currency) => <Bars key={currency} days={days.filter((day) => day.currency === currency)} />)
      )}
    </section>
  );
}

function useDayText(): (businessDate: string) => string {
  const { formats } = useTexts();
  const format = formats.dateTime({ dateStyle: 'medium', timeZone: 'UTC' });
  return (businessDate) => format.format(new Date(`${businessDate}T00:00:00Z`));
}

function Bars({ days }: { readonly days: readonly Day[] }) {
  const { t } = useTexts();
  const money = useMoney();
  const dayText = useDayText();
  const shown = days.slice(0, maxBars).reverse();
  const [first] = shown;
  const last = shown.at(-1);
  if (first === undefined || last === undefined) return null;
  const highest = Math.max(0, ...shown.map(({ netAmount }) => netAmount));
  const lowest = Math.min(0, ...shown.map(({ netAmount }) => netAmount));
  const scale = chartHeight / Math.max(1, highest - lowest);
  const zero = highest * scale;
  const width = shown.length * (barWidth + barGap);
  return (
    <figure className={styles.figure}>
      <Text c="dimmed" className="figures">
        {money(highest, first.currency)}
      </Text>
      <svg
        className={styles.chart}
        viewBox={`0 0 ${width} ${chartHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={shown
          .map(({ businessDate, netAmount, currency }) =>
            t('day:earlier.bar', { day: dayText(businessDate), amount: money(netAmount, currency) }),
          )
          .join('; ')}
      >
        {shown.map(({ businessDate, netAmount, currency }, index) => {
          const height = Math.max(1, Math.abs(netAmount) * scale);
          return (
            <rect
              key={businessDate}
              className={styles.bar}
              x={index * (barWidth + barGap) + barGap / 2}
              y={netAmount >= 0 ? zero - height : zero}
              width={barWidth}
              height={height}
            >
              <title>{t('day:earlier.bar', { day: dayText(businessDate), amount: money(netAmount, currency) })}</title>
            </rect>
          );
        })}
        <line className={styles.zero} x1={0} x2={width} y1={zero} y2={zero} />
      </svg>
      <Group justify="space-between">
        <Text c="dimmed">{dayText(first.businessDate)}</Text>
        {shown.length > 1 ? <Text c="dimmed">{dayText(last.businessDate)}</Text> : null}
      </Group>
    </figure>
  );
}

function DaysTable({ days }: { readonly days: readonly Day[] }) {
  const { t } = useTexts();
  const dayText = useDayText();
  return (
    <table className={reportStyles.table}>
      <thead>
        <tr>
          <th scope="col">{t('day:column.day')}</th>
          <th scope="col">{t('day:earlier.closes')}</th>
          <th scope="col">{t('day:column.sales')}</th>
          <th scope="col">{t('day:column.net')}</th>
        </tr>
      </thead>
      <tbody>
        {days.map(({ businessDate, currency, closes, saleCount, netAmount }) => (
          <tr key={`${businessDate} ${currency}`}>
            <th scope="row">{dayText(businessDate)}</th>
            <td className="figures">{closes}</td>
            <td className="figures">{saleCount}</td>
            <td>
              <MoneyText amountMinor={netAmount} currency={currency} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
