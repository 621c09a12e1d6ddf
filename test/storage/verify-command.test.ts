import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/project-root.ts';
import { openJournal, temporaryFolder, transaction } from './journal-fixture.ts';

/** The built program, as `npm run verify-journal` runs it. */
function verify(...args: readonly string[]): { readonly status: number | null; readonly output: string } {
  const program = join(projectRoot, 'dist', 'main', 'verify-journal.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

function writtenFolder(): { readonly dataDir: string; readonly head: string } {
  const dataDir = temporaryFolder();
  const journal = openJournal(dataDir);
  for (const transactionId of ['a', 'b', 'c']) {
    journal.commit((unit) => unit.saveTransaction(transaction({ transactionId })));
  }
  const { sequence, hash } = journal.head();
  journal.close();
  return { dataDir, head: `${sequence}:${hash}` };
}

describe('npm run verify-journal', () => {
  it('says what it checked and ends with 0 for a sound journal', () => {
    const { dataDir, head } = writtenFolder();
    const { status, output } = verify(dataDir, '--head', head);
    expect(output).toContain('3 journal rows');
    expect(output).toContain(`Head ${head}`);
    expect(output).toContain('OK: nothing was changed');
    expect(status).toBe(0);
  });

  it('names the row and ends with 1 when something was changed', () => {
    const { dataDir } = writtenFolder();
    const database = new Database(join(dataDir, 'journal.db'));
    database.exec(`DROP TRIGGER journal_no_update; UPDATE journal SET at = '2026' WHERE seq = 2`);
    database.close();
    const { status, output } = verify(dataDir);
    expect(output).toContain('row 2 was changed');
    expect(status).toBe(1);
  });

  it('ends with 1 when a given head is not in the chain', () => {
    const { dataDir } = writtenFolder();
    const { status, output } = verify(dataDir, '--head', `4:${'a'.repeat(64)}`);
    expect(output).toContain('row 4 is missing: the given head names row 4');
    expect(status).toBe(1);
  });

  it('ends with 2 when nothing was checked', () => {
    expect(verify()).toMatchObject({ status: 2, output: expect.stringContaining('usage') });
    expect(verify(temporaryFolder())).toMatchObject({ status: 2, output: expect.stringContaining('no journal.db') });
    expect(verify('a', '--head', 'b')).toMatchObject({ status: 2, output: expect.stringContaining('SEQUENCE:HASH') });
    expect(verify('a', '--unknown')).toMatchObject({ status: 2 });
  });
});
