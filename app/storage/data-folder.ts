import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes the data folder where it is not there, for its owner only. @throws what the file system says */
export function makeDataFolder(path: string): void {
  if (existsSync(path)) return;
  // A recursive mkdir never returns in a folder that takes none, such as /proc; it is used only where a parent is missing too.
  mkdirSync(path, { recursive: !existsSync(dirname(path)), mode: 0o700 });
}
