import { Button, Group, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { RequestView } from '../../../app/contract/console/integrations.ts';
import { useLocalTime } from '../../hooks/use-local-time.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './request-list.module.css';
import { RequestState, useRequestName } from './request-words.tsx';

/** Height in pixels of a row that does not wrap, and rows drawn above and below what is seen. */
const rowHeightPx = 64;
const overscanRows = 6;

interface RequestListProps {
  /** Newest first. */
  readonly requests: readonly RequestView[];
  readonly onOpen: (request: RequestView) => void;
  /** Whether somebody points into the list, has the focus in it, or has scrolled it. */
  readonly onReading: (isReading: boolean) => void;
}

/** The requests, drawn only where they are seen. */
export function RequestList({ requests, onOpen, onReading }: RequestListProps) {
  const { t } = useTexts();
  const scroller = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer({
    count: requests.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: overscanRows,
    getItemKey: (index) => requests[index]?.sequence ?? index,
  });
  const look = () => {
    const list = scroller.current;
    onReading(list !== null && (list.scrollTop > 0 || list.matches(':hover') || list.contains(document.activeElement)));
  };
  // A list that has gone is read by nobody.
  useEffect(() => () => onReading(false), [onReading]);
  return (
    <section
      ref={scroller}
      className={styles.scroller}
      aria-label={t('integrations:section.requests')}
      onPointerEnter={look}
      onPointerLeave={look}
      onFocus={look}
      onBlur={() => requestAnimationFrame(look)}
      onScroll={look}
    >
      <ul className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const entry = requests[index];
          if (entry === undefined) return null;
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              className={styles.row}
              aria-posinset={index + 1}
              aria-setsize={requests.length}
              data-index={index}
              style={{ transform: `translateY(${start}px)` }}
            >
              <RequestRow entry={entry} onOpen={() => onOpen(entry)} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function RequestRow({ entry, onOpen }: { readonly entry: RequestView; readonly onOpen: () => void }) {
  const { t } = useTexts();
  const time = useLocalTime();
  const nameOf = useRequestName();
  return (
    <>
      <div className={styles.what}>
        <Text>{nameOf(entry)}</Text>
        <Text size="sm" c="dimmed">
          {[time(entry.at), entry.clientName, entry.origin].filter((part) => part !== undefined).join(' · ')}
        </Text>
      </div>
      <Group gap="sm" wrap="nowrap">
        <RequestState entry={entry} />
        <Text className="figures">{entry.statusCode}</Text>
        <Text className={`figures ${styles.duration}`}>
          {t('integrations:requests.duration', { ms: entry.durationMs })}
        </Text>
        <Button variant="default" onClick={onOpen}>
          {t('common:show')}
        </Button>
      </Group>
    </>
  );
}
