import { Alert, Switch, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { SettingsView } from '../../../app/contract/console/settings.ts';
import { MAX_OFFLINE_SALE_UNITS, MAX_OFFLINE_SALES, MAX_OFFLINE_TOTAL_UNITS } from '../../../app/contract/settings.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import type { TextKey } from '../../i18n/text-key.ts';
import type { SectionProps } from './section-props.ts';
import { SettingsCard } from './settings-card.tsx';
import styles from './settings-page.module.css';
import { useEdits } from './use-edits.ts';

type Limit = Exclude<keyof SettingsView['offlineSales'], 'enabled'>;

const limits = [
  { name: 'maxSaleUnits', label: 'settings:offline.maxSale', most: MAX_OFFLINE_SALE_UNITS },
  { name: 'maxTotalUnits', label: 'settings:offline.maxTotal', most: MAX_OFFLINE_TOTAL_UNITS },
  { name: 'maxSales', label: 'settings:offline.maxSales', most: MAX_OFFLINE_SALES },
] as const satisfies readonly { name: Limit; label: TextKey; most: number }[];

/** Whether sales are taken while the host cannot be reached, and how much may wait: a decline afterwards is the shop's loss. */
export function OfflineSection({ settings }: SectionProps) {
  const { t } = useTexts();
  const edits = useEdits(settings);
  // What was typed and is no limit; a field that was never touched shows what is stored.
  const [typed, setTyped] = useState<Partial<Record<Limit, string>>>({});
  const { offlineSales } = edits.value;
  const isWrong = limits.some(({ name, most }) => limitOf(typed[name] ?? '1', most) === undefined);
  const clear = () => {
    setTyped({});
    edits.clear();
  };
  return (
    <SettingsCard
      title={t('settings:offline.title')}
      text={t('settings:offline.text')}
      edits={{ ...edits, clear }}
      isValid={!isWrong}
    >
      <Switch
        size="md"
        label={t('settings:offline.enabled')}
        checked={offlineSales.enabled}
        onChange={(event) => edits.edit({ offlineSales: { ...offlineSales, enabled: event.currentTarget.checked } })}
      />
      {offlineSales.enabled ? (
        <>
          <Alert
            color="yellow"
            icon={<IconAlertTriangle size={20} aria-hidden />}
            title={t('settings:offline.riskTitle')}
          >
            {t('settings:offline.risk')}
          </Alert>
          <div className={styles.columns}>
            {limits.map(({ name, label, most }) => (
              <LimitField
                key={name}
                label={label}
                most={most}
                text={typed[name] ?? String(offlineSales[name])}
                onType={(text) => {
                  setTyped({ ...typed, [name]: text });
                  const limit = limitOf(text, most);
                  if (limit !== undefined) edits.edit({ offlineSales: { ...offlineSales, [name]: limit } });
                }}
              />
            ))}
          </div>
        </>
      ) : null}
    </SettingsCard>
  );
}

interface LimitFieldProps {
  readonly label: (typeof limits)[number]['label'];
  readonly most: number;
  readonly text: string;
  readonly onType: (text: string) => void;
}

function LimitField({ label, most, text, onType }: LimitFieldProps) {
  const { t, formats } = useTexts();
  const { terminals } = useSession();
  const currency = terminals[0]?.currency ?? 'EUR';
  return (
    <TextInput
      label={t(label, { currency })}
      inputMode="numeric"
      autoComplete="off"
      value={text}
      error={
        limitOf(text, most) === undefined
          ? t('settings:offline.notALimit', { most: formats.number({}).format(most) })
          : undefined
      }
      onChange={(event) => onType(event.currentTarget.value)}
    />
  );
}

/** @returns undefined for what is no whole number within the bounds */
function limitOf(text: string, most: number): number | undefined {
  if (!/^\d{1,6}$/.test(text.trim())) return undefined;
  const limit = Number(text);
  return limit >= 1 && limit <= most ? limit : undefined;
}
