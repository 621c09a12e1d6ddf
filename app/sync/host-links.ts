import { BridgeError } from '../contract/errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { HostLinks, HostLinkView } from '../ports/host-links.ts';
import type { OutboxItem } from '../ports/outbox.ts';
import type { HostLink } from './host-link.ts';
import type { ClientKeeping, HostWatch } from './host-watch.ts';
import { pairTerminal } from './pair-terminal.ts';
import type { Pairings } from './pairings.ts';

export interface HostLinksDeps {
  /** The terminals of the till, in their order. */
  readonly terminalIds: () => readonly string[];
  readonly linkOf: (terminalId: string) => HostLink;
  readonly isReader: (terminalId: string) => boolean;
  readonly pairings: Pairings;
  readonly watch: Pick<HostWatch, 'look'>;
  readonly clients: Pick<ClientKeeping, 'release'>;
  /** What the hosts are owed. */
  readonly owed: () => readonly OutboxItem[];
  readonly clock: Clock;
}

/** Pairing as the console does it. */
export function createHostLinks(deps: HostLinksDeps): HostLinks {
  const { terminalIds, linkOf, pairings, watch, clients, clock } = deps;

  function owedOf(terminalId: string): readonly OutboxItem[] {
    return deps.owed().filter((item) => item.terminalId === terminalId);
  }

  function viewOf(terminalId: string): HostLinkView {
    return { ...linkOf(terminalId).view(), isReader: deps.isReader(terminalId), owed: owedOf(terminalId) };
  }

  return {
    list: () => terminalIds().map(viewOf),
    async pair(terminalId, currency, request) {
      await pairTerminal(
        { clock, pairings, terminalIds: terminalIds() },
        { ...request, terminalId, currency, isOwed: owedOf(terminalId).length > 0 },
      );
      await watch.look(linkOf(terminalId));
      return viewOf(terminalId);
    },
    async unpair(terminalId) {
      const pairing = pairings.find(terminalId);
      if (pairing === undefined) throw new BridgeError('ILLEGAL_STATE', 'the terminal is not paired');
      if (owedOf(terminalId).length > 0) {
        throw new BridgeError('ILLEGAL_STATE', 'the host is still owed something of this terminal', { field: 'owed' });
      }
      await pairings.forget(terminalId);
      const isLast = terminalIds().every((id) => pairings.find(id)?.merchantId !== pairing.merchantId);
      if (isLast) clients.release(pairing.merchantId);
      return viewOf(terminalId);
    },
    async check(terminalId) {
      await watch.look(linkOf(terminalId));
      return viewOf(terminalId);
    },
  };
}
