/// <reference lib="dom" />
// The functions given to evaluate run in the page: the DOM is theirs.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** Milliseconds after which nothing is expected to change any more. */
const giveUpMs = 2_000;

/**
 * Milliseconds from a real key to the frame that shows another content of `selector` than before, by the page's own clock; NaN when nothing changed.
 */
export async function keyToPaint(page: Page, key: string, selector: string): Promise<number> {
  const painted = await page.evaluateHandle(
    ({ selector, giveUpMs }) => {
      const shown = () => document.querySelector(selector)?.textContent ?? undefined;
      const before = shown();
      const elapsed = new Promise<number>((resolve) => {
        const begin = (event: KeyboardEvent) => {
          const look = () => {
            const since = performance.now() - event.timeStamp;
            const now = shown();
            if (since > giveUpMs) resolve(Number.NaN);
            else if (now === undefined || now === before) requestAnimationFrame(look);
            // What holds before a frame is on the screen when the next one begins.
            else requestAnimationFrame(() => resolve(performance.now() - event.timeStamp));
          };
          requestAnimationFrame(look);
        };
        window.addEventListener('keydown', begin, { once: true, capture: true });
      });
      return { elapsed };
    },
    { selector, giveUpMs },
  );
  await page.keyboard.press(key);
  return painted.evaluate(({ elapsed }) => elapsed);
}

/** Milliseconds from the start of a navigation to the frame that shows `selector`, by the page's own clock, in a context that has nothing cached. */
export async function loadToPaint(
  browser: Browser,
  options: BrowserContextOptions,
  url: string,
  selector: string,
): Promise<number> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  const page = await context.newPage();
  await page.addInitScript((selector) => {
    const look = () => {
      if (document.querySelector(selector) === null) requestAnimationFrame(look);
      else requestAnimationFrame(() => performance.mark('painted'));
    };
    requestAnimationFrame(look);
  }, selector);
  await page.goto(url);
  const painted = await page.waitForFunction(() => performance.getEntriesByName('painted')[0]?.startTime);
  const elapsedMs = Number(await painted.jsonValue());
  await context.close();
  return elapsedMs;
}

/** Watches the page's interactions as the browser times them; the answer reads the slowest event of each so far. */
export async function watchInteractions(page: Page): Promise<() => Promise<number[]>> {
  const watched = await page.evaluateHandle(() => {
    const slowest = new Map<number, number>();
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const id = 'interactionId' in entry ? Number(entry.interactionId) : 0;
        if (id > 0) slowest.set(id, Math.max(slowest.get(id) ?? 0, entry.duration));
      }
    });
    // 16 ms is the least that browsers take.
    const options: PerformanceObserverInit & { durationThreshold: number } = { type: 'event', durationThreshold: 16 };
    observer.observe(options);
    return { slowest };
  });
  return () => watched.evaluate(({ slowest }) => [...slowest.values()]);
}
