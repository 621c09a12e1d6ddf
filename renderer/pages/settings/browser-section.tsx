import { NativeSelect, Stack, Text, Title, useMantineColorScheme } from '@mantine/core';
import { useTexts } from '../../hooks/use-texts.ts';
import { languageStore } from '../../i18n/language-store.ts';
import { isLanguage, languages } from '../../i18n/languages.ts';
import styles from './settings-page.module.css';

/** What only this browser keeps: two people at one till may read different languages. It holds at once. */
export function BrowserSection() {
  const { t, language, changeLanguage } = useTexts();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <section className={styles.card} aria-labelledby="settings-browser">
      <Stack gap="md">
        <Title order={2} id="settings-browser">
          {t('settings:browser.title')}
        </Title>
        <Text c="dimmed">{t('settings:browser.text')}</Text>
        <div className={styles.columns}>
          <NativeSelect
            label={t('common:language')}
            value={language}
            data={languages.map(({ code, name }) => ({ value: code, label: name }))}
            onChange={(event) => {
              const code = event.currentTarget.value;
              if (!isLanguage(code)) return;
              languageStore(localStorage).choose(code);
              changeLanguage(code);
            }}
          />
          <NativeSelect
            label={t('settings:browser.theme')}
            value={colorScheme}
            data={[
              { value: 'auto', label: t('settings:browser.auto') },
              { value: 'light', label: t('settings:browser.light') },
              { value: 'dark', label: t('settings:browser.dark') },
            ]}
            onChange={(event) => {
              const scheme = event.currentTarget.value;
              setColorScheme(scheme === 'light' || scheme === 'dark' ? scheme : 'auto');
            }}
          />
        </div>
      </Stack>
    </section>
  );
}
