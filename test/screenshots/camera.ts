import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { standStill } from '../support/console-pages.ts';

/** The highest window that a page is unrolled in, so that a picture stays one that can be looked at. */
const maxUnrolledPx = 4_000;

/** Takes pictures into one folder, and remembers what it could not take. */
export interface Camera {
  /** The window as it is. */
  take(page: Page, name: string): Promise<void>;
  /** The window as it is, and the whole page where it is higher. */
  takeWhole(page: Page, name: string): Promise<void>;
  /** Does what leads to a picture; a state that is not reached is told at the end instead of ending the walk. */
  attempt(name: string, work: () => Promise<void>): Promise<void>;
}

export function createCamera(folder: string, missed: string[]): Camera {
  mkdirSync(folder, { recursive: true });
  async function take(page: Page, name: string): Promise<void> {
    await standStill(page);
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }
  return {
    take,
    async takeWhole(page, name) {
      await take(page, name);
      const size = page.viewportSize();
      const main = page.getByRole('main');
      const hiddenPx = await main.evaluate((element) => element.scrollHeight - element.clientHeight);
      if (size === null || hiddenPx <= 0) return;
      await page.setViewportSize({ ...size, height: Math.min(maxUnrolledPx, size.height + hiddenPx) });
      await take(page, `${name}-whole`);
      await page.setViewportSize(size);
    },
    async attempt(name, work) {
      try {
        await work();
      } catch (error) {
        missed.push(`${name}: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'unknown'}`);
      }
    },
  };
}
