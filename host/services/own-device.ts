import { BridgeError } from '../../app/contract/errors.ts';
import type { PaymentRecord } from '../ports/host-records.ts';
import type { HostStore } from '../ports/host-store.ts';
import type { DeviceCaller } from './host.ts';

/** @throws BridgeError INVALID_REQUEST naming the field in which a device says that it is another one than its token belongs to */
export function requireOwnDevice(
  caller: DeviceCaller,
  request: { readonly terminalId: string; readonly deviceId: string },
): void {
  const different = (['terminalId', 'deviceId'] as const).find((field) => request[field] !== caller[field]);
  if (different === undefined) return;
  throw new BridgeError('INVALID_REQUEST', `${different} must be that of the device token`, { field: different });
}

/** A payment of the terminal, by its id or by the name that the till gave it; of another terminal's it has none. */
export async function findOwnPayment(
  store: HostStore,
  { merchantId, terminalId }: Pick<DeviceCaller, 'merchantId' | 'terminalId'>,
  name: string,
): Promise<PaymentRecord | undefined> {
  const found =
    (await store.read.findPayment({ merchantId, paymentId: name })) ??
    (await store.read.findPaymentByName({ merchantId, terminalId }, name));
  return found?.terminalId === terminalId ? found : undefined;
}

/** @throws BridgeError NOT_FOUND */
export async function requireOwnPayment(
  store: HostStore,
  caller: Pick<DeviceCaller, 'merchantId' | 'terminalId'>,
  name: string,
): Promise<PaymentRecord> {
  const found = await findOwnPayment(store, caller, name);
  if (found === undefined) throw new BridgeError('NOT_FOUND', 'no payment of this terminal has that id');
  return found;
}

/** @throws BridgeError UNSUPPORTED_CURRENCY (decisions: Terminal currency) */
export function requireTerminalCurrency(terminal: { readonly currency: string }, currencyCode: string): void {
  if (currencyCode === terminal.currency) return;
  throw new BridgeError('UNSUPPORTED_CURRENCY', `the terminal settles in ${terminal.currency}`, {
    field: 'currencyCode',
  });
}
