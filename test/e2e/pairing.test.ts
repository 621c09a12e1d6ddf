// A host, its admin command, a till with a terminal and the command that pairs the two, as the programs that they are.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { PaymentSessionDetail } from '../../app/contract/host/payment-session.ts';
import { nodeIds } from '../../app/programs/node-ports.ts';
import { createNodeVault } from '../../main/node-vault.ts';
import { openPairedShop, type PairedShop } from '../support/paired-shop.ts';
import { createPos, type PosAnswer } from '../support/pos.ts';
import { runProgram, temporaryFolder } from '../support/processes.ts';

const PROGRAMS_MS = 240_000;
const WAIT = { timeout: 90_000, interval: 250 };
const folder = temporaryFolder();
let shop: PairedShop;

const ofTerminal = () => ['--merchant', shop.merchantId, '--terminal', shop.terminalId] as const;

function bodyOf<T>({ status, text }: PosAnswer): T {
  if (status !== 200) throw new Error(`${status} ${text}`);
  return JSON.parse(text) as T;
}
const newKey = () => ({ 'idempotency-key': crypto.randomUUID() });
const sell = async (amount: number) => {
  const sale = { type: 'SALE', amount, currency: 'EUR' };
  return bodyOf<{ status: string }>(await shop.pos().post('/v1/transaction/sale', sale, newKey()));
};
const merchant = async <T>(path: string) => bodyOf<T>(await shop.merchant().get(path));
const amountsAtHost = async () =>
  (await merchant<{ data: { amountMinor: number }[] }>('/v1/payments?limit=20')).data.map((each) => each.amountMinor);
const hostHas = (amounts: readonly number[]) =>
  vi.waitFor(async () => expect((await amountsAtHost()).toSorted((a, b) => a - b)).toEqual(amounts), WAIT);

beforeAll(async () => {
  shop = await openPairedShop(folder.path, { isPaired: false });
}, PROGRAMS_MS);
afterAll(async () => {
  await shop?.close();
  folder.remove();
}, PROGRAMS_MS);

it(
  'tells the host nothing before it is paired, and everything from then on',
  async () => {
    expect((await sell(1_000)).status).toBe('APPROVED');
    const paired = await shop.pair('--host', shop.host().ready.baseUrl);
    expect(paired.output, paired.errors).toContain(
      `T1 is paired with ${shop.host().ready.baseUrl} as Till 2 (${shop.terminalId})`,
    );
    expect((await sell(2_500)).status).toBe('APPROVED');
    await hostHas([2_500]);
  },
  PROGRAMS_MS,
);

it(
  'takes no code twice, and no other one',
  async () => {
    const wrong = await runProgram('main/pair', ['AAAAAAAA', '--terminal', 'T1', '--data-dir', shop.tillDir]);
    expect(wrong.code).toBe(1);
    expect(wrong.errors).toContain('the pairing code is not valid');
    expect((await sell(2_600)).status).toBe('APPROVED');
    await hostHas([2_500, 2_600]);
  },
  PROGRAMS_MS,
);

it(
  'lets in a POS whose key was made at the host, until it is revoked there',
  async () => {
    const of = ['--merchant', shop.merchantId, '--name', 'Web shop'];
    const { key = '' } = await shop.admin('pos-clients', 'add', ...of);
    const health = async () => (await createPos(shop.till().ready.posUrl, key).get('/v1/device/health')).status;
    await vi.waitFor(async () => expect(await health()).toBe(200), WAIT);
    await shop.admin('pos-clients', 'revoke', ...of);
    await vi.waitFor(async () => expect(await health()).toBe(401), WAIT);
    expect((await sell(2_700)).status).toBe('APPROVED');
  },
  PROGRAMS_MS,
);

it(
  'is woken by the host for what the merchant’s server orders',
  async () => {
    const { merchantId, terminalId } = shop;
    const order = { merchantId, terminalId, operation: 'PURCHASE', amountMinor: 3_300, currencyCode: 'EUR' };
    const { id } = bodyOf<{ id: string }>(await shop.merchant().post('/v1/terminal/payment-sessions', order, newKey()));
    await vi.waitFor(async () => {
      const { session } = await merchant<PaymentSessionDetail>(`/v1/terminal/payment-sessions/${id}`);
      expect(session.status).toBe('SUCCEEDED');
    }, WAIT);
    await hostHas([2_500, 2_600, 2_700, 3_300]);
  },
  PROGRAMS_MS,
);

it(
  'sells on when its token was revoked, keeps what it owes, and tells it after pairing anew',
  async () => {
    await shop.admin('terminals', 'revoke', ...ofTerminal());
    expect((await sell(4_000)).status).toBe('APPROVED');
    await vi.waitFor(() => expect(shop.till().errors()).toContain('it no longer takes the device token'), WAIT);
    expect(await amountsAtHost()).not.toContain(4_000);
    const { code, errors } = await shop.pair();
    expect(code, errors).toBe(0);
    await hostHas([2_500, 2_600, 2_700, 3_300, 4_000]);
  },
  PROGRAMS_MS,
);

it('keeps the token sealed in the vault, and nowhere else', async () => {
  const vaultDir = join(shop.tillDir, 'vault');
  const [sealed = ''] = readdirSync(vaultDir).filter((name) => name.startsWith('device-token-'));
  const secret = await createNodeVault(vaultDir, nodeIds).read(sealed.replace(/\.sealed$/, ''));
  const { deviceToken } = JSON.parse(secret ?? '{}') as { readonly deviceToken: string };
  expect(deviceToken).toMatch(/^dt_/);
  const files = readdirSync(shop.tillDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  expect([...texts, shop.till().errors()].filter((text) => text.includes(deviceToken))).toEqual([]);
});
