// npm test: makes a fresh clone ready, finds a browser, and runs every test. A skipped test is a failure.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { fail, root, run, setUp } from './setup.mjs';

const results = join(root, '.setup', 'test-results.json');

await setUp();
const browser = await ensureBrowser();
if (!browser) process.exit(1);
rmSync(results, { force: true });
const outcome = run('npx', ['--no-install', 'vitest', 'run', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, CHROMIUM_PATH: browser },
});
if (!existsSync(results)) fail('The tests did not run to their end.');
const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(results, 'utf8'));
const skipped = numPendingTests + numTodoTests;
process.stdout.write(`${numPassedTests} passed, ${numFailedTests} failed, ${skipped} skipped\n`);
if (skipped > 0) fail('Skipped tests are not allowed.');
process.exit(outcome.status ?? 1);
