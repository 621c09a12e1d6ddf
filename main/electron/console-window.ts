import { fileURLToPath } from 'node:url';
import { app, BrowserWindow } from 'electron';
import { CONSOLE_URL } from './console-address.ts';

/** Reloads after crashes of the page within one minute; a page that goes on crashing is left for a person to see. */
const maxReloadsPerMinute = 5;
const minuteMs = 60_000;

export interface ConsoleWindow {
  readonly window: BrowserWindow;
  /** Brings it to the front, wherever it was. */
  show(): void;
}

interface WindowOptions {
  readonly title: string;
  readonly kiosk: boolean;
  /** Until then, closing the window only puts it away: the till goes on for its POS. */
  mayClose(): boolean;
}

/** The console's one window. What its page may do is what a web page may do, and one thing more: speak with the till. */
export function createConsoleWindow({ title, kiosk, mayClose }: WindowOptions): ConsoleWindow {
  const window = new BrowserWindow({
    title,
    kiosk,
    show: false,
    width: 1280,
    height: 900,
    minWidth: 800,
    minHeight: 600,
    autoHideMenuBar: true,
    webPreferences: {
      preload: fileURLToPath(new URL('../main/preload/index.cjs', import.meta.url)),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: !app.isPackaged && !kiosk,
    },
  });
  window.once('ready-to-show', () => window.show());
  window.on('close', (event) => {
    if (mayClose()) return;
    event.preventDefault();
    if (!kiosk) window.hide();
  });
  reloadAfterCrash(window);
  return {
    window,
    show() {
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
  };
}

export function openConsole({ window }: ConsoleWindow): Promise<void> {
  return window.loadURL(CONSOLE_URL);
}

/** What runs at a terminal runs in the till, not in the page: a new page shows it again. */
function reloadAfterCrash(window: BrowserWindow): void {
  const crashes: number[] = [];
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    const now = performance.now();
    crashes.push(now);
    while ((crashes[0] ?? now) < now - minuteMs) crashes.shift();
    if (crashes.length <= maxReloadsPerMinute) window.webContents.reload();
  });
}
