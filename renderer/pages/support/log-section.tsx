import { Box, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { LogLineView } from '../../../app/contract/console/support.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import { aboutTexts, isShown, type LogFilter, levelTexts, levelTones } from './log-filter.ts';
import styles from './support.module.css';
import { useLog } from './use-log.ts';

const rowHeightPx = 44;

/** The log as it is written, until somebody stops it to read. */
export function LogSection() {
  const { t } = useTexts();
  const [isPaused, setIsPaused] = useState(false);
  const [filter, setFilter] = useState<LogFilter>({ level: 'info', about: 'ALL', text: '' });
  const query = useLog(isPaused);
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return <LoadingState />;
  const shown = query.data.lines.filter((line) => isShown(line, filter));
  return (
    <Stack>
      <Group align="end">
        <NativeSelect
          label={t('support:log.level')}
          value={filter.level}
          onChange={({ currentTarget: { value } }) => {
            const level = levelTexts.find(([each]) => each === value)?.[0];
            if (level !== undefined) setFilter({ ...filter, level });
          }}
          data={levelTexts.map(([value, label]) => ({ value, label: t(label) }))}
        />
        <NativeSelect
          label={t('support:log.about')}
          value={filter.about}
          onChange={({ currentTarget: { value } }) => {
            const about = aboutTexts.find(([each]) => each === value)?.[0];
            if (about !== undefined) setFilter({ ...filter, about });
          }}
          data={aboutTexts.map(([value, label]) => ({ value, label: t(label) }))}
        />
        <TextInput
          label={t('support:log.text')}
          value={filter.text}
          onChange={({ currentTarget: { value } }) => setFilter({ ...filter, text: value })}
        />
        <Button variant="default" aria-pressed={isPaused} onClick={() => setIsPaused(!isPaused)}>
          {t(isPaused ? 'support:log.resume' : 'support:log.pause')}
        </Button>
      </Group>
      <Text c="dimmed">{t('support:log.count', { count: shown.length })}</Text>
      {shown.length === 0 ? (
        <EmptyState title={t('support:log.empty')} />
      ) : (
        <LogLines lines={shown} follows={!isPaused} />
      )}
    </Stack>
  );
}

function LogLines({ lines, follows }: { readonly lines: readonly LogLineView[]; readonly follows: boolean }) {
  const { t, formats } = useTexts();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 10,
  });
  const newest = lines.at(-1)?.sequence;
  useEffect(() => {
    if (follows && newest !== undefined) virtualizer.scrollToIndex(lines.length - 1);
  }, [follows, newest, lines.length, virtualizer]);
  const clock = formats.dateTime({ timeStyle: 'medium' });
  return (
    // A region that scrolls is reached by the keyboard.
    <Box
      component="section"
      ref={scroller}
      className={styles.scroller}
      tabIndex={0}
      aria-label={t('support:section.log')}
    >
      <div className={styles.rows} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          const details = Object.entries(line.fields).map(([name, value]) => `${name}=${value}`);
          const words = [line.message, ...details].join('  ');
          return (
            <div key={line.sequence} className={styles.row} style={{ transform: `translateY(${start}px)` }}>
              <span className="figures">{clock.format(new Date(line.at))}</span>
              <StatusBadge tone={levelTones[line.level]}>
                {t(levelTexts.find(([level]) => level === line.level)?.[1] ?? 'support:level.info')}
              </StatusBadge>
              <span className={styles.cut} title={words} lang="en">
                {words}
              </span>
            </div>
          );
        })}
      </div>
    </Box>
  );
}
