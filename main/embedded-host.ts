import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Secret } from '../app/domain/secret.ts';
import type { HostAccess } from '../app/ports/host-client.ts';
import type { OwnedProgram, ProgramStart } from '../app/programs/start-program.ts';

/** What the till needs of the host's READY line. */
interface HostReady {
  readonly baseUrl: string;
  readonly pid: number;
  /** The acquirer simulator of the host. */
  readonly children: readonly number[];
  readonly demo?: { readonly deviceToken: string };
}

export interface EmbeddedHost {
  readonly url: string;
  /** How the till's reader reaches it, as the demo merchant's terminal. */
  readonly access: HostAccess | undefined;
  /** The host and what it has started. */
  readonly pids: readonly number[];
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Starts a program that ends with the till, even when the till is killed. */
export type StartOwned = (start: ProgramStart) => Promise<OwnedProgram>;

/**
 * The training till's own host: with its database in the till's data folder and a demo merchant, by its published command. It ends with the till;
 * what it has stored is there at the next start.
 * @throws Error in plain words when the program cannot be started
 */
export async function startEmbeddedHost(dataDir: string, start: StartOwned): Promise<EmbeddedHost> {
  const folder = join(dataDir, 'host');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const program = await start({
    name: 'The host',
    program: fileURLToPath(new URL('../host/main.js', import.meta.url)),
    args: ['--port', '0', '--data-dir', folder, '--demo'],
    logFile: join(folder, 'host.log'),
  });
  const { baseUrl, pid, children, demo } = JSON.parse(program.ready) as HostReady;
  const access = demo === undefined ? undefined : { url: baseUrl, deviceToken: new Secret(demo.deviceToken) };
  return { url: baseUrl, access, pids: [pid, ...children], stop: program.stop };
}
