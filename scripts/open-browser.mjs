// Opens an address in the person's own browser by the platform's command.
import { spawn } from 'node:child_process';

/** @returns {Promise<boolean>} whether a browser was asked; without a display nobody is. */
export function openBrowser(url) {
  const [command, ...args] = commandFor(url) ?? [];
  if (command === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', detached: true });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

function commandFor(url) {
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  if (process.platform === 'darwin') return ['open', url];
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? ['xdg-open', url] : undefined;
}
