import { NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ProcedureResponse } from '../../../app/contract/console/procedures.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { MoneyText } from '../../components/money-text.tsx';
import { useTexts } from '../../hooks/use-texts.ts';
import { CopyBlock } from './copy-block.tsx';
import { firstRequestText, keyPlaceholder, programLanguages } from './first-request.ts';
import styles from './integrations.module.css';
import type { NewKey } from './new-key.ts';

/** A small sum that every terminal takes. */
const amountMinor = 100;

const names = {
  curl: 'curl',
  fetch: 'JavaScript fetch',
  websocket: 'JavaScript WebSocket',
  python: 'Python',
  csharp: 'C#',
} as const;

interface FirstRequestProps {
  readonly overview: ProcedureResponse<'integrations.overview'>;
  /** The key that was made last in this window; a placeholder stands for it otherwise. */
  readonly made: NewKey | undefined;
}

/** A sale to copy into a program, with the address, the terminal, the currency and the key that it needs here. */
export function FirstRequestSection({ overview, made }: FirstRequestProps) {
  const { t } = useTexts();
  const { terminals, posUrl } = overview;
  const [language, setLanguage] = useState<(typeof programLanguages)[number]>('curl');
  const [chosen, setChosen] = useState('');
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const terminal = terminals.find(({ terminalId }) => terminalId === chosen) ?? terminals[0];
  if (terminal === undefined) return <EmptyState title={t('integrations:first.noTerminal')} />;
  const { terminalId, currency } = terminal;
  const apiKey = made?.key ?? keyPlaceholder;
  const text = firstRequestText(language, { posUrl, apiKey, terminalId, currency, amountMinor, idempotencyKey });
  return (
    <Stack>
      <Text>
        {t('integrations:first.text')} <MoneyText amountMinor={amountMinor} currency={currency} />
      </Text>
      <Text>{t('integrations:first.real')}</Text>
      <Text>
        {made === undefined
          ? t('integrations:first.placeholder', { placeholder: keyPlaceholder })
          : t('integrations:first.withKey', { name: made.name })}
      </Text>
      {terminals.length > 1 ? (
        <NativeSelect
          label={t('integrations:first.terminal')}
          value={terminalId}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={terminals.map((each) => each.terminalId)}
        />
      ) : null}
      <SegmentedControl
        size="md"
        transitionDuration={100}
        classNames={{ root: styles.choices, label: styles.choice }}
        aria-label={t('integrations:first.language')}
        value={language}
        onChange={setLanguage}
        data={programLanguages.map((value) => ({ value, label: names[value] }))}
      />
      <CopyBlock label={names[language]} text={text} />
      <Text size="sm" c="dimmed">
        {t('integrations:first.next')}
      </Text>
    </Stack>
  );
}
