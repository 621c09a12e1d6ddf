import Type, { type Static } from 'typebox';
import { ScheduledCloseTime } from './close-schedule.ts';
import {
  MAX_ALLOWED_ORIGINS,
  MAX_HOLD_DAYS,
  MAX_LOCK_AFTER_SECONDS,
  MIN_LOCK_AFTER_SECONDS,
} from './console/console-limits.ts';
import { Language, SupportContact } from './console/console-parts.ts';
import { MAX_AMOUNT_MINOR } from './limits.ts';
import { TerminalName } from './parts.ts';
import { MAX_PRINTERS, PrinterSetting, ReceiptLines } from './printers.ts';

/** Most terminals of one till. */
export const MAX_STORED_TERMINALS = 16;

export const StoredTerminal = Type.Object(
  {
    terminalId: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$' }),
    /** As in --terminal: zvt+tcp://…, zvt+serial://…, neo2+hid://…, neo2+serial://…, ecr17+tcp://…, ecr17+serial://…, caisse-ap+tcp://… */
    url: Type.String({ minLength: 1, maxLength: 500 }),
    /** What people call it; its terminalId when absent. */
    name: Type.Optional(TerminalName),
    /** A sale at the console begins with it; the first one when none is. */
    isDefault: Type.Optional(Type.Boolean()),
    /** The cardholder is asked for a tip at a sale whose request names none, by the tip configuration of the host. */
    asksTip: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type StoredTerminal = Static<typeof StoredTerminal>;

/** Upper bounds of what may wait for its authorization, whatever a shop sets: whole units of the currency, and sales. */
export const MAX_OFFLINE_SALE_UNITS = 1_000;
export const MAX_OFFLINE_TOTAL_UNITS = 10_000;
export const MAX_OFFLINE_SALES = 200;

/** Sales that are taken while the host cannot be reached, at the shop's risk (store and forward). */
export const StoredOfflineSales = Type.Object(
  {
    enabled: Type.Boolean(),
    maxSaleUnits: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_OFFLINE_SALE_UNITS })),
    maxTotalUnits: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_OFFLINE_TOTAL_UNITS })),
    maxSales: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_OFFLINE_SALES })),
  },
  { additionalProperties: false },
);

/** IANA name; decides the business date together with the cut-off. */
export const TimeZone = Type.String({ minLength: 1, maxLength: 64, description: 'Time zone, IANA name.' });
/** Local time at which the business day changes. */
export const DayCutOff = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  description: 'Local time HH:MM at which the business day changes.',
});

/** The till's stored settings (`settings.json` in the data folder). Every field may be left out. */
export const StoredSettings = Type.Object(
  {
    merchantName: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    merchantId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    timeZone: Type.Optional(TimeZone),
    dayCutOff: Type.Optional(DayCutOff),
    port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535 })),
    /** Web origins that may call the API from a browser, e.g. https://pos.example. */
    allowedOrigins: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: MAX_ALLOWED_ORIGINS }),
    ),
    terminals: Type.Optional(Type.Array(StoredTerminal, { maxItems: MAX_STORED_TERMINALS })),
    /** Terminals that were removed: one that is added again at its address goes on under its own id. */
    formerTerminals: Type.Optional(Type.Array(StoredTerminal, { maxItems: MAX_STORED_TERMINALS })),
    consolePort: Type.Optional(Type.Integer({ minimum: 0, maximum: 65535 })),
    /** Of the console, until a browser chooses another. */
    language: Type.Optional(Language),
    /** The desktop shell's window fills the screen and cannot be left. */
    kiosk: Type.Optional(Type.Boolean()),
    /** Seconds without a touch after which the console locks. */
    lockAfterSeconds: Type.Optional(Type.Integer({ minimum: MIN_LOCK_AFTER_SECONDS, maximum: MAX_LOCK_AFTER_SECONDS })),
    /** Minor units above which a refund at the console needs a manager's approval. */
    refundApprovalAboveMinor: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_AMOUNT_MINOR })),
    /** Cash is counted at the close of the day before the expected sum is shown. */
    blindCashCount: Type.Optional(Type.Boolean()),
    /** When the day is closed by itself; a person closes it when left out. */
    scheduledClose: Type.Optional(ScheduledCloseTime),
    /** Off when left out. */
    offlineSales: Type.Optional(StoredOfflineSales),
    supportContact: Type.Optional(SupportContact),
    /** Days for which the bank usually keeps a hold: the console counts the time that is left from it. */
    holdDays: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_HOLD_DAYS })),
    /** Whether the sign-in of a training till names its PIN. */
    showTrainingHint: Type.Optional(Type.Boolean()),
    /** Lines above and below every receipt. */
    receiptHeader: Type.Optional(ReceiptLines),
    receiptFooter: Type.Optional(ReceiptLines),
    printers: Type.Optional(Type.Array(PrinterSetting, { maxItems: MAX_PRINTERS })),
  },
  { additionalProperties: false },
);
export type StoredSettings = Static<typeof StoredSettings>;
