import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Journal } from '../../app/ports/journal.ts';
import { nodeIds } from '../../app/programs/node-ports.ts';
import { createJournal } from '../../app/storage/create-journal.ts';
import { createHostSide, type HostSide } from '../../app/sync/host-side.ts';
import { quietLog } from '../support/engine-harness.ts';
import { createMemoryDevice } from '../support/memory-terminal.ts';
import { realClock } from '../support/zvt-clock.ts';
import { createScriptedReader } from './support/scripted-reader.ts';

let folder: string;
let journal: Journal;
let side: HostSide;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'host-side-'));
  journal = createJournal({ dataDir: folder, clock: realClock, log: quietLog, pid: process.pid });
  side = createHostSide({ journal, access: () => undefined, clock: realClock, ids: nodeIds, log: quietLog });
});
afterEach(() => {
  side.stop();
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the host behind the terminals of a till', () => {
  it('makes a whole terminal of a reader, and leaves one with an acquirer of its own alone', () => {
    const reader = createScriptedReader('R1').terminal;
    const made = side.complete(reader);
    expect(made.terminalId).toBe('R1');
    expect([...made.capabilities.operations].sort()).toEqual(
      [
        ...['CARD_READ', 'DAY_CLOSE', 'DISPLAY', 'GRANULAR', 'PRE_AUTH', 'PRE_AUTH_COMPLETE', 'REFUND', 'SALE', 'VOID'],
      ].sort(),
    );
    expect(made.capabilities.cashback).toBe(true);
    const zvt = createMemoryDevice().attach();
    expect(side.complete(zvt)).toBe(zvt);
  });

  it('serves one reader only, which may go and come back', () => {
    side.complete(createScriptedReader('R1').terminal);
    const second = createScriptedReader('R2').terminal;
    expect(side.complete(second)).toBe(second);
    const again = createScriptedReader('R1').terminal;
    expect(side.complete(again)).not.toBe(again);
  });

  it('refuses a sale before anything is sent while it is not there yet', async () => {
    const made = side.complete(createScriptedReader('R1').terminal);
    const amounts = { amountMinor: 1000, tipAmountMinor: 0, cashbackAmountMinor: 0 };
    const sale = { transactionId: 't1', operation: 'SALE', ...amounts, currency: 'EUR', entryMode: 'AUTO' } as const;
    await expect(made.prepare(sale, new AbortController().signal)).rejects.toMatchObject({ code: 'HOST_UNREACHABLE' });
  });
});
