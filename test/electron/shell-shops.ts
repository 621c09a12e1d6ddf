import { join } from 'node:path';
import {
  endProgram,
  type Program,
  startVirtualTerminal,
  temporaryFolder,
  type VirtualTerminalReady,
} from '../support/processes.ts';
import { type ControlClient, controlClient } from '../virtual/support/running-terminal.ts';
import type { RunningShell } from './shell-harness.ts';

export interface ShellShop<Shell extends RunningShell> {
  readonly shell: Shell;
  readonly terminal: VirtualTerminalReady;
  readonly control: ControlClient;
  /** With which the shell was started. */
  readonly args: readonly string[];
}

/** Shells of one file's specs, each with a real terminal: `close` ends what one spec has opened, `end` everything. */
export function createShellShops<Shell extends RunningShell>(
  open: (args: readonly string[], environment?: NodeJS.ProcessEnv) => Promise<Shell>,
) {
  const folder = temporaryFolder();
  const shells: Shell[] = [];
  const terminals: Program<VirtualTerminalReady>[] = [];
  let opened = 0;
  return {
    folder: folder.path,
    async open(
      terminalArgs: readonly string[] = [],
      more: readonly string[] = [],
      environment: NodeJS.ProcessEnv = {},
    ): Promise<ShellShop<Shell>> {
      opened += 1;
      const data = join(folder.path, `shell-${opened}`);
      const terminal = await startVirtualTerminal([
        ...['--tcp', '0', '--think-ms', '150', '--book', `${data}-book.jsonl`],
        ...terminalArgs,
      ]);
      terminals.push(terminal);
      const url = `zvt+tcp://127.0.0.1:${terminal.ready.tcp}?password=000000&currency=EUR`;
      const args = ['--data-dir', data, '--training', '--terminal', url, ...more];
      const shell = await open(args, environment);
      shells.push(shell);
      return { shell, terminal: terminal.ready, control: controlClient(terminal.ready.controlUrl), args };
    },
    /** Starts a shell again with the same data, once the earlier one has ended. */
    async reopen(shop: ShellShop<Shell>): Promise<Shell> {
      const shell = await open(shop.args);
      shells.push(shell);
      return shell;
    },
    async close(): Promise<void> {
      for (const shell of shells.splice(0)) await shell.kill();
      for (const terminal of terminals.splice(0)) await endProgram(terminal);
    },
    end: () => folder.remove(),
  };
}
