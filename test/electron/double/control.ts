import { app } from './app.ts';
import { registeredSchemes, session } from './session-and-protocol.ts';
import { Menu, openDialogs, openedOutside, powerMonitor, Tray } from './small-parts.ts';
import { BrowserWindow, ipcMain, judgedAddresses } from './window.ts';

/** What the test can do and see from outside, as a person and as the system could. */
const controls = {
  quit: () => app.quit(),
  closeWindow: () => void BrowserWindow.newest?.close(),
  tray: (label: string) => Tray.newest?.menu?.choose(label),
  appMenu: (label: string) => Menu.application?.choose(label),
  power: (event: string) => void powerMonitor.emit(event),
  dialogs: () => openDialogs.map(({ message, buttons }) => ({ message, buttons })),
  answer: (response: number) => openDialogs.shift()?.answer(response),
  openedOutside: () => openedOutside,
  triedWindows: () => judgedAddresses,
  permission: (permission: string, url: string) => session.defaultSession.judge(permission, url),
  mayRequest: (url: string) => session.defaultSession.mayRequest(url),
  schemes: () => registeredSchemes,
  window: () => ({
    options: BrowserWindow.newest?.options,
    isShown: BrowserWindow.newest?.isShown,
    hasTray: Tray.newest !== undefined,
    timesShown: BrowserWindow.newest?.timesShown,
    isSandboxed: app.isSandboxed,
  }),
  /** A file that a page wants to leave on the disk: whether it may, and whether the shell names the place itself. */
  download: (url: string) => {
    let isPrevented = false;
    let isPlaced = false;
    const preventDefault = () => {
      isPrevented = true;
    };
    const place = () => {
      isPlaced = true;
    };
    const item = { getURL: () => url, setSavePath: place, setSaveDialogOptions: () => undefined };
    session.defaultSession.emit('will-download', { preventDefault }, item, {});
    return { isPrevented, isPlaced };
  },
  /** A message that seems to come from another frame than the console's own. */
  foreignMessage: (channel: string, url: string, isSubframe: boolean, text: string) =>
    void ipcMain.emit(
      channel,
      { sender: BrowserWindow.newest?.webContents, senderFrame: { url, parent: isSubframe ? {} : null } },
      text,
    ),
  attachWebview: () => {
    let isPrevented = false;
    const preventDefault = () => {
      isPrevented = true;
    };
    BrowserWindow.newest?.webContents.emit('will-attach-webview', { preventDefault }, {}, {});
    return isPrevented;
  },
};

export type Controls = typeof controls;

/** Listens to the test that started this process. */
export function listenToTest(): void {
  process.on('message', async (message: { id: number; name: keyof Controls; args: unknown[] }) => {
    const control = controls[message.name] as (...args: unknown[]) => unknown;
    try {
      process.send?.({ id: message.id, value: await control(...message.args) });
    } catch (error) {
      process.send?.({ id: message.id, error: String(error) });
    }
  });
  // The test's line keeps no program alive.
  process.channel?.unref();
}
