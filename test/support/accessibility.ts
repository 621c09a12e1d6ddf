/// <reference lib="dom" />
// The functions given to evaluate run in the page: the DOM is theirs.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const wcag22aa = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** Least width and height of whatever is pressed or typed into, CSS pixels. */
const minTargetPx = 44;

/** What axe finds on the page by WCAG 2.2 AA, in light and dark: one line for each element. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  const findings: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    findings.push(...(await axeFindings(page)).map((finding) => `${colorScheme} ${finding}`));
  }
  return findings;
}

/** What axe finds on the page as it is shown now. */
export async function axeFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(wcag22aa).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary ?? ''}`),
  );
}

/** Targets that are too small, and what is wider than the window: one line for each. */
export async function layoutFindings(page: Page): Promise<string[]> {
  return page.evaluate((minPx) => {
    /** Where a press reaches it: itself, and the labels that press it. */
    const reachOf = (element: Element) => {
      const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
      const boxes = [element, ...labels].map((part) => part.getBoundingClientRect());
      const width = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
      const height = Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top));
      return { width, height };
    };
    const small = [...document.querySelectorAll('button, a[href], input, select, textarea, summary, [role=option]')]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => element.getBoundingClientRect().width > 1)
      .map((element) => ({ element, reach: reachOf(element) }))
      .filter(({ reach }) => reach.width < minPx || reach.height < minPx)
      .map(({ element, reach }) => `${reach.width} × ${reach.height} px: ${element.outerHTML.slice(0, 120)}`);
    const wide = [document.documentElement, ...document.querySelectorAll('main')]
      .filter((element) => element.scrollWidth > element.clientWidth)
      .map((element) => `${element.tagName} is ${element.scrollWidth - element.clientWidth} px wider than it shows`);
    return [...small, ...wide];
  }, minTargetPx);
}
