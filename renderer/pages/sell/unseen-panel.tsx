import { Button } from '@mantine/core';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { BigAmount } from './big-amount.tsx';
import type { SaleIntent } from './kept-intent.ts';
import { OutcomeBox } from './outcome-box.tsx';
import styles from './panel.module.css';
import { totalOf } from './sale-amounts.ts';
import { Sentence } from './sentence.tsx';
import { usePressGuard } from './use-press-guard.ts';

/** A payment was begun here and its answer was not seen: it is asked for under its own key, which cannot charge twice. */
export function UnseenPanel({ intent, onAsk }: { readonly intent: SaleIntent; readonly onAsk: () => void }) {
  const { t } = useTexts();
  const money = useMoney();
  const time = useLocalTime();
  const guarded = usePressGuard();
  const amount = money(totalOf(intent.request), intent.request.currency);
  return (
    <div className={styles.panel}>
      <BigAmount amountMinor={totalOf(intent.request)} currency={intent.request.currency} label={t('sell:amount')} />
      <OutcomeBox tone="UNKNOWN">
        <Sentence>
          {t('sell:unseen.sentence', { amount, time: time(new Date(intent.startedAtMs).toISOString()) })}
        </Sentence>
        <p className={styles.detail}>{t('sell:unseen.advice')}</p>
      </OutcomeBox>
      <div className={styles.actions}>
        <Button size="xl" onClick={guarded(onAsk)}>
          {t('sell:unseen.ask')}
        </Button>
      </div>
    </div>
  );
}
