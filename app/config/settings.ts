import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DEFAULT_HOLD_DAYS,
  DEFAULT_LOCK_AFTER_SECONDS,
  DEFAULT_REFUND_APPROVAL_ABOVE_MINOR,
} from '../contract/console/console-limits.ts';
import { BridgeError } from '../contract/errors.ts';
import { parseStrictJson } from '../contract/json.ts';
import { StoredSettings } from '../contract/settings.ts';
import { validate } from '../contract/validate.ts';
import { DEFAULT_OFFLINE_LIMITS } from '../domain/offline-sales.ts';
import type { Settings } from '../ports/settings.ts';

const fileName = 'settings.json';

/** Default port of the POS API (specification, "What the service does" 2). */
const defaultPort = 8443;

export function settingsPath(dataDir: string): string {
  return join(dataDir, fileName);
}

/** What is stored, and the defaults for the rest. @throws BridgeError INVALID_REQUEST naming the field */
export function settingsOf(stored: StoredSettings): Settings {
  return {
    merchantName: stored.merchantName ?? 'Till Bridge',
    merchantId: stored.merchantId ?? 'local',
    timeZone: checkedTimeZone(stored.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone),
    dayCutOff: stored.dayCutOff ?? '00:00',
    port: stored.port ?? defaultPort,
    allowedOrigins: stored.allowedOrigins ?? [],
    terminals: stored.terminals ?? [],
    formerTerminals: stored.formerTerminals ?? [],
    consolePort: stored.consolePort ?? 0,
    ...(stored.language === undefined ? {} : { language: stored.language }),
    kiosk: stored.kiosk ?? false,
    lockAfterSeconds: stored.lockAfterSeconds ?? DEFAULT_LOCK_AFTER_SECONDS,
    refundApprovalAboveMinor: stored.refundApprovalAboveMinor ?? DEFAULT_REFUND_APPROVAL_ABOVE_MINOR,
    blindCashCount: stored.blindCashCount ?? false,
    ...(stored.scheduledClose === undefined ? {} : { scheduledClose: stored.scheduledClose }),
    offlineSales: { ...DEFAULT_OFFLINE_LIMITS, ...stored.offlineSales },
    supportContact: stored.supportContact ?? {},
    holdDays: stored.holdDays ?? DEFAULT_HOLD_DAYS,
    showTrainingHint: stored.showTrainingHint ?? true,
    receiptHeader: stored.receiptHeader ?? [],
    receiptFooter: stored.receiptFooter ?? [],
    printers: stored.printers ?? [],
  };
}

/** @throws BridgeError INVALID_REQUEST naming the file and the field */
export function readStoredSettings(dataDir: string): StoredSettings {
  const path = settingsPath(dataDir);
  if (!existsSync(path)) return {};
  try {
    return validate(StoredSettings, parseStrictJson(readFileSync(path)));
  } catch (error) {
    if (error instanceof BridgeError) throw new BridgeError('INVALID_REQUEST', `${path}: ${error.message}`);
    throw error;
  }
}

function checkedTimeZone(timeZone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return timeZone;
  } catch {
    throw new BridgeError('INVALID_REQUEST', `${fileName}: timeZone is not a known time zone`, {
      field: 'timeZone',
    });
  }
}
