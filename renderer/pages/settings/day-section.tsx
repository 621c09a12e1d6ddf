import { Alert, NativeSelect, TextInput } from '@mantine/core';
import { IconClockPause } from '@tabler/icons-react';
import { useTexts } from '../../hooks/use-texts.ts';
import type { SectionProps } from './section-props.ts';
import { SettingsCard } from './settings-card.tsx';
import styles from './settings-page.module.css';
import { useEdits } from './use-edits.ts';

/** When a business day ends. It holds from the next start: what was stamped with a day keeps it. */
export function DaySection({ settings }: SectionProps) {
  const { t } = useTexts();
  const edits = useEdits(settings);
  const { value, edit } = edits;
  const zones = [...new Set([value.timeZone, ...Intl.supportedValuesOf('timeZone')])].sort();
  const isValid = /^([01]\d|2[0-3]):[0-5]\d$/.test(value.dayCutOff);
  return (
    <SettingsCard title={t('settings:day.title')} text={t('settings:day.text')} edits={edits} isValid={isValid}>
      <div className={styles.columns}>
        <NativeSelect
          label={t('settings:day.timeZone')}
          value={value.timeZone}
          data={zones}
          onChange={(event) => edit({ timeZone: event.currentTarget.value })}
        />
        <TextInput
          type="time"
          label={t('settings:day.cutOff')}
          value={value.dayCutOff}
          onChange={(event) => edit({ dayCutOff: event.currentTarget.value })}
        />
      </div>
      {settings.afterRestart.length === 0 ? null : (
        <Alert color="gray" icon={<IconClockPause size={20} aria-hidden />} title={t('settings:day.waits')} />
      )}
    </SettingsCard>
  );
}
