import { Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import {
  MAX_PIN_DIGITS,
  MAX_STAFF_NAME_CHARACTERS,
  MIN_PIN_DIGITS,
} from '../../../app/contract/console/console-limits.ts';
import { useRefusalText } from '../../hooks/use-refusal-text.ts';
import { useCreateFirstAdministrator } from '../../hooks/use-session.ts';
import { useTexts } from '../../hooks/use-texts.ts';

/** The first start: whoever sets the till up makes themself its administrator. */
export function FirstAdministrator() {
  const { t } = useTexts();
  const [name, setName] = useState('');
  const [pin, setPin] = useState('');
  const [again, setAgain] = useState('');
  const create = useCreateFirstAdministrator();
  const refusalText = useRefusalText();
  const isComplete = name.trim() !== '' && pin.length >= MIN_PIN_DIGITS && again.length >= pin.length;
  const isDifferent = again.length >= pin.length && again !== pin;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete && !isDifferent) create.mutate({ name: name.trim(), pin });
      }}
    >
      <Stack>
        <Title order={1}>{t('session:first.title')}</Title>
        <Text c="dimmed">{t('session:first.text')}</Text>
        <TextInput
          label={t('session:first.name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={MAX_STAFF_NAME_CHARACTERS}
          autoComplete="off"
        />
        <PinField label={t('session:first.pin')} value={pin} onChange={setPin} />
        <PinField
          label={t('session:first.pinAgain')}
          value={again}
          onChange={setAgain}
          problem={isDifferent ? t('session:first.pinsDiffer') : undefined}
        />
        <Text role="alert" c="var(--bad)">
          {create.isError ? refusalText(create.error).sentence : ''}
        </Text>
        <Button type="submit" size="lg" disabled={!isComplete || isDifferent} loading={create.isPending}>
          {t('session:first.create')}
        </Button>
      </Stack>
    </form>
  );
}

interface PinFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (pin: string) => void;
  readonly problem?: string | undefined;
}

function PinField({ label, value, onChange, problem }: PinFieldProps) {
  return (
    <PasswordInput
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\D/g, ''))}
      error={problem}
      maxLength={MAX_PIN_DIGITS}
      inputMode="numeric"
      autoComplete="off"
      visible={false}
      visibilityToggleButtonProps={{ 'aria-hidden': true, tabIndex: -1, style: { display: 'none' } }}
    />
  );
}
