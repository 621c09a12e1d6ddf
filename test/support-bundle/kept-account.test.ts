// What a sale that waits for its issuer keeps of its card, encrypted, is in the journal alone: in no log, and in no support bundle.
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import yauzl from 'yauzl';
import { Secret } from '../../app/domain/secret.ts';
import { createJournal } from '../../app/storage/create-journal.ts';
import { quietLog } from '../support/engine-harness.ts';
import { filesBelow } from '../support/files-below.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { endProgram, runProgram, startTill, temporaryFolder } from '../support/processes.ts';

const PROGRAMS_MS = 300_000;
const secrets = ['8F31C64A92D75EB0A1C3', 'FFFF9876543210E0BEE7'] as const;
const folder = temporaryFolder();
afterAll(() => folder.remove());

function keepSale(dataDir: string): void {
  const journal = createJournal({ dataDir, clock: createManualClock(), log: quietLog, pid: process.pid });
  const at = '2026-11-27T10:00:00.000Z';
  const [panEncrypted, ksn] = secrets;
  journal.commit((unit) => {
    unit.saveOutboxItem({
      ...{ terminalId: 'T1', transactionId: 'sale', kind: 'DEFERRED_AUTHORIZATION', idempotencyKey: 'sale' },
      ...{ body: { amount: 100, currencyCode: 'EUR' }, state: 'WAITING', attempts: 0 },
      ...{ nextAt: at, createdAt: at, updatedAt: at },
    });
    unit.keepAccount('sale', new Secret({ kind: 'ENCRYPTED', keyScheme: 'TDES_DUKPT', panEncrypted, ksn }));
  });
  journal.close();
}

const holds = (content: Buffer) => secrets.some((secret) => content.includes(secret));

it(
  'is in the journal, and neither in the log of a till that tries to forward it nor in its support bundle',
  async () => {
    const dataDir = join(folder.path, 'till');
    keepSale(dataDir);
    const kept = filesBelow(dataDir).filter(({ content }) => holds(content));
    expect(kept.map(({ path }) => path)).toEqual([expect.stringMatching(/journal\.db/)]);
    const till = await startTill(['--data-dir', dataDir, '--training']);
    try {
      const out = join(folder.path, 'bundle.zip');
      const { code, errors } = await runProgram('main/support-bundle', ['--data-dir', dataDir, '--out', out]);
      expect([code, errors]).toEqual([0, '']);
      const zip = await yauzl.openPromise(out, { autoClose: false });
      const names: string[] = [];
      for await (const entry of zip.eachEntry()) {
        names.push(entry.fileName);
        const content = await buffer(await zip.openReadStreamPromise(entry));
        expect(holds(content), entry.fileName).toBe(false);
      }
      zip.close();
      expect(names).toEqual(expect.arrayContaining(['journal/transactions.jsonl', 'logs/till.log']));
      const logs = filesBelow(join(dataDir, 'logs'));
      expect(logs.map(({ content }) => content.toString()).join('')).toContain('still owed something from before');
      expect(logs.filter(({ content }) => holds(content))).toEqual([]);
    } finally {
      await endProgram(till);
    }
  },
  PROGRAMS_MS,
);
