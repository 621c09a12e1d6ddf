import type { TransactionTotals } from '../../../app/contract/settlements.ts';
import { MoneyText } from '../../components/money-text.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './report.module.css';

type Totals = Pick<
  TransactionTotals,
  'saleCount' | 'saleAmount' | 'refundCount' | 'refundAmount' | 'voidCount' | 'voidAmount' | 'currency'
>;

/** Sales, what was given back, and what remains, ruled as an accountant does. */
export function TotalsTable({ totals, netAmount }: { readonly totals: Totals; readonly netAmount: number }) {
  const { t } = useTexts();
  const rows = [
    ['day:totals.sales', totals.saleCount, totals.saleAmount],
    ['day:totals.voids', totals.voidCount, -totals.voidAmount],
    ['day:totals.refunds', totals.refundCount, -totals.refundAmount],
  ] as const;
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t('day:column.what')}</th>
          <th scope="col">{t('day:column.count')}</th>
          <th scope="col">{t('day:column.amount')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([word, count, amount]) => (
          <tr key={word}>
            <th scope="row">{t(word)}</th>
            <td className="figures">{count}</td>
            <td>
              <MoneyText amountMinor={amount === 0 ? 0 : amount} currency={totals.currency} />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className={styles.net}>
          <th scope="row" colSpan={2}>
            {t('day:totals.net')}
          </th>
          <td data-testid="net">
            <MoneyText amountMinor={netAmount} currency={totals.currency} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}
