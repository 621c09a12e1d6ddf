import { createHash } from 'node:crypto';
import type { PairResponse } from '../contract/host/pairing.ts';
import { type HostPairing, isSameHostTerminal } from '../domain/host-pairing.ts';
import { Secret } from '../domain/secret.ts';
import type { HostAccess } from '../ports/host-client.ts';
import type { Vault } from '../ports/vault.ts';

/** Where it stands which terminal is whom: the till's own database, so that another program may pair beside it. */
export interface PairingStore {
  setting(name: string): string | undefined;
  saveSetting(name: string, value: string): void;
}

/** Which terminals are paired, and their device tokens: the tokens lie in the vault, and nowhere else (specification: Authentication, rule 2). */
export interface Pairings {
  /** As it stands now, also when another program has written it. */
  find(terminalId: string): HostPairing | undefined;
  /** What stands for the pairing as a whole: another text after each pairing. */
  mark(terminalId: string): string;
  /** undefined where it is not paired, and where the token cannot be opened. */
  access(terminalId: string): Promise<HostAccess | undefined>;
  /** @throws the system's error when the vault cannot be written: nothing is changed then */
  keep(terminalId: string, url: string, paired: PairResponse, pairedAt: string): Promise<HostPairing>;
  forget(terminalId: string): Promise<void>;
}

interface Sealed {
  readonly pairing: HostPairing;
  readonly deviceToken: string;
}

interface Opened {
  readonly mark: string;
  readonly access: Promise<HostAccess | undefined>;
}

const settingOf = (terminalId: string) => `host-pairing/${terminalId}`;
/** The vault takes lower-case names only, and two ids must not share one. */
const secretOf = (terminalId: string) =>
  `device-token-${createHash('sha256').update(terminalId, 'utf8').digest('hex').slice(0, 32)}`;

export function createPairings({ store, vault }: { readonly store: PairingStore; readonly vault: Vault }): Pairings {
  const opened = new Map<string, Opened>();

  function mark(terminalId: string): string {
    return store.setting(settingOf(terminalId)) ?? '';
  }

  function find(terminalId: string): HostPairing | undefined {
    const text = mark(terminalId);
    return text === '' ? undefined : (JSON.parse(text) as HostPairing);
  }

  async function open(terminalId: string): Promise<HostAccess | undefined> {
    const pairing = find(terminalId);
    const secret = pairing === undefined ? undefined : await vault.read(secretOf(terminalId));
    const sealed = secret === undefined ? undefined : readSealed(secret);
    // Another token than the one that was paired here: of a folder that was put together from two.
    if (pairing === undefined || sealed === undefined || !isSameHostTerminal(pairing, sealed.pairing)) return undefined;
    return { url: sealed.pairing.url, deviceToken: new Secret(sealed.deviceToken) };
  }

  return {
    find,
    mark,
    access(terminalId) {
      const now = mark(terminalId);
      const known = opened.get(terminalId);
      if (known?.mark === now) return known.access;
      const access = open(terminalId);
      opened.set(terminalId, { mark: now, access });
      return access;
    },
    async keep(terminalId, url, { deviceToken, ...facts }, pairedAt) {
      const pairing: HostPairing = { url, ...facts, pairedAt };
      // The token first: what says that it is paired says so only once the token is there.
      await vault.keep(secretOf(terminalId), JSON.stringify({ pairing, deviceToken } satisfies Sealed));
      store.saveSetting(settingOf(terminalId), JSON.stringify(pairing));
      opened.delete(terminalId);
      return pairing;
    },
    async forget(terminalId) {
      store.saveSetting(settingOf(terminalId), '');
      opened.delete(terminalId);
      await vault.keep(secretOf(terminalId), '');
    },
  };
}

function readSealed(secret: string): Sealed | undefined {
  return secret === '' ? undefined : (JSON.parse(secret) as Sealed);
}
