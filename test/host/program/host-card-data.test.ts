import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hostEndpoints } from '../../../app/contract/host/host-endpoints.ts';
import { filesBelow } from '../../support/files-below.ts';
import { apiKey, bearer, call, demoOf, type HostProgram, hostPrograms } from './host-program.ts';

/** Card data that no other test uses. */
const canary = {
  pan: '4929130412345675',
  track2: '5413330089010483=25121010000012345678',
  pinBlock: '041226C9D3E5A7B1',
  panEncrypted: 'C0FFEE1122334455667788990011AABB',
} as const;
const track2Pan = '5413330089010483';
const track2Bytes = `${track2Pan}D25121010000012345678F`;

/** How each might be written down: as text, as bytes, turned round, or once more encoded. */
function spellings(text: string): readonly Buffer[] {
  const isHex = /^([0-9A-Fa-f]{2})+$/.test(text);
  return [
    ...[text, text.toLowerCase(), Array.from(text).reverse().join('')].flatMap((each) => [
      Buffer.from(each),
      Buffer.from(each, 'utf16le'),
      Buffer.from(Buffer.from(each).toString('hex')),
      Buffer.from(Buffer.from(each).toString('base64').replace(/=+$/, '')),
    ]),
    Buffer.from(text.replace(/(.{4})(?=.)/g, '$1 ')),
    ...(isHex
      ? [Buffer.from(text, 'hex'), Buffer.from(Buffer.from(text, 'hex').toString('base64').replace(/=+$/, ''))]
      : []),
  ];
}

const needles = [canary.pan, track2Pan, canary.track2, track2Bytes, canary.pinBlock, canary.panEncrypted].flatMap(
  spellings,
);

function hitsIn(content: Buffer): readonly string[] {
  return needles.filter((needle) => content.includes(needle)).map((needle) => needle.toString('latin1'));
}

/** Every way in which an authorization may carry card data, well-formed or not. */
const cardFields: readonly object[] = [
  { applicationPan: canary.pan },
  { track2: canary.track2 },
  { applicationPan: canary.pan, pinBlock: canary.pinBlock, ksn: 'FFFF9876543210E00001' },
  { panEncrypted: canary.panEncrypted, accountDataKsn: 'FFFF9876543210E00002', accountDataKeyScheme: 'TDES_DUKPT' },
  { emvTlv: { '5A': canary.pan, '57': track2Bytes, '9F26': '1122334455667788' } },
  { emvTlv: { '9F10': canary.pan } },
  { cryptogram: canary.pan },
  { maskedPan: canary.pan, applicationPan: canary.pan },
  { applicationPan: canary.pan, panEncrypted: canary.panEncrypted },
  { pinBlock: canary.pinBlock },
  { referenceId: canary.pan },
  { metadata: { note: canary.pan } },
  { acceptanceMode: canary.pan },
  { cardNumber: canary.pan },
  { transactionId: canary.pan },
  { transactionType: 'refund', originalTransactionId: canary.pan, applicationPan: canary.pan },
];
const faults = [undefined, 'drop-after-host', 'wrong-amount', 'decline-51'];

describe('card data in a running host', () => {
  const programs = hostPrograms();

  async function authorize(host: HostProgram, change: object, path = '/api/v1/terminal/transactions/authorize') {
    const { deviceId, terminalId, deviceToken } = demoOf(host);
    const body = { deviceId, terminalId, amount: 1000, currencyCode: 'EUR', entryMode: 'CONTACT', ...change };
    const headers = { ...bearer(deviceToken), 'idempotency-key': randomUUID() };
    // A fault has cut the line to the acquirer; it is made again.
    for (;;) {
      const told = await call(host, 'POST', path, headers, body);
      if (!told.text.includes('HOST_UNREACHABLE')) return told;
    }
  }

  it('are in no file, no log and no answer, whatever is sent where', { timeout: 180_000 }, async () => {
    const dataDir = programs.dataDir();
    const host = await programs.start(['--demo', '--data-dir', dataDir]);
    const { deviceToken, secretKey } = demoOf(host);
    const answers: string[] = [];
    for (const fields of cardFields) {
      for (const simulate of faults) {
        const told = await authorize(host, {
          ...(simulate === undefined ? {} : { metadata: { simulate } }),
          ...fields,
        });
        answers.push(told.text);
      }
      answers.push((await authorize(host, fields, '/api/v1/terminal/transactions/offline-complete')).text);
    }
    for (const { path, method, credential } of hostEndpoints) {
      const url = `${path.replace(/\{[A-Za-z]+\}/g, canary.pan)}?cursor=${canary.pan}`;
      const headers = credential === 'secret' ? apiKey(secretKey) : bearer(deviceToken);
      const body = method === 'GET' ? undefined : { note: canary.track2, amountMinor: canary.pan };
      const keyed = {
        ...headers,
        'idempotency-key': canary.pan,
        'x-terminal-id': canary.pan,
        'x-request-id': canary.pan,
      };
      answers.push((await call(host, method, url, keyed, body)).text);
      answers.push((await call(host, method, path, bearer(canary.pan), body)).text);
      // A name that nobody knows is told to whoever sent it, and to nobody else.
      await call(host, method, `${url}&${canary.pan}=1`, keyed, body === undefined ? undefined : { [canary.pan]: 1 });
    }
    const approved = answers.filter((text) => text.includes('"approved":true'));
    expect(approved.length).toBeGreaterThan(4);
    // While it runs: the write-ahead log holds what the database file does not yet.
    const files = filesBelow(dataDir);
    expect(files.some(({ path }) => path.endsWith('host.db'))).toBe(true);
    expect(files.some(({ path }) => path.endsWith('.jsonl'))).toBe(true);
    for (const { path, content } of files) expect(hitsIn(content), path).toEqual([]);
    expect(hitsIn(Buffer.from(host.errors())), 'log').toEqual([]);
    for (const answer of answers) expect(hitsIn(Buffer.from(answer)), answer).toEqual([]);
  });

  it('would be found where they were written', () => {
    for (const text of [canary.pan, canary.track2, canary.pinBlock, canary.panEncrypted, track2Bytes]) {
      expect(hitsIn(Buffer.from(`{"x":"${text}"}`)).length).toBeGreaterThan(0);
      expect(hitsIn(Buffer.from(Buffer.from(text).toString('base64'))).length).toBeGreaterThan(0);
    }
    expect(hitsIn(Buffer.concat([Buffer.from('ab'), Buffer.from(canary.pan, 'hex')])).length).toBeGreaterThan(0);
  });
});
