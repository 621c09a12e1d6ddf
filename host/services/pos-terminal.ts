import type { PosTerminals } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import { pickTerminal } from './picked-terminal.ts';

/** The terminal that an action of a session is about, by the rules of a call (decisions: Several terminals). */
export function createPosTerminals({ store }: Pick<HostDeps, 'store'>): PosTerminals {
  return {
    async posTerminal({ merchantId }, picked) {
      const { terminalId, currency } = await pickTerminal(store.read, merchantId, picked);
      return { terminalId, currency };
    },
  };
}
