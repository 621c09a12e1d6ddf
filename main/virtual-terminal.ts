import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TrainingControl } from '../app/ports/training.ts';
import type { StartProgram } from './start-program.ts';

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
  readonly control: TrainingControl;
  /** Stops telling the terminal that its till is here; the program itself goes on until its lease ends. */
  release(): void;
}

/** A virtual terminal whose till is gone ends by itself after this time. */
const leaseSeconds = 120;
const leaseRenewalMs = 30_000;
const controlTimeoutMs = 3000;

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
    () => void call(address.controlUrl, 'POST', '/lease').catch(() => undefined),
    leaseRenewalMs,
  );
  renewal.unref();
  return { address, control: controlOf(address.controlUrl), release: () => clearInterval(renewal) };
}

/** The control interface of a virtual terminal as the engine's training port. */
export function controlOf(controlUrl: string): TrainingControl {
  return {
    arm: async (rule) => void (await call(controlUrl, 'POST', '/next', { rule })),
    disarm: async () => void (await call(controlUrl, 'DELETE', '/next')),
  };
}

function addressFile(folder: string): string {
  return join(folder, 'address.json');
}

async function findAgain(folder: string): Promise<VirtualTerminalAddress | undefined> {
  if (!existsSync(addressFile(folder))) return undefined;
  try {
    const address = JSON.parse(readFileSync(addressFile(folder), 'utf8')) as VirtualTerminalAddress;
    await call(address.controlUrl, 'POST', '/lease');
    const state = (await call(address.controlUrl, 'GET', '/state')) as { pid?: number };
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

async function call(
  controlUrl: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body: unknown = {},
): Promise<unknown> {
  const response = await fetch(new URL(path, controlUrl), {
    method,
    ...(method === 'GET' ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(controlTimeoutMs),
  });
  if (!response.ok)
    throw new Error(`The virtual terminal refused ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
