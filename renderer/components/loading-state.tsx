import { Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTexts } from '../hooks/use-texts.ts';
import styles from './loading-state.module.css';

/** Up to here an answer needs no comment: a text that flashes up disturbs more than it tells. */
const showAfterMs = 400;

/** A wait for data: nothing at first, then a word and a bar that moves; it keeps its place, so that nothing jumps. */
export function LoadingState({ label }: { readonly label?: string }) {
  const { t } = useTexts();
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), showAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Stack
      className={styles.place}
      align="center"
      justify="center"
      gap="md"
      role="status"
      aria-live="polite"
      data-testid="loading"
    >
      {isShown ? (
        <>
          <Text c="dimmed">{label ?? t('common:loading')}</Text>
          <span className={styles.bar} aria-hidden />
        </>
      ) : null}
    </Stack>
  );
}
