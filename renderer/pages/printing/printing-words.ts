import type { PrinterTroubleKind } from '../../../app/contract/console/printing.ts';

/** What keeps a printer from printing, as a sentence that says what to do. */
export const troubleWords = {
  UNREACHABLE: 'printing:trouble.unreachable',
  NOT_FOUND: 'printing:trouble.notFound',
  IN_USE: 'printing:trouble.inUse',
  NO_PERMISSION: 'printing:trouble.noPermission',
  DRIVER_MISSING: 'printing:trouble.driverMissing',
  NOT_ANSWERING: 'printing:trouble.notAnswering',
  LINE_LOST: 'printing:trouble.lineLost',
  PAPER_OUT: 'printing:trouble.paperOut',
  COVER_OPEN: 'printing:trouble.coverOpen',
  OFFLINE: 'printing:trouble.offline',
  DEVICE_ERROR: 'printing:trouble.deviceError',
  REMOVED: 'printing:trouble.removed',
  NOT_MADE: 'printing:trouble.notMade',
  TILL_ENDED: 'printing:trouble.tillEnded',
} as const satisfies Record<PrinterTroubleKind, string>;
