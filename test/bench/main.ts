import { coldStart } from './cold-start.ts';
import { saleOverhead } from './sale-overhead.ts';
import { supportBundleMemory } from './support-bundle-memory.ts';

/** Size of the logs of promise F9. */
const logMb = 1024;

/**
 * npm run bench: the figures of promises F1, F5 and F9, each beside its baseline measured in the same run. A shared machine is noisy: the
 * ratios are what counts, and a ratio out of bounds ends with exit code 1.
 */
const reports = [await saleOverhead(), await coldStart(), await supportBundleMemory(logMb)];
for (const report of reports) process.stdout.write(`${report.lines.join('\n')}\n\n`);
process.exit(reports.every((report) => report.isKept) ? 0 : 1);
