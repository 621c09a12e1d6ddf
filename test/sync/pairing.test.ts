import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHostClients } from '../../app/config/host-clients.ts';
import { DEFAULT_OFFLINE_LIMITS } from '../../app/domain/offline-sales.ts';
import type { Journal } from '../../app/ports/journal.ts';
import { nodeIds } from '../../app/programs/node-ports.ts';
import { createJournal } from '../../app/storage/create-journal.ts';
import { createHostSide, type HostSide } from '../../app/sync/host-side.ts';
import { addPosClient, revokePosClient } from '../../host/admin/pos-clients.ts';
import { addMerchant, addTerminal, offerPairingCode } from '../../host/admin/provisioning.ts';
import { quietLog } from '../support/engine-harness.ts';
import { realClock } from '../support/zvt-clock.ts';
import { createMemoryVault, type MemoryVault } from './support/memory-vault.ts';
import { createScriptedReader } from './support/scripted-reader.ts';
import { openSyncBench, type SyncBench } from './support/sync-bench.ts';

let bench: SyncBench;
let folder: string;
let journal: Journal;
let vault: MemoryVault;
let side: HostSide;
beforeEach(async () => {
  bench = await openSyncBench();
  folder = mkdtempSync(join(tmpdir(), 'pairing-'));
  vault = createMemoryVault();
  journal = createJournal({ dataDir: folder, clock: realClock, log: quietLog, pid: process.pid });
  side = startSide(vault);
});
afterEach(async () => {
  side.stop();
  journal.close();
  await bench.stop();
  rmSync(folder, { recursive: true, force: true });
});

function startSide(of: MemoryVault): HostSide {
  const made = createHostSide({
    offlineLimits: () => DEFAULT_OFFLINE_LIMITS,
    ...{ journal, vault: of, clients: createHostClients(journal, realClock), training: true },
    ...{ clock: realClock, ids: nodeIds, log: quietLog },
  });
  made.complete(createScriptedReader('R1').terminal);
  return made;
}

const provisioning = () => ({ store: bench.store, clock: realClock, ids: nodeIds });
const hmac = (text: string) => createHmac('sha256', 'key of this bench').update(text).digest('hex');
async function codeFor({ merchantId, terminalId } = bench.demo as { merchantId: string; terminalId: string }) {
  return (await offerPairingCode(provisioning(), { merchantId, terminalId }, hmac)).pairingCode;
}
const pair = async (code: string) => await side.links.pair('R1', 'EUR', { url: bench.line.url, code });
const owe = () =>
  journal.commit((unit) =>
    unit.saveOutboxItem({
      ...{ terminalId: 'R1', transactionId: 't1', kind: 'REVERSAL', idempotencyKey: 'reversal-t1' },
      ...{ body: { originalTransactionId: 't1', reason: 'test' }, state: 'SET_ASIDE', attempts: 1 },
      ...{ nextAt: '2026-11-28T10:00:00Z', createdAt: '2026-11-28T10:00:00Z', updatedAt: '2026-11-28T10:00:00Z' },
    }),
  );

