import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openHostStore } from '../../../host/storage/open-host-store.ts';
import { runProgram } from '../../support/processes.ts';
import { openShop, sell } from '../store-fixture.ts';
import { balances, hledger, sumsByGroup, sumsOf } from '../support/hledger.ts';
import { simulatorControl } from '../support/simulator-control.ts';
import type { TestDatabase } from '../test-databases.ts';
import { admin, apiKey, bearer, call, demoOf, hostPrograms, purchase } from './host-program.ts';

/** The figures of a settlement, or of the totals, that hledger finds again. */
type Totals = Parameters<typeof sumsOf>[0];

/** What the admin command tells of the books of a host: the ledger, and what waits for a person. */
export function booksBattery(databases: TestDatabase): void {
  const programs = hostPrograms();
  const environmentOf = (database: string) => ({ TILL_HOST_DATABASE_URL: database });

  async function openHost() {
    const environment = environmentOf(await databases.create());
    const dataDir = programs.dataDir();
    const host = await programs.start(['--data-dir', dataDir, '--demo'], environment);
    const demo = demoOf(host);
    const post = async (
      path: string,
      key: string,
      body: object,
      headers: Record<string, string> = bearer(demo.deviceToken),
    ) => {
      const answer = await call(host, 'POST', path, { ...headers, 'idempotency-key': key }, body);
      expect(answer.status, answer.text).toBe(200);
      return answer.json();
    };
    return { environment, dataDir, host, demo, post, secret: apiKey(demo.secretKey) };
  }

  describe('admin export-ledger', () => {
    it('writes a journal while the host runs, whose balances are the settlements of the API', async () => {
      const { environment, dataDir, host, demo, post, secret } = await openHost();
      const { deviceId, terminalId, merchantId } = demo;
      const sale = async (key: string, amount: number) => {
        const { payment } = (await purchase(host, demo, key, amount)).json();
        return String(Object(payment).id);
      };
      const ofPayment = (id: string, what: string) => `/api/v1/terminal/payments/${id}/${what}`;
      const close = () =>
        post('/api/v1/terminal/reconciliation', `close-${randomUUID()}`, { deviceId, terminalId, closeDay: true });

      const refunded = await sale('one', 3_000_000_000);
      await post(`/v1/payments/${refunded}/refunds`, 'two', { amountMinor: 1200, currencyCode: 'EUR' }, secret);
      await post(ofPayment(await sale('three', 2500), 'void'), 'four', {});
      await sale('declined', 1051);
      const body = { deviceId, terminalId, amount: 20_000, currencyCode: 'EUR', entryMode: 'CONTACT' };
      const held = await post('/api/v1/terminal/transactions/authorize', 'five', {
        ...body,
        transactionType: 'pre_auth',
      });
      await post(ofPayment(String(Object(held.payment).id), 'capture'), 'six', { amountMinor: 18_500 });
      await close();
      await post('/api/v1/terminal/transactions/authorize', 'seven', { ...body, transactionType: 'pre_auth' });
      await close();
      await sale('eight', 700);

      const out = join(dataDir, 'ledger.journal');
      const exporting = ['export-ledger', '--merchant', merchantId, '--data-dir', dataDir];
      expect(await admin([...exporting, '--out', out], environment)).toEqual({ merchantId, file: out });
      expect(statSync(out).mode & 0o777).toBe(0o600);
      const journal = readFileSync(out, 'utf8');
      const shown = await runProgram('host/main', ['admin', ...exporting], environment);
      expect([shown.code, shown.output]).toEqual([0, journal]);

      hledger(journal, 'check', '--strict');
      const listed = (await call(host, 'GET', '/v1/settlements', secret)).json().data as readonly Totals[];
      expect(listed).toHaveLength(2);
      const [second, first] = listed;
      const of = (batchNumber: number) => sumsByGroup(journal, 'EUR', terminalId, batchNumber)('funded');
      expect(of(1)).toEqual([3_000_021_000, 1200, 2500]);
      expect(first && sumsOf(first)).toEqual(of(1));
      expect(second && sumsOf(second)).toEqual(of(2));
      const { totals } = (await call(host, 'GET', '/v1/reconciliation/totals', secret)).json();
      expect(sumsOf(totals as Totals)).toEqual(of(3));
      expect(balances(journal, 'EUR').get('holds:pre-auth')).toBe(0 - Object(totals).preAuthAmount);
      expect(Object(totals)).toMatchObject({ saleAmount: 700, preAuthAmount: 20_000 });
    });

    it('says why it writes nothing, and leaves no part of a file behind', async () => {
      const environment = environmentOf(await databases.create());
      const dataDir = programs.dataDir();
      mkdirSync(dataDir, { recursive: true });
      const run = (...args: readonly string[]) => admin([...args, '--data-dir', dataDir], environment);
      const { merchantId = '' } = await run('merchants', 'add', '--name', 'Shop');
      const exporting = ['export-ledger', '--merchant', merchantId];
      await expect(run('export-ledger')).rejects.toThrow('export-ledger needs --merchant');
      await expect(run('export-ledger', '--merchant', 'M-NONE', '--out', join(dataDir, 'a'))).rejects.toThrow(
        'no such merchant',
      );
      await expect(run(...exporting)).rejects.toThrow('it needs --out FILE');
      await expect(run(...exporting, '--out', join(dataDir, 'none', 'a'))).rejects.toThrow('cannot be written');
      await expect(run(...exporting, '--out', dataDir)).rejects.toThrow('cannot be written');
      expect(readdirSync(dataDir)).toEqual([]);
      expect(readdirSync(join(dataDir, '..')).filter((name) => name.endsWith('.part'))).toEqual([]);
      await run(...exporting, '--out', join(dataDir, 'empty.journal'));
      hledger(readFileSync(join(dataDir, 'empty.journal'), 'utf8'), 'check', '--strict');
    });
  });

  describe('admin recovery', () => {
    it('lists a payment of unknown outcome with its tries, until the acquirer has told', async () => {
      const { environment, dataDir, host, demo, secret } = await openHost();
      const control = simulatorControl(host.ready.simulator?.control ?? '');
      await control.next({ rule: 'drop-after-host', times: 1000 });
      const unknown = (await purchase(host, demo, 'one')).json();
      expect(unknown).toMatchObject({ approved: false, payment: { status: 'FAILED' } });
      const paymentId = Object(unknown.payment).id;
      const list = async (): Promise<unknown> => await admin(['recovery', '--data-dir', dataDir], environment);
      await vi.waitFor(async () => {
        expect(await list()).toMatchObject([
          {
            ...{ kind: 'TASK', merchantId: demo.merchantId, terminalId: demo.terminalId, paymentId },
            ...{ reason: 'NO_ANSWER', waitsFor: 'NEXT_TRY', taskId: expect.any(String), tries: expect.any(Number) },
          },
        ]);
      }, 30_000);

      await control.send('DELETE', '/next');
      // A person does not wait for the next try.
      await vi.waitFor(async () => {
        const asked = await call(host, 'POST', `/v1/payments/${paymentId}/recovery`, secret, { action: 'ASK' });
        expect(asked.json()).toMatchObject({ status: 'SUCCEEDED' });
      }, 30_000);
      expect(await list()).toEqual([]);
    });

    it('lists a task and a reversal that were tried six times as waiting for a person, of the merchant that was named', async () => {
      const database = await databases.create();
      const store = await openHostStore({ database, nowMs: Date.now() });
      const shop = await openShop(store);
      const { payment } = await sell(shop, 1000);
      const { merchantId, terminalId } = shop;
      const named = { merchantId, terminalId, paymentId: payment.id, nextAtMs: Date.now(), createdAtMs: Date.now() };
      await store.transact(async (unit) => {
        await unit.addReversal({ ...named, reason: 'NO_ANSWER' });
        await unit.openTask({ ...named, taskId: 'task-1', reason: 'REVERSAL' });
        for (let tries = 0; tries < 6; tries += 1) {
          const [reversal] = await unit.dueReversals(Number.MAX_SAFE_INTEGER, 1);
          if (reversal !== undefined) await unit.claimReversalAttempt(reversal, Date.now());
          const task = await unit.findTaskOf({ merchantId, paymentId: payment.id });
          if (task !== undefined) await unit.claimTaskAttempt(task, Date.now());
        }
      });
      await store.close();

      const list = async (...args: readonly string[]): Promise<unknown> =>
        await admin(['recovery', ...args, '--data-dir', programs.dataDir()], environmentOf(database));
      const row = { merchantId, terminalId, paymentId: payment.id, tries: 6, waitsFor: 'PERSON' };
      const rows = [
        { ...row, kind: 'TASK', taskId: 'task-1', reason: 'REVERSAL' },
        { ...row, kind: 'REVERSAL', reason: 'NO_ANSWER' },
      ];
      expect(await list()).toMatchObject(rows);
      expect(await list('--merchant', merchantId)).toMatchObject(rows);
      expect(await list('--merchant', 'M-OTHER')).toEqual([]);
      const table = await runProgram('host/main', ['admin', 'recovery'], environmentOf(database));
      expect(table.output.split('\n')[0]?.split('\t')).toEqual(
        expect.arrayContaining(['kind', 'paymentId', 'waitsFor']),
      );
    });
  });
}
