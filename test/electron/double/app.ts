import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { startChromium, stopChromium } from './chromium.ts';

/** Ends with 0 when somebody answers at the socket. */
const knock = `require('node:net').createConnection(process.argv[1], () => process.exit(0)).on('error', () => process.exit(1))`;

/** Electron's `app`, as far as the shell uses it. */
class App extends EventEmitter {
  readonly isPackaged = false;
  isSandboxed = false;
  readonly #paths = new Map<string, string>();
  #lock: Server | undefined;
  readonly windows = new Set<{ close(): boolean }>();

  enableSandbox(): void {
    this.isSandboxed = true;
  }

  getLocale(): string {
    return 'en-GB';
  }

  setPath(name: string, path: string): void {
    this.#paths.set(name, path);
  }

  getPath(name: string): string {
    return this.#paths.get(name) ?? '';
  }

  /** Held by a socket in the program's own folder, as Electron does it; asked by a process of its own, since the answer is due at once. */
  requestSingleInstanceLock(): boolean {
    const socketPath = join(this.getPath('userData'), 'lock');
    const isHeld = spawnSync(process.execPath, ['-e', knock, socketPath]).status === 0;
    if (isHeld) return false;
    rmSync(socketPath, { force: true });
    this.#lock = createServer((second) => {
      second.resume();
      this.emit('second-instance', {}, [], '');
    });
    this.#lock.listen(socketPath);
    return true;
  }

  whenReady(): Promise<void> {
    return startChromium(join(this.getPath('userData'), 'chromium'));
  }

  quit(): void {
    let isPrevented = false;
    this.emit('before-quit', {
      preventDefault: () => {
        isPrevented = true;
      },
    });
    if (isPrevented) return;
    if (![...this.windows].every((window) => window.close())) return;
    this.emit('will-quit');
    this.exit(0);
  }

  exit(code: number): void {
    this.#lock?.close();
    void stopChromium().finally(() => process.exit(code));
  }
}

export const app = new App();
