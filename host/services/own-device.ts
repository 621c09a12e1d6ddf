import { BridgeError } from '../../app/contract/errors.ts';
import type { DeviceCaller } from './host.ts';

/** @throws BridgeError INVALID_REQUEST naming the field in which a device speaks for another than its token's */
export function requireOwnDevice(
  caller: DeviceCaller,
  request: { readonly deviceId: string; readonly terminalId: string },
): void {
  for (const field of ['terminalId', 'deviceId'] as const) {
    if (request[field] === caller[field]) continue;
    throw new BridgeError('INVALID_REQUEST', `${field} must be that of the device token`, { field });
  }
}

/** @throws BridgeError UNSUPPORTED_CURRENCY (decisions: Terminal currency) */
export function requireTerminalCurrency(terminal: { readonly currency: string }, currencyCode: string): void {
  if (currencyCode === terminal.currency) return;
  throw new BridgeError('UNSUPPORTED_CURRENCY', `the terminal settles in ${terminal.currency}`, {
    field: 'currencyCode',
  });
}
