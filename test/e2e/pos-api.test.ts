// The POS API over two programs, a till and its host, at each of its addresses.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { openPairedShop, type PairedShop } from '../support/paired-shop.ts';
import { createPos } from '../support/pos.ts';
import { temporaryFolder } from '../support/processes.ts';
import { type PosApiAddress, posApiBattery } from './pos-api-battery.ts';

const PROGRAMS_MS = 240_000;
const WAIT = { timeout: 90_000, interval: 250 };
const folder = temporaryFolder();

interface Place {
  readonly shop: PairedShop;
  /** Made at the host: it opens both addresses. */
  readonly key: string;
}
let own: Place;
let reader: Place;

async function openPlace(kind: 'OWN_ACQUIRER' | 'READER'): Promise<Place> {
  const shop = await openPairedShop(join(folder.path, kind), { kind });
  const { key = '' } = await shop.admin('pos-clients', 'add', '--merchant', shop.merchantId, '--name', 'Web shop');
  // The till is told of it, and the terminal is free.
  await vi.waitFor(async () => {
    const { status, body } = await createPos(shop.till().ready.posUrl, key).get('/v1/device/health');
    expect([status, body.state]).toEqual([200, 'IDLE']);
  }, WAIT);
  return { shop, key };
}

beforeAll(async () => {
  own = await openPlace('OWN_ACQUIRER');
  reader = await openPlace('READER');
}, PROGRAMS_MS);
afterAll(async () => {
  await own?.shop.close();
  await reader?.shop.close();
  folder.remove();
}, PROGRAMS_MS);

const atTill = ({ shop, key }: Place): PosApiAddress => {
  const url = shop.till().ready.posUrl;
  return { url, key, terminalId: 'T1', pos: createPos(url, key), terminal: shop.terminal };
};

const atCloud = ({ shop, key }: Place): PosApiAddress => {
  const url = shop.host().ready.baseUrl;
  return { url, key, terminalId: shop.terminalId, pos: createPos(url, key), terminal: shop.terminal };
};

describe('every row of the POS API table at {terminal_url}', () => {
  posApiBattery({ own: () => atTill(own), reader: () => atTill(reader) });
});

describe('every row of the POS API table at {cloud_url}', () => {
  posApiBattery({ own: () => atCloud(own), reader: () => atCloud(reader) });
});
