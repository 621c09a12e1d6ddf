import { isLanguage, type Language, pickLanguage } from './languages.ts';

const storageKey = 'console.language';

/** Where a person's choice of language is kept: in this browser, because two people at one till may read different ones. */
export function languageStore(storage: Pick<Storage, 'getItem' | 'setItem'>) {
  const chosen = () => {
    const code = storage.getItem(storageKey) ?? undefined;
    return isLanguage(code) ? code : undefined;
  };
  return {
    /** The chosen language, else the first that the browser wishes for and the console speaks. */
    first: (wishes: readonly string[]): Language => pickLanguage([chosen(), ...wishes]),
    isChosen: () => chosen() !== undefined,
    choose: (language: Language) => storage.setItem(storageKey, language),
  };
}
