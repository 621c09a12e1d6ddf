import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Name of a program's data folder: as people read it, and as Unix writes it. */
interface DataDirName {
  readonly title: string;
  readonly unix: string;
}

const tillDataDir: DataDirName = { title: 'Till Bridge', unix: 'till-bridge' };
export const hostDataDir: DataDirName = { title: 'Till Bridge Host', unix: 'till-bridge-host' };

/** Where a program keeps its data when nobody says otherwise: the platform's place for application data. */
function defaultDataDir(name: DataDirName, environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'win32') return join(environment.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), name.title);
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', name.title);
  return join(environment.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), name.unix);
}

export function dataDirOf(option: string | undefined, name = tillDataDir): string {
  return resolve(option ?? defaultDataDir(name, process.env, process.platform));
}
