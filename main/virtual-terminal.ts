import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { StartProgram } from './start-program.ts';
import { callControl } from './virtual-control.ts';

/** What the virtual terminal says on its READY line. */
interface VirtualTerminalAddress {
  readonly tcp: number | null;
  readonly pty: string | null;
  readonly controlUrl: string;
  readonly book: string;
  readonly pid: number;
}

export interface VirtualTerminal {
  readonly address: VirtualTerminalAddress;
  /** Stops telling the terminal that its till is here; the program itself goes on until its lease ends. */
  release(): void;
}

/** A virtual terminal whose till is gone ends by itself after this time. */
const leaseSeconds = 120;
const leaseRenewalMs = 30_000;

/**
 * The training till's own terminal: a program of its own that survives the till. One that an earlier run of this data folder started is found
 * again, so that its book and what it is doing outlive a crash of the till.
 * @throws Error in plain words when the program cannot be started
 */
export async function openVirtualTerminal(dataDir: string, startProgram: StartProgram): Promise<VirtualTerminal> {
  const folder = join(dataDir, 'virtual-terminal');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const address = (await findAgain(folder)) ?? (await startNew(folder, startProgram));
  const renewal = setInterval(
    () => void callControl(address.controlUrl, 'POST', '/lease').catch(() => undefined),
    leaseRenewalMs,
  );
  renewal.unref();
  return { address, release: () => clearInterval(renewal) };
}

function addressFile(folder: string): string {
  return join(folder, 'address.json');
}

async function findAgain(folder: string): Promise<VirtualTerminalAddress | undefined> {
  if (!existsSync(addressFile(folder))) return undefined;
  try {
    const address = JSON.parse(readFileSync(addressFile(folder), 'utf8')) as VirtualTerminalAddress;
    await callControl(address.controlUrl, 'POST', '/lease');
    const state = (await callControl(address.controlUrl, 'GET', '/state')) as { pid?: number };
    // A port may have been given to another program meanwhile: only the same process counts.
    return state.pid === address.pid ? address : undefined;
  } catch {
    return undefined;
  }
}

async function startNew(folder: string, startProgram: StartProgram): Promise<VirtualTerminalAddress> {
  const program = fileURLToPath(new URL('../drivers/virtual/main.js', import.meta.url));
  const args = ['--tcp', '0', '--book', join(folder, 'book.jsonl'), '--lease-seconds', String(leaseSeconds)];
  const ready = await startProgram(program, args, join(folder, 'virtual-terminal.log'));
  const address = JSON.parse(ready) as VirtualTerminalAddress;
  writeFileSync(addressFile(folder), JSON.stringify(address), { mode: 0o600 });
  return address;
}
