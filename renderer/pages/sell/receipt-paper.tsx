import type { ReceiptData } from '../../../app/contract/transactions.ts';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './receipt-paper.module.css';

export interface ReceiptPaperProps {
  readonly receipt: ReceiptData;
  readonly currency: string;
  /** No real money moved: said on the paper, so that it is never taken for a payment. */
  readonly isSimulated: boolean;
}

/** The receipt of a payment, as it reads on paper. */
export function ReceiptPaper({ receipt, currency, isSimulated }: ReceiptPaperProps) {
  const { t } = useTexts();
  const money = useMoney();
  const time = useLocalTime();
  const amounts = [
    { label: t('sell:receipt.amount'), minor: receipt.amount },
    { label: t('sell:receipt.tip'), minor: receipt.tipAmount ?? 0 },
    { label: t('sell:receipt.cashback'), minor: receipt.cashbackAmount ?? 0 },
  ].filter(({ minor }, index) => index === 0 || minor > 0);
  const facts = [
    {
      label: t('sell:receipt.card'),
      value: [receipt.applicationLabel ?? receipt.cardScheme, receipt.maskedPan].filter(Boolean).join(' '),
    },
    { label: t('sell:receipt.authorization'), value: receipt.authorizationCode },
    { label: t('sell:receipt.terminal'), value: receipt.terminalId },
    { label: t('sell:receipt.merchant'), value: receipt.merchantId },
    { label: 'AID', value: receipt.aid },
  ].filter(({ value }) => value !== undefined && value !== '');
  return (
    <article className={styles.paper} aria-label={t('sell:receipt.title')}>
      <h2>{receipt.merchantName ?? t('sell:receipt.title')}</h2>
      <p className={styles.centred}>{time(receipt.dateTime)}</p>
      {isSimulated ? <p className={styles.centred}>{t('sell:receipt.training')}</p> : null}
      <dl className={styles.amounts}>
        {amounts.map(({ label, minor }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{money(minor, currency)}</dd>
          </div>
        ))}
        <div className={styles.total}>
          <dt>{t('sell:receipt.total')}</dt>
          <dd>{money(receipt.totalAmount, currency)}</dd>
        </div>
      </dl>
      <dl>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </article>
  );
}
