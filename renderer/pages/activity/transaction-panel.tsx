import { Button, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ActivityDetail } from '../../../app/contract/console/activity.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useConsole, useConsoleEvents } from '../../hooks/console-context.ts';
import { useMoney } from '../../hooks/use-money.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { totalOf } from '../sell/sale-amounts.ts';
import { Facts } from './facts.tsx';
import { GiveBack } from './give-back.tsx';
import { operationWords, paymentState } from './payment-state.ts';
import { Receipt } from './receipt.tsx';
import { Timeline } from './timeline.tsx';
import styles from './transaction-panel.module.css';

export interface TransactionPanelProps {
  /** Undefined: no detail is shown. */
  readonly transactionId: string | undefined;
  readonly onClose: () => void;
  readonly onOpen: (transactionId: string) => void;
}

/** One transaction over the list: what happened on the left, its receipt on the right, what can be done at the bottom. */
export function TransactionPanel({ transactionId, onClose, onOpen }: TransactionPanelProps) {
  const { t } = useTexts();
  // A refund at the terminal is not left by a stray Esc.
  const [isBusy, setIsBusy] = useState(false);
  const query = useTransactionDetail(transactionId);
  const detail = query.data;
  return (
    <SidePanel
      title={detail === undefined ? t('activity:detail') : t(operationWords[detail.transaction.type])}
      isOpen={transactionId !== undefined}
      onClose={() => {
        if (!isBusy) onClose();
      }}
      width="1040px"
    >
      {query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : detail === undefined ? (
        <LoadingState />
      ) : (
        <div className={styles.panel} key={detail.transaction.transactionId}>
          <Heading detail={detail} />
          <Links detail={detail} onOpen={onOpen} />
          <div className={styles.columns}>
            <section>
              <Title order={3} mb="md">
                {t('activity:timeline')}
              </Title>
              <Timeline detail={detail} />
            </section>
            <section>
              <Title order={3} mb="md">
                {t('activity:receipt.title')}
              </Title>
              <Receipt detail={detail} />
            </section>
          </div>
          <section>
            <Title order={3} mb="md">
              {t('activity:facts')}
            </Title>
            <Facts detail={detail} />
          </section>
          <footer className={styles.actions}>
            <GiveBack detail={detail} onBusy={setIsBusy} />
          </footer>
        </div>
      )}
    </SidePanel>
  );
}

/** The detail of one transaction, asked for again whenever something happens to it or to what acts on it. */
function useTransactionDetail(transactionId: string | undefined) {
  const api = useConsole();
  const query = useQuery({
    queryKey: ['activity.detail', transactionId],
    queryFn: () => api.call('activity.detail', { transactionId: transactionId ?? '' }),
    enabled: transactionId !== undefined,
  });
  useConsoleEvents(({ event }) => {
    if (transactionId !== undefined && event !== 'status_changed') void query.refetch();
  });
  return query;
}

function Heading({ detail }: { readonly detail: ActivityDetail }) {
  const { t } = useTexts();
  const money = useMoney();
  const { transaction } = detail;
  const { tone, word } = paymentState({ ...transaction, charged: transaction.outcome?.charged ?? 'NO' });
  return (
    <div>
      <Group gap="md">
        <Text span className="figures" size="xl" fw={600}>
          {money(totalOf(transaction), transaction.currency)}
        </Text>
        <StatusBadge tone={tone}>{t(word)}</StatusBadge>
        {transaction.possibleDuplicate === true ? (
          <StatusBadge tone="WARN">{t('activity:possibleDuplicate')}</StatusBadge>
        ) : null}
      </Group>
      {transaction.decline === undefined || tone === 'UNKNOWN' ? null : (
        <Text>{transaction.decline.merchantMessage}</Text>
      )}
      {transaction.deferredAuthorization === 'WAITING' ? <Text>{t('activity:acceptedOfflineHint')}</Text> : null}
      {tone === 'UNKNOWN' ? <Text fw={600}>{t('activity:unknownHint')}</Text> : null}
    </div>
  );
}

/** Ways to what belongs to it: the original, what took it back, and the inbox when its outcome is unknown. */
function Links({ detail, onOpen }: { readonly detail: ActivityDetail; readonly onOpen: (id: string) => void }) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const { transaction, voidedBy, completedBy } = detail;
  const links = [
    [t('activity:link.original'), transaction.originalTransactionId],
    [t('activity:link.voidedBy'), voidedBy],
    [t('activity:link.completedBy'), completedBy],
  ] as const;
  const known = links.filter(([, id]) => id !== undefined);
  const isUnknown = transaction.status === 'ERROR' && transaction.outcome?.charged === 'UNKNOWN';
  if (known.length === 0 && !isUnknown) return null;
  return (
    <Group gap="sm">
      {known.map(([label, id]) => (
        <Button key={label} variant="light" onClick={() => id !== undefined && onOpen(id)}>
          {label}
        </Button>
      ))}
      {isUnknown ? (
        <Button variant="light" onClick={() => void navigate({ to: '/attention' })}>
          {t('activity:giveBack.toAttention')}
        </Button>
      ) : null}
    </Group>
  );
}
