import { IconAlertTriangle } from '@tabler/icons-react';
import { MoneyText } from '../../components/money-text.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import { cardName } from '../activity/payment-state.ts';
import styles from './report.module.css';

interface Figure {
  readonly count: number;
  readonly amount: number;
}

interface SchemeRow {
  readonly scheme: string;
  readonly journal: Figure;
  readonly terminal?: Figure;
}

export interface SchemeTableProps {
  readonly currency: string;
  readonly rows: readonly SchemeRow[];
}

/** The journal by card scheme and, where the terminal has told its own figures, those beside it; what differs stands out by sign, weight and colour. */
export function SchemeTable({ currency, rows }: SchemeTableProps) {
  const { t } = useTexts();
  if (rows.length === 0) return null;
  const hasTerminal = rows.some(({ terminal }) => terminal !== undefined);
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          {hasTerminal ? (
            <tr>
              <td />
              <th scope="colgroup" colSpan={2}>
                {t('day:column.journal')}
              </th>
              <th scope="colgroup" colSpan={2}>
                {t('day:column.terminal')}
              </th>
            </tr>
          ) : null}
          <tr>
            <th scope="col">{t('day:column.scheme')}</th>
            <th scope="col">{t('day:column.count')}</th>
            <th scope="col">{t('day:column.amount')}</th>
            {hasTerminal ? (
              <>
                <th scope="col">{t('day:column.count')}</th>
                <th scope="col">{t('day:column.amount')}</th>
              </>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ scheme, journal, terminal }) => (
            <tr key={scheme} data-differs={terminal !== undefined && differs(journal, terminal)}>
              <th scope="row">
                {terminal !== undefined && differs(journal, terminal) ? (
                  <IconAlertTriangle size={18} className={styles.sign} aria-label={t('day:differs')} />
                ) : null}
                {scheme === 'OTHER' ? t('day:otherScheme') : cardName(scheme, undefined)}
              </th>
              <Cells figure={journal} currency={currency} />
              {terminal === undefined ? null : <Cells figure={terminal} currency={currency} />}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cells({ figure, currency }: { readonly figure: Figure; readonly currency: string }) {
  return (
    <>
      <td className="figures">{figure.count}</td>
      <td>
        <MoneyText amountMinor={figure.amount} currency={currency} />
      </td>
    </>
  );
}

function differs(journal: Figure, terminal: Figure): boolean {
  return journal.count !== terminal.count || journal.amount !== terminal.amount;
}
