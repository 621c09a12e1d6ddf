import type { OfflineLimits } from '../domain/offline-sales.ts';
import type { Clock } from '../ports/clock.ts';
import type { DeferredSales } from '../ports/deferred.ts';
import type { HostBooks } from '../ports/host-books.ts';
import type { HostAccess } from '../ports/host-client.ts';
import type { HostLinks } from '../ports/host-links.ts';
import type { Ids } from '../ports/ids.ts';
import type { Journal } from '../ports/journal.ts';
import type { LinkedCalls } from '../ports/linked-calls.ts';
import type { Log } from '../ports/log.ts';
import type { SessionTill } from '../ports/payment-sessions.ts';
import type { Terminal } from '../ports/terminal.ts';
import type { TipCaptures } from '../ports/tip-captures.ts';
import type { TipsOf } from '../ports/tips.ts';
import type { Vault } from '../ports/vault.ts';
import { createHostBooks } from './host-books.ts';
import { createHostLink, type HostLink } from './host-link.ts';
import { createHostLinks } from './host-links.ts';
import { createHostRefusals } from './host-refusals.ts';
import { createHostTerminal, isReaderOnly } from './host-terminal.ts';
import { type ClientKeeping, createHostWatch } from './host-watch.ts';
import { createKeptIdentities } from './kept-identity.ts';
import { createOfflineAge } from './offline-age.ts';
import { createOfflineSales } from './offline-sales.ts';
import { createOutbox } from './outbox.ts';
import { createOutboxStore } from './outbox-store.ts';
import { createPairings } from './pairings.ts';
import { createTerminalSessions, type TerminalSessions } from './sessions/terminal-sessions.ts';
import { createTipCaptures } from './tip-captures.ts';

/** What moves money at the host; reports of a terminal's own payments leave apart from it. */
const moneyKinds = ['REVERSAL', 'OFFLINE_COMPLETION', 'TIP_ADJUST', 'CAPTURE', 'DEFERRED_AUTHORIZATION'] as const;

/** The till's side of its host: what it is owed, how its terminals are paired, and the readers that it stands behind. */
export interface HostSide {
  /**
   * The terminal with its host behind it for as long as it is paired, when it is a reader without an acquirer of its own; any other as it is. One
   * device token is one terminal: a host that was given at the start serves the first reader, or the first terminal where there is none.
   */
  complete(terminal: Terminal): Terminal;
  /** The terminal was taken away. */
  release(terminalId: string): void;
  /** Runs on the till what the host is asked for at its terminals. Called once, when the till accepts payments. */
  serve(till: SessionTill, calls: LinkedCalls, deferred: DeferredSales): void;
  /** The host as it is told of the terminals with acquirers of their own. */
  readonly books: HostBooks;
  /** The host as it captures the sales that it holds. */
  readonly captures: TipCaptures;
  readonly links: HostLinks;
  /** What a terminal may offer as tips now. */
  readonly tipsOf: TipsOf;
  start(): void;
  stop(): void;
}

export interface HostSideDeps {
  readonly journal: Journal;
  readonly vault: Vault;
  /** The host that was given at the start; undefined while it is not there yet. */
  readonly access?: (() => HostAccess | undefined) | undefined;
  /** Whether that one is there, or still to come: without, it is owed nothing. Asked at each end of a payment. */
  readonly isExpected?: (() => boolean) | undefined;
  readonly clients: ClientKeeping;
  /** No real money can move: neither here nor behind the host. */
  readonly training: boolean;
  /** How much may wait for its authorization; asked at each sale. */
  readonly offlineLimits: () => OfflineLimits;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}

