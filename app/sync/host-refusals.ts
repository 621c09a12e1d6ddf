import { type HostReasonCode, isHostReason } from '../contract/recovery.ts';
import { isoOf } from '../domain/instant.ts';
import type { RecoveryTask } from '../domain/records.ts';
import { isOpen } from '../domain/transaction.machine.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Journal } from '../ports/journal.ts';
import type { OutboxItem } from '../ports/outbox.ts';
import { isReport } from './outbox-order.ts';
import { TRIES_BEFORE_PERSON } from './sync-limits.ts';

/** What the host does not take, as recovery tasks: shown to a person, and the day stays open until they are resolved (decisions: recovery/reverse). */
export interface HostRefusals {
  /**
   * Opens and closes the tasks by what stands in the outbox.
   * @returns true while something is to be looked at again soon: its payment has not ended yet
   * @throws BridgeError JOURNAL_UNAVAILABLE
   */
  look(): boolean;
}

export interface HostRefusalsDeps {
  readonly journal: Pick<
    Journal,
    'openOutboxItems' | 'openTasks' | 'findTaskOf' | 'findTransaction' | 'dependentsOf' | 'commit'
  >;
  readonly clock: Clock;
  readonly ids: Ids;
}

const BY_HOST = 'system: the host has taken it';

export function createHostRefusals({ journal, clock, ids }: HostRefusalsDeps): HostRefusals {
  /** What was paid back in full is owed to nobody. */
  function needsPerson({ state, kind, attempts, transactionId }: OutboxItem): boolean {
    // A close is shown where the day is: it has nothing that a person could say of it.
    if (kind === 'DAY_CLOSE') return false;
    if (kind === 'EXTERNAL_RECORD' || kind === 'EXTERNAL_VOID') return state === 'SET_ASIDE';
    const isTold = state === 'SET_ASIDE' || (kind === 'REVERSAL' && attempts >= TRIES_BEFORE_PERSON);
    return isTold && journal.dependentsOf(transactionId).voidedBy?.state !== 'APPROVED';
  }

  function wasTold(item: OutboxItem, task: RecoveryTask | undefined): boolean {
    if (task === undefined) return false;
    if (task.state !== 'RESOLVED') return task.reasonCode === reasonOf(item) || !isHostReason(task.reasonCode);
    // What a person has dealt with while it waits comes again only when it is refused for good.
    return item.state === 'WAITING' && task.openedAt >= item.createdAt;
  }

  function tell(item: OutboxItem): boolean {
    const record = journal.findTransaction(item.transactionId);
    if (record === undefined) return false;
    if (isOpen(record.state)) return true;
    const known = journal.findTaskOf(item.transactionId);
    if (!wasTold(item, known)) journal.commit((unit) => unit.saveTask(taskOf(item, known)));
    return false;
  }

  function taskOf(item: OutboxItem, known: RecoveryTask | undefined): RecoveryTask {
    const at = isoOf(clock.nowMs());
    const { transactionId, terminalId, attempts } = item;
    const told = {
      state: 'NEEDS_PERSON',
      reason: wordsOf(item),
      reasonCode: reasonOf(item),
      attempts,
      updatedAt: at,
    } as const;
    if (known !== undefined && known.state !== 'RESOLVED') return { ...known, ...told, revision: known.revision + 1 };
    const subject = { kind: 'TRANSACTION', id: transactionId } as const;
    return { taskId: ids.next(), terminalId, subject, revision: 1, openedAt: at, evidence: [], ...told };
  }

  function close(task: RecoveryTask): void {
    const at = isoOf(clock.nowMs());
    const charged = journal.findTransaction(task.subject.id)?.outcome.charged === 'YES';
    const resolution = { by: BY_HOST, charged, text: 'Nothing of it is owed to the host any more.', at };
    journal.commit((unit) => {
      unit.saveTask({ ...task, state: 'RESOLVED', revision: task.revision + 1, updatedAt: at, resolution });
      unit.settleOutbox(task.subject.id, at);
    });
  }

  return {
    look() {
      const told = journal.openOutboxItems().filter(needsPerson);
      const owed = new Set(told.map(({ transactionId }) => transactionId));
      for (const task of journal.openTasks()) {
        if (isHostReason(task.reasonCode) && !owed.has(task.subject.id)) close(task);
      }
      // What is refused for good says more than what still waits: it comes last and stays.
      const ordered = [...told].sort((a, b) => Number(a.state === 'SET_ASIDE') - Number(b.state === 'SET_ASIDE'));
      return ordered.map(tell).includes(true);
    },
  };
}

function reasonOf({ kind, state }: OutboxItem): HostReasonCode {
  if (isReport({ kind })) return 'RECORD_REFUSED';
  if (kind !== 'REVERSAL') return 'CAPTURE_REFUSED';
  return state === 'SET_ASIDE' ? 'REVERSAL_REFUSED' : 'REVERSAL_WAITS';
}

function wordsOf({ kind, state, trouble = 'without a reason' }: OutboxItem): string {
  if (kind === 'CAPTURE') return `The host refuses to capture the payment: ${trouble}`;
  if (kind === 'EXTERNAL_RECORD') return `The host refuses to have the payment on record: ${trouble}`;
  if (kind === 'EXTERNAL_VOID') return `The host refuses to have on record that the payment was taken back: ${trouble}`;
  if (kind === 'OFFLINE_COMPLETION') return `The host refuses the payment that the card approved offline: ${trouble}`;
  return state === 'SET_ASIDE'
    ? `The host refuses to take the payment back: ${trouble}`
    : `The host has not taken the payment back yet, and is told again: ${trouble}`;
}
