import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import yauzl from 'yauzl';
import { type BundleSource, makeBundle } from '../../app/logs/bundle/make-bundle.ts';

const pan = '4111111111111111';
const madeAt = '2026-11-28T03:00:00.000Z';
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  mkdirSync(join(folder, 'logs'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function logLine(fields: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify({ level: 'info', time: madeAt, message: 'request', ...fields })}\n`;
}

function make(source: Partial<BundleSource> = {}) {
  const whole = {
    texts: [{ name: 'README.txt', text: 'hello\n' }],
    files: [],
    logs: [{ name: 'logs', folder: join(folder, 'logs') }],
    ...source,
  };
  return makeBundle(whole, { out: join(folder, 'bundle.zip'), madeAt, leavesOutLines: true });
}

async function contents(): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await yauzl.openPromise(join(folder, 'bundle.zip'), { autoClose: false });
  const found = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    found.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  zip.close();
  return found;
}

describe('a support bundle', () => {
  it('holds its entries, the report of its scan and a manifest whose hashes are right', async () => {
    writeFileSync(join(folder, 'logs', 'till.log'), logLine({ statusCode: 200, durationMs: 12.3456 }));
    expect((await make()).findings).toEqual([]);
    const entries = await contents();
    expect([...entries.keys()]).toEqual(['README.txt', 'logs/till.log', 'scan-report.json', 'manifest.json']);
    const manifest = JSON.parse(String(entries.get('manifest.json')));
    for (const { name, byteCount, sha256 } of manifest.entries) {
      const bytes = entries.get(name) ?? Buffer.alloc(0);
      expect(byteCount).toBe(bytes.length);
      expect(sha256).toBe(`sha256-${createHash('sha256').update(bytes).digest('base64')}`);
    }
    expect(JSON.parse(String(entries.get('scan-report.json')))).toMatchObject({ result: 'NOTHING_FOUND' });
    expect(JSON.parse(String(entries.get('logs/till.log')))).toEqual({
      level: 'info',
      time: madeAt,
      message: 'request',
      statusCode: 200,
      durationMs: 12,
    });
  });

  it('leaves out the lines in which something is found, and says how many', async () => {
    const hidden = Buffer.from(pan).toString('base64');
    const lines = [
      logLine({ sequence: 1 }),
      logLine({ reason: `x ${hidden}` }),
      `${pan}\n`,
      logLine({ body: pan, sequence: 2 }),
    ];
    writeFileSync(join(folder, 'logs', 'till.log'), lines.join(''));
    expect((await make()).removedLines).toBe(2);
    const log = String((await contents()).get('logs/till.log'));
    expect(
      log
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).sequence),
    ).toEqual([1, 2]);
    expect(log).not.toContain(pan);
  });

  it.each([
    ['a card number', Buffer.from(`number ${pan}`)],
    ['a compressed card number', gzipSync(`number ${pan}`)],
    ['something compressed that is cut', gzipSync(randomBytes(2_000).toString('hex')).subarray(0, 1_000)],
  ])('is not handed over when the finished archive holds %s', async (_, bytes) => {
    const path = join(folder, 'file');
    writeFileSync(path, bytes);
    const { findings } = await make({ files: [{ name: 'file', path }] });
    expect(findings[0]?.entry).toBe('file');
    expect(JSON.stringify(findings)).not.toContain(pan);
    expect(existsSync(join(folder, 'bundle.zip'))).toBe(false);
    expect(readdirSync(folder).sort()).toEqual(['file', 'logs']);
  });

  it('looks into an archive within it', async () => {
    writeFileSync(join(folder, 'logs', 'till.log'), logLine({}));
    await make({ texts: [{ name: 'a.txt', text: 'plain' }] });
    const inner = join(folder, 'inner.zip');
    const { ZipFile } = await import('yazl');
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from(pan), 'card.txt');
    zip.end();
    writeFileSync(inner, await buffer(zip.outputStream as NodeJS.ReadableStream & AsyncIterable<Buffer>));
    const { findings } = await make({ files: [{ name: 'inner.zip', path: inner }] });
    expect(findings.map(({ kind, through }) => [kind, ...through])).toContainEqual(['CARD_NUMBER', 'zip']);
  });
});
