import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Type, { type Static } from 'typebox';
import {
  DEFAULT_LOCK_AFTER_SECONDS,
  DEFAULT_REFUND_APPROVAL_ABOVE_MINOR,
  MAX_LOCK_AFTER_SECONDS,
  MIN_LOCK_AFTER_SECONDS,
} from '../contract/console/console-limits.ts';
import { Language } from '../contract/console/session.ts';
import { BridgeError } from '../contract/errors.ts';
import { parseStrictJson } from '../contract/json.ts';
import { MAX_AMOUNT_MINOR } from '../contract/limits.ts';
import { validate } from '../contract/validate.ts';

const fileName = 'settings.json';

const StoredTerminal = Type.Object(
  {
    terminalId: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$' }),
    /** As in --terminal: zvt+tcp://…, zvt+serial://… */
    url: Type.String({ minLength: 1, maxLength: 500 }),
  },
  { additionalProperties: false },
);
export type StoredTerminal = Static<typeof StoredTerminal>;

/** The till's stored settings (`settings.json` in the data folder). Every field may be left out. */
const StoredSettings = Type.Object(
  {
    merchantName: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    merchantId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    /** IANA name; decides the business date together with dayCutOff. */
    timeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    /** Local time HH:MM at which the business day changes. */
    dayCutOff: Type.Optional(Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' })),
    port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535 })),
    /** Web origins that may call the API from a browser, e.g. https://pos.example. */
    allowedOrigins: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 50 })),
    terminals: Type.Optional(Type.Array(StoredTerminal, { maxItems: 16 })),
    consolePort: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535 })),
    /** Of the console, until a browser chooses another. */
    language: Type.Optional(Language),
    /** Seconds without a touch after which the console locks. */
    lockAfterSeconds: Type.Optional(Type.Integer({ minimum: MIN_LOCK_AFTER_SECONDS, maximum: MAX_LOCK_AFTER_SECONDS })),
    /** Minor units above which a refund at the console needs a manager's approval. */
    refundApprovalAboveMinor: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_AMOUNT_MINOR })),
  },
  { additionalProperties: false },
);

export interface Settings {
  readonly merchantName: string;
  readonly merchantId: string;
  readonly timeZone: string;
  readonly dayCutOff: string;
  readonly port: number;
  readonly allowedOrigins: readonly string[];
  readonly terminals: readonly StoredTerminal[];
  /** 0: a free one at each start. */
  readonly consolePort: number;
  readonly language?: string;
  readonly lockAfterSeconds: number;
  readonly refundApprovalAboveMinor: number;
}

/** Default port of the POS API (specification, "What the service does" 2). */
const defaultPort = 8443;

/** Reads the stored settings; what is not stored has its default. @throws BridgeError INVALID_REQUEST naming the file and the field */
export function loadSettings(dataDir: string): Settings {
  const stored = readStored(join(dataDir, fileName));
  return {
    merchantName: stored.merchantName ?? 'Till Bridge',
    merchantId: stored.merchantId ?? 'local',
    timeZone: checkedTimeZone(stored.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone),
    dayCutOff: stored.dayCutOff ?? '00:00',
    port: stored.port ?? defaultPort,
    allowedOrigins: stored.allowedOrigins ?? [],
    terminals: stored.terminals ?? [],
    consolePort: stored.consolePort ?? 0,
    ...(stored.language === undefined ? {} : { language: stored.language }),
    lockAfterSeconds: stored.lockAfterSeconds ?? DEFAULT_LOCK_AFTER_SECONDS,
    refundApprovalAboveMinor: stored.refundApprovalAboveMinor ?? DEFAULT_REFUND_APPROVAL_ABOVE_MINOR,
  };
}

function readStored(path: string): Static<typeof StoredSettings> {
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
    throw new BridgeError('INVALID_REQUEST', `${fileName}: timeZone is not a known time zone`);
  }
}
