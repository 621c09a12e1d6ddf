import { TextInput } from '@mantine/core';
import { MAX_SUPPORT_CONTACT_CHARACTERS } from '../../../app/contract/console/console-limits.ts';
import type { SupportContact } from '../../../app/contract/console/console-parts.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import type { SectionProps } from './section-props.ts';
import { SettingsCard } from './settings-card.tsx';
import styles from './settings-page.module.css';
import { useEdits } from './use-edits.ts';

/** Whom the staff calls: shown where a payment's result is unknown. */
export function SupportSection({ settings }: SectionProps) {
  const { t } = useTexts();
  const edits = useEdits(settings);
  const contact = edits.value.supportContact;
  const set = (field: keyof SupportContact, text: string) => {
    const next = Object.entries({ ...contact, [field]: text }).filter(([, value]) => value !== '');
    edits.edit({ supportContact: Object.fromEntries(next) });
  };
  const field = (name: keyof SupportContact, label: string, type: 'text' | 'tel' | 'email') => (
    <TextInput
      label={label}
      type={type}
      maxLength={MAX_SUPPORT_CONTACT_CHARACTERS}
      autoComplete="off"
      value={contact[name] ?? ''}
      onChange={(event) => set(name, event.currentTarget.value)}
    />
  );
  return (
    <SettingsCard title={t('settings:support.title')} text={t('settings:support.text')} edits={edits}>
      <div className={styles.columns}>
        {field('name', t('settings:support.name'), 'text')}
        {field('phone', t('settings:support.phone'), 'tel')}
        {field('email', t('settings:support.email'), 'email')}
      </div>
    </SettingsCard>
  );
}
