import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where the till keeps its data when nobody says otherwise: the platform's place for application data. */
function defaultDataDir(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'win32') return join(environment.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Till Bridge');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Till Bridge');
  return join(environment.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'till-bridge');
}

export function dataDirOf(option: string | undefined): string {
  return resolve(option ?? defaultDataDir(process.env, process.platform));
}
