import { benchJournal } from './bench-journal.ts';
import { coldStart } from './cold-start.ts';
import { consoleSpeed } from './console-speed.ts';
import { eventDelay } from './event-delay.ts';
import { frameParsers } from './frame-parsers.ts';
import { historySearch } from './history-search.ts';
import { hostAuthorizations } from './host-authorizations.ts';
import { linkedTerminals } from './linked-terminals.ts';
import { saleOverhead } from './sale-overhead.ts';
import type { Report } from './statistics.ts';
import { supportBundleMemory } from './support-bundle-memory.ts';

/** Size of the logs of promise F9. */
const logMb = 1024;
/** Terminals of promise F8, and how long they stay linked: longer than a silent link may live, and than a token is trusted unasked. */
const promisedLinks = 10_000;
const heldMs = 40_000;
const million = 1_000_000;
const say = (text: string) => process.stdout.write(`${text}\n`);
const sizes = [million / 10, million];

/** In the order in which they run; each promise beside its baseline measured in the same run. */
const benches: readonly (readonly [promise: string, run: () => Promise<Report>])[] = [
  ['F1', saleOverhead],
  ['F2', hostAuthorizations],
  ['F5', coldStart],
  ...sizes.map((size) => ['F4', async () => historySearch(benchJournal(size, say), size)] as const),
  ['F6', frameParsers],
  ['F7', eventDelay],
  ['F8', () => linkedTerminals(promisedLinks, heldMs)],
  ['F9', () => supportBundleMemory(logMb)],
  ...sizes.map((size) => ['F10', () => consoleSpeed(benchJournal(size, say), size)] as const),
];

/**
 * npm run bench: the figures of the promises, or of those that are named (`npm run bench -- F4`). A shared machine is noisy: the
 * ratios are what counts, and a promise that is not kept ends with exit code 1.
 */
const named = process.argv.slice(2);
let isKept = true;
for (const [promise, run] of benches) {
  if (named.length > 0 && !named.includes(promise)) continue;
  const report = await run();
  isKept &&= report.isKept;
  say(`${report.lines.join('\n')}\n`);
}
process.exit(isKept ? 0 : 1);
