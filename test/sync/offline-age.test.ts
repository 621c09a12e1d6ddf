import { expect, it } from 'vitest';
import type { Log } from '../../app/ports/log.ts';
import type { OutboxItem } from '../../app/ports/outbox.ts';
import { createOfflineAge } from '../../app/sync/offline-age.ts';
import { createManualClock } from '../support/manual-clock.ts';

const hourMs = 3_600_000;

function begin() {
  const clock = createManualClock();
  const told: string[] = [];
  let items: OutboxItem[] = [];
  let isBroken = false;
  const note = (level: string) => (message: string) => void told.push(`${level} ${message}`);
  const log: Log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const openItems = () => {
    if (isBroken) throw new Error('the disk is gone');
    return items;
  };
  const age = createOfflineAge({ openItems, clock, log });
  age.start();
  return {
    clock,
    told,
    age,
    keep(transactionId: string, kind: OutboxItem['kind'] = 'DEFERRED_AUTHORIZATION') {
      const at = new Date(clock.nowMs()).toISOString();
      items.push({
        ...{ terminalId: 'T1', transactionId, kind, idempotencyKey: transactionId, state: 'WAITING', attempts: 0 },
        ...{ body: { amount: 100, currencyCode: 'EUR' }, nextAt: at, createdAt: at, updatedAt: at },
      });
    },
    forward: () => {
      items = [];
    },
    breakDisk: (now: boolean) => {
      isBroken = now;
    },
  };
}

it('warns once when a sale has waited for twelve hours, and anew for a later one', async () => {
  const { clock, told, keep, forward } = begin();
  keep('one');
  await clock.advance(11.9 * hourMs);
  expect(told).toEqual([]);
  await clock.advance(0.2 * hourMs);
  expect(told).toEqual([expect.stringMatching(/^warn Sales that were taken offline wait/)]);
  await clock.advance(3 * hourMs);
  expect(told).toHaveLength(1);
  forward();
  await clock.advance(hourMs);
  keep('two');
  await clock.advance(12.1 * hourMs);
  expect(told).toHaveLength(2);
});

it('warns of nothing else that the host is owed, and of nothing after its end', async () => {
  const { clock, told, keep, age } = begin();
  keep('told', 'EXTERNAL_RECORD');
  await clock.advance(13 * hourMs);
  expect(told).toEqual([]);
  keep('one');
  age.stop();
  await clock.advance(13 * hourMs);
  expect(told).toEqual([]);
});

it('looks again after the items could not be read', async () => {
  const { clock, told, keep, breakDisk } = begin();
  keep('one');
  breakDisk(true);
  await clock.advance(hourMs);
  expect(told[0]).toMatch(/^error/);
  breakDisk(false);
  told.length = 0;
  await clock.advance(12 * hourMs);
  expect(told).toEqual([expect.stringMatching(/^warn/)]);
});
