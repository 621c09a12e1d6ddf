import type { Shop } from './console-shop.ts';
import { createPos } from './pos.ts';

/** A sale that the POS of the shop makes; answers its transactionId. @param more further fields of the request */
export async function sellByPos(shop: Shop, amount: number, more: Record<string, unknown> = {}): Promise<string> {
  const { posUrl, posKey } = shop.till.ready;
  const answer = await createPos(posUrl, posKey ?? '').post('/v1/transaction/sale', {
    type: 'SALE',
    amount,
    currency: 'EUR',
    ...more,
  });
  if (answer.status !== 200) throw new Error(answer.text);
  return String(answer.body.transactionId);
}

/** A sale of which nobody can tell whether it was made: the issuer answers 68. */
export function sellUnknownByPos(shop: Shop, amount: number, referenceId: string): Promise<string> {
  return sellByPos(shop, amount, { referenceId, metadata: { simulate: 'decline-68' } });
}
