import type { DeviceConfigResponse } from '../contract/host/device-config.ts';
import { isoOf } from '../domain/instant.ts';
import type { Clock } from '../ports/clock.ts';
import type { HostAccess, HostClient, HostReply } from '../ports/host-client.ts';
import type { HostLinkState, HostLinkView } from '../ports/host-links.ts';
import type { Log } from '../ports/log.ts';
import type { TipsInForce } from '../ports/tips.ts';
import { type ClockSkew, clockSkewOf } from './clock-skew.ts';
import { type CallTiming, createHostClient } from './host-client.ts';
import { createIdentityOf, type IdentityOf, type ToldIdentity } from './host-identity.ts';
import type { KeptIdentities } from './kept-identity.ts';
import type { Pairings } from './pairings.ts';
import { CALL_TIMEOUT_MS, LARGEST_SKEW_UNCERTAINTY_MS } from './sync-limits.ts';

/** How one terminal of the till reaches its host, and how that stands. */
export interface HostLink {
  /** Every call of the terminal goes through it, so that the link knows how each ends. */
  readonly client: HostClient;
  /** Where the host is and the terminal's token; undefined while there is none, or it is refused. */
  access(): Promise<HostAccess | undefined>;
  /** There is a host for this terminal: whether it can be reached now is another question. */
  isServed(): boolean;
  /** Another text once the terminal has another host behind it, or another token. */
  epoch(): string;
  /** Why no payment can begin, whatever the network does: the token is missing, or taken no more. */
  closedReason(): string | undefined;
  /** Who the terminal is there. */
  readonly identityOf: IdentityOf;
  /** Milliseconds that the host's clock is ahead of the till's; 0 before it was measured. */
  clockSkewMs(): number;
  /** What the host told of the terminal last. */
  config(): DeviceConfigResponse | undefined;
  view(): Omit<HostLinkView, 'owed' | 'isReader'>;
  /** The tip configuration that the host told last; undefined before it did. */
  tips(): TipsInForce | undefined;
  /** Asks the host how it is, a token that was refused before included. @returns what it told, where it did */
  check(signal: AbortSignal): Promise<DeviceConfigResponse | undefined>;
}

export interface HostLinkDeps {
  readonly terminalId: string;
  readonly pairings: Pairings;
  readonly identities: KeptIdentities;
  /** The host given at the start, where it serves this terminal. `access` gives undefined while it is not there yet. */
  given(): { access(): HostAccess | undefined } | undefined;
  /** No real money can move: neither here nor behind the host. */
  readonly training: boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** The host answers again, after it did not or refused. */
  onReturn(): void;
}

/** What was found out under one token. */
interface Findings {
  readonly epoch: string;
  readonly isRefused: boolean;
  readonly isTokenMissing: boolean;
  readonly isReached?: boolean;
  readonly trouble?: string;
  readonly config?: DeviceConfigResponse;
}

const words = {
  REFUSED:
    'it no longer takes the device token of this terminal: it was revoked, or paired at another till; pair it again',
  TOKEN_MISSING: 'the device token of this terminal cannot be opened on this machine; pair it again',
  NOT_PAIRED: 'this terminal is not paired with a host',
} as const;

