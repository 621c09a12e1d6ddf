/**
 * The console's channel inside the desktop shell: the same texts that a browser's WebSocket carries, over IPC. The shell's preload offers it to
 * the page as `tillShell`; nothing else of the shell is visible there.
 */

/** IPC channels. OPEN: a page connects (again). TEXT: one message, either way. CLOSED: the till ended the connection. */
export const SHELL_OPEN = 'console:open';
export const SHELL_TEXT = 'console:text';
export const SHELL_CLOSED = 'console:closed';

export interface ShellApi {
  /** Connects the page, in place of an earlier connection. Returns what sends a text. */
  connect(onText: (text: string) => void, onClosed: () => void): (text: string) => void;
}
