import { Textarea, TextInput } from '@mantine/core';
import { MAX_RECEIPT_LINE_CHARACTERS, MAX_RECEIPT_LINES } from '../../../app/contract/printers.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import type { SectionProps } from './section-props.ts';
import { SettingsCard } from './settings-card.tsx';
import styles from './settings-page.module.css';
import { useEdits } from './use-edits.ts';

const maxNameCharacters = 100;
const maxIdCharacters = 64;

/** Who the merchant is, and what stands above and below every receipt. */
export function ShopSection({ settings }: SectionProps) {
  const { t } = useTexts();
  const edits = useEdits(settings);
  const { value, edit } = edits;
  const { receiptHeader, receiptFooter, merchantName, merchantId } = value;
  const areLinesFine = fits(receiptHeader) && fits(receiptFooter);
  const isValid = areLinesFine && merchantName.trim() !== '' && merchantId.trim() !== '';
  const lines = (field: 'receiptHeader' | 'receiptFooter', label: string) => (
    <Textarea
      size="md"
      label={label}
      description={t('settings:shop.linesHint', { lines: MAX_RECEIPT_LINES, characters: MAX_RECEIPT_LINE_CHARACTERS })}
      autosize
      minRows={3}
      maxRows={MAX_RECEIPT_LINES}
      error={fits(value[field]) ? undefined : t('settings:shop.linesTooLong')}
      value={value[field].join('\n')}
      onChange={(event) => edit({ [field]: linesOf(event.currentTarget.value) })}
    />
  );
  return (
    <SettingsCard title={t('settings:shop.title')} edits={edits} isValid={isValid}>
      <div className={styles.columns}>
        <TextInput
          label={t('settings:shop.name')}
          description={t('settings:shop.nameHint')}
          maxLength={maxNameCharacters}
          autoComplete="off"
          value={merchantName}
          onChange={(event) => edit({ merchantName: event.currentTarget.value })}
        />
        <TextInput
          label={t('settings:shop.merchantId')}
          description={t('settings:shop.merchantIdHint')}
          maxLength={maxIdCharacters}
          autoComplete="off"
          value={merchantId}
          onChange={(event) => edit({ merchantId: event.currentTarget.value })}
        />
        {lines('receiptHeader', t('settings:shop.header'))}
        {lines('receiptFooter', t('settings:shop.footer'))}
      </div>
    </SettingsCard>
  );
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

function fits(lines: readonly string[]): boolean {
  return lines.length <= MAX_RECEIPT_LINES && lines.every((line) => line.length <= MAX_RECEIPT_LINE_CHARACTERS);
}
