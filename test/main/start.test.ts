import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it } from 'vitest';
import { temporaryFolder } from '../support/processes.ts';
import { projectRoot } from '../support/project-root.ts';

const folder = temporaryFolder();
let started: ChildProcess | undefined;
afterEach(() => void started?.kill('SIGTERM'));
afterAll(() => folder.remove());
const { DISPLAY: _display, WAYLAND_DISPLAY: _wayland, ...noDisplay } = process.env;

it('npm start without a window says so in one line, tells the address of the console, and ends with Ctrl-C', async () => {
  const args = ['--data-dir', join(folder.path, 'data'), '--port', '0', '--training'];
  const child = spawn(
    process.execPath,
    [join(projectRoot, 'scripts', 'start.mjs'), ...args, '--terminal', 'zvt+tcp://127.0.0.1:1'],
    { stdio: ['ignore', 'pipe', 'pipe'], env: noDisplay },
  );
  started = child;
  let said = '';
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await expect.poll(() => said, { timeout: 60_000 }).toMatch(/^Open the console: /m);
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  const lines = said.split('\n').filter((line) => line.includes('No window of its own'));
  expect(lines).toEqual(['No window of its own (this session has no display); the console opens in the browser.']);
  const ready: unknown = JSON.parse(/^READY (.*)$/m.exec(output)?.[1] ?? '{}');
  expect(said).toContain(`Open the console: ${Reflect.get(Object(ready), 'consoleUrl')}`);
}, 90_000);

it('the console is opened by the browser of the person, once', async () => {
  const opened = join(folder.path, 'opened');
  const browser = join(folder.path, 'xdg-open');
  writeFileSync(browser, `#!/bin/sh\necho "$1" >> "${opened}"\n`);
  chmodSync(browser, 0o755);
  const script = `import { openBrowser } from ${JSON.stringify(join(projectRoot, 'scripts', 'open-browser.mjs'))};
    process.exitCode = (await openBrowser('http://127.0.0.1:1/?token=x')) ? 0 : 1;`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: 'ignore',
    env: { ...noDisplay, DISPLAY: ':0', PATH: `${folder.path}:${process.env.PATH}` },
  });
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  await expect
    .poll(() => (existsSync(opened) ? readFileSync(opened, 'utf8') : ''), { timeout: 20_000 })
    .toBe('http://127.0.0.1:1/?token=x\n');
});
