import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react';
import type { ActivityRow } from '../../../app/contract/console/activity.ts';
import { useShortcuts } from '../../hooks/use-shortcuts.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './activity-list.module.css';
import { ActivityRowText } from './activity-row-text.tsx';

/** Height of a row in pixels, and rows drawn above and below what is seen. */
const rowHeightPx = 56;
const overscanRows = 6;
/** The next page is asked for when so many rows are left: a page ahead of the fastest thumb. */
const prefetchRows = 80;

export interface ActivityListProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly rows: readonly ActivityRow[];
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly onMore: () => void;
  readonly onOpen: (transactionId: string) => void;
  /** The one whose detail is shown. */
  readonly openId: string | undefined;
}

/** Rows of one height, drawn only where they are seen: as smooth with a hundred thousand as with ten. */
export function ActivityList({ ref, rows, hasMore, isLoadingMore, onMore, onOpen, openId }: ActivityListProps) {
  const { t } = useTexts();
  const scroller = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => scroller.current as HTMLDivElement);
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      rows.findIndex((row) => row.transactionId === openId),
    ),
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: overscanRows,
    getItemKey: (index) => rows[index]?.transactionId ?? index,
  });
  const items = virtualizer.getVirtualItems();
  const lastDrawn = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isLoadingMore && lastDrawn >= rows.length - prefetchRows) onMore();
  }, [hasMore, isLoadingMore, lastDrawn, rows.length, onMore]);

  const moveTo = (index: number) => {
    const next = Math.min(Math.max(index, 0), rows.length - 1);
    setActive(next);
    virtualizer.scrollToIndex(next);
    scroller.current?.focus({ preventScroll: true });
  };
  const openRow = (index: number): boolean => {
    const row = rows[index];
    if (row === undefined) return false;
    setActive(index);
    onOpen(row.transactionId);
    return true;
  };
  const takeKey = (key: string): boolean => {
    if (key === 'Enter') return openRow(active);
    const seenPx = scroller.current?.clientHeight ?? rowHeightPx;
    const next = stepOf(key, active, Math.max(1, Math.floor(seenPx / rowHeightPx) - 1), rows.length);
    if (next !== undefined) moveTo(next);
    return next !== undefined;
  };
  // The list also takes its keys when nothing at all has the focus.
  const takeAnywhere = (key: string) => document.activeElement === document.body && takeKey(key);
  useShortcuts(
    [
      { keys: ['ArrowUp', 'ArrowDown'], shown: '↑ ↓', label: 'activity:keys.move', run: takeAnywhere },
      {
        keys: ['PageUp', 'PageDown', 'Home', 'End'],
        shown: 'Page, Home, End',
        label: 'activity:keys.far',
        run: takeAnywhere,
      },
      { keys: ['Enter'], shown: 'Enter', label: 'activity:keys.open', run: takeAnywhere },
    ],
    openId === undefined,
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey && takeKey(event.key)) event.preventDefault();
  };
  return (
    <div className={styles.list}>
      <div className={styles.head} aria-hidden>
        <span>{t('activity:column.time')}</span>
        <span>{t('activity:column.operation')}</span>
        <span>{t('activity:column.card')}</span>
        <span>{t('activity:column.by')}</span>
        <span>{t('activity:column.status')}</span>
        <span className={styles.right}>{t('activity:column.amount')}</span>
      </div>
      <div
        ref={scroller}
        className={styles.scroller}
        role="listbox"
        tabIndex={0}
        aria-label={t('activity:navigation')}
        aria-activedescendant={rows[active] && `row-${rows[active].transactionId}`}
        aria-busy={isLoadingMore}
        onKeyDown={onKeyDown}
        onClick={(event) => openRow(rowIndexOf(event.target))}
      >
        <div className={styles.rows} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start, key }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <div
                key={key}
                id={`row-${row.transactionId}`}
                role="option"
                tabIndex={-1}
                className={styles.row}
                aria-selected={index === active}
                aria-posinset={index + 1}
                aria-setsize={hasMore ? -1 : rows.length}
                data-index={index}
                style={{ transform: `translateY(${start}px)` }}
              >
                <ActivityRowText row={row} />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Where a key leads: to one row more or less, a page of rows, or an end. */
function stepOf(key: string, from: number, pageRows: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return from + 1;
    case 'ArrowUp':
      return from - 1;
    case 'PageDown':
      return from + pageRows;
    case 'PageUp':
      return from - pageRows;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

/** The row that was pressed; -1 beside all of them. */
function rowIndexOf(target: EventTarget): number {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null;
  return Number(row?.dataset.index ?? -1);
}
