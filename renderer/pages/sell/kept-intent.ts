import type { SaleIntent } from './sale-controller.ts';

/**
 * What was begun and not yet answered, across a reload of this window. It holds amount, reference and key; nothing of a card is known here.
 */
const storageKey = 'console.sale';

type IntentStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export function keepIntent(storage: IntentStorage, intent: SaleIntent): void {
  storage.setItem(storageKey, JSON.stringify(intent));
}

export function forgetIntent(storage: IntentStorage): void {
  storage.removeItem(storageKey);
}

/** The kept intent; undefined when there is none. */
export function keptIntent(storage: IntentStorage): SaleIntent | undefined {
  const text = storage.getItem(storageKey);
  return text === null ? undefined : (JSON.parse(text) as SaleIntent);
}
