import type { ActivityDetail } from '../../../app/contract/console/activity.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { entryText } from './event-words.ts';
import styles from './facts.module.css';
import { callerName, cardName, lastFourOf } from './payment-state.ts';

/** What else is known: who, where, references, the codes that support asks for, and the POS's own metadata. */
export function Facts({ detail }: { readonly detail: ActivityDetail }) {
  const { t, formats } = useTexts();
  const money = useMoney();
  const { transaction, terminalId, startedBy, createdAt } = detail;
  const { currency, tipAmount, cashbackAmount } = transaction;
  const at = formats.dateTime({ dateStyle: 'medium', timeStyle: 'medium' });
  const amount = (minor: number | undefined) => (minor === undefined ? undefined : money(minor, currency));
  const facts: readonly (readonly [label: string, value: string | undefined])[] = [
    [t('activity:fact.time'), at.format(new Date(createdAt))],
    [t('activity:fact.by'), callerName(startedBy)],
    [t('activity:fact.terminal'), terminalId],
    [t('activity:fact.reference'), transaction.referenceId],
    [t('activity:fact.card'), cardName(transaction.cardScheme, lastFourOf(transaction.maskedPan))],
    [t('activity:fact.entry'), entryText(t, transaction.entryMode)],
    [t('activity:fact.amount'), amount(transaction.amount)],
    [t('activity:fact.tip'), amount(tipAmount)],
    [t('activity:fact.cashback'), amount(cashbackAmount)],
    [t('activity:fact.refunded'), detail.refundedMinor === 0 ? undefined : amount(detail.refundedMinor)],
    [t('activity:fact.authorization'), transaction.authorizationCode],
    [t('activity:fact.responseCode'), transaction.responseCode],
    [t('activity:fact.errorCode'), transaction.errorCode],
    [t('activity:fact.rrn'), transaction.rrn],
    [t('activity:fact.aid'), transaction.aid],
    [t('activity:fact.businessDate'), transaction.businessDate],
    [t('activity:fact.batch'), transaction.batchNumber],
    [t('activity:fact.rule'), transaction.simulatedRule],
    ...Object.entries(transaction.metadata ?? {}),
    [t('activity:fact.id'), transaction.transactionId],
  ];
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
