import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_OFFLINE_LIMITS } from '../../app/domain/offline-sales.ts';
import type { HostAccess } from '../../app/ports/host-client.ts';
import type { Journal } from '../../app/ports/journal.ts';
import type { Terminal } from '../../app/ports/terminal.ts';
import { nodeIds } from '../../app/programs/node-ports.ts';
import { createJournal } from '../../app/storage/create-journal.ts';
import { createHostSide, type HostSide } from '../../app/sync/host-side.ts';
import { quietLog } from '../support/engine-harness.ts';
import { createMemoryDevice } from '../support/memory-terminal.ts';
import { realClock } from '../support/zvt-clock.ts';
import { createMemoryVault } from './support/memory-vault.ts';
import { createScriptedReader } from './support/scripted-reader.ts';

let folder: string;
let journal: Journal;
let side: HostSide;
const noClients = { version: () => undefined, take: () => undefined, release: () => undefined };
const startSide = (access?: () => HostAccess | undefined) =>
  createHostSide({
    offlineLimits: () => DEFAULT_OFFLINE_LIMITS,
    ...{ journal, access, clients: noClients, vault: createMemoryVault(), training: true },
    ...{ clock: realClock, ids: nodeIds, log: quietLog },
  });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'host-side-'));
  journal = createJournal({ dataDir: folder, clock: realClock, log: quietLog, pid: process.pid });
  side = startSide(() => undefined);
});
afterEach(() => {
  side.stop();
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const wholeOperations = [
  ...[
    'CARD_READ',
    'DAY_CLOSE',
    'DISPLAY',
    'GRANULAR',
    'INPUT',
    'PRE_AUTH',
    'PRE_AUTH_COMPLETE',
    'REFUND',
    'SALE',
    'VOID',
  ],
].sort();
const operationsOf = ({ capabilities }: Terminal) => [...capabilities.operations].sort();
const sale = {
  ...({ transactionId: 't1', operation: 'SALE', currency: 'EUR', entryMode: 'AUTO' } as const),
  ...{ amountMinor: 1000, tipAmountMinor: 0, cashbackAmountMinor: 0 },
};

describe('the host behind the terminals of a till', () => {
  it('makes a whole terminal of a reader, and leaves one with an acquirer of its own alone', () => {
    const made = side.complete(createScriptedReader('R1').terminal);
    expect(made.terminalId).toBe('R1');
    expect(operationsOf(made)).toEqual(wholeOperations);
    expect(made.capabilities.cashback).toBe(true);
    const zvt = createMemoryDevice().attach();
    expect(side.complete(zvt)).toBe(zvt);
  });

  it('that was given at the start serves one reader only, which may go and come back', () => {
    const first = side.complete(createScriptedReader('R1').terminal);
    const second = createScriptedReader('R2').terminal;
    expect(operationsOf(side.complete(second))).toEqual(operationsOf(second));
    expect(operationsOf(side.complete(createScriptedReader('R1').terminal))).toEqual(operationsOf(first));
    expect(side.links.list().map(({ state }) => state)).toEqual(['NOT_ASKED', 'NOT_PAIRED']);
  });

  it('refuses a sale before anything is sent while it is not there yet', async () => {
    const made = side.complete(createScriptedReader('R1').terminal);
    await expect(made.prepare(sale, new AbortController().signal)).rejects.toMatchObject({ code: 'HOST_UNREACHABLE' });
  });

  it('is none while the reader is not paired: it reads cards for the acquirer of the POS', () => {
    side.stop();
    side = startSide();
    const reader = createScriptedReader('R1').terminal;
    expect(operationsOf(side.complete(reader))).toEqual(operationsOf(reader));
    const link = { terminalId: 'R1', state: 'NOT_PAIRED', isReader: true, isKnown: false, owed: [] };
    expect(side.links.list()).toEqual([link]);
  });
});
