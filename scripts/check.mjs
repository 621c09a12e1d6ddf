// npm run check: format and lint, types (one pass per folder, each with its own globals), import table, dead code.
import { run, say, setUp } from './setup.mjs';

const folders = [
  'app/contract',
  'app/domain',
  'app',
  'drivers',
  'main',
  'host',
  'main/preload',
  'renderer',
  'test',
  'test/renderer',
];
const steps = [
  ['format and lint', 'biome', ['ci', '--error-on-warnings', '.']],
  ...folders.map((folder) => [`types in ${folder}`, 'tsc', ['-p', folder]]),
  [
    'import table',
    'depcruise',
    ['--config', '.dependency-cruiser.cjs', 'app', 'drivers', 'main', 'renderer', 'host', 'test'],
  ],
  ['dead code', 'knip', ['--no-progress']],
];

await setUp({ build: false });
const failed = [];
for (const [name, tool, args] of steps) {
  say(`check: ${name}`);
  if (run('npx', ['--no-install', tool, ...args]).status !== 0) failed.push(name);
}
if (failed.length > 0) {
  say(`check failed: ${failed.join(', ')}`);
  process.exit(1);
}
say('check passed');
