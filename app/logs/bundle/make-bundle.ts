import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ZipFile } from 'yazl';
import { appendEntries, type TextEntries, writeZip } from './append-entries.ts';
import { createLogLines } from './log-lines.ts';
import { partialPathOf } from './partial-path.ts';
import { type EntryScan, openZip, scanZip } from './read-zip.ts';

/** What goes into a bundle. */
export interface BundleSource {
  /** Texts of ours and files made for the bundle: their fields are allow-listed where they are made. */
  readonly texts: TextEntries;
  readonly files: readonly { readonly name: string; readonly path: string }[];
  /** Folders of log files (`*.log`); each line is judged on its way. */
  readonly logs: readonly { readonly name: string; readonly folder: string }[];
}

interface BundleOptions {
  /** Appears when everything is found clean, by renaming, and never otherwise. */
  readonly out: string;
  readonly madeAt: string;
  /** Lines of the log in which something is found are left out, and counted. Otherwise they are findings, and nothing is handed over. */
  readonly leavesOutLines: boolean;
  onStep?(step: BundleStep, done: number, of: number): void;
}

/** COLLECT: bytes of the logs are written. SCAN: entries of the finished archive have been looked into. */
type BundleStep = 'COLLECT' | 'SCAN';

/** What became of it. `findings` not empty: nothing was handed over. */
export interface BundleResult {
  readonly entries: readonly EntryScan[];
  readonly findings: readonly {
    readonly entry: string;
    readonly kind: string;
    readonly offset: number;
    readonly through: readonly string[];
    /** In a log as it stands on the till, from 1. */
    readonly line?: number;
  }[];
  readonly removedLines: number;
}

/**
 * Makes a support bundle: writes the archive, reads it back and scans every entry, adds the scan's report and the manifest, and renames it to its place.
 * Memory does not grow with the logs (promise F9).
 * @throws Error of the file system; nothing is left behind then
 */
export async function makeBundle(source: BundleSource, options: BundleOptions): Promise<BundleResult> {
  const partial = partialPathOf(options.out);
  rmSync(partial, { force: true });
  try {
    const { removedLines, suspects } = await writeArchive(source, partial, options);
    if (suspects.length > 0 && !options.leavesOutLines) return { entries: [], findings: suspects, removedLines };
    const entries = await scanFile(partial, (done) =>
      options.onStep?.('SCAN', done, source.texts.length + source.files.length),
    );
    const findings = entries.flatMap(({ name, findings }) => findings.map((finding) => ({ entry: name, ...finding })));
    const result: BundleResult = { entries, findings, removedLines };
    if (findings.length > 0) return result;
    await appendEntries(partial, closingEntries(result, options.madeAt));
    const whole = await scanFile(partial, () => {}, ['scan-report.json', 'manifest.json']);
    const late = whole.flatMap(({ name, findings: found }) => found.map((finding) => ({ entry: name, ...finding })));
    if (late.length > 0) return { ...result, findings: late };
    renameSync(partial, options.out);
    return { ...result, entries: [...entries, ...whole] };
  } finally {
    rmSync(partial, { force: true });
  }
}

async function writeArchive(
  source: BundleSource,
  path: string,
  { onStep }: BundleOptions,
): Promise<{ readonly removedLines: number; readonly suspects: BundleResult['findings'] }> {
  const zip = new ZipFile();
  const written = writeZip(zip, path);
  for (const { name, text } of source.texts) zip.addBuffer(Buffer.from(text), name);
  for (const { name, path: file } of source.files) zip.addFile(file, name);
  const logs = source.logs.flatMap(logFilesOf);
  const total = logs.reduce((sum, { byteCount }) => sum + byteCount, 0);
  let done = 0;
  let removedLines = 0;
  const suspects: BundleResult['findings'][number][] = [];
  for (const { name, path: file, byteCount } of logs) {
    zip.addReadStreamLazy(name, (give) => {
      const input = createReadStream(file, { end: Math.max(0, byteCount - 1) });
      const lines = createLogLines();
      input.on('data', (chunk) => {
        done += chunk.length;
        onStep?.('COLLECT', done, total);
      });
      // A file that was rotated away meanwhile ends the entry; the older lines are in the next file then.
      input.on('error', () => lines.end());
      lines.on('end', () => {
        removedLines += lines.removedLines();
        for (const { line, kinds } of lines.suspectLines())
          suspects.push(...kinds.map((kind) => ({ entry: name, kind, offset: 0, through: [], line })));
      });
      give(null, input.pipe(lines));
    });
  }
  zip.end();
  await written;
  return { removedLines, suspects };
}

function logFilesOf({ name, folder }: BundleSource['logs'][number]) {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.log'))
      .sort()
      .map((file) => ({
        name: `${name}/${file}`,
        path: join(folder, file),
        byteCount: statSync(join(folder, file)).size,
      }))
      .filter(({ byteCount }) => byteCount > 0);
  } catch {
    return [];
  }
}

async function scanFile(
  path: string,
  onEntry: (done: number) => void,
  only?: readonly string[],
): Promise<readonly EntryScan[]> {
  const zip = await openZip(path);
  try {
    let done = 0;
    return await scanZip(
      zip,
      () => {
        done += 1;
        onEntry(done);
      },
      only,
    );
  } finally {
    zip.close();
  }
}

function closingEntries({ entries, removedLines }: BundleResult, madeAt: string): TextEntries {
  const report = {
    madeAt,
    result: 'NOTHING_FOUND',
    looksFor: 'card numbers, tracks 1 and 2, PIN blocks, key serial numbers, keys and tokens',
    through:
      'hex, base64, UTF-16, gzip, deflate, escapes, percent encoding, packed and reversed digits, blanks and line breaks',
    linesRemovedFromLogs: removedLines,
    entries: entries.map(({ name, byteCount }) => ({ name, byteCount, findings: 0 })),
  };
  const text = `${JSON.stringify(report, null, 2)}\n`;
  const manifest = {
    madeAt,
    hash: 'sha256, base64',
    entries: [
      ...entries.map(({ name, byteCount, sha256 }) => ({ name, byteCount, sha256 })),
      { name: 'scan-report.json', byteCount: Buffer.byteLength(text), sha256: `sha256-${sha256Of(text)}` },
    ],
  };
  return [
    { name: 'scan-report.json', text },
    { name: 'manifest.json', text: `${JSON.stringify(manifest, null, 2)}\n` },
  ];
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
