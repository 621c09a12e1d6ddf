import { declineFor } from '../contract/issuer-answers.ts';
import type { RecoveryTask } from '../domain/records.ts';
import { isOpen, isUnknown, standingOf } from '../domain/transaction.machine.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { DeferredAnswer, DeferredSales } from '../ports/deferred.ts';
import { keptCard, next, notCharged } from './apply-outcome.ts';
import { type Engine, nowIso } from './engine.ts';
import { openTaskOf } from './recovery-tasks.ts';
import { responseOf } from './response.ts';

/** What becomes of sales that were taken without their issuer (decisions section 7). */
export function createDeferredSales(engine: () => Engine): DeferredSales {
  const find = (transactionId: string) => engine().deps.journal.findTransaction(transactionId);
  return {
    standing(transactionId) {
      const record = find(transactionId);
      if (record === undefined || isOpen(record.state) || isUnknown(standingOf(record))) return 'NOT_YET';
      return record.state === 'APPROVED' || record.deferred === 'DECLINED' ? 'WAITS' : 'OVER';
    },
    answered(transactionId, answer) {
      const record = find(transactionId);
      if (record?.state === 'APPROVED' && record.deferred !== 'AUTHORIZED') end(engine(), record, answer);
    },
  };
}

function end(engine: Engine, before: TransactionRecord, answer: DeferredAnswer): void {
  const { transactionId, terminalId } = before;
  const at = nowIso(engine);
  const record = answer.kind === 'AUTHORIZED' ? authorized(before, answer, at) : declined(before, answer, at);
  const response = responseOf(record, engine.deps.settings);
  engine.events.commit(terminalId, (unit, announce) => {
    unit.saveTransaction(record);
    unit.saveAnswer(transactionId, { statusCode: 200, body: JSON.stringify(response) });
    if (answer.kind === 'DECLINED') {
      unit.saveTask(taskOf(engine.deps.ids.next(), record, openTaskOf(unit, transactionId)));
    }
    announce({ event: 'outcome_resolved', transactionId, response });
  });
  const state = record.deferred ?? record.state;
  engine.deps.log.info('The issuer has answered for a sale that was taken offline.', {
    transactionId,
    terminalId,
    state,
  });
}

function authorized(
  before: TransactionRecord,
  { card, reference }: DeferredAnswer & { kind: 'AUTHORIZED' },
  at: string,
): TransactionRecord {
  return {
    ...next(before, at),
    deferred: 'AUTHORIZED',
    card: keptCard({ ...before.card, ...card }),
    terminalReference: reference,
    outcome: { charged: 'YES', safeToRetry: false, evidence: 'The issuer has approved it afterwards.' },
  };
}

/** The goods are gone, and nobody has paid for them: the shop bears it unless the customer can be asked again. */
function declined(
  before: TransactionRecord,
  { card, reason }: DeferredAnswer & { kind: 'DECLINED' },
  at: string,
): TransactionRecord {
  const all = keptCard({ ...before.card, ...card });
  const decline = declineFor(all.responseCode, all.entryMode === undefined ? {} : { entryMode: all.entryMode });
  return {
    ...next(before, at),
    state: 'DECLINED',
    deferred: 'DECLINED',
    card: all,
    decline: reason === undefined ? decline : { ...decline, merchantMessage: reason },
    outcome: notCharged('It was taken offline, and the issuer has declined it afterwards.'),
  };
}

function taskOf(taskId: string, record: TransactionRecord, known: RecoveryTask | undefined): RecoveryTask {
  const { transactionId, terminalId, updatedAt } = record;
  const subject = { kind: 'TRANSACTION', id: transactionId } as const;
  const base = known ?? { taskId, terminalId, subject, revision: 0, attempts: 0, openedAt: updatedAt, evidence: [] };
  return {
    ...base,
    state: 'NEEDS_PERSON',
    revision: base.revision + 1,
    reason:
      'The sale was taken offline, and the issuer has declined it afterwards: the shop has not been paid. Ask the customer for another payment, or bear the loss.',
    reasonCode: 'OFFLINE_DECLINED',
    updatedAt,
  };
}
