// Set-up steps shared by every command: dependencies, native parts, build. Node built-ins only, since it runs before
// anything is installed. Each step is skipped when its inputs have not changed since it last succeeded.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const setupDir = join(root, '.setup');
const lockPath = join(setupDir, 'lock');
// Of test: what is built into programs, too.
const testFolders = ['test/bench', 'test/crash', 'test/electron/double', 'test/support'];
const sourceFolders = ['app', 'drivers', 'main', 'renderer', 'host', 'scripts', ...testFolders];
const minimumNode = [20, 19];

/** Prints progress on stderr: stdout belongs to the program that is started. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

export function fail(text) {
  say(text);
  process.exit(1);
}

export function run(command, args, options = {}) {
  // On Windows npm is a .cmd file, which only a shell can start.
  return spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
    ...options,
  });
}

function hashOf(files) {
  const hash = createHash('sha256').update(process.version).update(process.platform).update(process.arch);
  for (const file of files) hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function isStamped(name, stamp) {
  const file = join(setupDir, `${name}.stamp`);
  return existsSync(file) && readFileSync(file, 'utf8') === stamp;
}

function writeStamp(name, stamp) {
  mkdirSync(setupDir, { recursive: true });
  writeFileSync(join(setupDir, `${name}.stamp`), stamp);
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > minimumNode[0] || (major === minimumNode[0] && minor >= minimumNode[1])) return;
  fail(
    `Node ${minimumNode.join('.')} or newer is needed; this is ${process.version}. Install it and run the command again.`,
  );
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** One set-up at a time per checkout: two commands started together must not install or build over each other. */
async function withLock(work) {
  mkdirSync(setupDir, { recursive: true });
  for (;;) {
    try {
      writeFileSync(lockPath, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = Number(existsSync(lockPath) ? readFileSync(lockPath, 'utf8') : 0);
    const ageMs = existsSync(lockPath) ? Date.now() - statSync(lockPath).mtimeMs : 0;
    if ((holder && !isAlive(holder)) || (!holder && ageMs > 5000)) rmSync(lockPath, { force: true });
    else await new Promise((resolve) => setTimeout(resolve, 200));
  }
  try {
    return await work();
  } finally {
    rmSync(lockPath, { force: true });
  }
}

function installDependencies() {
  const stamp = hashOf([join(root, 'package.json'), join(root, 'package-lock.json')]);
  if (existsSync(join(root, 'node_modules')) && isStamped('dependencies', stamp)) return;
  say('Installing dependencies (first start, or they changed) …');
  const clean = run('npm', ['ci', '--no-audit', '--no-fund']);
  if (clean.status !== 0) {
    say('npm ci did not accept the lock file here; trying npm install …');
    if (run('npm', ['install', '--no-audit', '--no-fund']).status !== 0)
      fail(
        'Dependencies could not be installed. Check the network connection to the npm registry and run the command again.',
      );
  }
  buildNativeParts();
  writeStamp('dependencies', stamp);
}

/** npm versions before 11 know no allow list and 11 may have been told to ignore scripts: prove that SQLite loads. */
function buildNativeParts() {
  const loads = () =>
    run(process.execPath, ['-e', "new (require('better-sqlite3'))(':memory:')"], { stdio: 'ignore', shell: false })
      .status === 0;
  if (loads()) return;
  say('Building native parts (about a minute) …');
  run('npm', ['rebuild', 'better-sqlite3']);
  if (!loads())
    fail(
      'better-sqlite3 could not be built. It needs python3, make and a C++ compiler (Debian: apt-get install python3 make g++).',
    );
}

async function buildProgram() {
  const files = [
    ...sourceFolders.flatMap((folder) => filesBelow(join(root, folder))),
    join(root, 'package-lock.json'),
    join(root, 'package.json'),
  ];
  const stamp = hashOf(files);
  if (existsSync(join(root, 'dist')) && isStamped('build', stamp)) return;
  say('Building …');
  const { buildAll } = await import('./bundle.mjs');
  await buildAll();
  writeStamp('build', stamp);
}

/** Makes a fresh clone ready: dependencies only, or the built programs too. */
export async function setUp({ build = true } = {}) {
  checkNode();
  await withLock(async () => {
    installDependencies();
    if (build) await buildProgram();
  });
}
