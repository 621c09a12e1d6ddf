import { type IpcMainEvent, ipcMain, type WebContents } from 'electron';
import { SHELL_CLOSED, SHELL_OPEN, SHELL_TEXT } from '../../app/contract/console/shell.ts';
import { MAX_BODY_BYTES } from '../../app/contract/limits.ts';
import type { ShellScreen } from '../../app/create-bridge.ts';
import { isConsoleUrl } from './console-address.ts';

const encoder = new TextEncoder();

/**
 * The one door between page and till. Only the main frame of the console's own window, at the console's own address, is heard; what it says is
 * judged by the channel's schema, like a browser's.
 */
export function installConsoleIpc(contents: WebContents, screen: Pick<ShellScreen, 'open'>): void {
  let receive: (text: Uint8Array) => void = () => {};
  let close = (): void => {};

  function end(): void {
    receive = () => {};
    close();
    close = () => {};
  }

  function refuse(): void {
    end();
    tell(SHELL_CLOSED);
  }

  function tell(channel: string, ...texts: string[]): void {
    if (!contents.isDestroyed()) contents.send(channel, ...texts);
  }

  ipcMain.on(SHELL_OPEN, (event) => {
    if (!isFromTheConsole(event, contents)) return;
    end();
    close = screen.open({
      send: (text) => tell(SHELL_TEXT, text),
      onText: (listener) => {
        receive = listener;
      },
      refuse,
    });
  });
  ipcMain.on(SHELL_TEXT, (event, text: unknown) => {
    if (!isFromTheConsole(event, contents)) return;
    const bytes = typeof text === 'string' ? encoder.encode(text) : undefined;
    if (bytes === undefined || bytes.byteLength > MAX_BODY_BYTES) refuse();
    else receive(bytes);
  });
  contents.on('render-process-gone', end);
  contents.on('destroyed', end);
}

/** Electron gives the frame that sent it; null when that has navigated away or is gone. */
function isFromTheConsole(event: IpcMainEvent, contents: WebContents): boolean {
  const frame = event.senderFrame;
  return event.sender === contents && frame !== null && frame.parent === null && isConsoleUrl(frame.url);
}
