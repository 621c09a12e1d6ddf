import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProcedureResponse } from '../../../app/contract/console/procedures.ts';
import type { TerminalView } from '../../../app/contract/console/terminals.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useConsole } from '../../hooks/console-context.ts';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { cardName } from '../activity/payment-state.ts';
import { timeLeft } from './hold-time.ts';
import styles from './holds-panel.module.css';

type Hold = ProcedureResponse<'sell.openPreAuths'>['preAuths'][number];

export interface HoldsPanelProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly terminal: TerminalView;
  readonly onComplete: (hold: Hold) => void;
  readonly onRelease: (hold: Hold) => void;
}

/** The open holds of the terminal, oldest first: each is completed, in part or as a whole, or released where its terminal can. */
export function HoldsPanel({ isOpen, onClose, terminal, onComplete, onRelease }: HoldsPanelProps) {
  const { t } = useTexts();
  const api = useConsole();
  const query = useQuery({
    queryKey: ['sell.openPreAuths'],
    queryFn: () => api.call('sell.openPreAuths', {}),
    enabled: isOpen,
    // What was held a moment ago is in it.
    staleTime: 0,
    gcTime: 0,
  });
  const holds = query.data?.preAuths.filter(({ terminalId }) => terminalId === terminal.terminalId);
  return (
    <SidePanel title={t('sell:more.holds')} isOpen={isOpen} onClose={onClose} width="640px" returnsFocus={false}>
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : holds === undefined ? (
        <LoadingState />
      ) : holds.length === 0 ? (
        <EmptyState title={t('sell:holds.none')} />
      ) : (
        <ul className={styles.holds}>
          {holds.map((hold) => (
            <HoldRow
              key={hold.transactionId}
              hold={hold}
              onComplete={() => onComplete(hold)}
              onRelease={() => onRelease(hold)}
            />
          ))}
        </ul>
      )}
    </SidePanel>
  );
}

interface HoldRowProps {
  readonly hold: Hold;
  readonly onComplete: () => void;
  readonly onRelease: () => void;
}

function HoldRow({ hold, onComplete, onRelease }: HoldRowProps) {
  const { t } = useTexts();
  const money = useMoney();
  const localTime = useLocalTime();
  const { holdDays } = useSession();
  const [isReleasing, setIsReleasing] = useState(false);
  const left = timeLeft(hold.timestamp, holdDays, Date.now());
  const amount = money(hold.amount, hold.currency);
  const facts = [cardName(hold.cardScheme, hold.lastFour), hold.referenceId, localTime(hold.timestamp)];
  return (
    <li className={styles.hold}>
      <Group justify="space-between" gap="sm">
        <Text span className="figures" size="lg" fw={600}>
          {amount}
        </Text>
        {left.unit === 'NONE' ? (
          <StatusBadge tone="WARN">{t('sell:holds.lapsed')}</StatusBadge>
        ) : (
          <StatusBadge tone={left.unit === 'DAYS' ? 'INFO' : 'WARN'}>
            {t(left.unit === 'DAYS' ? 'sell:holds.daysLeft' : 'sell:holds.hoursLeft', { count: left.count })}
          </StatusBadge>
        )}
      </Group>
      <Text c="dimmed">{facts.filter((fact) => fact !== undefined).join(' · ')}</Text>
      {hold.canRelease ? null : <Text c="dimmed">{t('activity:giveBack.cannotRelease')}</Text>}
      {isReleasing ? <Text>{t('sell:holds.releaseText', { amount })}</Text> : null}
      <Group justify="flex-end">
        {isReleasing ? (
          <>
            <Button variant="default" size="lg" onClick={() => setIsReleasing(false)}>
              {t('common:cancel')}
            </Button>
            <Button size="lg" onClick={onRelease}>
              {t('sell:holds.releaseNow')}
            </Button>
          </>
        ) : (
          <>
            {hold.canRelease ? (
              <Button variant="default" size="lg" onClick={() => setIsReleasing(true)}>
                {t('sell:holds.release')}
              </Button>
            ) : null}
            <Button size="lg" onClick={onComplete}>
              {t('sell:holds.complete')}
            </Button>
          </>
        )}
      </Group>
    </li>
  );
}
