import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { TextKey } from '../i18n/text-key.ts';

/** The text of a key in the language that is shown, with its values filled in; `count` chooses the plural form. */
export type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

export interface Texts {
  readonly t: Translate;
  /** Code of the language that is shown. */
  readonly language: string;
  /** The language with the region of this browser where it has one, for formats of money and time: `en-GB` writes 14:30. */
  readonly locale: string;
  readonly changeLanguage: (language: string) => void;
}

/** The texts of the console. */
export function useTexts(): Texts {
  const { t: translate, i18n } = useTranslation();
  const t = useCallback<Translate>((key, values) => translate(key, { ...values }), [translate]);
  const changeLanguage = useCallback((language: string) => void i18n.changeLanguage(language), [i18n]);
  const { language } = i18n;
  const locale = navigator.languages.find((wish) => wish.startsWith(`${language}-`)) ?? language;
  return { t, language, locale, changeLanguage };
}
