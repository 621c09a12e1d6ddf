import i18next, { type BackendModule, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from './languages.ts';

type Catalogue = Record<string, unknown>;

/** One part of the build for each language: only the one that is shown is loaded. */
const parts = import.meta.glob<Record<string, Catalogue>>('./*.catalogues.ts', { import: 'catalogues' });

/** The catalogues of a language by namespace: `./de/sell.json` is `sell`, and the browser doctor's words, which lie elsewhere, are `doctor`. */
async function cataloguesOf(language: string): Promise<ReadonlyMap<string, Catalogue>> {
  const load = parts[`./${language}.catalogues.ts`];
  if (load === undefined) throw new Error(`no catalogues of ${language}`);
  const files = Object.entries(await load());
  return new Map(files.map(([path, catalogue]) => [namespaceOf(path), catalogue]));
}

function namespaceOf(path: string): string {
  return /\/doctor\/\w+\.json$/.test(path) ? 'doctor' : (/(\w+)\.json$/.exec(path)?.[1] ?? path);
}

const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read(language, namespace, done) {
    cataloguesOf(language).then(
      (catalogues) => done(null, catalogues.get(namespace) ?? false),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), false),
    );
  },
};

/** Makes the texts ready in one language; resolves when all of its catalogues are loaded, so that no page shows a key. */
export async function createTexts(language: Language): Promise<i18n> {
  const namespaces = [...(await cataloguesOf(language)).keys()];
  const texts = i18next.createInstance();
  await texts
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      ns: namespaces,
      defaultNS: 'common',
      load: 'languageOnly',
      returnNull: false,
      // React escapes what it shows.
      interpolation: { escapeValue: false },
    });
  return texts;
}
