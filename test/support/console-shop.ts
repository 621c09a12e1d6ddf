import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openSettings } from '../../app/config/settings-store.ts';
import { type ControlClient, controlClient } from '../virtual/support/running-terminal.ts';
import { type ConsoleWindow, openConsole, startBrowser } from './console-browser.ts';
import {
  endProgram,
  type Program,
  startTill,
  startVirtualTerminal,
  type TillReady,
  temporaryFolder,
  type VirtualTerminalReady,
} from './processes.ts';
import type { ProtocolLine } from './protocol-shop.ts';

/** A till, its terminal and a window of its console, all real. */
export interface Shop {
  readonly till: Program<TillReady>;
  readonly terminal: Program<VirtualTerminalReady>;
  /** Where the till reaches it. */
  readonly terminalUrl: string;
  /** The hand of the customer, and the book that judges. */
  readonly control: ControlClient;
  readonly page: Page;
  /** What the window has complained about: errors of scripts, violations of the content security policy. */
  readonly complaints: readonly string[];
}

interface ShopOptions {
  readonly till?: readonly string[];
  readonly terminal?: readonly string[];
  /** What the terminal speaks, and on which line; ZVT over TCP when left out. */
  readonly spoken?: ProtocolLine;
  /** The terminal stands in the settings, where the console can change it; otherwise an option names it. */
  readonly isTerminalStored?: boolean;
  /** What lies between till and terminal: takes the terminal's port, answers the one that the till connects to. */
  readonly line?: (terminalPort: number) => Promise<number>;
  /** Fills the data folder before the till is started with it. */
  readonly fill?: (dataDir: string) => void;
}

/** Shops for the specs of one file: `close` ends what one spec has opened, `end` everything. */
export interface Shops {
  open(options?: ShopOptions): Promise<Shop>;
  /** Starts the till of a shop once more, at the same address and with the same data. */
  restartTill(shop: Shop): Promise<void>;
  browser(): Promise<Browser>;
  close(): Promise<void>;
  end(): Promise<void>;
}

export function createShops(): Shops {
  const folder = temporaryFolder();
  let programs: Program<unknown>[] = [];
  let windows: ConsoleWindow[] = [];
  let browser: Promise<Browser> | undefined;
  let opened = 0;

  const startBrowserOnce = () => {
    browser ??= startBrowser();
    return browser;
  };
  const urlOf = (port: number) => `zvt+tcp://127.0.0.1:${port}?password=000000&currency=EUR`;
  const terminalArgs = (url: string) => ['--terminal', url];
  async function startedTill(args: readonly string[]): Promise<Program<TillReady>> {
    const till = await startTill(args);
    programs.push(till);
    return till;
  }

  return {
    async open(options = {}) {
      opened += 1;
      const data = join(folder.path, `shop-${opened}`);
      const terminal = await startVirtualTerminal([
        ...(options.spoken?.terminalArgs(`${data}-tty`) ?? ['--tcp', '0']),
        ...['--think-ms', '150', '--book', `${data}-book.jsonl`],
        ...(options.terminal ?? []),
      ]);
      programs.push(terminal);
      const terminalPort = terminal.ready.tcp ?? 0;
      const terminalUrl =
        options.spoken?.urlOf(terminal.ready) ?? urlOf((await options.line?.(terminalPort)) ?? terminalPort);
      if (options.isTerminalStored === true)
        openSettings(data).update({ terminals: [{ terminalId: 'T1', url: terminalUrl }] });
      options.fill?.(data);
      const till = await startedTill([
        '--data-dir',
        data,
        ...(options.till ?? ['--training']),
        ...(options.isTerminalStored === true ? [] : terminalArgs(terminalUrl)),
      ]);
      const window = await openConsole(await startBrowserOnce(), till.ready.consoleUrl ?? '');
      windows.push(window);
      const control = controlClient(terminal.ready.controlUrl);
      return { till, terminal, terminalUrl, control, page: window.page, complaints: window.complaints };
    },
    async restartTill({ till, terminalUrl }) {
      const { dataDir, consoleUrl } = till.ready;
      const port = new URL(consoleUrl ?? '').port;
      await startedTill(['--data-dir', dataDir, '--training', '--console-port', port, ...terminalArgs(terminalUrl)]);
    },
    browser: startBrowserOnce,
    async close() {
      for (const { context } of windows) await context.close();
      for (const program of programs) await endProgram(program);
      windows = [];
      programs = [];
    },
    async end() {
      await (await browser)?.close();
      folder.remove();
    },
  };
}
