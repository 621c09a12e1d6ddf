import { afterEach, expect, test } from 'vitest';
import { createTill } from '../../app/services/create-till.ts';
import { call, createHarness, type Harness, quietLog, saleOf, until } from '../support/engine-harness.ts';
import { createMemoryDevice } from '../support/memory-terminal.ts';
import { createSeededIds } from '../support/seeded-ids.ts';

let harness: Harness;
afterEach(() => harness.stop());

test('a payment left open on a terminal that the till has no more becomes a task for a person', async () => {
  harness = createHarness();
  harness.device.next({ hold: ['ACKNOWLEDGED'] });
  void call(harness.till, saleOf()).catch(() => undefined);
  await until(() => harness.device.isHeld('ACKNOWLEDGED'));
  const till = createTill({
    journal: harness.journal,
    terminals: [{ terminal: createMemoryDevice({ terminalId: 'T2' }).attach(), currency: 'EUR', simulated: false }],
    clock: harness.clock,
    ids: createSeededIds('detached'),
    log: quietLog,
    hmac: (text) => text,
    settings: { merchantId: 'M', merchantName: 'M', timeZone: 'UTC', dayCutOff: '00:00', stopGraceMs: 10 },
  });
  till.start();
  const context = { clientId: 'c', actor: 'a', requestId: 'q', route: 'r' };
  const [task] = till.recoveryTasks(context).data;
  expect(task).toMatchObject({ terminalId: 'T1', state: 'NEEDS_PERSON', amount: 1_000 });
  till.resolve(context, task?.subject.id ?? '', { charged: true, evidence: 'receipt' });
  expect(till.transaction(context, task?.subject.id ?? '')).toMatchObject({ status: 'APPROVED' });
});
