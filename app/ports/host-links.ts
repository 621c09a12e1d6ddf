import type { TerminalTipConfigResponse } from '../contract/host/tip-config.ts';
import type { BusinessDayRule } from '../domain/business-day.ts';
import type { HostPairing } from '../domain/host-pairing.ts';
import type { OutboxItem } from './outbox.ts';

/**
 * How a terminal of the till stands with its host.
 * NOT_PAIRED: there is none. TOKEN_MISSING: it is paired, and this machine cannot open its device token (a copied data folder). REFUSED: the host takes its
 * token no more (revoked there, or the terminal was paired at another till). NOT_ASKED: since the start. ONLINE: it answered when it was asked last.
 * OFFLINE: it did not.
 */
export type HostLinkState = 'NOT_PAIRED' | 'TOKEN_MISSING' | 'REFUSED' | 'NOT_ASKED' | 'ONLINE' | 'OFFLINE';

/** What people may know of it; the token is not among it. */
export interface HostLinkView {
  readonly terminalId: string;
  readonly state: HostLinkState;
  /** The host authorizes its payments; another terminal has an acquirer of its own. */
  readonly isReader: boolean;
  /** Whether the host has told who the terminal is there: without, no sale can begin. */
  readonly isKnown: boolean;
  /** Absent where it is not paired, or where the host was given at the start. */
  readonly pairing?: HostPairing;
  /** The host was given at the start (--host, or the training till's own): it is not paired, and cannot be unpaired. */
  readonly givenUrl?: string;
  /** Last answer of the host, ISO 8601; absent when there was none since the start. */
  readonly lastAnswerAt?: string;
  /** Why the last call had no answer, in words. */
  readonly trouble?: string;
  /** Of the host's clock against the till's; absent before the first answer. */
  readonly clockSkew?: { readonly skewMs: number; readonly uncertaintyMs: number };
  /** False where the host's acquirer moves real money; absent before it has told. */
  readonly isSimulated?: boolean;
  /** Tip configuration in force; absent before the host has told it. */
  readonly tips?: TerminalTipConfigResponse;
  /** By what the host tells the business date of the terminal; absent before it has told, or at one that tells none. */
  readonly businessDay?: BusinessDayRule;
  /** What the host is owed of this terminal, in its order. */
  readonly owed: readonly OutboxItem[];
}

/** What somebody has typed. */
export interface PairingRequest {
  /** Address of the host; the one before where it is left out. */
  readonly url?: string;
  readonly code: string;
}

/** Pairing of the till's terminals with the host, while it runs. */
export interface HostLinks {
  /** One for each terminal of the till. */
  list(): readonly HostLinkView[];
  /**
   * Exchanges the code for the terminal's device token.
   * @param currency that the terminal settles in
   * @throws BridgeError PAIRING_CODE_INVALID, PAIRING_LOCKED, HOST_UNREACHABLE, INVALID_REQUEST naming url or code, ILLEGAL_STATE with the field that
   * is of another terminal than it must be
   */
  pair(terminalId: string, currency: string, request: PairingRequest): Promise<HostLinkView>;
  /** Forgets the token, whatever the host knows of it. @throws BridgeError ILLEGAL_STATE while the host is owed something */
  unpair(terminalId: string): Promise<HostLinkView>;
  /** Asks the host now. */
  check(terminalId: string): Promise<HostLinkView>;
}
