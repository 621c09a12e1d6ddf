import type { AuthorizationEnd, AuthorizationIntent, BeginResult, HostStore } from '../ports/host-store.ts';
import { StoreUnavailable } from '../ports/store-unavailable.ts';
import { createBatcher, type ItemResult } from './batcher.ts';
import type { Db, UnitDb } from './db.ts';
import { beginRefund, beginTogether, endTogether, isPlainEnd, isPlainIntent, isPlainRefund } from './group-commit.ts';
import { answerRow, createIdempotencyReader, createIdempotencyWriter } from './idempotency.store.ts';
import { createMessageWriter } from './messages.store.ts';
import type { DatabaseKind } from './migration.ts';
import { createPaymentReader } from './payments.reader.ts';
import { insertPayment, movePayment, orNothing } from './payments.writer.ts';

/** Authorizations that share one commit, commits that run at the same time, and authorizations that wait for one; beyond that: 503. */
const MAX_GROUP = 64;
const MAX_GROUPS_RUNNING = { sqlite: 1, postgres: 2 } as const;
const MAX_WAITING = 10_000;

export interface AuthorizationMeans {
  readonly kind: DatabaseKind;
  readonly db: Db;
  /** For the statements that groups share. */
  readonly path: Db;
  transact<T>(work: (unit: UnitDb) => Promise<T>): Promise<T>;
}

/**
 * The two commits of an authorization. Those that come at the same time share one: on SQLite a transaction, on PostgreSQL a statement. Each has its own
 * result; where one cannot go with the others, each goes alone.
 */
export function createAuthorizations(
  means: AuthorizationMeans,
): Pick<HostStore, 'beginAuthorization' | 'endAuthorization'> {
  const { kind, db, path } = means;
  const limits = {
    maxItems: MAX_GROUP,
    maxRunning: MAX_GROUPS_RUNNING[kind],
    maxWaiting: MAX_WAITING,
    refusal: () => new StoreUnavailable('too many authorizations wait for it'),
  };
  const beginAlone = (intent: AuthorizationIntent) => means.transact((unit) => beginOne(unit, intent));
  const endAlone = (end: AuthorizationEnd) => means.transact((unit) => endOne(unit, end));
  const begin = createBatcher<AuthorizationIntent, BeginResult>({
    ...limits,
    run: (intents) =>
      asGroup(intents, beginAlone, async () => {
        if (kind === 'sqlite')
          return await means.transact((unit) => inTurn(intents, (intent) => beginOne(unit, intent)));
        await beginTogether(path, intents);
        return intents.map(() => ({ kind: 'INSERTED' }));
      }),
  });
  const end = createBatcher<AuthorizationEnd, boolean>({
    ...limits,
    run: (ends) =>
      asGroup(ends, endAlone, async () => {
        if (kind === 'sqlite') return await means.transact((unit) => inTurn(ends, (one) => endOne(unit, one)));
        return await endTogether(path, ends);
      }),
  });
  return {
    beginAuthorization(intent) {
      if (kind === 'sqlite' || isPlainIntent(intent)) return begin(intent);
      return isPlainRefund(intent) ? refundAlone(db, intent, beginAlone) : beginAlone(intent);
    },
    endAuthorization: (one) => (kind === 'sqlite' || isPlainEnd(one) ? end(one) : endAlone(one)),
  };
}

/** A refund by one statement; where that does not go through, the plain path says why. */
async function refundAlone(
  db: Db,
  intent: AuthorizationIntent,
  beginAlone: (intent: AuthorizationIntent) => Promise<BeginResult>,
): Promise<BeginResult> {
  try {
    if (await beginRefund(db, intent)) return { kind: 'INSERTED' };
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    return await beginAlone(intent);
  }
  // A repeat of a refund that took the rest is told so, not that there is no rest.
  const { payment, terminalId, transactionId } = intent.payment;
  const isRepeat =
    (await createIdempotencyReader(db).findIdempotency(intent.idempotency)) !== undefined ||
    (await createPaymentReader(db).findPaymentByName({ ...payment, terminalId }, transactionId)) !== undefined;
  return isRepeat ? await beginAlone(intent) : { kind: 'CEILING' };
}

/** All together, or, when something is wrong with one of them, each alone. An absent database is nobody's fault: then all fail. */
async function asGroup<In, Out>(
  items: readonly In[],
  alone: (item: In) => Promise<Out>,
  together: () => Promise<readonly Out[]>,
): Promise<readonly ItemResult<Out>[]> {
  try {
    return (await together()).map((value) => ({ ok: true, value }));
  } catch (error) {
    if (error instanceof StoreUnavailable) return items.map(() => ({ ok: false, error }));
    return await Promise.all(items.map((item) => settled(alone(item))));
  }
}

async function settled<Out>(promise: Promise<Out>): Promise<ItemResult<Out>> {
  try {
    return { ok: true, value: await promise };
  } catch (error) {
    return { ok: false, error };
  }
}

async function inTurn<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<readonly Out[]> {
  const results: Out[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** One authorization before it is sent, statement by statement; nothing is left of it when the result is no INSERTED. */
function beginOne(unit: UnitDb, intent: AuthorizationIntent): Promise<BeginResult> {
  return orNothing<BeginResult>(unit, 'INSERTED', async () => {
    const { payment, trigger, idempotency, message } = intent;
    const found = await createIdempotencyWriter(unit.db).reserveIdempotency(idempotency);
    if (found !== undefined) return { kind: 'KEY_TAKEN', found };
    const result = await insertPayment(unit, payment, trigger, [], idempotency.createdAtMs);
    if (result.kind === 'INSERTED' && message !== undefined) await createMessageWriter(unit.db).addMessage(message);
    return result;
  });
}

/** What became of one, statement by statement. @returns false, with nothing written, when the payment is not as it was read */
async function endOne(unit: UnitDb, end: AuthorizationEnd): Promise<boolean> {
  const { move, message, answer } = end;
  if (!(await movePayment(unit, move))) return false;
  const { merchantId, id: paymentId } = move.from.payment;
  if (message !== undefined) {
    const ref = { merchantId, paymentId, messageId: message.messageId, sentAtMs: message.sentAtMs };
    await createMessageWriter(unit.db).answerMessage(ref, message.answer, move.atMs);
  }
  if (answer !== undefined) {
    await unit.db
      .insertInto('idempotency_answers')
      .values(answerRow(answer.ref, answer.createdAtMs, answer.answer))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  return true;
}
