import { contextBridge, ipcRenderer } from 'electron';
import { SHELL_CLOSED, SHELL_OPEN, SHELL_TEXT, type ShellApi } from '../../app/contract/console/shell.ts';

let onText: (text: string) => void = () => {};
let onClosed: () => void = () => {};
ipcRenderer.on(SHELL_TEXT, (_event, text: string) => onText(text));
ipcRenderer.on(SHELL_CLOSED, () => onClosed());

/** All that the page gets: texts to and from the till. Neither Electron nor Node is within its reach. */
const api: ShellApi = {
  connect(textListener, closedListener) {
    onText = textListener;
    onClosed = closedListener;
    ipcRenderer.send(SHELL_OPEN);
    return (text) => ipcRenderer.send(SHELL_TEXT, text);
  },
};
contextBridge.exposeInMainWorld('tillShell', api);
