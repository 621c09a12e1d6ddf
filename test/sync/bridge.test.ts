import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSettings } from '../../app/config/settings-store.ts';
import { createBridge } from '../../app/create-bridge.ts';
import { Secret } from '../../app/domain/secret.ts';
import { nodeIds } from '../../app/programs/node-ports.ts';
import { realClock } from '../support/zvt-clock.ts';
import { createScriptedReader } from './support/scripted-reader.ts';
import { openSyncBench, type SyncBench } from './support/sync-bench.ts';

let bench: SyncBench;
let folder: string;
beforeEach(async () => {
  bench = await openSyncBench();
  folder = mkdtempSync(join(tmpdir(), 'bridge-'));
});
afterEach(async () => {
  await bench.stop();
  rmSync(folder, { recursive: true, force: true });
});

const unused = () => Promise.reject(new Error('not used here'));

it('a till with a reader and a host sells over its API, and arms its reader for faults only', async () => {
  const armed: string[] = [];
  const training = () => ({
    arm: async (rule: string) => void armed.push(rule),
    disarm: async () => undefined,
    ...{ look: unused, act: unused, takeInHand: unused, letGo: unused, watch: () => () => undefined },
  });
  const key = `pos_${'a'.repeat(43)}`;
  const bridge = await createBridge({
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
    createTerminals: async () => [{ terminal: createScriptedReader('R9').terminal, currency: 'EUR', training }],
    host: () => ({ url: bench.line.url, deviceToken: new Secret(bench.demo.deviceToken) }),
    printers: { open: unused, describe: unused } as never,
    terminalSetup: { isChangedNow: false, createFinder: async () => ({}) as never, createTerminal: unused },
    vault: { read: async () => undefined, keep: async () => undefined },
    runProgram: unused as never,
  });
  const { posUrl } = await bridge.start();
  try {
    const sell = async (body: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const sale = JSON.stringify({ type: 'SALE', currency: 'EUR', ...body });
      const answer = await fetch(`${posUrl}/v1/transaction/sale`, { method: 'POST', headers, body: sale });
      return await answer.json();
    };
    expect(await sell({ amount: 1000 })).toMatchObject({ status: 'APPROVED', simulated: true });
    const declined = await sell({ amount: 1000, metadata: { simulate: 'decline-51' } });
    expect(declined).toMatchObject({ status: 'DECLINED', responseCode: '51', simulatedRule: 'decline-51' });
    expect(await sell({ amount: 1054 })).toMatchObject({ status: 'DECLINED', responseCode: '54' });
    expect(armed).toEqual([]);
    await sell({ amount: 1000, metadata: { simulate: 'slow' } });
    expect(armed).toEqual(['slow']);
  } finally {
    await bridge.stop();
  }
});
