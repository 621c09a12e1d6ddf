import type { ScheduledCloseTime } from '../contract/close-schedule.ts';
import type { SupportContact } from '../contract/console/console-parts.ts';
import type { PrinterSetting } from '../contract/printers.ts';
import type { StoredSettings, StoredTerminal } from '../contract/settings.ts';
import type { OfflineLimits } from '../domain/offline-sales.ts';

/** The settings in force: what is stored, and the defaults for the rest. */
export interface Settings {
  readonly merchantName: string;
  readonly merchantId: string;
  readonly timeZone: string;
  readonly dayCutOff: string;
  readonly port: number;
  readonly allowedOrigins: readonly string[];
  readonly terminals: readonly StoredTerminal[];
  /** Removed ones, the latest last. */
  readonly formerTerminals: readonly StoredTerminal[];
  /** 0: a free one at each start. */
  readonly consolePort: number;
  readonly language?: string;
  readonly kiosk: boolean;
  readonly lockAfterSeconds: number;
  readonly refundApprovalAboveMinor: number;
  readonly blindCashCount: boolean;
  /** Absent: a person closes the day. */
  readonly scheduledClose?: ScheduledCloseTime;
  readonly offlineSales: OfflineLimits;
  readonly supportContact: SupportContact;
  readonly holdDays: number;
  readonly showTrainingHint: boolean;
  readonly receiptHeader: readonly string[];
  readonly receiptFooter: readonly string[];
  readonly printers: readonly PrinterSetting[];
}

/** Fields to change; undefined takes a field back to its default. */
export type SettingsChange = { readonly [Field in keyof StoredSettings]?: StoredSettings[Field] | undefined };

/** The one home of the till's settings while it runs. */
export interface SettingsStore {
  /** What is in force now; ask each time, do not keep it. */
  current(): Settings;
  /**
   * Writes the change so that a crash leaves the old file or the new one, and tells the subscribers.
   * @throws BridgeError INVALID_REQUEST naming the field; nothing is changed then
   */
  update(change: SettingsChange): Settings;
  /** Told after each change. */
  subscribe(listener: (settings: Settings) => void): () => void;
}
