import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { JournalHead } from '../domain/records.ts';
import { readAnchor } from './anchor.ts';
import { GENESIS } from './chain.ts';
import { journalFileName } from './create-journal.ts';
import type { ReadHandle } from './database.ts';
import { type Finding, missingRows, type Report } from './finding.ts';
import { hashAt } from './journal-rows.store.ts';
import { readBeside } from './read-beside.ts';
import { type ChainCheck, checkChain } from './verify-chain.ts';
import { checkProjections, checkSettlementHeads } from './verify-projections.ts';
import { checkIntegrity, checkSchema } from './verify-schema.ts';

export interface Verification {
  readonly ok: boolean;
  /** Journal rows that were read. */
  readonly rows: number;
  /** Newest row that was read. */
  readonly head: JournalHead;
  readonly findings: readonly Finding[];
  /** What was looked at, in words. */
  readonly checked: readonly string[];
}

/** Findings that are listed; a ruined file would have one per row. */
const MAX_FINDINGS = 1_000;

/**
 * Checks a data folder's journal: the chain of rows, the anchor, the heads stored with the settlements, heads that the caller brings (as printed
 * on a day close), the projections, the schema, and SQLite's own integrity check. The folder is not changed; a running till may go on.
 * @param expectedHeads heads that must be in the chain.
 * @param onProgress told of the rows that were read now and then.
 * @throws Error when there is no journal in the folder, or a newer program wrote it.
 */
export function verifyJournal(
  dataDir: string,
  expectedHeads: readonly JournalHead[] = [],
  onProgress: (rows: number) => void = () => {},
): Verification {
  if (!existsSync(join(dataDir, journalFileName))) throw new Error(`${dataDir} has no ${journalFileName}`);
  // Read before the rows are: the anchor of a running till may then lag behind them, but never lead.
  const anchor = readAnchor(dataDir);
  return readBeside(dataDir, (handle) => verify(handle, anchor, expectedHeads, onProgress));
}

function verify(
  handle: ReadHandle,
  anchor: ReturnType<typeof readAnchor>,
  expectedHeads: readonly JournalHead[],
  onProgress: (rows: number) => void,
): Verification {
  const findings: Finding[] = [];
  const report = (finding: Finding) => {
    if (findings.length < MAX_FINDINGS) findings.push(finding);
  };
  /** What cannot be read is a finding, not the end of the check. */
  const attempt = <T>(what: string, fallback: T, check: () => T): T => {
    try {
      return check();
    } catch (error) {
      report({ text: `${what} cannot be read: ${error instanceof Error ? error.message : 'unknown error'}` });
      return fallback;
    }
  };

  attempt('the schema', undefined, () => checkSchema(handle, report));
  const nothing: ChainCheck = { rows: 0, head: GENESIS, subjects: new Map() };
  const chain = attempt('the journal', nothing, () => checkChain(handle, report, onProgress));
  attempt('the row that journal.head names', undefined, () => checkAnchor(handle, anchor, chain.head, report));
  for (const head of expectedHeads) {
    attempt(`row ${head.sequence}`, undefined, () => checkHead(handle, head, chain.head, 'the given head', report));
  }
  const projected = attempt('the projections', 0, () => checkProjections(handle, chain.subjects, report));
  const settlements = attempt('the settlements', 0, () => checkSettlementHeads(handle, report));
  attempt('the database', undefined, () => checkIntegrity(handle, report));
  return {
    ok: findings.length === 0,
    rows: chain.rows,
    head: chain.head,
    findings,
    checked: [
      `${chain.rows} journal rows, each against its hash and the row before it`,
      `journal.head, the anchor beside the database`,
      `${projected} rows of the projections against their newest journal row`,
      `${settlements} settlements, each with the head stored at its close`,
      `${expectedHeads.length} heads given by the caller`,
      `the schema, and SQLite's integrity and foreign-key checks`,
    ],
  };
}

function checkAnchor(
  handle: ReadHandle,
  anchor: ReturnType<typeof readAnchor>,
  head: JournalHead,
  report: Report,
): void {
  if (anchor === 'damaged') report({ text: 'journal.head is damaged' });
  else if (anchor !== undefined) checkHead(handle, anchor, head, 'journal.head', report);
  else if (head.sequence > 0)
    report({ sequence: head.sequence, text: 'journal.head is missing: a cut journal would not show' });
}

/** A head that was seen once must still be in the chain. */
function checkHead(handle: ReadHandle, seen: JournalHead, head: JournalHead, source: string, report: Report): void {
  if (seen.sequence > head.sequence) {
    report({
      sequence: head.sequence + 1,
      text: `${missingRows(head.sequence + 1, seen.sequence)}: ${source} names row ${seen.sequence}`,
    });
    return;
  }
  if (hashAt(handle, seen.sequence) === seen.hash) return;
  report({ sequence: seen.sequence, text: `row ${seen.sequence} is not the one that ${source} names` });
}
