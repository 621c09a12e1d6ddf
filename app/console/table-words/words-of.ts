import { de } from './table-words.de.ts';
import { en } from './table-words.en.ts';
import { es } from './table-words.es.ts';
import { fr } from './table-words.fr.ts';
import { it } from './table-words.it.ts';
import type { TableWords } from './table-words.ts';

const languages: Readonly<Record<string, TableWords>> = { en, de, fr, es, it };

/** The words of a language (`de-AT` counts as `de`); English where there are none. */
export function tableWords(language: string | undefined): TableWords {
  return languages[language?.slice(0, 2) ?? ''] ?? en;
}
