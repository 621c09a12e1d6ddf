import type { Vault } from '../../../app/ports/vault.ts';

/** A vault in memory, and what lies in it. */
export interface MemoryVault extends Vault {
  readonly secrets: Map<string, string>;
}

export function createMemoryVault(): MemoryVault {
  const secrets = new Map<string, string>();
  return {
    secrets,
    read: async (name) => secrets.get(name),
    async keep(name, secret) {
      secrets.set(name, secret);
    },
  };
}
