import { Button } from '@mantine/core';
import type { TerminalView } from '../../../app/contract/console/terminals.ts';
import { useConnectionState } from '../../hooks/console-context.ts';
import { type Translate, useTexts } from '../../hooks/use-texts.ts';
import { BigAmount } from './big-amount.tsx';
import styles from './panel.module.css';
import { totalOf } from './sale-amounts.ts';
import type { RunningSale } from './sale-controller.ts';
import { Steps, stepTexts } from './steps.tsx';
import { usePressGuard } from './use-press-guard.ts';

export interface RunningPanelProps {
  readonly running: RunningSale;
  readonly terminal: TerminalView;
  readonly onAbort: (transactionId: string) => void;
}

/** While a payment runs: the amount, what is happening, and nothing to press but Abort, where the terminal can be told to stop. */
export function RunningPanel({ running, terminal, onAbort }: RunningPanelProps) {
  const { t } = useTexts();
  const isOffline = useConnectionState() !== 'OPEN';
  const guarded = usePressGuard();
  const { intent, step, abort } = running;
  // After a reload the events before it are not told again; the terminal's state names what it works on.
  const transactionId = running.transactionId ?? terminal.status.currentTransactionId;
  const knowsAbort = terminal.capabilities.abort;
  const canAbort = transactionId !== undefined && abort === 'NONE' && step !== 'PROCESSING' && !isOffline;
  return (
    <div className={styles.panel}>
      <BigAmount amountMinor={totalOf(intent.request)} currency={intent.request.currency} label={t('sell:amount')} />
      <div className={styles.body}>
        <p className={styles.sentence} role="status" data-testid="running">
          {isOffline ? t('sell:running.offline') : t(stepTexts[step])}
        </p>
        <Steps step={step} />
        <p className={styles.detail}>{knowsAbort ? abortText(abort, t) : t('common:cancelAtTerminal')}</p>
      </div>
      {knowsAbort ? (
        <div className={styles.actions}>
          <Button
            size="xl"
            variant="default"
            disabled={!canAbort}
            onClick={guarded(() => transactionId !== undefined && onAbort(transactionId))}
          >
            {t('sell:abort')}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function abortText(abort: RunningSale['abort'], t: Translate): string {
  if (abort === 'ASKED') return t('sell:running.aborting');
  return abort === 'TOO_LATE' ? t('sell:running.abortTooLate') : '';
}
