import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { TransactionResponse } from '../../../app/contract/transactions.ts';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useShortcuts } from '../../hooks/use-shortcuts.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import { BigAmount } from './big-amount.tsx';
import { OutcomeBox } from './outcome-box.tsx';
import styles from './panel.module.css';
import { RecoveryWords } from './recovery-words.tsx';
import { cardWords, codesOf, type NextStep, resultWords, wantsSignature } from './result-words.ts';
import { totalOf } from './sale-amounts.ts';
import { Sentence } from './sentence.tsx';
import { SignatureQuestion } from './signature-question.tsx';
import { SupportWords } from './support-words.tsx';
import { usePressGuard } from './use-press-guard.ts';

export interface ResultPanelProps {
  readonly response: TransactionResponse;
  readonly onNewSale: () => void;
  readonly onTryAgain: () => void;
}

/** What became of the payment: one sentence, one big next action, the code small below. */
export function ResultPanel({ response, onNewSale, onTryAgain }: ResultPanelProps) {
  const { t } = useTexts();
  const money = useMoney();
  const time = useLocalTime();
  const navigate = useNavigate();
  const [isSignatureOpen, setIsSignatureOpen] = useState(() => wantsSignature(response));
  const { tone, sentence, next } = resultWords(response);
  const guarded = usePressGuard();
  const amount = totalOf(response);

  const showDetails = () => void navigate({ to: `/activity/${response.transactionId}` });
  const primary = { NEXT: onNewSale, RETRY: onTryAgain, WAIT: showDetails }[next];
  const press = (handler: () => void) => () => {
    guarded(handler)();
    return true;
  };
  useShortcuts(
    [
      { keys: ['Enter'], shown: 'Enter', label: primaryTexts[next], run: press(primary) },
      ...(next === 'RETRY'
        ? [{ keys: ['Escape'], shown: 'Esc', label: 'common:cancel' as const, run: press(onNewSale) }]
        : []),
    ],
    !isSignatureOpen,
  );

  return (
    <div className={styles.panel}>
      <BigAmount amountMinor={amount} currency={response.currency} label={t('sell:amount')} />
      <OutcomeBox tone={tone}>
        <Sentence>
          {t(sentence, {
            amount: money(amount, response.currency),
            card: cardWords(response),
            time: time(response.timestamp),
          })}
        </Sentence>
        {response.decline === undefined ? null : <p className={styles.detail}>{response.decline.customerMessage}</p>}
        {next === 'WAIT' ? (
          <>
            <RecoveryWords transactionId={response.transactionId} />
            <SupportWords />
          </>
        ) : null}
        <p className={styles.code}>{codesOf(response)}</p>
      </OutcomeBox>
      {isSignatureOpen ? (
        <SignatureQuestion response={response} onMatches={() => setIsSignatureOpen(false)} onTakenBack={onNewSale} />
      ) : (
        <div className={styles.actions}>
          {next === 'NEXT' ? null : (
            <Button size="xl" variant="default" onClick={guarded(onNewSale)}>
              {next === 'WAIT' ? t('sell:newSale') : t('common:cancel')}
            </Button>
          )}
          <Button size="xl" onClick={guarded(primary)}>
            {t(primaryTexts[next])}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The one big next action. While it is unknown whether money moved, it is not another charge. */
const primaryTexts = {
  NEXT: 'sell:newSale',
  RETRY: 'common:tryAgain',
  WAIT: 'sell:seeDetails',
} as const satisfies Record<NextStep, TextKey>;
