import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { MAX_HOLD_DAYS } from '../../../app/contract/console/console-limits.ts';
import { exponentOf } from '../../../app/contract/currencies.ts';
import { formatMinor } from '../../../app/domain/money.ts';
import { useSession } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { languages } from '../../i18n/languages.ts';
import { parseAmount } from '../sell/sale-amounts.ts';
import type { SectionProps } from './section-props.ts';
import { SettingsCard } from './settings-card.tsx';
import styles from './settings-page.module.css';
import { type Edits, useEdits } from './use-edits.ts';

const lockMinutes = [1, 2, 5, 10, 15, 30, 60, 120];
const secondsPerMinute = 60;

/** What holds for everybody at this till: when it locks, from which amount a manager is asked, its language. */
export function RulesSection({ settings }: SectionProps) {
  const { t } = useTexts();
  const { training } = useSession();
  const edits = useEdits(settings);
  const [isAmountWrong, setIsAmountWrong] = useState(false);
  const { value, edit } = edits;
  return (
    <SettingsCard title={t('settings:rules.title')} edits={edits} isValid={!isAmountWrong}>
      <div className={styles.columns}>
        <LimitField key={settings.refundApprovalAboveMinor} edits={edits} onWrong={setIsAmountWrong} />
        <LockField edits={edits} />
        <NativeSelect
          label={t('settings:rules.holdDays')}
          description={t('settings:rules.holdDaysHint')}
          value={value.holdDays}
          data={Array.from({ length: MAX_HOLD_DAYS }, (_, index) => ({
            value: String(index + 1),
            label: t('settings:rules.days', { count: index + 1 }),
          }))}
          onChange={(event) => edit({ holdDays: Number(event.currentTarget.value) })}
        />
        <NativeSelect
          label={t('settings:rules.language')}
          description={t('settings:rules.languageHint')}
          value={value.language ?? ''}
          data={[
            { value: '', label: t('settings:rules.browserLanguage') },
            ...languages.map(({ code, name }) => ({ value: code, label: name })),
          ]}
          onChange={(event) => edit({ language: event.currentTarget.value === '' ? null : event.currentTarget.value })}
        />
      </div>
      {training ? (
        <Checkbox
          size="md"
          label={t('settings:rules.trainingHint')}
          checked={value.showTrainingHint}
          onChange={(event) => edit({ showTrainingHint: event.currentTarget.checked })}
        />
      ) : null}
    </SettingsCard>
  );
}

/** Above which amount a manager is asked; in the currency of the till's terminals. */
function LimitField({ edits, onWrong }: { readonly edits: Edits; readonly onWrong: (isWrong: boolean) => void }) {
  const { t } = useTexts();
  const { terminals } = useSession();
  const currency = terminals[0]?.currency ?? 'EUR';
  const exponent = exponentOf(currency);
  const [text, setText] = useState(() => formatMinor(edits.value.refundApprovalAboveMinor, exponent));
  const isWrong = parseAmount(text, exponent) === undefined;
  return (
    <TextInput
      label={t('settings:rules.refundLimit', { currency })}
      description={t('settings:rules.refundLimitHint')}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      error={isWrong ? t('sell:options.notAnAmount') : undefined}
      onChange={(event) => {
        const typed = event.currentTarget.value;
        const minor = parseAmount(typed, exponent);
        setText(typed);
        onWrong(minor === undefined);
        if (minor !== undefined) edits.edit({ refundApprovalAboveMinor: minor });
      }}
    />
  );
}

function LockField({ edits }: { readonly edits: Edits }) {
  const { t } = useTexts();
  const { lockAfterSeconds } = edits.value;
  const offered = [...new Set([lockAfterSeconds, ...lockMinutes.map((minutes) => minutes * secondsPerMinute)])];
  const words = (seconds: number) =>
    seconds % secondsPerMinute === 0
      ? t('settings:rules.minutes', { count: seconds / secondsPerMinute })
      : t('settings:rules.seconds', { count: seconds });
  return (
    <NativeSelect
      label={t('settings:rules.lock')}
      description={t('settings:rules.lockHint')}
      value={lockAfterSeconds}
      data={offered.sort((a, b) => a - b).map((seconds) => ({ value: String(seconds), label: words(seconds) }))}
      onChange={(event) => edits.edit({ lockAfterSeconds: Number(event.currentTarget.value) })}
    />
  );
}
