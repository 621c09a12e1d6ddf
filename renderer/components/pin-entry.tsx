import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useId, useRef, useState } from 'react';
import { MAX_PIN_DIGITS, MIN_PIN_DIGITS } from '../../app/contract/console/console-limits.ts';
import { useTexts } from '../hooks/use-texts.ts';
import { Keypad } from './keypad.tsx';
import styles from './pin-entry.module.css';

export interface PinEntryProps {
  readonly label: string;
  readonly submitLabel: string;
  readonly isBusy: boolean;
  /** Why the last PIN was not taken, in a sentence. */
  readonly problem?: string | undefined;
  readonly onSubmit: (pin: string) => void;
}

/** A PIN by touch or by typing: shown as dots, sent by Enter or the button, forgotten as soon as it is sent. */
export function PinEntry({ label, submitLabel, isBusy, problem, onSubmit }: PinEntryProps) {
  const { t } = useTexts();
  const [pin, setPin] = useState('');
  const problemId = useId();
  const field = useRef<HTMLInputElement>(null);
  const isComplete = pin.length >= MIN_PIN_DIGITS;

  // A sign-in or an approval has just been asked for: the PIN is the one thing to type.
  useEffect(() => field.current?.focus(), []);

  const submit = () => {
    if (!isComplete || isBusy) return;
    onSubmit(pin);
    setPin('');
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="sm">
        <label className={styles.field}>
          <Text span>{label}</Text>
          <input
            ref={field}
            className={styles.input}
            type="password"
            // The keys are on the page: a tablet need not show its own.
            inputMode="none"
            autoComplete="off"
            maxLength={MAX_PIN_DIGITS}
            value={pin}
            aria-invalid={problem !== undefined}
            aria-describedby={problemId}
            onChange={(event) => setPin(event.currentTarget.value.replace(/\D/g, ''))}
          />
        </label>
        <Text id={problemId} className={styles.problem} role="alert">
          {problem ?? ''}
        </Text>
        <Keypad
          label={t('common:pin.keys')}
          onDigits={(digits) => setPin((before) => (before + digits).slice(0, MAX_PIN_DIGITS))}
          onBackspace={() => setPin((before) => before.slice(0, -1))}
        />
        <Button type="submit" size="lg" fullWidth disabled={!isComplete} loading={isBusy}>
          {submitLabel}
        </Button>
      </Stack>
    </form>
  );
}
