import { createCipheriv, createDecipheriv } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ids } from '../app/ports/ids.ts';
import type { Vault } from '../app/ports/vault.ts';
import { createVaultFolder, writeWhole } from './vault-folder.ts';

const algorithm = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

/**
 * The vault without a system's key store: AES-256-GCM under a key that lies beside the secrets, both readable by their owner only. It keeps a
 * secret out of sight and out of a copy of one file; whoever reads the whole folder reads the secrets.
 */
export function createNodeVault(folder: string, ids: Ids): Vault {
  return createVaultFolder(folder, {
    suffix: 'sealed',
    seal(secret) {
      const nonce = ids.randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, keyOf(folder, ids), nonce);
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed) {
      const decipher = createDecipheriv(algorithm, keyOf(folder, ids), sealed.subarray(0, nonceBytes));
      decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
      const opened = [decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()];
      return Buffer.concat(opened).toString('utf8');
    },
  });
}

function keyOf(folder: string, ids: Ids): Uint8Array {
  const file = join(folder, 'key');
  if (existsSync(file)) return readFileSync(file);
  const key = ids.randomBytes(keyBytes);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeWhole(file, key);
  return key;
}