export function createHostSide(deps: HostSideDeps): HostSide {
  const { journal, vault, access, isExpected = () => true, clients, training, clock, ids, log } = deps;
  const saveSetting = (name: string, value: string) => journal.commit((unit) => unit.saveSetting(name, value));
  const store = { setting: journal.setting, saveSetting };
  const pairings = createPairings({ store, vault });
  const identities = createKeptIdentities(store);
  const refusals = createHostRefusals({ journal, clock, ids });
  const hostLinks = new Map<string, HostLink>();
  /** The terminals of the till, and whether each is a reader. */
  const terminals = new Map<string, boolean>();

  function servedByGiven(): string | undefined {
    const [reader] = [...terminals].find(([, isReader]) => isReader) ?? [];
    return reader ?? terminals.keys().next().value;
  }

  function linkOf(terminalId: string): HostLink {
    const found = hostLinks.get(terminalId);
    if (found !== undefined) return found;
    const given = () => {
      if (access === undefined || servedByGiven() !== terminalId) return undefined;
      // A reader is to say that its host is missing; what has an acquirer of its own sells without one.
      return terminals.get(terminalId) === true || isExpected() ? { access } : undefined;
    };
    const onReturn = () => {
      sessions.get(terminalId)?.retry();
      void outbox.flush(terminalId, moneyKinds);
      void outbox.report(terminalId);
    };
    const made = createHostLink({ terminalId, pairings, identities, given, training, clock, log, onReturn });
    hostLinks.set(terminalId, made);
    return made;
  }

  let served: { readonly till: SessionTill; readonly calls: LinkedCalls } | undefined;
  let deferredSales: DeferredSales | undefined;
  const sessions = new Map<string, TerminalSessions>();

  function serveTerminal(terminalId: string): void {
    if (served === undefined || sessions.has(terminalId)) return;
    const hostLink = linkOf(terminalId);
    const made = createTerminalSessions({
      ...{ terminalId, hostLink, ...served, journal, clock, ids, log },
      onConfiguration: () => void watch.look(hostLink),
    });
    sessions.set(terminalId, made);
    made.start();
  }

  const outbox = createOutbox({
    store: createOutboxStore(journal),
    hostOf: (terminalId) => linkOf(terminalId).client,
    identityOf: (terminalId) => linkOf(terminalId).identityOf,
    ...{ clock, ids, log, refusals },
    deferredSales: () => deferredSales,
  });
  const offlineSales = createOfflineSales({ limits: deps.offlineLimits, openItems: journal.openOutboxItems, clock });
  const offlineAge = createOfflineAge({ openItems: journal.openOutboxItems, clock, log });
  const isReported = (terminalId: string) => terminals.get(terminalId) === false && linkOf(terminalId).isServed();
  const terminalIds = () => [...terminals.keys()];
  const watch = createHostWatch({ links: () => terminalIds().map(linkOf), clients, clock, log });

  return {
    complete(terminal) {
      const { terminalId } = terminal;
      const isReader = isReaderOnly(terminal);
      terminals.set(terminalId, isReader);
      serveTerminal(terminalId);
      if (!isReader) return terminal;
      const { client: host, isServed, identityOf, clockSkewMs } = linkOf(terminalId);
      const openTotals = (id: string, currency: string) => journal.totals(id, journal.openBatchNumber(id), currency);
      const own = { host, outbox, offlineSales, openTotals, identityOf, clockSkewMs, isServed };
      return createHostTerminal({ reader: terminal, clock, log, ...own });
    },
    release(terminalId) {
      terminals.delete(terminalId);
      sessions.get(terminalId)?.stop();
      sessions.delete(terminalId);
    },
    serve(till, calls, deferred) {
      served = { till, calls };
      deferredSales = deferred;
      terminalIds().forEach(serveTerminal);
    },
    books: createHostBooks({
      ...{ outbox, clock, isReported },
      clockSkewMs: (terminalId) => linkOf(terminalId).clockSkewMs(),
    }),
    captures: createTipCaptures({
      ...{ outbox, clock },
      configOf: (terminalId) => linkOf(terminalId).config(),
      isReached: (terminalId) => linkOf(terminalId).view().state === 'ONLINE',
    }),
    links: createHostLinks({
      ...{ terminalIds, linkOf, pairings, watch, clients, owed: journal.openOutboxItems, clock },
      isReader: (terminalId) => terminals.get(terminalId) === true,
    }),
    tipsOf: (terminalId) => (terminals.has(terminalId) ? linkOf(terminalId).tips() : undefined),
    start() {
      outbox.start();
      watch.start();
      offlineAge.start();
    },
    stop() {
      for (const each of sessions.values()) each.stop();
      watch.stop();
      offlineAge.stop();
      outbox.stop();
    },
  };
}
