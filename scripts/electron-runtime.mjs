// Electron's runtime for the desktop shell: used where it is there, otherwise had by one bounded try per version that is remembered.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root, say } from './setup.mjs';

const tryMs = 60_000;
const require = createRequire(import.meta.url);

/**
 * What a window needs: the runtime's program, and the built till beside an SQLite that was built for that runtime.
 * @returns {Promise<{program: string, script: string} | {missing: string}>} `missing` says in a few words what there is not.
 */
export async function electronRuntime() {
  const none = noDisplay();
  if (none) return { missing: none };
  const version = require('electron/package.json').version;
  const folder = join(root, '.setup', `electron-${version}`);
  const tried = join(root, '.setup', `electron-${version}.tried`);
  if (!isReady(version, folder)) {
    if (existsSync(tried)) return { missing: `Electron ${version} could not be had here` };
    mkdirSync(join(root, '.setup'), { recursive: true });
    writeFileSync(tried, '');
    say(`Getting Electron ${version} for the window (once, at most ${tryMs / 1000} s) …`);
    if (!install(version, folder)) return { missing: `Electron ${version} could not be had here` };
  }
  // The till as it was just built, with the SQLite of this runtime found before Node's.
  rmSync(join(folder, 'dist'), { recursive: true, force: true });
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  return { program: programOf(), script: join(folder, 'dist', 'main', 'index.js') };
}

function noDisplay() {
  if (process.platform !== 'linux') return undefined;
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'this session has no display';
  // Chromium's sandbox does not run as root, and without it no page is opened.
  if (process.getuid?.() === 0) return 'a window is not opened as root';
  return undefined;
}

function packageDir() {
  return join(root, 'node_modules', 'electron');
}

function programOf() {
  const pathFile = join(packageDir(), 'path.txt');
  const program = existsSync(pathFile) ? join(packageDir(), 'dist', readFileSync(pathFile, 'utf8')) : undefined;
  return program && existsSync(program) ? program : undefined;
}

function isReady(version, folder) {
  const versionFile = join(packageDir(), 'dist', 'version');
  const isInstalled = existsSync(versionFile) && readFileSync(versionFile, 'utf8').replace(/^v/, '') === version;
  return isInstalled && programOf() !== undefined && loadsSqlite(folder);
}

function loadsSqlite(folder) {
  if (!existsSync(join(folder, 'node_modules', 'better-sqlite3'))) return false;
  const proof = "new (require('better-sqlite3'))(':memory:')";
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
  return spawnSync(programOf(), ['-e', proof], { cwd: folder, env, stdio: 'ignore', timeout: tryMs }).status === 0;
}

/** By the packages' own installers; nothing that they print is for the person at the till. */
function install(version, folder) {
  const endMs = performance.now() + tryMs;
  const succeeds = (script, args, cwd) => {
    const leftMs = Math.floor(endMs - performance.now());
    const options = { cwd, stdio: 'ignore', timeout: leftMs, killSignal: 'SIGKILL' };
    return leftMs > 0 && spawnSync(process.execPath, [script, ...args], options).status === 0;
  };
  if (!succeeds(join(packageDir(), 'install.js'), [], packageDir())) return false;
  const sqlite = join(folder, 'node_modules', 'better-sqlite3');
  cpSync(join(root, 'node_modules', 'better-sqlite3'), sqlite, { recursive: true });
  const prebuild = createRequire(require.resolve('better-sqlite3/package.json')).resolve('prebuild-install/bin.js');
  return succeeds(prebuild, ['--runtime', 'electron', '--target', version], sqlite) && isReady(version, folder);
}
