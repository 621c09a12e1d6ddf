import { Button, Group, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { TerminalView } from '../../../app/contract/console/terminals.ts';
import { StatusBadge } from '../../components/status-badge.tsx';
import { VirtualSettings } from '../../components/virtual-terminal/virtual-settings.tsx';
import { VirtualTerminal } from '../../components/virtual-terminal/virtual-terminal.tsx';
import { deviceStates } from '../../frame/terminal-chip.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { useVirtualTerminal } from '../../hooks/use-virtual-terminal.ts';
import { KeptActions } from './kept-actions.tsx';
import { TerminalFacts } from './terminal-facts.tsx';
import styles from './terminals-page.module.css';
import { useTerminalsChanged } from './use-terminals.ts';

export interface TerminalCardProps {
  readonly terminal: TerminalView;
  readonly address: string | undefined;
  /** It stands in the settings, and can be renamed and removed. */
  readonly isKept: boolean;
}

/** One terminal: its state, what it is doing, what it can do, its tests; a virtual one can be used here. */
export function TerminalCard({ terminal, address, isKept }: TerminalCardProps) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const { training } = useSession();
  const { terminalId, status, isDefault = false } = terminal;
  const name = terminal.name ?? terminalId;
  const virtual = useVirtualTerminal(terminalId, training);
  const { tone, text } = deviceStates[status.state];
  const current = status.currentTransactionId;
  return (
    <article className={styles.card} aria-labelledby={`terminal-${terminalId}`}>
      <Group justify="space-between" gap="sm">
        <Title order={2} id={`terminal-${terminalId}`}>
          {name}
        </Title>
        <Group gap="sm">
          {isDefault ? <StatusBadge tone="INFO">{t('terminals:default')}</StatusBadge> : null}
          <StatusBadge tone={tone}>{t(text)}</StatusBadge>
        </Group>
      </Group>
      <div className={styles.body} data-virtual={virtual !== undefined}>
        <div className={styles.column}>
          <TerminalFacts terminal={terminal} address={address} />
          {current === undefined ? null : (
            <Button variant="default" onClick={() => void navigate({ to: `/activity/${current}` })}>
              {t('terminals:doing.show')}
            </Button>
          )}
          <Tests terminal={terminal} />
          {isKept ? (
            <Group gap="sm">
              <KeptActions
                {...{ terminalId, name, isDefault }}
                asksTip={canAsk(terminal) ? terminal.asksTip === true : undefined}
              />
            </Group>
          ) : null}
          {virtual === undefined ? null : <VirtualSettings virtual={virtual} />}
        </div>
        {virtual === undefined ? null : (
          <div className={styles.virtual}>
            <VirtualTerminal terminalId={name} virtual={virtual} />
          </div>
        )}
      </div>
    </article>
  );
}

/** With a menu, or with digits where an amount may be entered. */
function canAsk({ capabilities: { operations, inputTypes } }: TerminalView): boolean {
  const keys = inputTypes.some((type) => type === 'MENU' || type === 'DIGITS' || type === 'DECIMAL');
  return operations.includes('INPUT') && keys;
}

/** Asking, showing and printing: nothing of it moves money. */
function Tests({ terminal: { terminalId, capabilities } }: { readonly terminal: TerminalView }) {
  const { t } = useTexts();
  const api = useConsole();
  const changed = useTerminalsChanged();
  const lines = [t('terminals:test.line')];
  const ask = useMutation({
    mutationFn: () => api.call('terminals.probe', { terminalId }),
    onSuccess: changed,
  });
  const display = useMutation({ mutationFn: () => api.call('terminals.testDisplay', { terminalId, lines }) });
  const print = useMutation({ mutationFn: () => api.call('terminals.testPrint', { terminalId, lines }) });
  const calls = [ask, display, print];
  const last = calls.reduce((a, b) => (b.submittedAt > a.submittedAt ? b : a));
  const { sentence } = useRefusalText()(last.error);
  const can = (operation: 'DISPLAY' | 'PRINT') => capabilities.operations.includes(operation);

  function outcome(): string {
    if (last.isError) return sentence;
    if (!last.isSuccess) return '';
    if (last === display) return t('terminals:done.display');
    if (last === print) return t('terminals:done.print');
    return t(ask.data?.terminal.status.connected === true ? 'terminals:done.asked' : 'terminals:done.silent');
  }

  return (
    <div>
      <Group gap="sm">
        <Button variant="default" loading={ask.isPending} onClick={() => ask.mutate()}>
          {t('terminals:action.ask')}
        </Button>
        {can('DISPLAY') ? (
          <Button variant="default" loading={display.isPending} onClick={() => display.mutate()}>
            {t('terminals:action.display')}
          </Button>
        ) : null}
        {can('PRINT') ? (
          <Button variant="default" loading={print.isPending} onClick={() => print.mutate()}>
            {t('terminals:action.print')}
          </Button>
        ) : null}
      </Group>
      <Text role="status" className={styles.outcome}>
        {outcome()}
      </Text>
    </div>
  );
}
