import i18next, { type BackendModule, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from './languages.ts';

type Catalogue = Record<string, unknown>;

/** Every catalogue, `./de/sell.json`, as a part of its own: only the language that is shown is loaded. */
const loaders = import.meta.glob<Catalogue>('./*/*.json', { import: 'default' });
/** The words of the browser doctor, which the POS API's own page shows too. */
const doctorLoaders = import.meta.glob<Catalogue>('../../app/contract/doctor/*.json', { import: 'default' });

function namespaceOf(path: string): string {
  const [, , file = ''] = path.split('/');
  return file.replace('.json', '');
}

const namespaces = [...new Set(['doctor', ...Object.keys(loaders).map(namespaceOf)])];

function loaderOf(language: string, namespace: string): (() => Promise<Catalogue>) | undefined {
  return namespace === 'doctor'
    ? doctorLoaders[`../../app/contract/doctor/${language}.json`]
    : loaders[`./${language}/${namespace}.json`];
}

const catalogues: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read(language, namespace, done) {
    const load = loaderOf(language, namespace);
    if (load === undefined) return done(new Error(`no catalogue ${language}/${namespace}`), false);
    load().then(
      (catalogue) => done(null, catalogue),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), false),
    );
  },
};

/** Makes the texts ready in one language; resolves when all of its catalogues are loaded, so that no page shows a key. */
export async function createTexts(language: Language): Promise<i18n> {
  const texts = i18next.createInstance();
  await texts
    .use(catalogues)
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
