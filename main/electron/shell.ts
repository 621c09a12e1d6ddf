import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog, protocol, session } from 'electron';
import { explainStart } from '../explain-start.ts';
import { parseOptions } from '../options.ts';
import { createBridgeRun, type Plan, planOf, screenDir } from '../run-bridge.ts';
import { installConsoleIpc } from './console-ipc.ts';
import { serveConsole } from './console-protocol.ts';
import { createConsoleWindow, openConsole } from './console-window.ts';
import { lockContents, lockSession } from './lock-down.ts';
import { watchPower } from './power.ts';
import { installQuitGate } from './quit-gate.ts';
import { createShellVault } from './safe-storage-vault.ts';
import { type ShellTexts, textsFor } from './texts.ts';
import { createTray, setAppMenu } from './tray-and-menu.ts';
import { runUtilityProgram, startUtilityProgram } from './utility-program.ts';

/** The till with its window, once per data folder: a second start brings the first one's window to the front. */
export async function startShell(args: readonly string[]): Promise<void> {
  let plan: Plan | undefined;
  try {
    const options = parseOptions(args);
    plan = planOf(options);
    if (isSecondStart(plan)) {
      app.quit();
      return;
    }
    await app.whenReady();
    await openShell(plan, options.kiosk || plan.settings.current().kiosk);
  } catch (error) {
    const message = await explainStart(error, plan);
    process.stderr.write(`${message}\n`);
    // Started by npm, the line above is read where the till was started.
    if (app.isPackaged) dialog.showErrorBox(textsFor(undefined, app.getLocale()).notStarted, message);
    app.exit(1);
  }
}

function isSecondStart(plan: Plan): boolean {
  const userData = join(plan.dataDir, 'shell');
  mkdirSync(userData, { recursive: true, mode: 0o700 });
  app.setPath('userData', userData);
  return !app.requestSingleInstanceLock();
}

async function openShell(plan: Plan, kiosk: boolean): Promise<void> {
  const vault = createShellVault(join(plan.dataDir, 'vault'), (line) => process.stderr.write(`${line}\n`));
  const run = await createBridgeRun(plan, { vault, startProgram: startUtilityProgram, runProgram: runUtilityProgram });
  const { bridge } = run;
  const texts = (): ShellTexts => textsFor(plan.settings.current().language, app.getLocale());
  let posOrigin: string | undefined;

  lockSession(session.defaultSession);
  lockContents(() => posOrigin);
  const gate = installQuitGate({ run, window: () => console.window, texts });
  const console = createConsoleWindow({ title: texts().title, kiosk, mayClose: gate.isDone });
  const screen = await bridge.shellScreen();
  serveConsole(protocol, screenDir(), screen);
  installConsoleIpc(console.window.webContents, screen);
  setAppMenu(texts());
  const tray = createTray(texts(), console.show);
  app.on('second-instance', console.show);
  app.on('activate', console.show);
  app.on('will-quit', () => tray.destroy());
  console.window.on('session-end', gate.quitNow);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, gate.quitNow);
  watchPower(bridge, gate);

  const ready = await run.start();
  posOrigin = new URL(ready.posUrl).origin;
  await openConsole(console);
  process.stdout.write(`READY ${JSON.stringify(ready)}\n`);
}
