// A POS with an acquirer of its own, over the till's REST API, at a reader on USB: from /initiate to /complete.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSettings } from '../../app/config/settings-store.ts';
import type { TransactionResponse } from '../../app/contract/transactions.ts';
import { type Bridge, createBridge } from '../../app/create-bridge.ts';
import { nodeIds } from '../../app/programs/node-ports.ts';
import { createTerminal, parseTerminalUrl } from '../../drivers/registry.ts';
import { createTestIssuer } from '../drivers/test-issuer.ts';
import { realClock } from '../support/zvt-clock.ts';
import { type HidReader, startHidReader } from '../virtual/neo2/hid-reader.ts';

const key = `pos_${'a'.repeat(43)}`;
const unused = () => Promise.reject(new Error('not used here'));

let folder: string;
let reader: HidReader;
let bridge: Bridge;
let posUrl: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'granular-hid-'));
  reader = await startHidReader();
  bridge = await createBridge({
    dataDir: folder,
    settings: openSettings(folder),
    training: true,
    trainingKey: key,
    version: 'test',
    pid: process.pid,
    listen: { host: '127.0.0.1', port: 0 },
    console: { listen: { host: '127.0.0.1', port: 0 }, filesDir: folder },
    clock: realClock,
    ids: nodeIds,
    portHolder: async () => undefined,
    async createTerminals(log) {
      const address = parseTerminalUrl('neo2+hid://0ACD:3810/123T456789?currency=EUR');
      const loadHidLibrary = async () => reader.hid.library;
      return [
        {
          terminal: await createTerminal(address, { terminalId: 'R1', clock: realClock, log, loadHidLibrary }),
          currency: 'EUR',
        },
      ];
    },
    printers: { open: unused, describe: unused } as never,
    terminalSetup: { isChangedNow: false, createFinder: async () => ({}) as never, createTerminal: unused },
    vault: { read: async () => undefined, keep: async () => undefined },
    runProgram: unused as never,
  });
  ({ posUrl } = await bridge.start());
  await expect.poll(() => bridge.terminals[0]?.terminal.status().state, { timeout: 20_000 }).toBe('IDLE');
});

afterEach(async () => {
  await bridge.stop();
  await reader.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function post(path: string, body: object): Promise<TransactionResponse> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${posUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await answer.json()) as TransactionResponse;
}

/** A chip sale with PIN up to the question to the issuer, and the issuer's answer to it. */
async function initiate() {
  const sale = { type: 'SALE', amount: 12_000, currency: 'EUR', entryMode: 'CONTACT' };
  const { transactionId, status, chipData, cvmResult } = await post('/v1/transaction/initiate', sale);
  expect({ status, cvmResult }).toEqual({ status: 'PENDING_ONLINE', cvmResult: 'ONLINE_PIN' });
  if (chipData === undefined) throw new Error('the card gave nothing');
  expect(chipData).toMatchObject({ pinBlockFormat: 'ISO_0', emvTags: { '9F02': '000000012000', '9F27': '80' } });
  expect(chipData.encryptedPinBlock).toMatch(/^[0-9A-F]{16}$/);
  const issuer = createTestIssuer(reader.book);
  const { issuerAuthData, ...answer } = issuer.answer({ kind: 'PENDING_ONLINE', chipData, card: {} });
  if (issuerAuthData === undefined) throw new Error('the issuer gave no tag 91');
  return { answer: { ...answer, transactionId }, issuerAuthData };
}

it('a chip sale with online PIN is approved by the issuer and completed by the card', async () => {
  const { answer, issuerAuthData } = await initiate();
  const done = await post('/v1/transaction/complete', { ...answer, issuerAuthData });
  expect(done).toMatchObject({
    ...{ status: 'APPROVED', cryptogramType: 'TC', cvmResult: 'ONLINE_PIN', entryMode: 'CONTACT' },
    ...{ authorizationCode: '123456', outcome: { charged: 'YES' } },
  });
  expect(done).not.toHaveProperty('chipData');
  expect(reader.book().approved).toMatchObject({ charges: { count: 1, sumMinor: 12_000 } });
});

it('a wrong tag 91 is refused by the card, and the POS is told to take its authorization back', async () => {
  const { answer, issuerAuthData } = await initiate();
  const wrong = issuerAuthData.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
  const done = await post('/v1/transaction/complete', { ...answer, issuerAuthData: wrong });
  expect(done).toMatchObject({ status: 'DECLINED', outcome: { charged: 'NO', safeToRetry: false } });
  expect(done.outcome?.evidence).toContain('Reverse the authorization');
  expect(reader.book().approved).toMatchObject({ charges: { count: 0 } });
});

it('a reader unplugged before the answer leaves the card step lost, never declined, and is found again under another path', async () => {
  const { answer, issuerAuthData } = await initiate();
  reader.hid.unplug();
  const done = await post('/v1/transaction/complete', { ...answer, issuerAuthData });
  expect(done).toMatchObject({ status: 'ERROR', errorCode: 'OUTCOME_UNKNOWN', outcome: { charged: 'UNKNOWN' } });
  expect(done.outcome?.evidence).toContain('Reverse the authorization');
  reader.hid.plug();
  await expect.poll(() => bridge.terminals[0]?.terminal.status().state, { timeout: 20_000 }).toBe('IDLE');
  expect((await initiate()).issuerAuthData).toMatch(/^[0-9A-F]{16,32}$/);
});
