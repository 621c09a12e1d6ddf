import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Frame, Page, Route } from 'playwright-core';
import { ownUrl, shownUrl } from './address.ts';
import { app } from './app.ts';
import { chromiumContext } from './chromium.ts';
import { openChannel, pageShim, receiveSymbol, sendBinding } from './page-shim.ts';
import { answerOwn, session } from './session-and-protocol.ts';

/** Windows that the page tried to open, and what became of them. */
export const judgedAddresses: { readonly url: string; readonly action: 'deny' | 'allow' }[] = [];

/** Electron's `ipcMain`. */
export const ipcMain = new EventEmitter();

interface WindowOptions {
  readonly kiosk?: boolean;
  readonly webPreferences: { readonly preload: string };
}

type OpenHandler = (details: { url: string }) => { action: 'deny' | 'allow' };

function preventable(more: object) {
  const event = {
    ...more,
    isPrevented: false,
    preventDefault() {
      event.isPrevented = true;
    },
  };
  return event;
}

class WebContents extends EventEmitter {
  openHandler: OpenHandler = () => ({ action: 'allow' });
  readonly #preload: string;
  #page: Promise<Page>;
  #isOurs = false;

  constructor(preload: string) {
    super();
    this.#preload = readFileSync(preload, 'utf8');
    this.#page = this.#newPage();
    app.emit('web-contents-created', {}, this);
  }

  async #newPage(): Promise<Page> {
    const context = chromiumContext();
    const page = context.pages().find((each) => each.url() === 'about:blank') ?? (await context.newPage());
    await page.exposeBinding(sendBinding, (source, channel: string, args: unknown[]) =>
      this.#hear(source, channel, args),
    );
    await page.addInitScript({ content: pageShim(this.#preload) });
    await page.route('**/*', (route) => this.#answer(page, route));
    page.on('crash', () => this.emit('render-process-gone', {}, { reason: 'crashed' }));
    return page;
  }

  #hear({ frame }: { readonly frame: Frame }, channel: string, args: readonly unknown[]): void {
    if (channel === openChannel) {
      this.#judge(String(args[0]));
      return;
    }
    const senderFrame = { url: ownUrl(frame.url()), parent: frame.parentFrame() };
    ipcMain.emit(channel, { sender: this, senderFrame }, ...args);
  }

  async #answer(page: Page, route: Route): Promise<void> {
    const request = route.request();
    const url = ownUrl(request.url());
    if (request.isNavigationRequest() && !this.#mayNavigate(url, request.frame() === page.mainFrame())) {
      await route.abort('aborted');
      return;
    }
    const answer = (await session.defaultSession.mayRequest(url)) ? await answerOwn(url, request.method()) : undefined;
    if (answer === undefined) await route.abort('blockedbyclient');
    else
      await route.fulfill({
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
        body: Buffer.from(await answer.arrayBuffer()),
      });
  }

  /** Electron asks nobody about what the shell itself loads. */
  #mayNavigate(url: string, isMainFrame: boolean): boolean {
    if (this.#isOurs) return true;
    const event = preventable({ url, isMainFrame });
    if (isMainFrame) this.emit('will-navigate', event);
    this.emit('will-frame-navigate', event);
    return !event.isPrevented;
  }

  /** A window that the page wants to open: its address is judged before there is one. */
  #judge(address: string): void {
    const url = ownUrl(address);
    judgedAddresses.push({ url, action: this.openHandler({ url }).action });
  }

  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }

  isDestroyed(): boolean {
    return false;
  }

  send(channel: string, ...args: unknown[]): void {
    void this.#page
      .then((page) =>
        page.evaluate(
          ([symbol, name, values]) => {
            const receive: unknown = Reflect.get(globalThis, Symbol.for(symbol));
            if (typeof receive === 'function') receive(name, values);
          },
          [receiveSymbol, channel, args] as const,
        ),
      )
      // A page that is just being replaced hears nothing, as in Electron.
      .catch(() => undefined);
  }

  async load(url: string): Promise<void> {
    const page = await this.#page;
    this.#isOurs = true;
    try {
      await page.goto(shownUrl(url));
    } finally {
      this.#isOurs = false;
    }
  }

  /** A page whose process is gone cannot be used again in Playwright: another one takes its place. */
  reload(): void {
    const old = this.#page;
    this.#page = this.#newPage();
    void old.then((page) => page.close());
    void this.load('app://console/');
  }
}

export class BrowserWindow extends EventEmitter {
  static newest: BrowserWindow | undefined;
  readonly options: WindowOptions;
  readonly webContents: WebContents;
  isShown = false;
  timesShown = 0;

  constructor(options: WindowOptions) {
    super();
    this.options = options;
    this.webContents = new WebContents(options.webPreferences.preload);
    BrowserWindow.newest = this;
    app.windows.add(this);
  }

  async loadURL(url: string): Promise<void> {
    await this.webContents.load(url);
    this.emit('ready-to-show');
  }

  show(): void {
    this.isShown = true;
    this.timesShown += 1;
  }

  hide(): void {
    this.isShown = false;
  }

  focus(): void {}

  restore(): void {}

  isMinimized(): boolean {
    return false;
  }

  /** As the person's press on the cross; says whether it was closed. */
  close(): boolean {
    const event = preventable({});
    this.emit('close', event);
    if (!event.isPrevented) app.windows.delete(this);
    return !event.isPrevented;
  }
}
