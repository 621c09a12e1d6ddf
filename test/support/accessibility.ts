/// <reference lib="dom" />
// The functions given to evaluate run in the page: the DOM is theirs.
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { movementsEnd } from './console-pages.ts';

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

/** What axe finds on the page as it is shown once nothing moves: a colour on its way to another has a contrast of its own. */
export async function axeFindings(page: Page): Promise<string[]> {
  await movementsEnd(page);
  const { violations } = await new AxeBuilder({ page }).withTags(wcag22aa).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')} ${failureSummary ?? ''}`),
  );
}

/** Targets that are too small, what is wider than the window, what sticks out of its card, and words that are broken: one line for each. */
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
    const isVisible = (element: Element) => element.checkVisibility({ visibilityProperty: true });
    /** Right edge of the card around it; undefined where a box between them scrolls. */
    const cardEdgeOf = (element: Element): number | undefined => {
      for (let box = element.parentElement; box !== null; box = box.parentElement) {
        const { borderLeftWidth, borderRightWidth, overflowX } = getComputedStyle(box);
        if (overflowX !== 'visible') return undefined;
        if (borderLeftWidth !== '0px' && borderRightWidth !== '0px') return box.getBoundingClientRect().right;
      }
      return undefined;
    };
    const outside = [...document.querySelectorAll('main button, main a[href], main input, main select')]
      .filter(isVisible)
      .filter((element) => element.getBoundingClientRect().right > (cardEdgeOf(element) ?? Number.POSITIVE_INFINITY))
      .map((element) => `sticks out of its card: ${element.outerHTML.slice(0, 120)}`);
    /** Words of a text node that stand on more than one line. */
    const brokenWordsOf = (node: Node): string[] =>
      [...(node.textContent ?? '').matchAll(/[\p{L}]+/gu)].flatMap(({ 0: word, index }) => {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        return tops.size > 1 ? [word] : [];
      });
    const broken = [...document.querySelectorAll('nav a *, button *')]
      .filter(isVisible)
      .flatMap(({ childNodes }) => [...childNodes])
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .flatMap(brokenWordsOf)
      .map((word) => `the word ${word} is broken`);
    return [...small, ...wide, ...outside, ...broken];
  }, minTargetPx);
}
