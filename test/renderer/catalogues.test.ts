import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorCatalogue, errorCodes } from '../../app/contract/errors.ts';
import { adviceTextKey, errorTextKey } from '../../renderer/hooks/use-refusal-text.ts';
import { languages } from '../../renderer/i18n/languages.ts';
import { projectRoot } from '../support/project-root.ts';

const renderer = join(projectRoot, 'renderer');
const i18n = join(renderer, 'i18n');
/** The browser doctor's words stand where the POS API's own page finds them too. */
const doctorFolder = join(projectRoot, 'app/contract/doctor');
const pluralForm = /_(zero|one|two|few|many|other)$/;

type Tree = { readonly [key: string]: string | Tree };

/** path → text of one catalogue. */
function textsOf(language: string, namespace: string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const walk = (tree: Tree, path: string) => {
    for (const [key, value] of Object.entries(tree)) {
      if (typeof value === 'string') texts.set(path + key, value);
      else walk(value, `${path}${key}.`);
    }
  };
  const file =
    namespace === 'doctor' ? join(doctorFolder, `${language}.json`) : join(i18n, language, `${namespace}.json`);
  walk(JSON.parse(readFileSync(file, 'utf8')) as Tree, '');
  return texts;
}

function namespacesOf(language: string): string[] {
  const here = readdirSync(join(i18n, language)).map((file) => file.replace('.json', ''));
  return [...here, ...(existsSync(join(doctorFolder, `${language}.json`)) ? ['doctor'] : [])];
}

/** Keys without their plural form, each once. */
function stems(texts: ReadonlyMap<string, string>): string[] {
  return [...new Set([...texts.keys()].map((key) => key.replace(pluralForm, '')))].sort();
}

function placeholders(text: string): string[] {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name).sort();
}

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/.test(entry.name) ? [readFileSync(path, 'utf8')] : [];
  });
}

const doctorSources = [
  'app/domain/doctor-findings.ts',
  'app/server/routes/doctor-page.ts',
  'app/server/routes/doctor-reply.ts',
].map((path) => readFileSync(join(projectRoot, path), 'utf8'));
const namespaces = namespacesOf('en');
const others = languages.map(({ code }) => code).filter((code) => code !== 'en');

describe('the catalogues of the console', () => {
  it('are there for every namespace in every language', () => {
    expect(namespaces).toEqual(expect.arrayContaining(['common', 'errors', 'sell', 'session']));
    for (const language of others) expect(namespacesOf(language), language).toEqual(namespaces);
  });

  it.each(others)('say in %s everything that the English ones say, with the same values', (language) => {
    for (const namespace of namespaces) {
      const english = textsOf('en', namespace);
      const translated = textsOf(language, namespace);
      expect(stems(translated), `${language}/${namespace}`).toEqual(stems(english));
      for (const [key, text] of translated) {
        const original = english.get(key) ?? english.get(key.replace(pluralForm, '_other')) ?? '';
        expect(placeholders(text), `${language}/${namespace}:${key}`).toEqual(placeholders(original));
        expect(text.trim(), `${language}/${namespace}:${key}`).not.toBe('');
      }
    }
  });

  it.each(languages.map(({ code }) => code))('have in %s every plural form that the language has', (language) => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const namespace of namespaces) {
      const texts = textsOf(language, namespace);
      for (const key of texts.keys()) {
        if (!pluralForm.test(key)) continue;
        const stem = key.replace(pluralForm, '');
        expect([...texts.keys()], `${language}/${namespace}:${stem}`).toEqual(
          expect.arrayContaining(forms.map((form) => `${stem}_${form}`)),
        );
      }
    }
  });

  it('hold nothing that no source names, and the sources name nothing that they do not hold', () => {
    const named = new Set(
      [...sources(renderer), ...doctorSources].flatMap((source) =>
        [...source.matchAll(/['"`]([a-z][A-Za-z]*:[A-Za-z][\w.]*)['"`]/g)].map(([, key = '']) => key),
      ),
    );
    const held = namespaces.flatMap((namespace) =>
      stems(textsOf('en', namespace)).map((stem) => `${namespace}:${stem}`),
    );
    const unused = held.filter((key) => !/^(errors|advice):/.test(key) && !named.has(key));
    expect(unused).toEqual([]);
    const missing = [...named].filter((key) => namespaces.includes(key.split(':')[0] ?? '') && !held.includes(key));
    expect(missing).toEqual([]);
  });

  it('have a text for every error code of the contract, and for no other', () => {
    expect(stems(textsOf('en', 'errors'))).toEqual(
      errorCodes.map((code) => errorCatalogue[code].consoleTextKey.replace('errors.', '')).sort(),
    );
    for (const code of errorCodes) {
      expect(errorTextKey(code).replace(':', '.')).toBe(errorCatalogue[code].consoleTextKey);
    }
  });

  it('say for every error code what to do, in English word by word as the contract does', () => {
    const advice = textsOf('en', 'advice');
    expect(advice.size).toBe(errorCodes.length);
    for (const code of errorCodes)
      expect(advice.get(adviceTextKey(code).replace('advice:', '')), code).toBe(errorCatalogue[code].retryAdvice);
  });

  it('have no headline that blames, cheers or says nothing', () => {
    for (const namespace of namespaces) {
      for (const [key, text] of textsOf('en', namespace))
        expect(text, key).not.toMatch(/oops|went wrong|^(error|success)[.!]?$/i);
    }
  });
});
