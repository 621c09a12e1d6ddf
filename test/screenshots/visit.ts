import type { Page } from 'playwright-core';
import { openAddress, standStill } from '../support/console-pages.ts';
import type { Shop } from '../support/console-shop.ts';
import { consoleText } from '../support/console-texts.ts';
import type { Look } from './looks.ts';

/** Somebody who looks at a shop's console in one window, in one language. */
export interface Visit {
  readonly shop: Shop;
  readonly page: Page;
  /** A text of the console in the language of the look. */
  t(key: string, values?: Readonly<Record<string, string>>): string;
  open(address: string): Promise<void>;
  standStill(): Promise<void>;
}

/** A state of a page, dialog or form that is worth a picture. */
export interface State {
  readonly name: string;
  show(visit: Visit): Promise<void>;
  /** Takes back what would change the next picture. */
  leave?(visit: Visit): Promise<void>;
}

export function createVisit(shop: Shop, page: Page, look: Look): Visit {
  return {
    shop,
    page,
    t: (key, values) => consoleText(look.language, key, values),
    open: (address) => openAddress(page, address),
    standStill: () => standStill(page),
  };
}
