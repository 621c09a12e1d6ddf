import { createContext, useContext } from 'react';
import type { Formats } from '../i18n/formats.ts';
import type { TextKey } from '../i18n/text-key.ts';

/** The text of a key in the language that is shown, with its values filled in; `count` chooses the plural form. */
export type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

export interface Texts {
  readonly t: Translate;
  /** Code of the language that is shown. */
  readonly language: string;
  /** The language with the region of this browser where it has one, for formats of money and time: `en-GB` writes 14:30. */
  readonly locale: string;
  readonly formats: Formats;
  readonly changeLanguage: (language: string) => void;
}

/** Filled once for the whole page, by `TextsProvider`. */
export const TextsContext = createContext<Texts | undefined>(undefined);

/** The texts of the console. */
export function useTexts(): Texts {
  const texts = useContext(TextsContext);
  if (texts === undefined) throw new Error('used outside of TextsProvider');
  return texts;
}
