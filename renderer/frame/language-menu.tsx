import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconLanguage } from '@tabler/icons-react';
import { useTexts } from '../hooks/use-texts.ts';
import { languageStore } from '../i18n/language-store.ts';
import { languages } from '../i18n/languages.ts';

/** The language menu; at the sign-in too, where somebody may not read the one that is shown. */
export function LanguageMenu() {
  const { t, language, changeLanguage } = useTexts();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconLanguage size={20} aria-hidden />}
          rightSection={<IconChevronDown size={16} aria-hidden />}
          aria-label={t('common:language')}
        >
          {language.toUpperCase()}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map(({ code, name }) => (
          <Menu.Item
            key={code}
            lang={code}
            aria-current={code === language}
            onClick={() => {
              languageStore(localStorage).choose(code);
              changeLanguage(code);
            }}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
