import { isoOf } from '../../app/domain/instant.ts';
import { blockersOf, openPreAuthsOf, totalsView } from './day-view.ts';
import type { MerchantCalls } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import { pickTerminal } from './picked-terminal.ts';

/** GET /v1/reconciliation/totals: what a dry run of the day close answers, and what would block the close (decisions: Totals). */
export function createTotals({ store, clock }: HostDeps): Pick<MerchantCalls, 'totals'> {
  const { read } = store;
  return {
    async totals({ merchantId }, terminalId) {
      const terminal = await pickTerminal(read, merchantId, terminalId);
      const blockers = await blockersOf(read, merchantId, await read.closeBlockers(terminal));
      const openPreAuths = await openPreAuthsOf(read, terminal);
      return {
        ...totalsView(await read.openTotals(terminal)),
        timestamp: isoOf(clock.nowMs()),
        ...(blockers.length === 0 ? {} : { blockers }),
        ...(openPreAuths.length === 0 ? {} : { openPreAuths }),
      };
    },
  };
}
