import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Payment } from '../../app/contract/host/payment.ts';
import { nodeIds } from '../../app/programs/node-ports.ts';
import type { HostStore } from '../../host/ports/host-store.ts';
import { credentialHash, newCredential } from '../../host/services/credentials.ts';
import type { BookSummary } from '../../host/simulator/standing.ts';
import { openHostStore } from '../../host/storage/open-host-store.ts';
import { simulatorControl } from '../host/support/simulator-control.ts';
import { until } from '../host/support/until.ts';
import { endProgram, type Program, startProgram } from '../support/processes.ts';
import { projectRoot } from '../support/project-root.ts';

interface SimulatorReady {
  readonly port: number;
  readonly controlUrl: string;
}

interface HostChild {
  readonly process: ChildProcess;
  readonly baseUrl: string;
}

/** What a call is answered; nothing when the host died under it. */
export interface Told {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** A merchant with a terminal of its own, so that operations do not meet. */
export interface Shop {
  readonly merchantId: string;
  readonly terminalId: string;
  readonly deviceToken: string;
  readonly secretKey: string;
}

/** A host that is killed, its database, and the book of the acquirer, which is a process of its own and judges. */
export interface HostKillRig {
  openShop(): Promise<Shop>;
  device(shop: Shop, path: string, body: object, key?: string): Promise<Told | undefined>;
  server(shop: Shop, path: string, body: object, key?: string): Promise<Told | undefined>;
  /** Kills the host at the n-th place from now on (from 1). @returns the places that were passed before */
  arm(dieAt?: number): Promise<readonly string[]>;
  /** Whether it has died, and where. */
  diedAt(): string | undefined;
  /** Starts another host on the same database, when the last one has died. */
  revive(): Promise<void>;
  /** Everything of the shop that is left open has come to its end. */
  settled(shop: Shop): Promise<void>;
  /** Fails unless payments, entries and totals of the shop are those of the book. */
  audit(shop: Shop): Promise<Audit>;
  close(): Promise<void>;
}

interface Audit {
  readonly payments: readonly Payment[];
  readonly lane: BookSummary['standing'][number] | undefined;
  readonly messages: BookSummary['messages'];
  readonly conflicts: number;
  readonly hostNetMinor: number;
  readonly hostHeldMinor: number;
}

export async function createHostKillRig(database?: string): Promise<HostKillRig> {
  const folder = mkdtempSync(join(tmpdir(), 'host-kill-'));
  const url = database ?? `sqlite:${join(folder, 'host.db')}`;
  const simulator: Program<SimulatorReady> = await startProgram('host/simulator/main', [
    '--book',
    join(folder, 'book.jsonl'),
  ]);
  const control = simulatorControl(simulator.ready.controlUrl);
  const store: HostStore = await openHostStore({ database: url, nowMs: Date.now() });
  let deathPlace: string | undefined;
  let host = await startHost();

  async function startHost(): Promise<HostChild> {
    const child = fork(join(projectRoot, 'dist', 'test/crash/host-child.js'), [url, String(simulator.ready.port)], {
      execArgv: ['--enable-source-maps'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let errors = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    const first = await Promise.race([
      once(child, 'message').then(([message]) => message as { baseUrl: string }),
      once(child, 'exit').then(() => Promise.reject(new Error(`the host did not start:\n${errors}`))),
    ]);
    child.on('message', (message: { readonly at?: string }) => {
      if (message.at !== undefined) deathPlace = message.at;
    });
    return { process: child, baseUrl: first.baseUrl };
  }

  const call = async (path: string, body: object, headers: Record<string, string>): Promise<Told | undefined> => {
    try {
      const answer = await fetch(`${host.baseUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    } catch {
      return undefined;
    }
  };
  const keyed = (key: string | undefined): Record<string, string> =>
    key === undefined ? {} : { 'idempotency-key': key };

  return {
    async openShop() {
      const merchantId = `M-${randomUUID()}`;
      const terminalId = 'T-1';
      const deviceToken = newCredential(nodeIds, 'DEVICE');
      const secretKey = newCredential(nodeIds, 'SECRET');
      const nowMs = Date.now();
      const selector = randomUUID().slice(0, 8);
      await store.transact(async (unit) => {
        await unit.addMerchant({ merchantId, name: 'Shop', createdAtMs: nowMs });
        await unit.addTerminal({
          merchantId,
          terminalId,
          deviceId: 'D-1',
          name: 'Lane',
          currency: 'EUR',
          createdAtMs: nowMs,
        });
        const code = { merchantId, terminalId, selector, codeHash: selector, expiresAtMs: nowMs + 60_000 };
        await unit.offerPairingCode(code, nowMs);
        await unit.tryPairing({ selector, codeHash: selector, expected: {} }, credentialHash(deviceToken), nowMs);
        const key = { merchantId, keyId: randomUUID(), kind: 'SECRET', name: 'server', createdAtMs: nowMs } as const;
        await unit.addKey({ ...key, keyHash: credentialHash(secretKey) });
      });
      return { merchantId, terminalId, deviceToken, secretKey };
    },
    device: (shop, path, body, key) => call(path, body, { authorization: `Bearer ${shop.deviceToken}`, ...keyed(key) }),
    server: (shop, path, body, key) => call(path, body, { 'x-api-key': shop.secretKey, ...keyed(key) }),
    async arm(dieAt) {
      const answer = once(host.process, 'message');
      host.process.send(dieAt === undefined ? {} : { dieAt });
      const [message] = (await answer) as [{ passed: readonly string[] }];
      return message.passed;
    },
    diedAt: () => deathPlace,
    async revive() {
      if (deathPlace === undefined) return;
      const { process: child } = host;
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      deathPlace = undefined;
      host = await startHost();
    },
    async settled({ merchantId, terminalId }) {
      const isOpen = async () => {
        const [tasks, reversals, closes] = await Promise.all([
          store.read.openTasks(merchantId, 10),
          store.read.openReversals({ merchantId, terminalId }),
          store.read.listSettlements({ merchantId, limit: 100 }),
        ]);
        const { rows } = await store.read.listPayments({ merchantId, limit: 100 });
        const isRunning = rows.some(
          ({ payment, operation }) => ['PROCESSING', 'FAILED'].includes(payment.status) || operation !== undefined,
        );
        const isPending = closes.rows.some(({ status }) => status === 'PENDING');
        return tasks.length + reversals.length > 0 || isRunning || isPending;
      };
      await until(async () => !(await isOpen()));
    },
    async audit({ merchantId, terminalId }) {
      const [{ rows }, book, open, holds] = await Promise.all([
        store.read.listPayments({ merchantId, limit: 100 }),
        control.book(),
        store.read.openTotals({ merchantId, terminalId }),
        store.read.listPayments({ merchantId, status: 'REQUIRES_CAPTURE', limit: 100 }),
      ]);
      const settled = await store.read.listSettlements({ merchantId, limit: 100 });
      const nets = [open, ...settled.rows.map(({ totals }) => totals)].map(
        ({ funded }) => funded.saleAmount - funded.voidAmount - funded.refundAmount,
      );
      return {
        payments: rows.map(({ payment }) => payment),
        lane: book.standing.find((lane) => lane.merchantId === merchantId),
        messages: book.messages,
        conflicts: book.conflicts,
        hostNetMinor: nets.reduce((sum, net) => sum + net, 0),
        hostHeldMinor: holds.rows.reduce((sum, { payment }) => sum + payment.amountMinor, 0),
      };
    },
    async close() {
      host.process.kill('SIGKILL');
      await store.close();
      await endProgram(simulator);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
