import { Button } from '@mantine/core';
import { IconArrowUp, IconSearchOff } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import { isFiltered } from './activity-filter.ts';
import { ActivityFilters } from './activity-filters.tsx';
import { ActivityList } from './activity-list.tsx';
import styles from './activity-page.module.css';
import { TransactionPanel } from './transaction-panel.tsx';
import { useActivityList } from './use-activity-list.ts';
import { useFilter } from './use-filter.ts';

/** Every transaction of the till: search as one types, and each one's detail over the list, at an address of its own. */
export function ActivityPage() {
  const { t } = useTexts();
  const navigate = useNavigate();
  const [filter, show] = useFilter();
  const { transactionId } = useParams({ strict: false });
  const list = useActivityList(filter);
  const listElement = useRef<HTMLDivElement>(null);

  const open = (id: string | undefined) =>
    void navigate({ to: '/activity/{-$transactionId}', params: { transactionId: id }, search: () => filter });
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{t('activity:navigation')}</h1>
      <ActivityFilters filter={filter} onChange={show} onLeaveSearch={() => listElement.current?.focus()} />
      <Arrived count={list.arrivedCount} onShow={list.showArrived} />
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : list.isPending ? (
        <LoadingState />
      ) : list.rows.length > 0 ? (
        <ActivityList
          ref={listElement}
          rows={list.rows}
          // Another search begins at its top, as soon as its rows are there.
          key={list.shownFilter}
          hasMore={list.hasNextPage}
          isLoadingMore={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
          onOpen={open}
          openId={transactionId}
        />
      ) : isFiltered(filter) ? (
        <EmptyState
          icon={IconSearchOff}
          title={t('activity:empty.notFound')}
          text={t('activity:empty.notFoundHint')}
          actions={<Button onClick={() => show({})}>{t('activity:filter.clear')}</Button>}
        />
      ) : (
        <EmptyState title={t('activity:empty.none')} text={t('activity:empty.noneHint')} />
      )}
      <TransactionPanel transactionId={transactionId} onClose={() => open(undefined)} onOpen={open} />
    </div>
  );
}

/** Payments that came since the list was drawn: they wait over it until they are asked for, so that nothing moves under a finger. */
function Arrived({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  const { t } = useTexts();
  return (
    <div className={styles.arrived} aria-live="polite">
      {count === 0 ? null : (
        <Button leftSection={<IconArrowUp size={18} aria-hidden />} onClick={onShow}>
          {t('activity:arrived', { count })}
        </Button>
      )}
    </div>
  );
}
