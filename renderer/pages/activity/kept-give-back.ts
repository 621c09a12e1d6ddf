import type { GiveBackPlan } from './give-back-plan.ts';

/** One press of "Give back". Its key is fixed before the first try, so that however often it is asked, money goes back once. */
export interface GiveBackAttempt {
  readonly plan: GiveBackPlan;
  readonly key: string;
}

type AttemptStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** What was begun and not yet answered, across a reload of this window: amounts, ids and the key; nothing of a card is known here. */
const storageKey = 'console.giveBack';

export function keepGiveBack(storage: AttemptStorage, attempt: GiveBackAttempt): void {
  storage.setItem(storageKey, JSON.stringify(attempt));
}

export function forgetGiveBack(storage: AttemptStorage): void {
  storage.removeItem(storageKey);
}

/** The unanswered attempt to give money of this payment back; undefined when there is none. */
export function keptGiveBack(storage: AttemptStorage, originalTransactionId: string): GiveBackAttempt | undefined {
  const text = storage.getItem(storageKey);
  if (text === null) return undefined;
  const attempt = JSON.parse(text) as GiveBackAttempt;
  return attempt.plan.request.originalTransactionId === originalTransactionId ? attempt : undefined;
}
