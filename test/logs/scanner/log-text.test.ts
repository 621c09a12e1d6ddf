import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogLines } from '../../../app/logs/bundle/log-lines.ts';
import { createCleanRuns } from '../../../app/logs/scanner/clean-runs.ts';
import { mayBeDeflate } from '../../../app/logs/scanner/deflate-sign.ts';
import type { Finding } from '../../../app/logs/scanner/finding.ts';
import { scanBytes } from '../../../app/logs/scanner/scan-bytes.ts';
import { createStreamScanner } from '../../../app/logs/scanner/stream-scanner.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { tillLines } from '../till-lines.ts';
import { cards, encodings } from './written-cards.ts';

const seed = Number(process.env.SCANNER_SEED ?? Date.now() % 1_000_000);
/** Of the sample in which nothing may be found: by chance, something may be in one line of very many. */
const sampleSeed = 1;
const sampleLines = 30_000;
const sample = Buffer.from(tillLines(sampleSeed, sampleLines));
const windowBytes = 256 * 1024;

const secrets = [
  ...Object.values(encodings).flatMap((encode) => cards.map(encode)),
  ...['041234FFFFFFFFFF', '0412-26FF-FFFF-FFFF', '04 12 34 FF FF FF FF FF', 'FFFF9876543210E00001'].map(Buffer.from),
  ...['"pin":"1234"', '/v1/x?token=abcdefghijklmnop', 'Bearer abcdefghijklmnop1234', '0x8f3a0c1b9d7e6540'].map(
    Buffer.from,
  ),
  Buffer.from(Buffer.from('041234FFFFFFFFFF', 'hex').toString('base64')),
];

function lineOf(secret: Buffer): Buffer {
  return Buffer.concat([Buffer.from('\n{"message":"'), secret, Buffer.from('"}\n')]);
}

/** The sample from a place on, with the line in it. */
function planted(line: Buffer, from: number, at: number, length: number): Buffer {
  const text = sample.subarray(from, from + length);
  const begin = Math.max(0, text.lastIndexOf(10, at));
  return Buffer.concat([text.subarray(0, begin), line, text.subarray(begin)]);
}

const kindsOf = (findings: readonly Finding[]) =>
  [...new Set(findings.map(({ kind, through }) => [kind, ...through].join(' ')))].sort();

describe('the scanner in the log of a till', () => {
  it('takes nothing in many really written lines for a secret, in the file and on its way into the bundle', async () => {
    const scanner = createStreamScanner();
    scanner.write(sample);
    expect(scanner.end()).toEqual([]);
    const lines = createLogLines().resume();
    lines.end(sample);
    await new Promise((resolve) => lines.on('end', resolve));
    expect([lines.removedLines(), lines.suspectLines()]).toEqual([0, []]);
  });

  it('takes no identifier for a card number where it looks at a text piece by piece', () => {
    const random = seededRandom(sampleSeed);
    const digits = (count: number) => Array.from({ length: count }, () => random.between(0, 9)).join('');
    const id = () => `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`;
    const text = Buffer.from(Array.from({ length: 40_000 }, () => `"${id()}" "${id()}"\n`).join(''));
    const scanner = createStreamScanner();
    scanner.write(text);
    expect(scanner.end()).toEqual([]);
  });

  it(`finds among other lines what it finds in a line alone, whatever it has seen before (seed ${seed})`, () => {
    const clean = createCleanRuns();
    fc.assert(
      fc.property(fc.constantFrom(...secrets), fc.nat(sample.length - 20_000), fc.nat(19_000), (secret, from, at) => {
        const alone = kindsOf(scanBytes(lineOf(secret)));
        const text = planted(lineOf(secret), from, at, 20_000);
        const found = kindsOf(scanBytes(text, 0, clean));
        expect(found).toEqual(kindsOf(scanBytes(text)));
        expect(found).toEqual(expect.arrayContaining(alone));
        expect(alone.length).toBeGreaterThan(0);
      }),
      { seed, numRuns: 400 },
    );
  });

  it(`finds it over the edges of what it looks at together (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.constantFrom(...secrets), fc.integer({ min: -600, max: 600 }), fc.nat(3), (secret, by, window) => {
        const alone = kindsOf(scanBytes(lineOf(secret)));
        const edge = windowBytes - 16 * 1024 * (window % 2);
        const text = planted(lineOf(secret), window * 1_000, edge + by, 2 * windowBytes);
        const scanner = createStreamScanner();
        for (let start = 0; start < text.length; start += 65_536) scanner.write(text.subarray(start, start + 65_536));
        expect(kindsOf(scanner.end())).toEqual(expect.arrayContaining(alone));
      }),
      { seed, numRuns: 60 },
    );
  });
});

describe('the sign of deflate', () => {
  it(`is there wherever zlib reads anything (seed ${seed})`, () => {
    const written = fc
      .tuple(
        fc.string({ maxLength: 300 }),
        fc.constantFrom(constants.Z_FIXED, constants.Z_DEFAULT_STRATEGY),
        fc.nat(400),
      )
      .map(([text, strategy, cutAt]) => deflateRawSync(`${text}${text}`, { strategy }).subarray(0, Math.max(1, cutAt)));
    const random = fc
      .uint8Array({ minLength: 12, maxLength: 60 })
      .map((bytes) => Buffer.from(bytes).fill(((bytes[0] ?? 0) & 0xf8) | ((bytes[1] ?? 0) % 2 === 0 ? 3 : 5), 0, 1));
    fc.assert(
      fc.property(fc.oneof(written, random), (bytes) => {
        fc.pre(isLastBlock(bytes));
        if (isRead(bytes)) expect(mayBeDeflate(bytes)).toBe(true);
      }),
      { seed, numRuns: 3_000 },
    );
  });
});

/** One block of deflate with codes; other kinds of blocks are not looked for without a mark. */
function isLastBlock(bytes: Buffer): boolean {
  return [0b011, 0b101].includes((bytes[0] ?? 0) & 0b111);
}

function isRead(bytes: Buffer): boolean {
  try {
    return inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).length > 0;
  } catch {
    return false;
  }
}
