import { Button, Stack, Title } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { PrinterTrouble } from '../../../app/contract/console/printing.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './attention-page.module.css';
import { BlockedCloseCard } from './blocked-close-card.tsx';
import { DuplicateCard } from './duplicate-card.tsx';
import { HostTroubleCard } from './host-trouble-card.tsx';
import { LateOfflineCard } from './late-offline-card.tsx';
import { PrinterTroubleCard } from './printer-trouble-card.tsx';
import { TaskCard } from './task-card.tsx';
import { TerminalTroubleCard } from './terminal-trouble-card.tsx';
import { useAttention } from './use-attention.ts';

/** One inbox: what is of unknown outcome, with what is being done about it, what may have been charged twice, and what does not work. */
export function AttentionPage() {
  const { t } = useTexts();
  const inbox = useAttention();
  if (inbox.isPending) return <LoadingState />;
  if (inbox.isError) return <ErrorState error={inbox.error} onRetry={() => void inbox.refetch()} />;
  const {
    tasks,
    possibleDuplicates,
    blockedCloses,
    terminalTroubles,
    printerTroubles,
    hostTroubles,
    lateOfflineSales,
  } = inbox.data;
  // What only a person can answer comes first, then what has waited longest.
  const ordered = [...tasks].sort(
    (a, b) =>
      Number(b.state === 'NEEDS_PERSON') - Number(a.state === 'NEEDS_PERSON') || (a.openedAt < b.openedAt ? -1 : 1),
  );
  const isEmpty = Object.values(inbox.data).every(({ length }) => length === 0);
  return (
    <div className={styles.page}>
      <Title order={1} className={isEmpty ? 'visually-hidden' : undefined}>
        {t('attention:navigation')}
      </Title>
      {isEmpty ? (
        <EmptyState icon={IconCircleCheck} title={t('attention:empty.title')} text={t('attention:empty.text')} />
      ) : (
        <Stack gap="lg">
          {ordered.map((task) => (
            <TaskCard key={task.taskId} task={task} />
          ))}
          {lateOfflineSales.map((sales) => (
            <LateOfflineCard key={sales.oldestSince} sales={sales} />
          ))}
          {hostTroubles.map((trouble) => (
            <HostTroubleCard key={trouble.terminalId} trouble={trouble} />
          ))}
          {terminalTroubles.map((trouble) => (
            <TerminalTroubleCard key={trouble.terminalId} trouble={trouble} />
          ))}
          {blockedCloses.map((close) => (
            <BlockedCloseCard key={close.terminalId} close={close} />
          ))}
          {possibleDuplicates.map((duplicate) => (
            <DuplicateCard key={duplicate.transactionId} duplicate={duplicate} />
          ))}
          <PrinterTroubles troubles={printerTroubles} />
        </Stack>
      )}
    </div>
  );
}

/** What is listed of a printer that fails with each receipt, before the rest is asked for. */
const maxShownTroubles = 3;

function PrinterTroubles({ troubles }: { readonly troubles: readonly PrinterTrouble[] }) {
  const { t } = useTexts();
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? troubles : troubles.slice(0, maxShownTroubles);
  const hiddenCount = troubles.length - shown.length;
  return (
    <>
      {shown.map((trouble) => (
        <PrinterTroubleCard key={trouble.jobId} trouble={trouble} />
      ))}
      {hiddenCount === 0 ? null : (
        <Button variant="default" onClick={() => setIsWhole(true)}>
          {t('attention:evidence.more', { count: hiddenCount })}
        </Button>
      )}
    </>
  );
}
