// Finds a Chromium for the browser tests, or installs one; says what is missing if neither works.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run, say } from './setup.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];
const usualPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

async function find() {
  const given = process.env.CHROMIUM_PATH;
  if (given) return existsSync(given) ? given : undefined;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const onPath = folders.flatMap((folder) => names.map((name) => join(folder, name + suffix)));
  const found = [...onPath, ...usualPlaces].find((path) => existsSync(path));
  if (found) return found;
  const { chromium } = await import('playwright-core');
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined;
}

function installWithPackageManager() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return;
  say('Installing Chromium with the package manager …');
  run('apt-get', ['update', '-qq']);
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

/** @returns {Promise<string | undefined>} the path of a Chromium; undefined (and a message) when none can be had. */
export async function ensureBrowser() {
  const present = await find();
  if (present) return present;
  installWithPackageManager();
  const installed = await find();
  if (installed) return installed;
  say('Downloading a Chromium for the tests …');
  run('npx', ['--no-install', 'playwright-core', 'install', 'chromium']);
  const downloaded = await find();
  if (!downloaded)
    say(
      'No Chromium was found and none could be installed. Install Chromium or Chrome, or set CHROMIUM_PATH to one, and run npm test again.',
    );
  return downloaded;
}
