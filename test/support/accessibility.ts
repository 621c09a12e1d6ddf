import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** What axe finds on the page by WCAG 2.2 AA, in light and dark: one line for each element. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  const findings: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await new AxeBuilder({ page })
      .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
      .analyze();
    for (const { id, nodes } of violations) {
      findings.push(
        ...nodes.map((node) => `${colorScheme} ${id} ${node.target.join(' ')} ${node.failureSummary ?? ''}`),
      );
    }
  }
  return findings;
}
