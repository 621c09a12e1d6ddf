import type { Page } from 'playwright-core';
import { ms } from './statistics.ts';

/** Names of the browser's own counters, in seconds of the page's main thread. */
const counters = ['ScriptDuration', 'RecalcStyleDuration', 'LayoutDuration', 'TaskDuration'] as const;

type Counts = Readonly<Record<(typeof counters)[number], number>>;

/** What limits a figure: how long the page's main thread was at work for each of `rounds` repeats, by the browser's own counters. */
export async function pageWork(page: Page, rounds: number, work: () => Promise<void>): Promise<string> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const read = async (): Promise<Counts> => {
    const { metrics } = await session.send('Performance.getMetrics');
    const secondsOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
    return Object.fromEntries(counters.map((name) => [name, secondsOf(name)])) as Counts;
  };
  const before = await read();
  await work();
  const after = await read();
  await session.detach();
  const each = (name: keyof Counts) => ((after[name] - before[name]) * 1000) / rounds;
  const script = each('ScriptDuration');
  const styles = each('RecalcStyleDuration') + each('LayoutDuration');
  return `main thread ${ms(each('TaskDuration'))} each: scripts ${ms(script)}, styles and layout ${ms(styles)}`;
}
