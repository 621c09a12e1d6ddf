import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type KeptProgram, openKeptProgram } from '../app/programs/kept-program.ts';
import type { StartProgram } from '../app/programs/start-program.ts';

/** What the virtual terminal says on its READY line. */
interface VirtualTerminalAddress {
  readonly tcp: number | null;
  readonly pty: string | null;
  readonly controlUrl: string;
  readonly book: string;
  readonly pid: number;
}

export type VirtualTerminal = KeptProgram<VirtualTerminalAddress>;

/**
 * The training till's own terminal: a program of its own that survives the till. One that an earlier run of this data folder started is found
 * again, so that its book and what it is doing outlive a crash of the till.
 * @throws Error in plain words when the program cannot be started
 */
export async function openVirtualTerminal(dataDir: string, startProgram: StartProgram): Promise<VirtualTerminal> {
  const folder = join(dataDir, 'virtual-terminal');
  return await openKeptProgram({
    name: 'The virtual terminal',
    program: fileURLToPath(new URL('../drivers/virtual/main.js', import.meta.url)),
    args: ['--tcp', '0', '--book', join(folder, 'book.jsonl')],
    folder,
    logName: 'virtual-terminal.log',
    startProgram,
  });
}
