import { assertNoPanIn } from '../contract/card-number.ts';
import { BridgeError } from '../contract/errors.ts';
import type { RecordRequest } from '../contract/host/record.ts';
import { amountsOf, requireClaimWithSession } from './authorize-request.ts';
import type { HostAmounts } from './money.ts';
import { assertNoPanInId } from './payment-id.ts';

/** Names that a device gives of a payment; they are stored and shown. */
const recordTexts = [
  'authorizationCode',
  'rrn',
  'cardScheme',
  'entryMode',
  'acceptanceMode',
  'applicationLabel',
  'cryptogramType',
  'cvmResult',
] as const satisfies readonly (keyof RecordRequest)[];

function refuse(field: string, rule: string): never {
  throw new BridgeError('INVALID_REQUEST', `${field} ${rule}`, { field });
}

/**
 * Every rule of a record of a payment of the terminal's own acquirer that its schema cannot say (decisions: EXTERNAL_RAIL). What it was charged
 * with is told, not judged: no tip configuration holds against it.
 * @throws BridgeError INVALID_REQUEST naming the field; AMOUNT_TOO_LARGE
 */
export function checkRecord(request: RecordRequest): HostAmounts {
  const amounts = amountsOf(request);
  if (request.type === 'REFUND' && amounts.tipAmountMinor > 0) refuse('tipAmountMinor', 'must be 0 for a refund');
  if (request.type !== 'SALE' && amounts.cashbackAmountMinor > 0) {
    refuse('cashbackAmountMinor', 'is taken for a SALE only');
  }
  if (request.type !== 'REFUND' && request.originalTransactionId !== undefined) {
    refuse('originalTransactionId', 'is taken for a REFUND only');
  }
  requireClaimWithSession(request);
  assertNoPanInId('transactionId', request.transactionId);
  assertNoPanInId('originalTransactionId', request.originalTransactionId ?? '');
  for (const field of recordTexts) assertNoPanIn(field, request[field] ?? '');
  return amounts;
}