/** The pairing wins over a host that was given at the start: what is owed is owed to the one that it is paired with. */
export function createHostLink({
  terminalId,
  pairings,
  identities,
  given,
  training,
  clock,
  log,
  onReturn,
}: HostLinkDeps): HostLink {
  let findings: Findings = { epoch: '', isRefused: false, isTokenMissing: false };
  let lastAnswerMs: number | undefined;
  let clockSkew: ClockSkew | undefined;
  /** A check asks with a token that was refused before. */
  let isChecking = false;

  function epoch(): string {
    return pairings.mark(terminalId);
  }

  /** What is known holds for the token that it was found out with. */
  function known(): Findings {
    if (findings.epoch !== epoch()) findings = { epoch: epoch(), isRefused: false, isTokenMissing: false };
    return findings;
  }

  async function access(): Promise<HostAccess | undefined> {
    if (epoch() === '') return given()?.access();
    if (known().isRefused && !isChecking) return undefined;
    const found = await pairings.access(terminalId);
    findings = { ...known(), isTokenMissing: found === undefined };
    return found;
  }

  function onReply(reply: HostReply<unknown>, timing: CallTiming): void {
    const before = known();
    const isUnknownToken = reply.kind === 'REFUSED' && reply.errorCode === 'UNAUTHENTICATED';
    const isReached = reply.kind === 'ANSWERED' || reply.kind === 'REFUSED';
    const { trouble: _before, ...kept } = before;
    findings = {
      ...kept,
      isReached,
      // Only a call that the host took says that it takes the token.
      isRefused: isUnknownToken || (before.isRefused && reply.kind !== 'ANSWERED'),
      ...('reason' in reply ? { trouble: reply.reason } : {}),
    };
    if (isReached) noteAnswer(timing);
    tellChange(before);
  }

  function noteAnswer({ sentAtMs, receivedAtMs, hostDateMs }: CallTiming): void {
    lastAnswerMs = receivedAtMs;
    if (hostDateMs === undefined) return;
    const measured = clockSkewOf({ sentAtMs, receivedAtMs, hostDateMs });
    // An answer that was long in coming says little of the clock.
    if (measured.uncertaintyMs <= LARGEST_SKEW_UNCERTAINTY_MS) clockSkew = measured;
  }

  function tellChange(before: Findings): void {
    const isGood = findings.isReached === true && !findings.isRefused;
    const wasGood = before.isReached === true && !before.isRefused;
    if (isGood === wasGood && findings.isRefused === before.isRefused) return;
    if (findings.isRefused) log.error(`The host refuses this terminal: ${words.REFUSED}.`, { terminalId });
    else if (isGood) log.info('The host answers.', { terminalId });
    else if (wasGood) log.warn('The host does not answer.', { terminalId, reason: findings.trouble ?? '' });
    if (isGood) onReturn();
  }

  function state(): HostLinkState {
    if (!isServed()) return 'NOT_PAIRED';
    const { isRefused, isTokenMissing, isReached } = known();
    if (isTokenMissing) return 'TOKEN_MISSING';
    if (isRefused) return 'REFUSED';
    if (isReached === undefined) return 'NOT_ASKED';
    return isReached ? 'ONLINE' : 'OFFLINE';
  }

  function isServed(): boolean {
    return epoch() !== '' || given() !== undefined;
  }

  function closedReason(): string | undefined {
    const now = state();
    return now === 'REFUSED' || now === 'TOKEN_MISSING' || now === 'NOT_PAIRED' ? words[now] : undefined;
  }

  function note(told: DeviceConfigResponse, askedIn: string): void {
    if (askedIn !== epoch()) return;
    findings = { ...known(), config: told };
    // Of a host that was only given at a start nothing is kept: the next one may be another.
    if (askedIn === '') return;
    try {
      identities.keep(terminalId, askedIn, told);
    } catch (error) {
      log.warn('Who the terminal is at its host could not be kept.', { terminalId, reason: String(error) });
    }
  }

  function toldIdentity(): ToldIdentity | undefined {
    return known().config ?? (epoch() === '' ? undefined : identities.find(terminalId, epoch()));
  }

  const client = createHostClient({ clock, access, onReply, whyAbsent: () => closedReason() ?? 'it is not there yet' });

  return {
    client,
    access,
    isServed,
    epoch,
    closedReason,
    identityOf: createIdentityOf(client, {
      closedReason,
      isTraining: training,
      told: toldIdentity,
      epoch,
      note,
    }),
    clockSkewMs: () => clockSkew?.skewMs ?? 0,
    config: () => known().config,
    view() {
      const pairing = pairings.find(terminalId);
      const givenUrl = pairing === undefined ? given()?.access()?.url : undefined;
      const { trouble, config } = known();
      return {
        terminalId,
        state: state(),
        isKnown: toldIdentity() !== undefined,
        ...(pairing === undefined ? {} : { pairing }),
        ...(givenUrl === undefined ? {} : { givenUrl }),
        ...(lastAnswerMs === undefined ? {} : { lastAnswerAt: isoOf(lastAnswerMs) }),
        ...(trouble === undefined ? {} : { trouble }),
        ...(clockSkew === undefined ? {} : { clockSkew }),
        ...(config === undefined ? {} : { ...factsOf(config) }),
      };
    },
    tips() {
      const { config } = known();
      return config === undefined || !isServed() ? undefined : tipsOf(config);
    },
    async check(signal) {
      if (!isServed()) return undefined;
      isChecking = true;
      const askedIn = epoch();
      try {
        const reply = await client.config({ timeoutMs: CALL_TIMEOUT_MS, signal });
        if (reply.kind !== 'ANSWERED') return undefined;
        note(reply.body, askedIn);
        return reply.body;
      } finally {
        isChecking = false;
      }
    },
  };
}

function factsOf({ acquirer, tips, businessDay }: DeviceConfigResponse) {
  return { isSimulated: acquirer.simulated, tips, ...(businessDay === undefined ? {} : { businessDay }) };
}

function tipsOf({ tips, limits }: DeviceConfigResponse): TipsInForce {
  return {
    configVersion: tips.configVersion,
    currency: tips.currencyCode,
    largestTotalMinor: limits.maxAmountMinor,
    enabled: tips.tipEnabled,
    presetBasisPoints: tips.tipPresetBasisPoints,
    allowCustomAmount: tips.tipAllowCustomAmount,
    maxAmountMinor: tips.tipMaxAmountMinor,
    maxBasisPoints: tips.tipMaxBasisPoints,
    fixedAmountMinor: tips.tipFixedAmountMinor,
    fixedAmountThresholdMinor: tips.tipFixedAmountThresholdMinor,
  };
}
