import { UnstyledButton } from '@mantine/core';
import { IconBackspace } from '@tabler/icons-react';
import { useTexts } from '../hooks/use-texts.ts';
import styles from './keypad.module.css';

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

export interface KeypadProps {
  readonly label: string;
  readonly onDigits: (digits: string) => void;
  readonly onBackspace: () => void;
  /** The key left of zero: `00` for amounts, none for a PIN. */
  readonly hasDoubleZero?: boolean;
  readonly isDisabled?: boolean;
}

/** Twelve keys of at least 72 px in the order of a telephone, which is the order of the terminal's own keys. */
export function Keypad({ label, onDigits, onBackspace, hasDoubleZero = false, isDisabled = false }: KeypadProps) {
  const { t } = useTexts();
  const key = (text: string) => (
    <UnstyledButton key={text} className={styles.key} disabled={isDisabled} onClick={() => onDigits(text)}>
      {text}
    </UnstyledButton>
  );
  return (
    <fieldset className={styles.pad} aria-label={label}>
      {digits.map(key)}
      {hasDoubleZero ? key('00') : <span />}
      {key('0')}
      <UnstyledButton
        className={styles.key}
        disabled={isDisabled}
        onClick={onBackspace}
        aria-label={t('common:backspace')}
      >
        <IconBackspace size={28} stroke={1.75} aria-hidden />
      </UnstyledButton>
    </fieldset>
  );
}
