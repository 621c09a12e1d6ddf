import { Title } from '@mantine/core';
import type { XReport } from '../../../app/contract/console/day.ts';
import { MoneyText } from '../../components/money-text.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import { callerName, operationWords } from '../activity/payment-state.ts';
import styles from './report.module.css';

export interface BreakdownTablesProps {
  readonly figures: Pick<XReport, 'byCashier' | 'byType' | 'tipAmount' | 'cashbackAmount'>;
  readonly currency: string;
}

/** What X and Z reports say beyond the totals: by kind, by who began the payments, tips and cash-back. */
export function BreakdownTables({ figures, currency }: BreakdownTablesProps) {
  const { byCashier, byType, tipAmount, cashbackAmount } = figures;
  if (byType.length === 0) return null;
  return (
    <>
      <ByType byType={byType} sums={{ tipAmount, cashbackAmount }} currency={currency} />
      <ByCashier byCashier={byCashier} currency={currency} />
    </>
  );
}

interface ByTypeProps {
  readonly byType: XReport['byType'];
  readonly sums: Pick<XReport, 'tipAmount' | 'cashbackAmount'>;
  readonly currency: string;
}

function ByType({ byType, sums, currency }: ByTypeProps) {
  const { t } = useTexts();
  const extra = [
    ['day:report.tips', sums.tipAmount],
    ['day:report.cashback', sums.cashbackAmount],
  ] as const;
  return (
    <section>
      <Title order={3}>{t('day:report.byType')}</Title>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('day:column.what')}</th>
            <th scope="col">{t('day:column.count')}</th>
            <th scope="col">{t('day:column.amount')}</th>
          </tr>
        </thead>
        <tbody>
          {byType.map(({ type, count, amount }) => (
            <tr key={type}>
              <th scope="row">{t(operationWords[type])}</th>
              <td className="figures">{count}</td>
              <td>
                <MoneyText amountMinor={amount} currency={currency} />
              </td>
            </tr>
          ))}
          {extra.map(([word, amount]) => (
            <tr key={word}>
              <th scope="row" colSpan={2}>
                {t(word)}
              </th>
              <td>
                <MoneyText amountMinor={amount} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ByCashier({ byCashier, currency }: { readonly byCashier: XReport['byCashier']; readonly currency: string }) {
  const { t } = useTexts();
  return (
    <section>
      <Title order={3}>{t('day:report.byCashier')}</Title>
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('day:column.who')}</th>
              <th scope="col">{t('day:column.sales')}</th>
              <th scope="col">{t('day:column.voids')}</th>
              <th scope="col">{t('day:column.refunds')}</th>
              <th scope="col">{t('day:column.tips')}</th>
              <th scope="col">{t('day:column.net')}</th>
            </tr>
          </thead>
          <tbody>
            {byCashier.map((row) => (
              <tr key={row.actor}>
                <th scope="row" className={styles.name}>
                  {callerName(row.actor)}
                </th>
                <td>
                  <MoneyText amountMinor={row.saleAmount} currency={currency} />
                </td>
                <td>
                  <MoneyText amountMinor={row.voidAmount} currency={currency} />
                </td>
                <td>
                  <MoneyText amountMinor={row.refundAmount} currency={currency} />
                </td>
                <td>
                  <MoneyText amountMinor={row.tipAmount} currency={currency} />
                </td>
                <td>
                  <MoneyText amountMinor={row.netAmount} currency={currency} isStrong />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
