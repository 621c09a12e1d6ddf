import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
const startTimeoutMs = 15_000;

/**
 * The training till's own terminal: a program of its own that survives the till. One that an earlier run of this data folder started is found
 * again, so that its book and what it is doing outlive a crash of the till.
 * @throws Error in plain words when the program cannot be started
 */
export async function openVirtualTerminal(dataDir: string): Promise<VirtualTerminal> {
  const folder = join(dataDir, 'virtual-terminal');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const address = (await findAgain(folder)) ?? (await startNew(folder));
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

async function startNew(folder: string): Promise<VirtualTerminalAddress> {
  const program = fileURLToPath(new URL('../drivers/virtual/main.js', import.meta.url));
  const log = openSync(join(folder, 'virtual-terminal.log'), 'a', 0o600);
  const child = spawn(
    process.execPath,
    [program, '--tcp', '0', '--book', join(folder, 'book.jsonl'), '--lease-seconds', String(leaseSeconds)],
    { detached: true, stdio: ['ignore', 'pipe', log] },
  );
  const address = await readyLine(child, folder);
  // From here on it lives by its lease, not by this process.
  child.stdout?.destroy();
  child.unref();
  writeFileSync(addressFile(folder), JSON.stringify(address), { mode: 0o600 });
  return address;
}

function readyLine(child: ChildProcess, folder: string): Promise<VirtualTerminalAddress> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The virtual terminal did not start in time.')), startTimeoutMs);
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const ready = /^READY (.*)$/m.exec(output)?.[1];
      if (ready === undefined) return;
      clearTimeout(timer);
      resolve(JSON.parse(ready) as VirtualTerminalAddress);
    });
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`The virtual terminal ended with code ${code}; see ${folder}.`)));
  });
}
