import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Texts, TextsContext, type Translate } from '../hooks/use-texts.ts';
import { createFormats } from '../i18n/formats.ts';
import type { TextKey } from '../i18n/text-key.ts';

/** Listens once for all of the page to the language that is shown. */
export function TextsProvider({ children }: { readonly children: ReactNode }) {
  const { t: translate, i18n } = useTranslation();
  const { language } = i18n;
  const texts = useMemo<Texts>(() => {
    const locale = navigator.languages.find((wish) => wish.startsWith(`${language}-`)) ?? language;
    return {
      t: lookedUpOnce((key, values) => translate(key, { ...values })),
      language,
      locale,
      formats: createFormats(locale),
      changeLanguage: (next) => void i18n.changeLanguage(next),
    };
  }, [translate, i18n, language]);
  return <TextsContext value={texts}>{children}</TextsContext>;
}

/** A page says the same words in every row: those without values are looked up once. */
function lookedUpOnce(translate: Translate): Translate {
  const known = new Map<TextKey, string>();
  return (key, values) => {
    if (values !== undefined) return translate(key, values);
    const text = known.get(key) ?? translate(key);
    known.set(key, text);
    return text;
  };
}
