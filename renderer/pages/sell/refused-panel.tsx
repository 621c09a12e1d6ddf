import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ConsoleRefusal } from '../../../app/contract/console/refusal.ts';
import { Refusal } from '../../api/console.ts';
import { useConsole } from '../../hooks/console-context.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { BigAmount } from './big-amount.tsx';
import type { SaleIntent, SellRequest } from './kept-intent.ts';
import { OutcomeBox } from './outcome-box.tsx';
import styles from './panel.module.css';
import { totalOf } from './sale-amounts.ts';
import { Sentence } from './sentence.tsx';
import { usePressGuard } from './use-press-guard.ts';

export interface RefusedPanelProps {
  readonly intent: SaleIntent;
  readonly refusal: ConsoleRefusal;
  /** Back to the amount, as it was. */
  readonly onChange: () => void;
  readonly onTryAgain: (request: SellRequest) => void;
}

/** Codes that mean: the terminal cannot be reached or is not ready. */
const silentTerminal: readonly string[] = ['TERMINAL_UNREACHABLE', 'TERMINAL_NOT_READY'];
const busyTerminal: readonly string[] = ['TRANSACTION_IN_PROGRESS', 'TERMINAL_BUSY'];

/** Nothing was started: why, and what can be done about it. */
export function RefusedPanel({ intent, refusal, onChange, onTryAgain }: RefusedPanelProps) {
  const { t } = useTexts();
  const refusalText = useRefusalText();
  const guarded = usePressGuard();
  const { terminals } = useSession();
  const { request, terminalId } = intent;
  const knowsAbort = terminals.find((one) => one.terminalId === terminalId)?.capabilities.abort ?? true;
  const isSilent = silentTerminal.includes(refusal.error);
  const isDuplicate = refusal.error === 'POSSIBLE_DUPLICATE';
  const isBusy = busyTerminal.includes(refusal.error);
  const again = isDuplicate && request.type === 'SALE' ? { ...request, allowDuplicate: true } : request;
  return (
    <div className={styles.panel}>
      <BigAmount amountMinor={totalOf(request)} currency={request.currency} label={t('sell:amount')} />
      <OutcomeBox tone="WARN">
        {isBusy ? (
          <BusyWords terminalId={terminalId} transactionId={refusal.transactionId} />
        ) : (
          <Sentence>
            {isSilent
              ? t('sell:refused.silent')
              : isDuplicate
                ? t('sell:refused.duplicate', { reference: request.referenceId ?? '' })
                : refusalText(new Refusal(refusal)).sentence}
          </Sentence>
        )}
        {isSilent ? <p className={styles.detail}>{t('sell:refused.checkTerminal')}</p> : null}
        {isBusy && !knowsAbort ? <p className={styles.detail}>{t('common:cancelAtTerminal')}</p> : null}
        {isDuplicate ? <p className={styles.detail}>{t('sell:refused.duplicateAdvice')}</p> : null}
        <p className={styles.code}>{[refusal.reason ?? refusal.error, refusal.field].filter(Boolean).join(' · ')}</p>
      </OutcomeBox>
      <div className={styles.actions}>
        {isBusy && refusal.transactionId !== undefined ? (
          <>
            <ShowOther transactionId={refusal.transactionId} />
            {knowsAbort ? <AbortOther transactionId={refusal.transactionId} /> : null}
          </>
        ) : null}
        {isDuplicate ? (
          <Button size="xl" variant="default" onClick={guarded(() => onTryAgain(again))}>
            {t('sell:refused.chargeAnyway')}
          </Button>
        ) : (
          <Button size="xl" variant="default" onClick={guarded(onChange)}>
            {t('sell:refused.change')}
          </Button>
        )}
        {isDuplicate ? (
          <Button size="xl" onClick={guarded(onChange)}>
            {t('sell:refused.doNotCharge')}
          </Button>
        ) : (
          <Button size="xl" onClick={guarded(() => onTryAgain(again))}>
            {t('common:tryAgain')}
          </Button>
        )}
      </div>
    </div>
  );
}

interface BusyWordsProps {
  readonly terminalId: string;
  readonly transactionId: string | undefined;
}

/** `Lane 1 is still working on 8.00 €.` */
function BusyWords({ terminalId, transactionId }: BusyWordsProps) {
  const { t } = useTexts();
  const money = useMoney();
  const api = useConsole();
  const other = useQuery({
    queryKey: ['activity.detail', transactionId],
    queryFn: () => api.call('activity.detail', { transactionId: transactionId ?? '' }),
    enabled: transactionId !== undefined,
  });
  const transaction = other.data?.transaction;
  return (
    <Sentence>
      {transaction === undefined
        ? t('sell:refused.busy', { terminal: terminalId })
        : t('sell:refused.busyWith', {
            terminal: terminalId,
            amount: money(totalOf(transaction), transaction.currency),
          })}
    </Sentence>
  );
}

function ShowOther({ transactionId }: { readonly transactionId: string }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  return (
    <Button size="xl" variant="default" onClick={() => void navigate({ to: `/activity/${transactionId}` })}>
      {t('sell:refused.showOther')}
    </Button>
  );
}

function AbortOther({ transactionId }: { readonly transactionId: string }) {
  const { t } = useTexts();
  const api = useConsole();
  return (
    <Button
      size="xl"
      variant="default"
      onClick={() => {
        // Whether it worked is seen by trying again.
        api.call('sell.abort', { transactionId }).catch(() => undefined);
      }}
    >
      {t('sell:refused.abortOther')}
    </Button>
  );
}
