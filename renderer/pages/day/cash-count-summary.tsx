import { Text, Title } from '@mantine/core';
import type { CashCountView } from '../../../app/contract/console/day.ts';
import { MoneyText } from '../../components/money-text.tsx';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { callerName } from '../activity/payment-state.ts';
import styles from './report.module.css';

/** What was counted, by whom, and what the till can say about it. */
export function CashCountSummary({ count }: { readonly count: CashCountView }) {
  const { t } = useTexts();
  const localTime = useLocalTime();
  const { counted, openingFloat, cashback, fromCashSales, currency, countedAt, countedBy, countNumber } = count;
  const rows = [
    ['day:cash.counted', counted],
    ['day:cash.float', -openingFloat],
    ['day:cash.cashback', cashback],
  ] as const;
  return (
    <section>
      <Title order={3}>{t('day:cash.known', { number: countNumber })}</Title>
      <Text c="dimmed">{t('day:cash.by', { name: callerName(countedBy), time: localTime(countedAt) })}</Text>
      <table className={styles.table}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t('day:column.what')}</th>
            <th scope="col">{t('day:column.amount')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([word, amount]) => (
            <tr key={word}>
              <th scope="row">{t(word)}</th>
              <td>
                <MoneyText amountMinor={amount === 0 ? 0 : amount} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className={styles.net}>
            <th scope="row">{t('day:cash.left')}</th>
            <td>
              <MoneyText amountMinor={fromCashSales} currency={currency} />
            </td>
          </tr>
        </tfoot>
      </table>
      <Text c="dimmed" mt="xs">
        {t('day:cash.hint')}
      </Text>
    </section>
  );
}
