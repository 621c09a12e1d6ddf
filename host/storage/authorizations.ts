import type { AuthorizationEnd, AuthorizationIntent, BeginResult } from '../ports/host-store.ts';
import type { UnitDb } from './db.ts';
import { answerRow, createIdempotencyWriter } from './idempotency.store.ts';
import { createMessageWriter } from './messages.store.ts';
import { insertPayment, movePayment, orNothing } from './payments.writer.ts';

/** One authorization before it is sent, statement by statement; nothing is left of it when the result is no INSERTED. */
export function beginOne(unit: UnitDb, intent: AuthorizationIntent): Promise<BeginResult> {
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
export async function endOne(unit: UnitDb, end: AuthorizationEnd): Promise<boolean> {
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
