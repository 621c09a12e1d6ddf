import { ActionIcon, CloseButton, NativeSelect, TextInput } from '@mantine/core';
import { IconFilterOff, IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { MAX_SEARCH_CHARACTERS } from '../../../app/contract/console/console-limits.ts';
import { useShortcuts } from '../../hooks/use-shortcuts.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { type ActivityFilter, filterStatuses, filterTypes, isFiltered } from './activity-filter.ts';
import styles from './activity-filters.module.css';
import { operationWords } from './payment-state.ts';
import { StarterFilter } from './starter-filter.tsx';

const statusWords = {
  APPROVED: 'activity:filter.approved',
  DECLINED: 'activity:state.declined',
  CANCELLED: 'activity:state.cancelled',
  ERROR: 'activity:filter.failed',
  IN_PROGRESS: 'activity:state.running',
} as const satisfies Record<(typeof filterStatuses)[number], string>;

export interface ActivityFiltersProps {
  readonly filter: ActivityFilter;
  readonly onChange: (filter: ActivityFilter) => void;
  /** ↓ or Enter in the search: on to the list. */
  readonly onLeaveSearch: () => void;
}

export function ActivityFilters({ filter, onChange, onLeaveSearch }: ActivityFiltersProps) {
  const { t } = useTexts();
  const set = (change: { readonly [Name in keyof ActivityFilter]?: string }) => {
    const next = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== undefined && value !== '');
    onChange(Object.fromEntries(next));
  };
  return (
    <search className={styles.bar}>
      <SearchField text={filter.q ?? ''} onText={(q) => set({ q })} onLeave={onLeaveSearch} />
      <NativeSelect
        className={styles.narrow}
        label={t('activity:filter.status')}
        value={filter.status ?? ''}
        onChange={(event) => set({ status: event.currentTarget.value })}
        data={[
          { value: '', label: t('activity:filter.everyStatus') },
          ...filterStatuses.map((status) => ({ value: status, label: t(statusWords[status]) })),
        ]}
      />
      <NativeSelect
        className={styles.narrow}
        label={t('activity:filter.operation')}
        value={filter.type ?? ''}
        onChange={(event) => set({ type: event.currentTarget.value })}
        data={[
          { value: '', label: t('activity:filter.everyOperation') },
          ...filterTypes.map((type) => ({ value: type, label: t(operationWords[type]) })),
        ]}
      />
      <StarterFilter by={filter.by} onChange={(by) => set({ by })} />
      <TextInput
        className={styles.day}
        type="date"
        label={t('activity:filter.from')}
        value={filter.from ?? ''}
        max={filter.to}
        onChange={(event) => set({ from: event.currentTarget.value })}
      />
      <TextInput
        className={styles.day}
        type="date"
        label={t('activity:filter.to')}
        value={filter.to ?? ''}
        min={filter.from}
        onChange={(event) => set({ to: event.currentTarget.value })}
      />
      <ActionIcon
        size={44}
        variant="default"
        aria-label={t('activity:filter.clear')}
        title={t('activity:filter.clear')}
        disabled={!isFiltered(filter)}
        onClick={() => onChange({})}
      >
        <IconFilterOff size={20} aria-hidden />
      </ActionIcon>
    </search>
  );
}

interface SearchFieldProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onLeave: () => void;
}

function SearchField({ text, onText, onLeave }: SearchFieldProps) {
  const { t } = useTexts();
  const field = useRef<HTMLInputElement>(null);
  const search = () => {
    field.current?.select();
    field.current?.focus();
    return true;
  };
  useShortcuts([{ keys: ['/'], shown: '/', label: 'activity:filter.search', run: search }]);
  return (
    <TextInput
      ref={field}
      className={styles.search}
      label={t('activity:filter.search')}
      placeholder={t('activity:filter.searchHint')}
      maxLength={MAX_SEARCH_CHARACTERS}
      autoComplete="off"
      spellCheck={false}
      leftSection={<IconSearch size={20} aria-hidden />}
      rightSection={
        text === '' ? (
          <kbd className={styles.key} aria-hidden>
            /
          </kbd>
        ) : (
          <CloseButton aria-label={t('activity:filter.clearSearch')} onClick={() => onText('')} />
        )
      }
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && text !== '') onText('');
        else if (event.key === 'ArrowDown' || event.key === 'Enter' || event.key === 'Escape') onLeave();
        else return;
        event.preventDefault();
      }}
    />
  );
}
