import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { projectRoot } from './project-root.ts';

/** Bytes of every script that the page has loaded so far, each packed by gzip. */
export async function loadedScriptBytes(page: Page): Promise<number> {
  const addresses = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.endsWith('.js')),
  );
  const sizes = [...new Set(addresses)].map(
    (path) => gzipSync(readFileSync(join(projectRoot, 'dist', 'renderer', path)), { level: 9 }).length,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
