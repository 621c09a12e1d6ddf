import type { SupportContact } from '../contract/console/console-parts.ts';
import type { PosClient } from '../domain/records.ts';
import type { Clock } from '../ports/clock.ts';
import type { Downloads } from '../ports/downloads.ts';
import type { HostLinks } from '../ports/host-links.ts';
import type { Ids } from '../ports/ids.ts';
import type { Journal } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';
import type { LogView } from '../ports/log-view.ts';
import type { Paper } from '../ports/paper.ts';
import type { Printers } from '../ports/printer.ts';
import type { SettingsStore } from '../ports/settings.ts';
import type { SupportWork } from '../ports/support-work.ts';
import type { TipsOf } from '../ports/tips.ts';
import type { VirtualTerminals } from '../ports/virtual-terminal.ts';
import type { WireTraces } from '../ports/wire-traces.ts';
import type { Doctor } from '../services/doctor.ts';
import type { Printing } from '../services/printing.ts';
import type { Till } from '../services/till.ts';
import type { TerminalSetup } from './terminal-keeper.ts';

/** What the till's settings decide for its console. */
export interface ConsoleSettings {
  readonly training: boolean;
  readonly merchantName: string;
  /** IANA name. */
  readonly timeZone: string;
  /** BCP 47; the browser's own when absent. */
  readonly language?: string | undefined;
  /** Seconds without a person's touch after which a screen locks. */
  readonly lockAfterSeconds: number;
  /** Minor units above which a refund needs a manager's approval. */
  readonly refundApprovalAboveMinor: number;
  readonly supportContact: SupportContact;
  readonly holdDays: number;
  readonly showTrainingHint: boolean;
}

/** The keys of POS clients, as the console hands them out. Each throws BridgeError INVALID_REQUEST, ILLEGAL_STATE or NOT_FOUND. */
interface ClientKeys {
  create(name: string): { readonly client: PosClient; readonly key: string };
  rename(name: string, newName: string): PosClient;
  rotate(name: string, graceMs: number): { readonly client: PosClient; readonly key: string };
  revoke(name: string): PosClient;
  /** ISO 8601 UTC; undefined for a client that never called. */
  lastUsedAt(clientId: string): string | undefined;
}

/** Everything that the console takes from outside. */
export interface ConsoleDeps {
  readonly till: Till;
  readonly journal: Journal;
  readonly clientKeys: ClientKeys;
  /** Where a file is left for the browser that asked for it. */
  readonly downloads: Downloads;
  readonly printing: Printing;
  readonly printers: Pick<Printers, 'checkUrl'>;
  readonly paper: Paper;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly settings: ConsoleSettings;
  /** What each terminal may offer as tips. */
  readonly tipsOf: TipsOf;
  /** Where settings are changed. */
  readonly settingsStore: SettingsStore;
  /** Where terminals are found, added and taken away. */
  readonly terminalSetup: TerminalSetup;
  readonly virtualTerminals: VirtualTerminals;
  /** What was called at the POS API, and the POS API as seen from outside. */
  readonly doctor: Doctor;
  /** What is done for support beside the till's own work. */
  readonly support: SupportWork;
  /** What went over the terminals' lines, without card data. */
  readonly wire: WireTraces;
  readonly logView: LogView;
  /** How the terminals stand with their host. */
  readonly hostLinks: HostLinks;
}

export function nowIso(clock: Clock): string {
  return new Date(clock.nowMs()).toISOString();
}
