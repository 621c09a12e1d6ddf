import type { TerminalView } from '../../../app/contract/console/terminals.ts';
import { VirtualTerminal } from '../../components/virtual-terminal/virtual-terminal.tsx';
import { deviceStates } from '../../frame/terminal-chip.tsx';
import { useMoney } from '../../hooks/use-money.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { useVirtualTerminal } from '../../hooks/use-virtual-terminal.ts';
import { ReceiptPaper } from './receipt-paper.tsx';
import { totalOf } from './sale-amounts.ts';
import type { SaleState } from './sale-controller.ts';
import { stepTexts } from './steps.tsx';
import { TerminalDrawing } from './terminal-drawing.tsx';
import styles from './terminal-side.module.css';

/** Beside the amount: what the terminal shows; when it has ended, its receipt. */
export function TerminalSide({ state, terminal }: { readonly state: SaleState; readonly terminal: TerminalView }) {
  const { t } = useTexts();
  const money = useMoney();
  const { training } = useSession();
  const virtual = useVirtualTerminal(terminal.terminalId, training);
  const receipt =
    state.phase === 'ENDED' && state.response.status === 'APPROVED' ? state.response.receiptData : undefined;
  if (receipt !== undefined && state.phase === 'ENDED') {
    return (
      <ReceiptPaper
        receipt={receipt}
        currency={state.response.currency}
        isSimulated={state.response.simulated === true}
      />
    );
  }
  const running = state.phase === 'RUNNING' ? state : undefined;
  const { headline, text } =
    running === undefined
      ? { headline: t(deviceStates[terminal.status.state].text), text: undefined }
      : {
          headline: money(totalOf(running.intent.request), running.intent.request.currency),
          text: running.message ?? t(stepTexts[running.step]),
        };
  if (virtual !== undefined) {
    return (
      <div className={styles.side}>
        <VirtualTerminal terminalId={terminal.name ?? terminal.terminalId} virtual={virtual} />
      </div>
    );
  }
  return (
    <div className={styles.side}>
      <TerminalDrawing
        terminalId={terminal.name ?? terminal.terminalId}
        headline={headline}
        text={text}
        isWaiting={running?.step === 'WAITING'}
      />
    </div>
  );
}
