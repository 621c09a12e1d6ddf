/// <reference lib="dom" />
// The functions given to evaluate run in the page: the DOM is theirs.
import type { Page } from 'playwright-core';

/** The addresses of all pages, as the rail of whoever is signed in leads to them: a page that is added to the registry is among them. */
export function railAddresses(page: Page): Promise<string[]> {
  return addressesOf(page, 'nav:not(main nav) a[href^="#/"]');
}

/** The addresses of the parts of the page that is shown, where it has such. */
export function partAddresses(page: Page): Promise<string[]> {
  return addressesOf(page, 'main nav a[href^="#/"]');
}

async function addressesOf(page: Page, selector: string): Promise<string[]> {
  const links = await page.locator(selector).all();
  const addresses = await Promise.all(links.map((link) => link.getAttribute('href')));
  return addresses.flatMap((address) => (address === null ? [] : [address.slice(1)]));
}

/** Opens an address of the console anew, as it is reached from outside, and waits until nothing is loaded or moves any more. */
export async function openAddress(page: Page, address: string): Promise<void> {
  const { origin } = new URL(page.url());
  await page.goto('about:blank');
  await page.goto(`${origin}/#${address}`);
  await page.getByRole('main').waitFor();
  await standStill(page);
}

/** Waits until the page has got its data, its fonts and its last movement. */
export async function standStill(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isThere = document.querySelector('main')?.childElementCount ?? 0;
    return isThere > 0 && document.querySelector('[data-testid=loading]') === null;
  });
  await movementsEnd(page);
}

/** Waits for the fonts and the end of every movement that has one. */
export async function movementsEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all(
      document.getAnimations().map(({ finished, effect }) => {
        const isEndless = effect?.getComputedTiming().iterations === Number.POSITIVE_INFINITY;
        return isEndless ? undefined : finished.catch(() => undefined);
      }),
    );
  });
}
