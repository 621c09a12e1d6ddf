import { Button } from '@mantine/core';
import { IconBulb, IconX } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { TransactionResponse } from '../../app/contract/transactions.ts';
import { useConsoleEvents } from '../hooks/console-context.ts';
import { useLocalTime } from '../hooks/use-local-time.ts';
import { useMoney } from '../hooks/use-money.ts';
import { useTexts } from '../hooks/use-texts.ts';
import { totalOf } from '../pages/sell/sale-amounts.ts';
import styles from './late-truths.module.css';

/** Notices that stand at one time; the newest stay. */
const MAX_NOTICES = 3;

/** What became of payments of unknown outcome, on whatever page their truth arrives. */
export function LateTruths() {
  const { t } = useTexts();
  const navigate = useNavigate();
  const money = useMoney();
  const time = useLocalTime();
  const [found, setFound] = useState<readonly TransactionResponse[]>([]);
  useConsoleEvents((event) => {
    if (event.event !== 'outcome_resolved') return;
    // What was expected of a sale that was taken offline is no news, and a day without a host brings many at once.
    if (event.response.deferredAuthorization === 'AUTHORIZED') return;
    const others = (list: readonly TransactionResponse[]) =>
      list.filter((other) => other.transactionId !== event.transactionId);
    setFound((before) => [...others(before), event.response].slice(-MAX_NOTICES));
  });
  const dismiss = (gone: TransactionResponse) => setFound((before) => before.filter((other) => other !== gone));
  return (
    <div role="status">
      {found.map((response) => (
        <div key={response.transactionId} className={styles.notice}>
          <IconBulb size={20} aria-hidden />
          <span className={styles.text}>
            {t(response.outcome?.charged === 'YES' ? 'common:lateTruth.charged' : 'common:lateTruth.notCharged', {
              amount: money(totalOf(response), response.currency),
              time: time(response.receiptData?.dateTime ?? response.timestamp),
            })}
          </span>
          <Button
            variant="default"
            onClick={() => {
              dismiss(response);
              void navigate({ to: `/activity/${response.transactionId}` });
            }}
          >
            {t('common:show')}
          </Button>
          <Button variant="subtle" color="gray" onClick={() => dismiss(response)} aria-label={t('common:close')}>
            <IconX size={20} aria-hidden />
          </Button>
        </div>
      ))}
    </div>
  );
}
