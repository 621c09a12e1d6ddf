import type { RecoveryTask } from '../domain/records.ts';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import type { ReadHandle, SqlValue } from './database.ts';
import { type JournalWriter, newestBody } from './journal-rows.store.ts';
import { taskProjection } from './projections.ts';

interface Stored {
  body: string;
}

/** Reads of the recovery tasks. */
export function createTaskReader(handle: ReadHandle): Pick<JournalReader, 'findTask' | 'findTaskOf' | 'openTasks'> {
  const one = (sql: string, ...values: SqlValue[]) => {
    const row = handle.read<Stored>(sql).get(...values);
    return row === undefined ? undefined : taskOf(row);
  };
  return {
    findTask: (taskId) => one(`SELECT ${newestBody} FROM recovery_tasks WHERE task_id = ?`, taskId),
    // An open task before a closed one, then the newest.
    findTaskOf: (subjectId) =>
      one(
        `SELECT ${newestBody} FROM recovery_tasks WHERE subject_id = ? ORDER BY state = 'RESOLVED', first_seq DESC LIMIT 1`,
        subjectId,
      ),
    openTasks(terminalId) {
      const open = handle.read<Stored>(
        `SELECT ${newestBody} FROM recovery_tasks WHERE state <> 'RESOLVED' ORDER BY first_seq`,
      );
      const tasks = open.all().map(taskOf);
      return terminalId === undefined ? tasks : tasks.filter((task) => task.terminalId === terminalId);
    },
  };
}

function taskOf(row: Stored): RecoveryTask {
  return JSON.parse(row.body) as RecoveryTask;
}

/** Writes of the recovery tasks; used only inside a commit. */
export function createTaskWriter(journal: JournalWriter): Pick<JournalUnit, 'saveTask'> {
  return {
    saveTask(task) {
      const { taskId, terminalId, revision, resolution } = task;
      journal.append(taskProjection, task, {
        subjectId: taskId,
        terminalId,
        actor: resolution?.by ?? 'system',
        revision,
      });
    },
  };
}
