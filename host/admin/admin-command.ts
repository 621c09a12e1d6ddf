import type { HostStore } from '../ports/host-store.ts';
import type { Provisioning } from './provisioning.ts';

/** What commands stand on. */
interface AdminContext extends Provisioning {
  readonly store: HostStore;
  /** Opens the host's secret; only what needs it asks. @throws UsageError when the database belongs to another one */
  readonly openHmac: () => Promise<(text: string) => string>;
}

/** A line of a result, with names for programs. */
export type Row = Readonly<Record<string, string | number | undefined>>;

/** What a command answers: one thing, a list, or a text in pieces that is written as it is. */
export type AdminResult = Row | readonly Row[] | AsyncIterable<string>;

export type Values = Readonly<Record<string, string | undefined>>;

export interface AdminCommand {
  /** Options, in the words of the help text. */
  readonly usage: string;
  readonly summary: string;
  readonly required: readonly string[];
  readonly optional?: readonly string[];
  readonly flags?: readonly string[];
  readonly run: (context: AdminContext, values: Values, flags: ReadonlySet<string>) => Promise<AdminResult>;
}
