import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../hooks/use-texts.ts';
import styles from './integrations.module.css';

/** A text to take along: shown whole, copied by one press. */
export function CopyBlock({ label, text }: { readonly label: string; readonly text: string }) {
  const { t } = useTexts();
  const [copied, setCopied] = useState<string>();
  const [isRefused, setIsRefused] = useState(false);
  return (
    <Stack gap="sm" align="flex-start">
      <section className={styles.code} aria-label={label}>
        {text}
      </section>
      <Button
        variant="default"
        onClick={() =>
          void navigator.clipboard.writeText(text).then(
            () => setCopied(text),
            () => setIsRefused(true),
          )
        }
      >
        {copied === text ? t('integrations:copied') : t('integrations:copy')}
      </Button>
      {isRefused ? <Text role="status">{t('integrations:copyRefused')}</Text> : null}
    </Stack>
  );
}
