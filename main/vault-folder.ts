import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Vault } from '../app/ports/vault.ts';

/** How one vault turns a secret into what stands in its file. */
export interface Sealing {
  /** Tells the files of different vaults apart. */
  readonly suffix: string;
  seal(secret: string): Uint8Array;
  /** @throws Error for what this vault cannot open */
  open(sealed: Uint8Array): string;
}

const namePattern = /^[a-z][a-z0-9-]{0,63}$/;

/** A vault with a sealed file for each secret, readable by its owner only. */
export function createVaultFolder(folder: string, sealing: Sealing): Vault {
  function fileOf(name: string): string {
    if (!namePattern.test(name)) throw new Error('a secret is named by lower case letters, digits and dashes');
    return join(folder, `${name}.${sealing.suffix}`);
  }
  return {
    async read(name) {
      const file = fileOf(name);
      if (!existsSync(file)) return undefined;
      try {
        return sealing.open(readFileSync(file));
      } catch {
        return undefined;
      }
    },
    async keep(name, secret) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeWhole(fileOf(name), sealing.seal(secret));
    },
  };
}

/** A crash leaves the old file or the new one, never half of it. */
export function writeWhole(path: string, bytes: Uint8Array): void {
  const file = openSync(`${path}.new`, 'w', 0o600);
  try {
    writeSync(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
}
