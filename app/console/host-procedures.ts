import type { HostTrouble } from '../contract/console/attention.ts';
import type { HostLink } from '../contract/console/host.ts';
import { ConsoleError, type RefusalReason } from '../contract/console/refusal.ts';
import { BridgeError } from '../contract/errors.ts';
import type { TerminalTipConfigResponse } from '../contract/host/tip-config.ts';
import type { BusinessDayRule } from '../domain/business-day.ts';
import type { AuditAction } from '../domain/staff.ts';
import type { HostLinkView } from '../ports/host-links.ts';
import type { Settings } from '../ports/settings.ts';
import type { ConsoleCall, Handlers } from './call.ts';
import { type ConsoleDeps, nowIso } from './console-deps.ts';
import { latestSessionsOf } from './host-sessions.ts';
import { offlineSalesOf } from './offline-sales.ts';
import { requireNothingOpen } from './terminal-keeper.ts';
import { labelOf } from './terminal-labels.ts';

type HostHandlers = Pick<Handlers, Extract<keyof Handlers, `host.${string}`>>;

/** What keeps a terminal from being paired or unpaired, by the field that the till's side of the host names. */
const reasons: Readonly<Record<string, RefusalReason>> = {
  merchantId: 'HOST_OTHER_TERMINAL',
  terminalId: 'HOST_OTHER_TERMINAL',
  currencyCode: 'HOST_OTHER_CURRENCY',
  owed: 'HOST_OWED',
  url: 'HOST_ADDRESS',
};

/** How the terminals stand with their host; a token never comes this far. */
export function createHostHandlers(deps: ConsoleDeps): HostHandlers {
  const { hostLinks, till, terminalSetup, journal, clock, settingsStore } = deps;

  function viewOf(link: HostLinkView): HostLink {
    const { owed, pairing, clockSkew, tips, businessDay, isReader: _isReader, isKnown: _isKnown, ...rest } = link;
    const waiting = owed.filter(({ state }) => state === 'WAITING');
    const settings = settingsStore.current();
    const { name } = labelOf(settings, link.terminalId);
    return {
      ...rest,
      ...(name === undefined ? {} : { name }),
      ...(pairing === undefined ? {} : { pairing: pairingOf(pairing) }),
      ...(clockSkew === undefined ? {} : { clockSkewSeconds: clockSkew.skewMs / 1_000 }),
      ...(tips === undefined ? {} : { tips: tipsOf(tips) }),
      ...(businessDay === undefined ? {} : { businessDay: businessDayOf(businessDay, settings) }),
      owedCount: waiting.length,
      ...(waiting[0] === undefined ? {} : { owedSince: waiting[0].createdAt }),
      setAsideCount: owed.length - waiting.length,
    };
  }

  function currencyOf(terminalId: string): string {
    const found = till.terminals().find((terminal) => terminal.terminalId === terminalId);
    if (found === undefined) throw new BridgeError('NOT_FOUND', 'this till has no terminal with this id');
    return found.currency;
  }

  function audit(call: ConsoleCall, action: AuditAction, terminalId: string, { pairing }: HostLinkView): void {
    const text = pairing === undefined ? terminalId : `${terminalId} as ${pairing.terminalId} of ${pairing.merchantId}`;
    const entry = { at: nowIso(clock), actor: call.actor, action, subjectId: terminalId, text };
    journal.commit((unit) => unit.appendAudit(entry));
  }

  return {
    'host.links': () => ({ links: hostLinks.list().map(viewOf) }),
    'host.offlineSales': () => offlineSalesOf(deps),
    'host.sessions': () => ({ sessions: latestSessionsOf(deps) }),
    async 'host.check'(_call, { terminalId }) {
      currencyOf(terminalId);
      return viewOf(await hostLinks.check(terminalId));
    },
    async 'host.pair'(call, { terminalId, code, url }) {
      const currency = currencyOf(terminalId);
      const request = { code, ...(url === undefined ? {} : { url }) };
      const link = await tellingWhy(() => hostLinks.pair(terminalId, currency, request));
      audit(call, 'HOST_PAIRED', terminalId, link);
      return viewOf(link);
    },
    async 'host.unpair'(call, { terminalId }) {
      currencyOf(terminalId);
      const before = hostLinks.list().find((link) => link.terminalId === terminalId);
      const isLost = before?.state === 'REFUSED' || before?.state === 'TOKEN_MISSING';
      requireNothingOpen(terminalSetup.openOn(terminalId), isLost ? ['HAS_HOLDS', 'NOT_CLOSED'] : []);
      const link = await tellingWhy(() => hostLinks.unpair(terminalId));
      audit(call, 'HOST_UNPAIRED', terminalId, before ?? link);
      return viewOf(link);
    },
  };
}

function businessDayOf(
  { timeZone, cutOff }: BusinessDayRule,
  settings: Pick<Settings, 'timeZone' | 'dayCutOff'>,
): NonNullable<HostLink['businessDay']> {
  return { timeZone, cutOff, isTills: timeZone === settings.timeZone && cutOff === settings.dayCutOff };
}

function pairingOf(pairing: NonNullable<HostLinkView['pairing']>): NonNullable<HostLink['pairing']> {
  const { url, merchantId, merchantName, terminalId, terminalName, pairedAt } = pairing;
  return { url, merchantId, merchantName, terminalId, terminalName, pairedAt };
}

function tipsOf({
  terminalId: _terminal,
  merchantId: _merchant,
  ...tips
}: TerminalTipConfigResponse): NonNullable<HostLink['tips']> {
  return tips;
}

/** The terminals that must be paired again. */
export function hostTroublesOf({ hostLinks, settingsStore }: ConsoleDeps): HostTrouble[] {
  return hostLinks.list().flatMap(({ terminalId, state }) => {
    if (state !== 'REFUSED' && state !== 'TOKEN_MISSING') return [];
    const { name } = labelOf(settingsStore.current(), terminalId);
    return [{ terminalId, ...(name === undefined ? {} : { name }), kind: state }];
  });
}

/** A refusal that a person can do something about says which. */
async function tellingWhy<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof BridgeError && error.field !== undefined ? reasons[error.field] : undefined;
    if (reason === undefined || !(error instanceof BridgeError)) throw error;
    throw new ConsoleError(reason, error.message);
  }
}
