import { Text, Title } from '@mantine/core';
import { FRAME_EXAMPLE } from '../../../app/domain/doctor-findings.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { CopyBlock } from './copy-block.tsx';
import styles from './integrations.module.css';

/** What to press in each browser when it holds a page back, and the same checks as a page for that browser. */
export function BrowserFixes({ posUrl }: { readonly posUrl: string }) {
  const { t } = useTexts();
  const page = `${posUrl}/doctor`;
  return (
    <>
      <Title order={2}>{t('doctor:browsers')}</Title>
      <Text c="dimmed">{t('doctor:asOf')}</Text>
      <Title order={3}>Chrome</Title>
      <Text>{t('doctor:chrome')}</Text>
      <Title order={3}>Edge</Title>
      <Text>{t('doctor:edge')}</Text>
      <Title order={3}>Firefox</Title>
      <Text>{t('doctor:firefox')}</Text>
      <Text>{t('doctor:secure')}</Text>
      <Text>{t('doctor:frame')}</Text>
      <CopyBlock label="iframe" text={FRAME_EXAMPLE} />
      <Text>
        {t('doctor:standAlone')}{' '}
        <a className={styles.link} href={page} target="_blank" rel="noopener noreferrer">
          {page}
        </a>
      </Text>
    </>
  );
}
