import { parseArgs } from 'node:util';
import { MAX_TOLD_FINDINGS } from '../app/contract/console/console-limits.ts';
import type { JournalHead } from '../app/domain/records.ts';
import { journalRows } from '../app/storage/journal-rows.store.ts';
import { readBeside } from '../app/storage/read-beside.ts';
import { type Verification, verifyJournal } from '../app/storage/verify-journal.ts';

const usage = 'usage: npm run verify-journal -- DIR [--head SEQUENCE:HASH]... [--progress]';
const exitCodes = { sound: 0, findings: 1, notChecked: 2 } as const;

process.exitCode = run(process.argv.slice(2));

/** Checks a data folder and says plainly what was checked. 0: sound; 1: something is not as it was written; 2: not checked. */
function run(args: readonly string[]): number {
  try {
    const { dataDir, heads, isTelling } = readArguments(args);
    const of = isTelling ? readBeside(dataDir, journalRows) : 0;
    const verification = verifyJournal(dataDir, heads, (done) => {
      if (isTelling) console.log(JSON.stringify({ step: 'VERIFY', done, of }));
    });
    console.log(isTelling ? lineOf(verification) : reportOf(dataDir, verification));
    return verification.ok ? exitCodes.sound : exitCodes.findings;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return exitCodes.notChecked;
  }
}

/** For the till that has its journal checked: one JSON object to a line. */
function lineOf({ ok, rows, findings }: Verification): string {
  return JSON.stringify({ ok, rows, findings: findings.slice(0, MAX_TOLD_FINDINGS).map(({ text }) => text) });
}

function readArguments(args: readonly string[]) {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { head: { type: 'string', multiple: true }, progress: { type: 'boolean' } },
  });
  const [dataDir, ...more] = positionals;
  if (dataDir === undefined || more.length > 0) throw new Error(usage);
  return { dataDir, heads: (values.head ?? []).map(readHead), isTelling: values.progress === true };
}

/** As a day close prints it: the sequence number, a colon, the hash. */
function readHead(text: string): JournalHead {
  const parts = /^(\d{1,16}):([0-9a-fA-F]{64})$/.exec(text);
  if (parts === null) throw new Error(`--head takes SEQUENCE:HASH as a day close prints it\n${usage}`);
  return { sequence: Number(parts[1]), hash: (parts[2] ?? '').toLowerCase() };
}

function reportOf(dataDir: string, { ok, head, findings, checked }: Verification): string {
  return [
    `Journal of ${dataDir}`,
    `Head ${head.sequence}:${head.hash}`,
    'Checked:',
    ...checked.map((line) => `  ${line}`),
    ...(ok ? ['OK: nothing was changed, removed or cut off.'] : [`NOT OK: ${findings.length} findings`]),
    ...findings.map(({ text }) => `  ${text}`),
  ].join('\n');
}
