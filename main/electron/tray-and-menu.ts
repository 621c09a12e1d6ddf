import { fileURLToPath } from 'node:url';
import { app, Menu, nativeImage, Tray } from 'electron';
import type { ShellTexts } from './texts.ts';

/** The till's sign beside the clock: the window can be put away while the till goes on for its POS. Kept by the caller, or it vanishes. */
export function createTray({ title, show, quit }: ShellTexts, showWindow: () => void): Tray {
  const tray = new Tray(nativeImage.createFromPath(fileURLToPath(new URL('../main/icons/tray.png', import.meta.url))));
  tray.setToolTip(title);
  tray.setContextMenu(
    Menu.buildFromTemplate([
      { label: show, click: showWindow },
      { label: quit, click: () => app.quit() },
    ]),
  );
  tray.on('click', showWindow);
  return tray;
}

/** The keys that everybody expects: copy and paste, zoom, quit. */
export function setAppMenu({ title, quit }: ShellTexts): void {
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      { label: title, submenu: [{ label: quit, accelerator: 'CommandOrControl+Q', click: () => app.quit() }] },
      { role: 'editMenu' },
      { role: 'viewMenu' },
    ]),
  );
}
