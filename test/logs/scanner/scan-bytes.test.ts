import { randomBytes, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scanBytes } from '../../../app/logs/scanner/scan-bytes.ts';
import { createStreamScanner } from '../../../app/logs/scanner/stream-scanner.ts';
import { cards, encodings } from './written-cards.ts';

const seed = Number(process.env.SCANNER_SEED ?? Date.now() % 1_000_000);

describe('the scanner', () => {
  for (const [name, encode] of Object.entries(encodings)) {
    it.each(cards)(`finds a card number written as ${name}: %s`, (pan) => {
      const before = Buffer.from(`{"message":"refused","reason":"`);
      const found = scanBytes(Buffer.concat([before, encode(pan), Buffer.from('"}\n')]));
      expect(found.length).toBeGreaterThan(0);
      expect(JSON.stringify(found)).not.toContain(pan.slice(6));
    });
  }

  it.each([
    ['a PIN block', '041234FFFFFFFFFF', 'PIN_BLOCK'],
    ['an enciphered PIN block', '8f3a0c1b9d7e6540', 'PIN_BLOCK'],
    ['a PIN block in groups', '0412-26FF-FFFF-FFFF', 'PIN_BLOCK'],
    ['a PIN block in pairs', '04 12 34 FF FF FF FF FF', 'PIN_BLOCK'],
    ['a PIN block in base64', Buffer.from('041234FFFFFFFFFF', 'hex').toString('base64'), 'PIN_BLOCK'],
    ['a key serial number', 'FFFF9876543210E00001', 'KEY_SERIAL_NUMBER'],
    [
      'a key serial number in base64',
      Buffer.from('FFFF9876543210E00001', 'hex').toString('base64'),
      'KEY_SERIAL_NUMBER',
    ],
    ['a cipher key', '0123456789ABCDEFFEDCBA9876543210', 'CIPHER_KEY'],
    ['an API key of ours', `pos_${randomBytes(32).toString('base64url')}`, 'API_KEY'],
    ['a bearer token', 'Authorization: Bearer abcdefghijklmnop1234', 'TOKEN'],
    ['a private key', '-----BEGIN EC PRIVATE KEY-----', 'PRIVATE_KEY'],
    ['a label', '"pinBlock":"1234"', 'LABELLED_CARD_DATA'],
  ])('finds %s, also in base64', (_, text, kind) => {
    const kinds = (bytes: string) => scanBytes(Buffer.from(`{"a":"${bytes}"}`)).map((finding) => finding.kind);
    expect(kinds(text.replaceAll('"', ' '))).toContain(kind);
    expect(kinds(Buffer.from(`<${text}>`).toString('base64'))).toContain(kind);
  });

  it('takes times, amounts, ids and hashes of our formats for nothing', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        fc.integer({ min: 0, max: 999_999_999 }),
        fc.nat(65_535),
        (time, amountMinor, port) => {
          const line = {
            ...{ time: time.toISOString(), amountMinor, transactionId: randomUUID(), port, batchNumber: port },
            ...{
              sha256: `sha256-${randomBytes(32).toString('base64')}`,
              route: '/v1/transaction/sale',
              durationMs: 12.5,
            },
            message: `terminal T1 at 192.168.100.200 answered ${port} in batch 17`,
          };
          expect(scanBytes(Buffer.from(`${JSON.stringify(line)}\n`.repeat(3)))).toEqual([]);
        },
      ),
      { seed, numRuns: 500 },
    );
  });

  it('does not take what it cannot read to its end for clean', () => {
    const whole = gzipSync(randomBytes(4_000).toString('hex'));
    const kinds = scanBytes(whole.subarray(0, 2_000)).map(({ kind }) => kind);
    expect(kinds).toContain('UNREADABLE');
  });
});

describe('the scanner of streams', () => {
  it(`finds a card number wherever the pieces are cut (seed ${seed})`, () => {
    fc.assert(
      fc.property(
        fc.nat(600_000),
        fc.integer({ min: 1_000, max: 90_000 }),
        fc.constantFrom(...cards),
        (at, step, pan) => {
          const bytes = Buffer.alloc(620_000, 'a line of the log\n');
          bytes.write(` ${pan} `, at);
          const scanner = createStreamScanner();
          for (let start = 0; start < bytes.length; start += step) scanner.write(bytes.subarray(start, start + step));
          const offsets = scanner.end().map(({ kind, offset }) => (kind === 'CARD_NUMBER' ? offset : at + 1));
          expect(new Set(offsets)).toEqual(new Set([at + 1]));
        },
      ),
      { seed, numRuns: 40 },
    );
  });
});
