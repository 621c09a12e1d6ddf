import { type Static, Type } from 'typebox';
import { businessDate, dateTime } from '../parts.ts';
import { TransactionTotals } from '../settlements.ts';
import { DeviceId, HostTerminalId, strict } from './host-parts.ts';

/**
 * POST /api/v1/terminal/reconciliation: the day close of one device, or a dry run of it (decisions: Device additions, Day close, EXTERNAL_RAIL).
 * Answered with a ReconciliationResponse.
 */
export const DeviceReconciliationRequest = Type.Object(
  {
    deviceId: DeviceId,
    terminalId: HostTerminalId,
    closeDay: Type.Boolean({
      description: 'True closes the batch and creates a settlement. False only reads the totals.',
    }),
    journalTotals: Type.Optional(TransactionTotals),
    externalTotals: Type.Optional(TransactionTotals),
    businessDate: Type.Optional(businessDate('Business date of the close at the device, YYYY-MM-DD.')),
    closedAt: Type.Optional(
      dateTime("When the device closed the day, ISO 8601, by the host's clock as far as the device knows it."),
    ),
  },
  {
    ...strict,
    description:
      "A day close, or a dry run of it. journalTotals and externalTotals are what the device's journal counts for payments of the host and of the terminal's own acquirer; where the host counts otherwise the answer is PARTIAL and names each difference. The host tells the business date of closedAt, or of the moment where it is left out, by the time zone and cut-off of its own. It counts all since the device's own last close: a close by the merchant's server cuts the host's batch, not the day of the device.",
  },
);
export type DeviceReconciliationRequest = Static<typeof DeviceReconciliationRequest>;
