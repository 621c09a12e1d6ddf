/** The languages of the console, each named in itself. */
export const languages = [
  { code: 'en', name: 'English' },
  { code: 'de', name: 'Deutsch' },
  { code: 'fr', name: 'Français' },
  { code: 'es', name: 'Español' },
  { code: 'it', name: 'Italiano' },
] as const;

export type Language = (typeof languages)[number]['code'];

export function isLanguage(code: string | undefined): code is Language {
  return languages.some((language) => language.code === code);
}

/** The first of the wishes (`de-AT` counts as `de`) that the console speaks; English when there is none. */
export function pickLanguage(wishes: readonly (string | null | undefined)[]): Language {
  for (const wish of wishes) {
    const code = wish?.slice(0, 2).toLowerCase();
    if (isLanguage(code)) return code;
  }
  return 'en';
}
