import type { NewTipConfiguration } from '../domain/tip-source.ts';

/** The tip configuration that a terminal has downloaded from its host last (specification: TerminalTipConfig). */
export interface TipsInForce extends NewTipConfiguration {
  readonly configVersion: number;
  readonly currency: string;
  /** Most that the acquirer takes in one payment, tip and cash-back included, in minor units. */
  readonly largestTotalMinor: number;
}

/** undefined where the terminal has no host, or the host has not told yet. */
export type TipsOf = (terminalId: string) => TipsInForce | undefined;
