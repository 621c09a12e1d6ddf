import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { TransactionResponse } from '../../../app/contract/transactions.ts';
import { ConfirmWithPin } from '../../components/confirm-with-pin.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useApprovedCall } from '../../hooks/use-approved-call.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './panel.module.css';
import { totalOf } from './sale-amounts.ts';
import { usePressGuard } from './use-press-guard.ts';

export interface SignatureQuestionProps {
  readonly response: TransactionResponse;
  readonly onMatches: () => void;
  readonly onTakenBack: () => void;
}

/** The payment is approved, and a person compares the signature. `No` takes nothing back by itself: that is a press of its own. */
export function SignatureQuestion({ response, onMatches, onTakenBack }: SignatureQuestionProps) {
  const { t } = useTexts();
  const money = useMoney();
  const api = useConsole();
  const refusalText = useRefusalText();
  const guarded = usePressGuard();
  const [isDoubted, setIsDoubted] = useState(false);
  const [attemptKey] = useState(() => crypto.randomUUID());
  const takeBack = useApprovedCall({
    call: (original: TransactionResponse, approval) =>
      api.call('sell.start', {
        type: 'VOID',
        amount: 0,
        currency: original.currency,
        originalTransactionId: original.transactionId,
        idempotencyKey: attemptKey,
        ...(approval === undefined ? {} : { approval }),
      }),
    onSuccess: (answer) => {
      if (answer.status === 'APPROVED') onTakenBack();
    },
  });
  const amount = money(totalOf(response), response.currency);

  if (!isDoubted) {
    return (
      <div className={styles.question}>
        <Text fw={600} size="lg">
          {t('sell:signature.question')}
        </Text>
        <div className={styles.actions}>
          <Button size="xl" variant="default" onClick={guarded(() => setIsDoubted(true))}>
            {t('sell:signature.no')}
          </Button>
          <Button size="xl" onClick={guarded(onMatches)}>
            {t('sell:signature.yes')}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className={styles.question}>
      <Text>{t('sell:signature.doubted')}</Text>
      <Text role="alert" c="var(--bad)">
        {takeBack.error === null ? '' : refusalText(takeBack.error).sentence}
      </Text>
      <div className={styles.actions}>
        <Button size="xl" variant="default" loading={takeBack.isBusy} onClick={() => takeBack.start(response)}>
          {t('sell:signature.takeBack', { amount })}
        </Button>
        <Button size="xl" disabled={takeBack.isBusy} onClick={onMatches}>
          {t('sell:signature.keep')}
        </Button>
      </div>
      <ConfirmWithPin {...takeBack.dialog} title={t('sell:signature.takeBack', { amount })} />
    </div>
  );
}
