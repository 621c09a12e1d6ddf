import { useEffect, useState } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { AmountEntry } from './amount-entry.tsx';
import { emptyDraft } from './draft.ts';
import { RefusedPanel } from './refused-panel.tsx';
import { ResultPanel } from './result-panel.tsx';
import { RunningPanel } from './running-panel.tsx';
import { useSale } from './sale-context.ts';
import styles from './sell-page.module.css';
import { TerminalSide } from './terminal-side.tsx';
import { UnseenPanel } from './unseen-panel.tsx';

/** Take a payment: an amount, one Charge button, and what became of it. */
export function SellPage() {
  const { t } = useTexts();
  const { terminals, signedIn } = useSession();
  const sale = useSale();
  const [draft, setDraft] = useState(emptyDraft);
  const terminal = terminals.find((one) => one.terminalId === draft.terminalId) ?? terminals[0];
  useEffect(() => sale.resume(), [sale]);

  if (terminal === undefined) return <EmptyState title={t('sell:noTerminal')} />;
  if (signedIn.role === 'SUPPORT') return <EmptyState title={t('sell:supportDoesNotSell')} />;
  const { state } = sale;
  const newSale = () => {
    sale.leave();
    setDraft({ ...emptyDraft, terminalId: terminal.terminalId });
  };
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{t('sell:navigation')}</h1>
      <section className={styles.main}>
        {state.phase === 'ENTERING' ? (
          <AmountEntry
            terminal={terminal}
            terminals={terminals}
            draft={draft}
            onChange={setDraft}
            onStart={(request) => sale.charge(terminal.terminalId, request)}
          />
        ) : null}
        {state.phase === 'RUNNING' ? (
          <RunningPanel running={state} terminal={terminal} onAbort={(transactionId) => sale.abort(transactionId)} />
        ) : null}
        {state.phase === 'ENDED' ? (
          <ResultPanel
            key={state.response.transactionId}
            response={state.response}
            onNewSale={newSale}
            onTryAgain={() => sale.charge(state.intent.terminalId, state.intent.request)}
          />
        ) : null}
        {state.phase === 'REFUSED' ? (
          <RefusedPanel
            intent={state.intent}
            refusal={state.refusal}
            onChange={() => sale.leave()}
            onTryAgain={(request) => sale.charge(state.intent.terminalId, request)}
          />
        ) : null}
        {state.phase === 'UNSEEN' ? <UnseenPanel intent={state.intent} onAsk={() => sale.askAgain()} /> : null}
      </section>
      <aside className={styles.side} aria-label={t('sell:terminal.label')}>
        <TerminalSide state={state} terminal={terminal} />
      </aside>
    </div>
  );
}
