import { assertNoPanIn } from '../contract/card-number.ts';

/** Names of payments: the till gives one before the first try, the host has an id (decisions: authorize additions). */

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The id of a payment: the till's name for it where that is a UUID, otherwise a drawn one. @param drawUuid a random UUID in lower case */
export function paymentIdFor(transactionId: string | undefined, drawUuid: () => string): string {
  return transactionId !== undefined && uuid.test(transactionId) ? transactionId : drawUuid();
}

/**
 * A name that a till chose must not be a card number. A UUID is none, although some of its digits may look like one by chance.
 * @throws BridgeError INVALID_REQUEST naming `field`
 */
export function assertNoPanInId(field: string, id: string): void {
  if (!uuid.test(id)) assertNoPanIn(field, id);
}
