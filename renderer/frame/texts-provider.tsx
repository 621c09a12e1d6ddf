import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Texts, TextsContext } from '../hooks/use-texts.ts';
import { createFormats } from '../i18n/formats.ts';

/** Listens once for all of the page to the language that is shown. */
export function TextsProvider({ children }: { readonly children: ReactNode }) {
  const { t: translate, i18n } = useTranslation();
  const { language } = i18n;
  const texts = useMemo<Texts>(() => {
    const locale = navigator.languages.find((wish) => wish.startsWith(`${language}-`)) ?? language;
    return {
      t: (key, values) => translate(key, { ...values }),
      language,
      locale,
      formats: createFormats(locale),
      changeLanguage: (next) => void i18n.changeLanguage(next),
    };
  }, [translate, i18n, language]);
  return <TextsContext value={texts}>{children}</TextsContext>;
}
