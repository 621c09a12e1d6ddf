import { app, type BrowserWindow, dialog } from 'electron';
import type { BridgeRun } from '../run-bridge.ts';
import type { ShellTexts } from './texts.ts';

/** OPEN: the till works. ASKING: a person decides. STOPPING: it is decided. DONE: nothing is left to lose. */
type GateState = 'OPEN' | 'ASKING' | 'STOPPING' | 'DONE';

export interface QuitGate {
  isDone(): boolean;
  /** The machine itself goes down and asks nobody: what runs is ended, or left to recovery. */
  quitNow(): void;
}

interface GateParts {
  readonly run: BridgeRun;
  readonly window: () => BrowserWindow;
  readonly texts: () => ShellTexts;
}

/** Every way out of the shell leads through here: while a payment runs, a person decides whether to stay or to wait for its end. */
export function installQuitGate({ run, window, texts }: GateParts): QuitGate {
  let state: GateState = 'OPEN';

  async function mayQuit(): Promise<boolean> {
    if (run.bridge.inFlight().count === 0) return true;
    state = 'ASKING';
    const { runningTitle, runningDetail, stay, quitAfter } = texts();
    const { response } = await dialog.showMessageBox(window(), {
      type: 'warning',
      message: runningTitle,
      detail: runningDetail,
      buttons: [stay, quitAfter],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    return response === 1;
  }

  async function quit(): Promise<void> {
    if (state !== 'OPEN') return;
    if (!(await mayQuit())) {
      state = 'OPEN';
      return;
    }
    state = 'STOPPING';
    // The next one may have begun meanwhile, on this or on another terminal.
    for (let running = run.bridge.inFlight(); running.count > 0; running = run.bridge.inFlight()) await running.ended;
    await run.stop();
    state = 'DONE';
    app.quit();
  }

  async function quitNow(): Promise<void> {
    if (state === 'DONE') return;
    state = 'STOPPING';
    await run.stop();
    state = 'DONE';
    app.exit(0);
  }

  app.on('before-quit', (event) => {
    if (state === 'DONE') return;
    event.preventDefault();
    void quit();
  });
  return { isDone: () => state === 'DONE', quitNow: () => void quitNow() };
}
