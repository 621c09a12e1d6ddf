import { app } from './app.ts';
import { listenToTest } from './control.ts';
import { protocol, session } from './session-and-protocol.ts';
import { dialog, Menu, nativeImage, powerMonitor, safeStorage, shell, Tray, utilityProcess } from './small-parts.ts';
import { BrowserWindow, ipcMain } from './window.ts';

listenToTest();

/** What the shell imports from 'electron'. */
export {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeImage,
  powerMonitor,
  protocol,
  safeStorage,
  session,
  shell,
  Tray,
  utilityProcess,
};
