import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callControl, isTimeout } from './call-control.ts';
import type { ProgramStart, StartProgram } from './start-program.ts';

/** What every such program says of itself on its READY line. */
interface ControlAddress {
  readonly controlUrl: string;
  readonly pid: number;
}

/** A program that runs on when whoever started it has ended or crashed, for as long as its lease is renewed. */
export interface KeptProgram<Address extends ControlAddress> {
  readonly address: Address;
  /** Stops renewing the lease; the program itself goes on until it ends. */
  release(): void;
}

interface KeptProgramOptions extends Omit<ProgramStart, 'args' | 'logFile'> {
  /** Where its address and what it writes are kept. */
  readonly folder: string;
  readonly logName: string;
  readonly args: readonly string[];
  readonly startProgram: StartProgram;
  /** Milliseconds that one that lives has to answer, on a machine that is busy. */
  readonly patienceMs?: number;
}

/** A program that nobody needs any more ends by itself after this time. */
const leaseSeconds = 120;
const leaseRenewalMs = 30_000;
const defaultPatienceMs = 30_000;

/**
 * A program that an earlier run has left in this folder, found again so that its book and what it is doing outlive a crash of whoever needs it; else a
 * new one. It takes `--lease-seconds`, and GET /state and POST /lease at its control interface.
 * @throws Error in plain words when the program cannot be started, or lives and does not answer: a second one would find its book taken
 */
export async function openKeptProgram<Address extends ControlAddress>(
  options: KeptProgramOptions,
): Promise<KeptProgram<Address>> {
  const { folder } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const address = (await findAgain<Address>(options)) ?? (await startNew<Address>(options));
  const renewal = setInterval(
    () => void callControl(address.controlUrl, 'POST', '/lease').catch(() => undefined),
    leaseRenewalMs,
  );
  renewal.unref();
  return { address, release: () => clearInterval(renewal) };
}

/** Ends such a program now. Never rejects: one that does not answer has ended, or will when its lease does. */
export async function stopProgram(controlUrl: string): Promise<void> {
  await callControl(controlUrl, 'POST', '/stop').catch(() => undefined);
}

function addressFile(folder: string): string {
  return join(folder, 'address.json');
}

async function findAgain<Address extends ControlAddress>(options: KeptProgramOptions): Promise<Address | undefined> {
  const { folder, name, patienceMs: timeoutMs = defaultPatienceMs } = options;
  const address = addressIn<Address>(folder);
  if (address === undefined || !isAlive(address.pid)) return undefined;
  try {
    await callControl(address.controlUrl, 'POST', '/lease', { timeoutMs });
    const state = (await callControl(address.controlUrl, 'GET', '/state', { timeoutMs })) as { pid?: number };
    // A port may have been given to another program meanwhile: only the same process counts.
    return state.pid === address.pid ? address : undefined;
  } catch (error) {
    // Nobody listens there, or it is another program.
    if (!isTimeout(error)) return undefined;
    throw new Error(`${name} of an earlier run (process ${address.pid}) does not answer; end it, or try again`);
  }
}

function addressIn<Address extends ControlAddress>(folder: string): Address | undefined {
  if (!existsSync(addressFile(folder))) return undefined;
  try {
    const address = JSON.parse(readFileSync(addressFile(folder), 'utf8')) as Partial<Address> | null;
    const isWhole = typeof address?.controlUrl === 'string' && Number.isInteger(address.pid);
    return isWhole ? (address as Address) : undefined;
  } catch {
    return undefined;
  }
}

/** A process that belongs to somebody else lives, too. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return Object(error).code === 'EPERM';
  }
}

async function startNew<Address extends ControlAddress>(options: KeptProgramOptions): Promise<Address> {
  const { name, program, args, folder, logName, startProgram } = options;
  const ready = await startProgram({
    name,
    program,
    args: [...args, '--lease-seconds', String(leaseSeconds)],
    logFile: join(folder, logName),
  });
  const address = JSON.parse(ready) as Address;
  writeFileSync(addressFile(folder), JSON.stringify(address), { mode: 0o600 });
  return address;
}
