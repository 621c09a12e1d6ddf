import type { JournalHead } from '../domain/records.ts';
import { chainHash, GENESIS, type RowKind } from './chain.ts';
import type { ReadHandle } from './database.ts';
import { missingRows, type Report } from './finding.ts';
import { allEntries } from './journal-rows.store.ts';

/** Journal rows of one subject: where its projection must come from. */
export interface SubjectRows {
  readonly kind: RowKind;
  readonly subjectId: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly count: number;
}

export interface ChainCheck {
  readonly rows: number;
  readonly head: JournalHead;
  readonly subjects: ReadonlyMap<string, SubjectRows>;
}

export function subjectKey(kind: RowKind, subjectId: string): string {
  return `${kind} ${subjectId}`;
}

/** Rows between two words about the progress. */
const progressRows = 2_000;

/** Reads every row in order: no gap, each bound to the one before it, each bearing its own hash. */
export function checkChain(
  handle: ReadHandle,
  report: Report,
  onProgress: (rows: number) => void = () => {},
): ChainCheck {
  const subjects = new Map<string, SubjectRows>();
  let head = GENESIS;
  let rows = 0;
  try {
    for (const entry of allEntries(handle)) {
      const { seq, kind, subjectId } = entry;
      const due = head.sequence + 1;
      if (seq !== due) {
        report({ sequence: due, text: missingRows(due, seq - 1) });
      } else if (entry.prevHash !== head.hash) {
        report({ sequence: seq, text: `row ${seq} does not follow the row before it` });
      }
      if (chainHash(entry.prevHash, entry) !== entry.hash) report({ sequence: seq, text: `row ${seq} was changed` });
      // Go on from what is stored, so that one damage is one finding.
      head = { sequence: seq, hash: entry.hash };
      rows += 1;
      if (rows % progressRows === 0) onProgress(rows);
      const known = subjects.get(subjectKey(kind, subjectId));
      subjects.set(subjectKey(kind, subjectId), {
        kind,
        subjectId,
        firstSeq: known?.firstSeq ?? seq,
        lastSeq: seq,
        count: (known?.count ?? 0) + 1,
      });
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error';
    report({
      sequence: head.sequence + 1,
      text: `row ${head.sequence + 1} and what follows cannot be read: ${reason}`,
    });
  }
  return { rows, head, subjects };
}
