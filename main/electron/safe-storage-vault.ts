import { safeStorage } from 'electron';
import type { Vault } from '../../app/ports/vault.ts';
import { nodeIds } from '../../app/programs/node-ports.ts';
import { createNodeVault } from '../node-vault.ts';
import { createVaultFolder } from '../vault-folder.ts';

/**
 * The vault over the system's key store (Keychain, DPAPI, Secret Service). Where there is none, Electron would seal under a key that everybody
 * knows: then the vault of the headless till is the better one, and a line says so.
 */
export function createShellVault(folder: string, say: (line: string) => void): Vault {
  if (!hasKeyStore()) {
    say(`This machine has no key store: the window's secret lies in ${folder}, sealed under a key beside it.`);
    return createNodeVault(folder, nodeIds);
  }
  return createVaultFolder(folder, {
    suffix: 'safe',
    seal: (secret) => safeStorage.encryptString(secret),
    open: (sealed) => safeStorage.decryptString(Buffer.from(sealed)),
  });
}

function hasKeyStore(): boolean {
  if (!safeStorage.isEncryptionAvailable()) return false;
  return process.platform !== 'linux' || !['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend());
}
