import type { OfflineSalesView } from '../contract/console/offline-sales.ts';
import {
  OFFLINE_WARN_MS,
  offlineRefusal,
  offlineRoom,
  offlineSums,
  oldestAgeMs,
  type WaitingSale,
  waitingSalesOf,
} from '../domain/offline-sales.ts';
import type { HostLinkView } from '../ports/host-links.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { labelOf } from './terminal-labels.ts';

type OfflineDeps = Pick<ConsoleDeps, 'hostLinks' | 'journal' | 'settingsStore' | 'till' | 'clock'>;
type UnreachedReader = OfflineSalesView['unreached'][number];

/** The smallest sale, minor units: what refuses it refuses every one. */
const SMALLEST_SALE_MINOR = 1;

/** The sales that wait for their issuer, and whether more of them are taken now. */
export function offlineSalesOf(deps: OfflineDeps): OfflineSalesView {
  const { journal, settingsStore, clock } = deps;
  const { offlineSales: limits } = settingsStore.current();
  const waiting = waitingSalesOf(journal.openOutboxItems());
  const { maxSaleUnits, maxTotalUnits, maxSales } = limits;
  return {
    count: waiting.length,
    sums: offlineSums(waiting).map(({ currency, amountMinor }) => ({ currency, amount: amountMinor })),
    ...(waiting.length === 0 ? {} : { oldestSince: isoOfOldest(waiting) }),
    isLate: oldestAgeMs(waiting, clock.nowMs()) >= OFFLINE_WARN_MS,
    limits: { maxSaleUnits, maxTotalUnits, maxSales },
    unreached: deps.hostLinks.list().flatMap((link) => unreachedOf(deps, link, waiting)),
  };
}

function isoOfOldest(waiting: readonly WaitingSale[]): string {
  return new Date(Math.min(...waiting.map(({ sinceMs }) => sinceMs))).toISOString();
}

function unreachedOf(
  { settingsStore, till, clock }: OfflineDeps,
  { terminalId, state, isReader, isKnown }: HostLinkView,
  waiting: readonly WaitingSale[],
): UnreachedReader[] {
  const terminal = till.terminals().find((one) => one.terminalId === terminalId);
  if (state !== 'OFFLINE' || !isReader || terminal === undefined) return [];
  const settings = settingsStore.current();
  const { currency } = terminal;
  const smallest = { amountMinor: SMALLEST_SALE_MINOR, currency };
  const refusal = offlineRefusal(settings.offlineSales, waiting, smallest, clock.nowMs());
  const { name } = labelOf(settings, terminalId);
  const taking = takingOf(refusal, isKnown);
  const { amountMinor: amount, totalMinor: total, count } = offlineRoom(settings.offlineSales, waiting, currency);
  return [
    {
      terminalId,
      ...(name === undefined ? {} : { name }),
      ...{ currency, taking },
      ...(taking === 'TAKES' ? { room: { amount, total, count } } : {}),
    },
  ];
}

function takingOf(refusal: ReturnType<typeof offlineRefusal>, isKnown: boolean): UnreachedReader['taking'] {
  if (refusal === undefined) return isKnown ? 'TAKES' : 'HOST_UNKNOWN';
  // The smallest sale is too large for no limit but the sum.
  return refusal === 'SALE_TOO_LARGE' ? 'TOTAL_REACHED' : refusal;
}

/** What needs a person of it: nothing before the oldest has waited for twelve hours. */
export function lateOfflineSalesOf(deps: OfflineDeps): OfflineSalesView[] {
  const view = offlineSalesOf(deps);
  return view.isLate ? [view] : [];
}
