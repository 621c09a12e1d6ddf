import type { BrowserContextOptions } from 'playwright-core';

/** How the console is looked at: one folder of pictures for each. */
export interface Look {
  readonly name: string;
  readonly language: string;
  /** PAGES: each page as it opens; ALL: its states and dialogs too. */
  readonly extent: 'ALL' | 'PAGES';
  readonly context: BrowserContextOptions;
}

const desk = { viewport: { width: 1440, height: 900 } };
/** The smallest screen that the console is made for. */
const small = { viewport: { width: 1024, height: 768 } };
/** The same screen at 200 %: half as many CSS pixels, each twice as large. */
const zoomed = { viewport: { width: 512, height: 384 }, deviceScaleFactor: 2 };

export const looks: readonly Look[] = [
  { name: 'light', language: 'en', extent: 'ALL', context: { ...desk, locale: 'en-GB' } },
  { name: 'dark', language: 'en', extent: 'ALL', context: { ...desk, locale: 'en-GB', colorScheme: 'dark' } },
  { name: 'german', language: 'de', extent: 'ALL', context: { ...small, locale: 'de-DE' } },
  { name: 'small', language: 'en', extent: 'PAGES', context: { ...small, locale: 'en-GB' } },
  { name: 'zoomed', language: 'en', extent: 'PAGES', context: { ...zoomed, locale: 'en-GB' } },
  { name: 'french', language: 'fr', extent: 'PAGES', context: { ...small, locale: 'fr-FR' } },
  { name: 'spanish', language: 'es', extent: 'PAGES', context: { ...small, locale: 'es-ES' } },
  { name: 'italian', language: 'it', extent: 'PAGES', context: { ...small, locale: 'it-IT' } },
];
