import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { arch, cpus, freemem, platform, release, tmpdir, totalmem, uptime } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readStoredSettings } from '../app/config/settings.ts';
import { makeBundle } from '../app/logs/bundle/make-bundle.ts';
import { safeText } from '../app/logs/bundle/safe-text.ts';
import { transactionFacts } from '../app/logs/bundle/transaction-facts.ts';
import { readBeside } from '../app/storage/read-beside.ts';
import { createTransactionReader } from '../app/storage/transactions.store.ts';
import { verifyJournal } from '../app/storage/verify-journal.ts';
import { listSerialPorts, parseTerminalUrl } from '../drivers/registry.ts';
import { dataDirOf } from './data-dir.ts';
import { programVersion } from './program-version.ts';

const usage = 'usage: npm run support-bundle -- [--data-dir DIR] --out FILE.zip [--days N] [--progress]';
const defaultDays = 14;
const dayMs = 86_400_000;
const pageRows = 100;
const maxFindingsTold = 50;
const exitCodes = { made: 0, refused: 1, failed: 2 } as const;

/** What the till hears of a bundle in the making: one JSON object to a line. */
interface Progress {
  readonly step: 'VERIFY' | 'COLLECT' | 'SCAN';
  readonly done: number;
  readonly of: number;
}

process.exitCode = await run(process.argv.slice(2));

/** 0: the bundle is there. 1: something was found that must not leave the till; nothing is there. 2: it could not be made. */
async function run(args: readonly string[]): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), 'support-bundle-'));
  try {
    const { dataDir, out, days, tell } = readArguments(args);
    const madeAt = new Date().toISOString();
    const transactions = join(scratch, 'transactions.jsonl');
    const counts = writeTransactions(dataDir, transactions, new Date(Date.parse(madeAt) - days * dayMs).toISOString());
    const result = await makeBundle(
      {
        texts: [
          { name: 'README.txt', text: readme(madeAt, days) },
          json('environment.json', { madeAt, ...environment(dataDir) }),
          json('settings.json', settingsFacts(dataDir)),
          json('devices.json', await devices()),
          json('journal/verification.json', verification(dataDir, counts.rows, tell)),
        ],
        files: [{ name: 'journal/transactions.jsonl', path: transactions }],
        logs: [{ name: 'logs', folder: join(dataDir, 'logs') }],
      },
      { out, madeAt, onStep: (step, done, of) => tell({ step, done, of }) },
    );
    for (const { entry, kind, offset, through } of result.findings.slice(0, maxFindingsTold)) {
      const encoded = through.length === 0 ? '' : ` (${through.join(', ')})`;
      process.stderr.write(`${entry}, byte ${offset}: ${kind}${encoded}\n`);
    }
    if (result.findings.length > 0) {
      process.stderr.write(
        `Nothing was handed over: ${result.findings.length} places hold what must not leave the till.\n`,
      );
      return exitCodes.refused;
    }
    process.stdout.write(`${out}\n`);
    return exitCodes.made;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : 'unknown error'}\n`);
    return exitCodes.failed;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function readArguments(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'data-dir': { type: 'string' },
      out: { type: 'string' },
      days: { type: 'string' },
      progress: { type: 'boolean' },
    },
  });
  const days = Number(values.days ?? defaultDays);
  if (values.out === undefined || !Number.isInteger(days) || days < 1) throw new Error(usage);
  const tell = (progress: Progress) => {
    if (values.progress === true) process.stdout.write(`${JSON.stringify(progress)}\n`);
  };
  return { dataDir: dataDirOf(values['data-dir']), out: resolve(values.out), days, tell };
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
    'journal/transactions.jsonl  transactions by listed fields: no card, reference, metadata or name',
    'logs/                       the log, by listed fields',
    'scan-report.json            what was looked for in the finished bundle, and that nothing was found',
    'manifest.json               size and SHA-256 of each entry',
    '',
  ].join('\n');
}

function environment(dataDir: string) {
  const disk = statfsSync(dataDir);
  const files = readdirSync(dataDir, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name: safeText(name), byteCount: statSync(join(dataDir, name)).size }));
  return {
    ...{
      program: programVersion(),
      node: process.versions.node,
      platform: platform(),
      release: release(),
      arch: arch(),
    },
    ...{ processors: cpus().length, memoryMb: megabytes(totalmem()), freeMemoryMb: megabytes(freemem()) },
    upHours: Math.round(uptime() / 3600),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    diskFreeMb: megabytes(disk.bavail * disk.bsize),
    files,
  };
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}

/** Fields by name; a terminal's address without its parameters, where the password stands. */
function settingsFacts(dataDir: string) {
  const stored = readStoredSettings(dataDir);
  const { merchantName, timeZone, dayCutOff, port, consolePort, language, lockAfterSeconds } = stored;
  return {
    ...(merchantName === undefined ? {} : { merchantName: safeText(merchantName) }),
    ...{ timeZone, dayCutOff, port, consolePort, language, lockAfterSeconds },
    refundApprovalAboveMinor: stored.refundApprovalAboveMinor,
    allowedOrigins: (stored.allowedOrigins ?? []).map(safeText),
    terminals: (stored.terminals ?? []).map(({ terminalId, url }) => {
      const { protocol, line, currency } = parseTerminalUrl(url);
      const place =
        line.kind === 'TCP'
          ? { host: safeText(line.host), port: line.port }
          : { path: safeText(line.path), baudRate: line.baudRate };
      return { terminalId: safeText(terminalId), protocol, line: line.kind, ...place, currency };
    }),
  };
}

async function devices() {
  const ports = await listSerialPorts();
  return {
    serialPorts: ports.map(({ path, manufacturer = '', vendorId, productId }) => ({
      path: safeText(path),
      manufacturer: safeText(manufacturer),
      ...{ vendorId, productId },
    })),
  };
}

/** The transactions since a time, newest first, straight into a file: their number does not matter to memory. */
function writeTransactions(dataDir: string, path: string, from: string): { readonly rows: number } {
  const file = openSync(path, 'wx', 0o600);
  try {
    return readBeside(dataDir, (handle) => {
      const { listTransactions } = createTransactionReader(handle);
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = listTransactions({ from, limit: pageRows, ...(cursor === undefined ? {} : { cursor }) });
        writeSync(file, page.rows.map((record) => `${JSON.stringify(transactionFacts(record))}\n`).join(''));
        cursor = page.nextCursor;
      }
      const rows = handle.read<{ rows: number }>('SELECT max(seq) AS rows FROM journal').get()?.rows ?? 0;
      return { rows };
    });
  } finally {
    closeSync(file);
  }
}

function verification(dataDir: string, rows: number, tell: (progress: Progress) => void) {
  const { ok, head, findings, checked } = verifyJournal(dataDir, [], (done) =>
    tell({ step: 'VERIFY', done, of: rows }),
  );
  return {
    ok,
    rows: head.sequence,
    head: { sequence: head.sequence, hash: `sha256-${Buffer.from(head.hash, 'hex').toString('base64')}` },
    findings: findings.map(({ text }) => safeText(text)),
    checked,
  };
}
