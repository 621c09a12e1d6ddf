import { BridgeError } from '../contract/errors.ts';
import type { DayCloseRecord } from '../domain/records.ts';
import type { JournalReader, JournalUnit } from '../ports/journal.ts';
import type { ReadHandle } from './database.ts';
import { isConstraint } from './failures.ts';
import { type JournalWriter, newestBody } from './journal-rows.store.ts';
import { dayCloseProjection } from './projections.ts';

interface Stored {
  body: string;
}

/** Reads of the day closes. */
export function createDayCloseReader(
  handle: ReadHandle,
): Pick<JournalReader, 'openDayCloses' | 'findDayClose' | 'findDayCloseOfBatch'> {
  return {
    openDayCloses: () =>
      handle
        .read<Stored>(`SELECT ${newestBody} FROM day_closes WHERE state IN ('INTENT', 'UNKNOWN') ORDER BY first_seq`)
        .all()
        .map(dayCloseOf),
    findDayClose(dayCloseId) {
      const row = handle.read<Stored>(`SELECT ${newestBody} FROM day_closes WHERE day_close_id = ?`).get(dayCloseId);
      return row === undefined ? undefined : dayCloseOf(row);
    },
    findDayCloseOfBatch: (terminalId, batchNumber) => newestCloseOf(handle, terminalId, batchNumber),
  };
}

/** Who closed a batch; undefined when no close of it is journaled. */
export function closerOf(handle: ReadHandle, terminalId: string, batchNumber: number): string | undefined {
  return newestCloseOf(handle, terminalId, batchNumber)?.actor;
}

function newestCloseOf(handle: ReadHandle, terminalId: string, batchNumber: number): DayCloseRecord | undefined {
  const row = handle
    .read<Stored>(
      `SELECT ${newestBody} FROM day_closes WHERE terminal_id = ? AND batch_number = ? ORDER BY first_seq DESC LIMIT 1`,
    )
    .get(terminalId, batchNumber);
  return row === undefined ? undefined : dayCloseOf(row);
}

function dayCloseOf(row: Stored): DayCloseRecord {
  return JSON.parse(row.body) as DayCloseRecord;
}

/** Writes of the day closes; used only inside a commit. @throws BridgeError DAY_CLOSE_BLOCKED while another close of the terminal runs. */
export function createDayCloseWriter(journal: JournalWriter): Pick<JournalUnit, 'saveDayClose'> {
  return {
    saveDayClose(record) {
      const { dayCloseId, terminalId, actor, revision } = record;
      try {
        journal.append(dayCloseProjection, record, { subjectId: dayCloseId, terminalId, actor, revision });
      } catch (error) {
        if (!isConstraint(error) || !(error instanceof Error) || !error.message.endsWith('day_closes.terminal_id'))
          throw error;
        throw new BridgeError('DAY_CLOSE_BLOCKED', 'another day close of this terminal is running', { cause: error });
      }
    },
  };
}
