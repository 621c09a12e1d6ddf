import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useConsole } from '../../hooks/console-context.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './activity-filters.module.css';
import { callerName } from './payment-state.ts';

export interface StarterFilterProps {
  /** `console:Anna`, `pos:till one`; undefined: everybody. */
  readonly by: string | undefined;
  readonly onChange: (by: string) => void;
}

/** Whose payments are shown: everybody who ever began one, people first, then POS clients. */
export function StarterFilter({ by, onChange }: StarterFilterProps) {
  const { t, locale } = useTexts();
  const api = useConsole();
  const starters = useQuery({ queryKey: ['activity.starters'], queryFn: () => api.call('activity.starters', {}) });
  // One that stands in the address is offered even before the list is there.
  const known = [...new Set([...(starters.data?.starters ?? []), ...(by === undefined ? [] : [by])])];
  const optionsOf = (isPerson: boolean) =>
    known
      .filter((starter) => starter.startsWith('console:') === isPerson)
      .map((starter) => ({ value: starter, label: callerName(starter) }))
      .sort((a, b) => a.label.localeCompare(b.label, locale));
  const groups = [
    { group: t('activity:filter.staff'), items: optionsOf(true) },
    { group: t('activity:filter.pos'), items: optionsOf(false) },
  ].filter(({ items }) => items.length > 0);
  return (
    <NativeSelect
      className={styles.narrow}
      label={t('activity:column.by')}
      value={by ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: '', label: t('activity:filter.everybody') }, ...groups]}
    />
  );
}
