import type { ReceiptData, TransactionResponse } from '../../../app/contract/transactions.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { entryText } from './event-words.ts';
import { cardName, lastFourOf, operationWords, paymentState } from './payment-state.ts';
import styles from './receipt.module.css';

export interface TillReceiptProps {
  readonly receipt: ReceiptData;
  readonly transaction: TransactionResponse;
  readonly isMerchantCopy: boolean;
}

/** A receipt out of what the till knows, for a terminal that gave none. */
export function TillReceipt({ receipt, transaction, isMerchantCopy }: TillReceiptProps) {
  const { t, formats } = useTexts();
  const money = useMoney();
  const amount = (minor: number | undefined) => (minor === undefined ? undefined : money(minor, transaction.currency));
  const at = formats.dateTime({ dateStyle: 'medium', timeStyle: 'medium' });
  const { word } = paymentState({ ...transaction, charged: transaction.outcome?.charged ?? 'NO' });
  const hasParts = receipt.tipAmount !== undefined || receipt.cashbackAmount !== undefined;
  const rows: readonly (readonly [label: string, value: string | undefined])[] = [
    [t('activity:fact.time'), at.format(new Date(receipt.dateTime))],
    [t('activity:fact.terminal'), receipt.terminalId],
    [t('activity:fact.merchant'), receipt.merchantId],
    [t('activity:fact.card'), cardName(receipt.cardScheme, lastFourOf(receipt.maskedPan))],
    [t('activity:fact.entry'), entryText(t, receipt.entryMode)],
    [t('activity:fact.aid'), receipt.aid],
    [t('activity:fact.authorization'), receipt.authorizationCode],
    [t('activity:fact.amount'), hasParts ? amount(receipt.amount) : undefined],
    [t('activity:fact.tip'), amount(receipt.tipAmount)],
    [t('activity:fact.cashback'), amount(receipt.cashbackAmount)],
  ];
  const needsSignature = isMerchantCopy && receipt.cvmPerformed?.endsWith('SIGNATURE') === true;
  return (
    <>
      {receipt.merchantName === undefined ? null : <p className={styles.shop}>{receipt.merchantName}</p>}
      <p className={styles.duplicate}>{t(operationWords[transaction.type])}</p>
      <dl className={styles.rows}>
        {rows
          .filter(([, value]) => value !== undefined)
          .map(([label, value]) => (
            <Row key={label} label={label} value={value ?? ''} />
          ))}
        <Row label={t('activity:fact.total')} value={money(receipt.totalAmount, transaction.currency)} isTotal />
      </dl>
      <p className={styles.status}>{t(word)}</p>
      {needsSignature ? <p className={styles.signature}>{t('activity:receipt.signature')}</p> : null}
    </>
  );
}

function Row({ label, value, isTotal = false }: { label: string; value: string; isTotal?: boolean }) {
  const className = isTotal ? styles.total : undefined;
  return (
    <>
      <dt className={className}>{label}</dt>
      <dd className={`figures ${className ?? ''}`}>{value}</dd>
    </>
  );
}
