import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newKey } from '../app/config/pos-clients.ts';
import type { Ids } from '../app/ports/ids.ts';

/** The key of the training POS: the same at each start of a data folder, so that an integrator's program keeps working. Opens nothing but training. */
export function trainingKey(dataDir: string, ids: Ids): string {
  const path = join(dataDir, 'training-pos-key');
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  const key = newKey(ids);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(path, `${key}\n`, { mode: 0o600 });
  return key;
}
