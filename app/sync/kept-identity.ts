import type { ToldIdentity } from './host-identity.ts';
import type { PairingStore } from './pairings.ts';

/**
 * Who each paired terminal is at its host, as the host told it last, on disk: a till that is started while its host is away can take sales offline
 * (decisions section 7). It holds for one pairing; no secret is part of it.
 */
export interface KeptIdentities {
  /** @param mark of the pairing as it is now */
  find(terminalId: string, mark: string): ToldIdentity | undefined;
  /** @throws BridgeError JOURNAL_UNAVAILABLE */
  keep(terminalId: string, mark: string, told: ToldIdentity): void;
}

interface Kept {
  readonly mark: string;
  readonly told: ToldIdentity;
}

const settingOf = (terminalId: string) => `host-identity/${terminalId}`;

export function createKeptIdentities({ setting, saveSetting }: PairingStore): KeptIdentities {
  return {
    find(terminalId, mark) {
      const text = setting(settingOf(terminalId));
      const kept = text === undefined ? undefined : (JSON.parse(text) as Kept);
      return kept?.mark === mark ? kept.told : undefined;
    },
    keep(
      terminalId,
      mark,
      { deviceId, terminalId: atHost, currencyCode, limits, businessDay, acquirer: { simulated } },
    ) {
      const day = businessDay === undefined ? {} : { businessDay };
      const told = { deviceId, terminalId: atHost, currencyCode, limits, ...day, acquirer: { simulated } };
      const text = JSON.stringify({ mark, told } satisfies Kept);
      if (setting(settingOf(terminalId)) !== text) saveSetting(settingOf(terminalId), text);
    },
  };
}
