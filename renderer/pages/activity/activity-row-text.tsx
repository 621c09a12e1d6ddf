import { memo } from 'react';
import type { ActivityRow } from '../../../app/contract/console/activity.ts';
import { MoneyText } from '../../components/money-text.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './activity-list.module.css';
import { callerName, cardName, operationWords, paymentState } from './payment-state.ts';

/** One transaction in one line: when, what, with which card, by whom, how it ended, how much. */
export const ActivityRowText = memo(function ActivityRowText({ row }: { readonly row: ActivityRow }) {
  const { t } = useTexts();
  const localTime = useLocalTime();
  const { tone, word } = paymentState(row);
  const movesMoney = row.type !== 'CARD_READ';
  return (
    <>
      <span className={styles.time}>{localTime(row.createdAt)}</span>
      <span className={styles.operation}>
        <span>{t(operationWords[row.type])}</span>
        <span className={styles.reference}>
          {row.possibleDuplicate === true ? `${t('activity:possibleDuplicate')} · ` : ''}
          {row.referenceId}
        </span>
      </span>
      <span className={`figures ${styles.cut}`}>{cardName(row.cardScheme, row.lastFour)}</span>
      <span className={styles.cut}>{callerName(row.startedBy)}</span>
      <span>
        <StatusBadge tone={tone}>{t(word)}</StatusBadge>
      </span>
      <span className={styles.right}>
        {movesMoney ? <MoneyText amountMinor={row.totalAmount} currency={row.currency} /> : null}
      </span>
    </>
  );
});
