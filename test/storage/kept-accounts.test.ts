import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Secret } from '../../app/domain/secret.ts';
import type { Journal } from '../../app/ports/journal.ts';
import type { KeptAccount } from '../../app/ports/kept-account.ts';
import type { OutboxItem } from '../../app/ports/outbox.ts';
import { createJournal } from '../../app/storage/create-journal.ts';
import { createOutboxStore } from '../../app/sync/outbox-store.ts';
import { quietLog } from '../support/engine-harness.ts';
import { filesBelow } from '../support/files-below.ts';
import { createManualClock } from '../support/manual-clock.ts';

/** As many as may wait where nothing else is set (decisions section 7). */
const SALES = 50;

let folder: string;
let journal: Journal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-accounts-'));
  journal = createJournal({ dataDir: folder, clock: createManualClock(), log: quietLog, pid: process.pid });
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const ciphertexts = Array.from({ length: SALES }, (_, number) => `C1F4E7${String(number).padStart(4, '0')}`.repeat(4));
const onDisk = () =>
  ciphertexts.filter((text) => filesBelow(folder).some(({ content }) => content.includes(text))).length;

it('fifty encrypted accounts that are given up at once leave nothing of themselves in any file', () => {
  const store = createOutboxStore(journal);
  const at = '2026-11-27T10:00:00.000Z';
  const items = ciphertexts.map((encrypted, number): OutboxItem => {
    const transactionId = `sale-${number}`;
    const item: OutboxItem = {
      ...{ terminalId: 'R1', transactionId, kind: 'DEFERRED_AUTHORIZATION', idempotencyKey: transactionId },
      ...{ body: { amount: 100, currencyCode: 'EUR' }, state: 'WAITING', attempts: 0 },
      ...{ nextAt: at, createdAt: at, updatedAt: at },
    };
    const account: KeptAccount = new Secret({
      ...({ kind: 'ENCRYPTED', keyScheme: 'TDES_DUKPT' } as const),
      ...{ panEncrypted: encrypted, ksn: 'FFFF9876543210E00001' },
    });
    store.save(item, (unit) => unit.keepAccount(transactionId, account));
    return item;
  });
  expect(onDisk()).toBe(SALES);
  for (const item of items) store.save({ ...item, state: 'DONE' });
  // What is deleted still stands in the write-ahead log.
  expect(onDisk()).toBeGreaterThan(0);
  expect(store.eraseTraces()).toBe(true);
  expect(onDisk()).toBe(0);
});
