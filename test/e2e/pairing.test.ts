// A host, its admin command, a till with a terminal and the command that pairs the two, as the programs that they are.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { PaymentSessionDetail } from '../../app/contract/host/payment-session.ts';
import { nodeIds } from '../../app/programs/node-ports.ts';
import { createNodeVault } from '../../main/node-vault.ts';
import {
  endProgram,
  type Program,
  runProgram,
  startProgram,
  startVirtualTerminal,
  type TillReady,
  temporaryFolder,
  type VirtualTerminalReady,
} from '../support/processes.ts';

interface HostReady {
  readonly baseUrl: string;
  readonly demo: Readonly<Record<'merchantId' | 'secretKey', string>>;
}

const PROGRAMS_MS = 240_000;
const WAIT = { timeout: 90_000, interval: 250 };
const folder = temporaryFolder();
const hostDir = join(folder.path, 'host');
const tillDir = join(folder.path, 'till');
let host: Program<HostReady>;
let terminal: Program<VirtualTerminalReady>;
let till: Program<TillReady>;
let posKey = '';
/** Of the terminal at the host. */
let terminalId = '';

async function command(program: string, ...args: readonly string[]): Promise<string> {
  const { code, output, errors } = await runProgram(program, args);
  expect(code, errors).toBe(0);
  return output;
}
const admin = async (...args: readonly string[]) =>
  JSON.parse(await command('host/main', 'admin', ...args, '--data-dir', hostDir, '--json')) as Record<string, string>;
const ofTerminal = () => ['--merchant', host.ready.demo.merchantId, '--terminal', terminalId] as const;

async function pair(...args: readonly string[]) {
  const { pairingCode = '' } = await admin('pairing-codes', 'add', ...ofTerminal());
  return await runProgram('main/pair', [pairingCode, '--terminal', 'T1', '--data-dir', tillDir, ...args]);
}

async function ask<T>(url: string, key: string, body?: object, idempotencyKey = crypto.randomUUID()): Promise<T> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
const sell = (amount: number) =>
  ask<{ status: string }>(`${till.ready.posUrl}/v1/transaction/sale`, posKey, {
    type: 'SALE',
    amount,
    currency: 'EUR',
  });
const merchant = <T>(path: string, body?: object) =>
  ask<T>(`${host.ready.baseUrl}${path}`, host.ready.demo.secretKey, body);
const amountsAtHost = async () =>
  (await merchant<{ data: { amountMinor: number }[] }>('/v1/payments?limit=20')).data.map((each) => each.amountMinor);
const hostHas = (amounts: readonly number[]) =>
  vi.waitFor(async () => expect((await amountsAtHost()).toSorted((a, b) => a - b)).toEqual(amounts), WAIT);

beforeAll(async () => {
  host = await startProgram<HostReady>('host/main', ['--port', '0', '--data-dir', hostDir, '--demo']);
  const { merchantId } = host.ready.demo;
  const added = await admin('terminals', 'add', '--merchant', merchantId, '--name', 'Till 2', '--currency', 'EUR');
  terminalId = added.terminalId ?? '';
  terminal = await startVirtualTerminal(['--tcp', '0', '--book', join(folder.path, 'book.jsonl'), '--think-ms', '0']);
  const url = `zvt+tcp://127.0.0.1:${terminal.ready.tcp}?currency=EUR`;
  till = await startProgram('main/headless', ['--headless', '--port', '0', '--data-dir', tillDir, '--terminal', url]);
  posKey = (await command('main/keys', 'create', 'POS', '--data-dir', tillDir)).match(/pos_[\w-]+/)?.[0] ?? '';
}, PROGRAMS_MS);
afterAll(async () => {
  await endProgram(till);
  await endProgram(terminal);
  await endProgram(host);
  folder.remove();
}, PROGRAMS_MS);

it(
  'tells the host nothing before it is paired, and everything from then on',
  async () => {
    expect((await sell(1_000)).status).toBe('APPROVED');
    const paired = await pair('--host', host.ready.baseUrl);
    expect(paired.output, paired.errors).toContain(`T1 is paired with ${host.ready.baseUrl} as Till 2 (${terminalId})`);
    expect((await sell(2_500)).status).toBe('APPROVED');
    await hostHas([2_500]);
  },
  PROGRAMS_MS,
);

it(
  'takes no code twice, and no other one',
  async () => {
    const wrong = await runProgram('main/pair', ['AAAAAAAA', '--terminal', 'T1', '--data-dir', tillDir]);
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
    const of = ['--merchant', host.ready.demo.merchantId, '--name', 'Web shop'];
    const { key = '' } = await admin('pos-clients', 'add', ...of);
    const health = `${till.ready.posUrl}/v1/device/health`;
    await vi.waitFor(() => ask(health, key), WAIT);
    await admin('pos-clients', 'revoke', ...of);
    await vi.waitFor(() => expect(ask(health, key)).rejects.toThrow('401'), WAIT);
    expect((await sell(2_700)).status).toBe('APPROVED');
  },
  PROGRAMS_MS,
);

it(
  'is woken by the host for what the merchant’s server orders',
  async () => {
    const { merchantId } = host.ready.demo;
    const order = { merchantId, terminalId, operation: 'PURCHASE', amountMinor: 3_300, currencyCode: 'EUR' };
    const { id } = await merchant<{ id: string }>('/v1/terminal/payment-sessions', order);
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
    await admin('terminals', 'revoke', ...ofTerminal());
    expect((await sell(4_000)).status).toBe('APPROVED');
    await vi.waitFor(() => expect(till.errors()).toContain('it no longer takes the device token'), WAIT);
    expect(await amountsAtHost()).not.toContain(4_000);
    const { code, errors } = await pair();
    expect(code, errors).toBe(0);
    await hostHas([2_500, 2_600, 2_700, 3_300, 4_000]);
  },
  PROGRAMS_MS,
);

it('keeps the token sealed in the vault, and nowhere else', async () => {
  const vaultDir = join(tillDir, 'vault');
  const [sealed = ''] = readdirSync(vaultDir).filter((name) => name.startsWith('device-token-'));
  const secret = await createNodeVault(vaultDir, nodeIds).read(sealed.replace(/\.sealed$/, ''));
  const { deviceToken } = JSON.parse(secret ?? '{}') as { readonly deviceToken: string };
  expect(deviceToken).toMatch(/^dt_/);
  const files = readdirSync(tillDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  expect([...texts, till.errors()].filter((text) => text.includes(deviceToken))).toEqual([]);
});
