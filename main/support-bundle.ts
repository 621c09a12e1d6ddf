import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DEFAULT_BUNDLE_DAYS, MAX_BUNDLE_DAYS, MAX_TOLD_FINDINGS } from '../app/contract/console/console-limits.ts';
import { type BundleResult, makeBundle } from '../app/logs/bundle/make-bundle.ts';
import { keptTraces } from '../app/logs/bundle/trace-facts.ts';
import { dataDirOf } from '../app/programs/data-dir.ts';
import { devices, environment, liveTerminals, settingsFacts } from './bundle-facts.ts';
import { extractJournal, verification } from './bundle-journal.ts';

const usage =
  'usage: npm run support-bundle -- [--data-dir DIR] --out FILE.zip [--days N] [--leave-out] [--terminals FILE] [--progress]';
const dayMs = 86_400_000;
const exitCodes = { made: 0, refused: 1, failed: 2 } as const;

process.exitCode = await run(process.argv.slice(2));

/** 0: the bundle is there. 1: something was found that must not leave the till; nothing is there. 2: it could not be made. */
async function run(args: readonly string[]): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), 'support-bundle-'));
  try {
    const asked = readArguments(args);
    const result = await makeBundle(await sourceOf(asked, scratch), {
      ...asked,
      onStep: (step, done, of) => asked.tell({ step, done, of }),
    });
    return report(result, asked);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : 'unknown error'}\n`);
    return exitCodes.failed;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

type Asked = ReturnType<typeof readArguments>;

function readArguments(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'data-dir': { type: 'string' },
      out: { type: 'string' },
      days: { type: 'string' },
      'leave-out': { type: 'boolean' },
      terminals: { type: 'string' },
      progress: { type: 'boolean' },
    },
  });
  const days = Number(values.days ?? DEFAULT_BUNDLE_DAYS);
  if (values.out === undefined || !Number.isInteger(days) || days < 1 || days > MAX_BUNDLE_DAYS) throw new Error(usage);
  const isTelling = values.progress === true;
  return {
    dataDir: dataDirOf(values['data-dir']),
    out: resolve(values.out),
    madeAt: new Date().toISOString(),
    days,
    leavesOutLines: values['leave-out'] === true,
    terminals: values.terminals,
    isTelling,
    /** One JSON object to a line, for the till that has the bundle made. */
    tell(line: object): void {
      if (isTelling) process.stdout.write(`${JSON.stringify(line)}\n`);
    },
  };
}

async function sourceOf({ dataDir, madeAt, days, terminals, tell }: Asked, scratch: string) {
  const transactions = join(scratch, 'transactions.jsonl');
  const from = new Date(Date.parse(madeAt) - days * dayMs).toISOString();
  const { rows, openTasks, openCloses, settlements } = extractJournal(dataDir, transactions, from);
  const verified = verification(dataDir, (done) => tell({ step: 'VERIFY', done, of: rows }));
  return {
    texts: [
      { name: 'README.txt', text: readme(madeAt, days) },
      json('environment.json', { madeAt, ...environment(dataDir) }),
      json('settings.json', settingsFacts(dataDir)),
      json('devices.json', await devices()),
      ...(terminals === undefined ? [] : [json('terminals.json', liveTerminals(terminals))]),
      json('journal/verification.json', verified),
      json('journal/recovery-tasks.json', openTasks),
      json('journal/day-closes.json', { open: openCloses, settlements }),
      { name: 'traces/wire.jsonl', text: keptTraces(dataDir) },
    ],
    files: [{ name: 'journal/transactions.jsonl', path: transactions }],
    logs: [{ name: 'logs', folder: join(dataDir, 'logs') }],
  };
}

/** Says what became of it: to a person, or as one more line to the till. */
function report({ findings, entries, removedLines }: BundleResult, { out, tell, isTelling }: Asked): number {
  const isRefused = findings.length > 0;
  const told = findings.slice(0, MAX_TOLD_FINDINGS);
  if (isTelling) {
    tell(
      isRefused
        ? {
            result: 'REFUSED',
            count: findings.length,
            findings: told.map(({ entry, kind, line }) => ({ entry, kind, line })),
          }
        : { result: 'MADE', entries: entries.map(({ name, byteCount }) => ({ name, byteCount })), removedLines },
    );
  } else if (!isRefused) {
    process.stdout.write(`${out}\n`);
  }
  for (const { entry, kind, offset, line, through } of told) {
    const encoded = through.length === 0 ? '' : ` (${through.join(', ')})`;
    process.stderr.write(`${entry}, ${line === undefined ? `byte ${offset}` : `line ${line}`}: ${kind}${encoded}\n`);
  }
  if (!isRefused) return exitCodes.made;
  process.stderr.write(`Nothing was handed over: ${findings.length} places hold what must not leave the till.\n`);
  if (findings.some(({ line }) => line !== undefined))
    process.stderr.write('With --leave-out the bundle is made without these lines of the log.\n');
  return exitCodes.refused;
}

function json(name: string, value: unknown) {
  return { name, text: `${JSON.stringify(value, null, 2)}\n` };
}

function readme(madeAt: string, days: number): string {
  return [
    'Support bundle of a till',
    `Made ${madeAt}; transactions of the last ${days} days.`,
    '',
    'environment.json            this machine, versions, disk, size of the files',
    'settings.json, devices.json settings without passwords; serial ports',
    'journal/verification.json   whether the journal is as it was written',
    'journal/recovery-tasks.json what has an open result; journal/day-closes.json  closes of these days',
    'traces/wire.jsonl           newest messages of the terminals, without card data',
    'terminals.json              the terminals when a running till had this made',
    'journal/transactions.jsonl  transactions by listed fields: no card, reference, metadata or name',
    'logs/                       the log, by listed fields',
    'scan-report.json            what was looked for in the finished bundle, and that nothing was found',
    'manifest.json               size and SHA-256 of each entry',
    '',
  ].join('\n');
}
