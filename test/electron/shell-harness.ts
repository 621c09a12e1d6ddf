import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { _electron, type Browser, chromium, type ElectronApplication, type Page } from 'playwright-core';
import type { TillReady } from '../support/processes.ts';
import { projectRoot } from '../support/project-root.ts';
import type { Controls } from './double/control.ts';

/** For Electron, the copy of the till beside an SQLite that was built for it. */
const program = process.env.TILL_ELECTRON_SCRIPT ?? join(projectRoot, 'dist', 'main', 'index.js');
const readyTimeoutMs = 60_000;
const actionTimeoutMs = 20_000;

/** Path of Electron's own runtime; without it the double stands in. */
const electronPath = process.env.TILL_ELECTRON;

/** The shell as a person and the system meet it; the same for the double and for Electron. */
export interface RunningShell {
  readonly ready: TillReady;
  readonly page: Page;
  /** Errors of the page's scripts, violations of its policy. */
  readonly complaints: readonly string[];
  /** As by the menu: asks the engine's gate first. */
  quit(): Promise<void>;
  /** The question that stands before a person now. */
  dialogs(): Promise<readonly { readonly message: string; readonly buttons: readonly string[] }[]>;
  answer(button: number): Promise<void>;
  isShown(): Promise<boolean>;
  closeWindow(): Promise<void>;
  /** Exit code, once it has ended. */
  readonly ended: Promise<number | string>;
  kill(): Promise<void>;
}

/** The double can be asked more: what Electron was told, and what the system tells it. */
export interface DoubledShell extends RunningShell {
  /** What it has written on stderr so far. */
  errors(): string;
  ask<Name extends keyof Controls>(
    name: Name,
    ...args: Parameters<Controls[Name]>
  ): Promise<Awaited<ReturnType<Controls[Name]>>>;
}

export function openShell(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<RunningShell> {
  return electronPath === undefined ? openDouble(args, environment) : openElectron(electronPath, args);
}

/** Starts the shell a second time beside a running one; resolves with its exit code. */
export function startAgain(args: readonly string[]): Promise<number | string> {
  const child =
    electronPath === undefined
      ? spawnDouble(args, {}, 0)
      : spawn(electronPath, [program, '--port', '0', ...args], { stdio: 'ignore' });
  child.stderr?.pipe(process.stderr);
  return endOf(child);
}

export async function openDouble(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<DoubledShell> {
  const port = await freePort();
  const child = spawnDouble(args, environment, port);
  const ended = endOf(child);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
    process.stderr.write(text);
  });
  const ready = await readyOf(child);
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const ask = controlsOf(child);
  return {
    ready,
    ...watched(onlyPage(browser)),
    ask,
    errors: () => errors,
    quit: () => ask('quit'),
    dialogs: () => ask('dialogs'),
    answer: async (button) => void (await ask('answer', button)),
    isShown: async () => (await ask('window')).isShown === true,
    closeWindow: () => ask('closeWindow'),
    ended,
    kill: async () => {
      await browser.close();
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
}

function spawnDouble(args: readonly string[], environment: NodeJS.ProcessEnv, port: number): ChildProcess {
  const register = join(projectRoot, 'test', 'electron', 'double', 'register.mjs');
  return spawn(process.execPath, ['--enable-source-maps', '--import', register, program, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, DOUBLE_PORT: String(port), ...environment },
  });
}

async function openElectron(executablePath: string, args: readonly string[]): Promise<RunningShell> {
  const app = await _electron.launch({ executablePath, args: [program, '--port', '0', ...args] });
  const ready = readyOf(app.process());
  const ended = endOf(app.process());
  const page = await app.firstWindow();
  await recordDialogs(app);
  return {
    ready: await ready,
    ...watched(page),
    quit: () => app.evaluate(({ app: electron }) => electron.quit()),
    dialogs: () =>
      app.evaluate(() => Reflect.get(globalThis, 'openDialogs').map(({ asked }: { asked: unknown }) => asked)),
    answer: (button) =>
      app.evaluate(
        (_electronApi, response) =>
          Reflect.get(globalThis, 'openDialogs').shift().resolve({ response, checkboxChecked: false }),
        button,
      ),
    isShown: () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false),
    closeWindow: () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close()),
    ended,
    kill: async () => {
      app.process().kill('SIGTERM');
      await ended;
    },
  };
}

/** A dialog of the system cannot be pressed by a program: the question is kept, and the test answers it. */
async function recordDialogs(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ dialog }) => {
    const openDialogs: { asked: unknown; resolve(answer: { response: number; checkboxChecked: boolean }): void }[] = [];
    Reflect.set(globalThis, 'openDialogs', openDialogs);
    Reflect.set(
      dialog,
      'showMessageBox',
      (_window: unknown, { message, buttons }: { message: string; buttons: string[] }) =>
        new Promise((resolve) => void openDialogs.push({ asked: { message, buttons }, resolve })),
    );
  });
}

function watched(page: Page): { readonly page: Page; readonly complaints: readonly string[] } {
  page.setDefaultTimeout(actionTimeoutMs);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return { page, complaints };
}

function onlyPage(browser: Browser): Page {
  const pages = browser.contexts().flatMap((context) => context.pages());
  const [page] = pages;
  if (page === undefined || pages.length > 1) throw new Error(`the shell shows ${pages.length} pages`);
  return page;
}

function controlsOf(child: ChildProcess): DoubledShell['ask'] {
  const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  let asked = 0;
  child.on('message', ({ id, value, error }: { id: number; value: never; error?: string }) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) one?.resolve(value);
    else one?.reject(new Error(error));
  });
  return (name, ...args) =>
    new Promise((resolve, reject) => {
      asked += 1;
      waiting.set(asked, { resolve, reject });
      child.send({ id: asked, name, args });
    });
}

function readyOf(child: ChildProcess): Promise<TillReady> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the shell was not ready in time')), readyTimeoutMs);
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const line = /^READY (.*)$/m.exec(output)?.[1];
      if (line === undefined) return;
      clearTimeout(timer);
      resolve(JSON.parse(line) as TillReady);
    });
    child.on('exit', (code) => reject(new Error(`the shell ended with ${code} before it was ready`)));
  });
}

function endOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => child.on('exit', (code, signal) => resolve(code ?? signal ?? 'unknown')));
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address !== null ? resolve(address.port) : reject()));
    });
  });
}