describe('a terminal of the till', () => {
  it('is paired by a code as people type it; its token is in the vault and nowhere else', async () => {
    const code = await codeFor();
    const link = await pair(` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `);
    expect(link).toMatchObject({
      state: 'ONLINE',
      pairing: { merchantId: bench.demo.merchantId, merchantName: 'Demo', terminalName: 'Demo terminal' },
      isSimulated: true,
    });
    expect(Math.abs(link.clockSkew?.skewMs ?? 9_999)).toBeLessThanOrEqual(link.clockSkew?.uncertaintyMs ?? 0);
    const [secret = ''] = vault.secrets.values();
    const token = (JSON.parse(secret) as { deviceToken: string }).deviceToken;
    expect(token).toMatch(/^dt_/);
    expect(JSON.stringify(link)).not.toContain(token);
    expect(journal.setting('host-pairing/R1')).not.toContain('dt_');
    await expect(pair(code)).rejects.toMatchObject({ code: 'PAIRING_CODE_INVALID' });
  });

  it('is told when its token was revoked, keeps what it owes, and goes on once it is paired again', async () => {
    await pair(await codeFor());
    await bench.store.transact((unit) => unit.setTerminalState(bench.demo, 'REVOKED', realClock.nowMs()));
    owe();
    expect(await side.links.check('R1')).toMatchObject({ state: 'REFUSED', owed: [{ transactionId: 't1' }] });
    const before = bench.line.calls.length;
    await expect(
      side.complete(createScriptedReader('R1').terminal).prepare(
        {
          ...({ transactionId: 't2', operation: 'SALE', currency: 'EUR', entryMode: 'AUTO' } as const),
          ...{ amountMinor: 1000, tipAmountMinor: 0, cashbackAmountMinor: 0 },
        },
        new AbortController().signal,
      ),
    ).rejects.toMatchObject({ code: 'HOST_UNREACHABLE', message: expect.stringContaining('pair it again') });
    expect(bench.line.calls.length).toBe(before);
    expect(await pair(await codeFor())).toMatchObject({ state: 'ONLINE', owed: [{ transactionId: 't1' }] });
  });

  it('knows after a restart who it is there without asking, for as long as the pairing is the same', async () => {
    const isKnown = () => side.links.list()[0]?.isKnown;
    const sale = {
      ...({ transactionId: 't2', operation: 'SALE', currency: 'EUR', entryMode: 'AUTO' } as const),
      ...{ amountMinor: 1000, tipAmountMinor: 0, cashbackAmountMinor: 0 },
    };
    expect(isKnown()).toBe(false);
    await pair(await codeFor());
    side.stop();
    side = startSide(vault);
    expect(isKnown()).toBe(true);
    const before = bench.line.calls.length;
    const reader = side.complete(createScriptedReader('R1').terminal);
    (await reader.prepare(sale, new AbortController().signal)).discard();
    expect(bench.line.calls.slice(before)).toEqual([]);
    expect(journal.setting('host-identity/R1')).not.toContain('dt_');
    const { told } = JSON.parse(journal.setting('host-identity/R1') ?? '{}');
    expect(told.businessDay).toEqual({ timeZone: expect.any(String), cutOff: '00:00' });
    const again = { ...side.links.list()[0]?.pairing, pairedAt: '2027-01-01T00:00:00.000Z' };
    journal.commit((unit) => unit.saveSetting('host-pairing/R1', JSON.stringify(again)));
    expect(isKnown()).toBe(false);
  });

  it('is lost to the till that pairs the same terminal after it', async () => {
    await pair(await codeFor());
    const here = side;
    const moved = await vault.read([...vault.secrets.keys()][0] ?? '');
    await pair(await codeFor());
    const [name = ''] = vault.secrets.keys();
    await vault.keep(name, moved ?? '');
    side.stop();
    side = startSide(vault);
    expect(here).not.toBe(side);
    expect((await side.links.check('R1')).state).toBe('REFUSED');
    side.stop();
    side = startSide(createMemoryVault());
    expect((await side.links.check('R1')).state).toBe('TOKEN_MISSING');
  });

  it('is paired anew as the same terminal only, and unpaired only when nothing is owed', async () => {
    await pair(await codeFor());
    const { merchantId } = await addMerchant(provisioning(), { name: 'Other' });
    const terminal = await addTerminal(provisioning(), { merchantId, name: 'Lane', currency: 'EUR' });
    const code = await codeFor(terminal);
    await expect(pair(code)).rejects.toMatchObject({ code: 'ILLEGAL_STATE', field: 'merchantId' });
    owe();
    await expect(side.links.unpair('R1')).rejects.toMatchObject({ code: 'ILLEGAL_STATE', field: 'owed' });
    journal.commit((unit) => unit.settleOutbox('t1', '2026-11-28T10:00:00Z'));
    expect(await side.links.unpair('R1')).toMatchObject({ state: 'NOT_PAIRED' });
    expect([...vault.secrets.values()]).toEqual(['']);
    // The code was not used up.
    expect(await pair(code)).toMatchObject({ state: 'ONLINE', pairing: { merchantId } });
  });

  it('takes the POS clients of its merchant, and lets go of what is revoked there', async () => {
    const { merchantId } = bench.demo;
    const own = { clientId: 'own', name: 'Front', keyHash: 'a'.repeat(64), createdAt: '2026-11-28T10:00:00.000Z' };
    journal.commit((unit) => unit.saveClient({ ...own, trainingOnly: false }));
    const { client } = await addPosClient(provisioning(), { merchantId, name: 'Front' });
    await pair(await codeFor());
    const clients = () => Object.fromEntries(journal.listClients().map((each) => [each.clientId, each]));
    await vi.waitFor(() =>
      expect(clients()[client.clientId]).toMatchObject({ name: 'Front - host', keyHash: client.keyHash, merchantId }),
    );
    await revokePosClient(provisioning(), { merchantId, name: 'Front' });
    await side.links.check('R1');
    expect(clients()[client.clientId]?.revokedAt).toBeDefined();
    expect(clients().own).toEqual({ ...own, trainingOnly: false });
  });
});
