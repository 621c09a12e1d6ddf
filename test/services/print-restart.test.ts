import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { settingsOf } from '../../app/config/settings.ts';
import type { PrinterSetting } from '../../app/contract/printers.ts';
import type { PrintEnd, Printers } from '../../app/ports/printer.ts';
import { createPrinting, type Printing } from '../../app/services/printing.ts';
import { createHarness, type Harness, quietLog, until } from '../support/engine-harness.ts';

const counter: PrinterSetting = {
  ...{ printerId: 'counter', name: 'Counter', url: 'escpos+tcp://10.0.0.9', columns: 42 },
  ...{ codepage: 'AUTO', cut: 'FULL', autoPrint: 'NONE' },
};
const receipt = { kind: 'RECEIPT', transactionId: 'tx-1', copy: 'CUSTOMER' } as const;
const noPaper: PrintEnd = { end: 'NOT_PRINTED', trouble: 'PAPER_OUT', text: 'No paper.' };
const printed: PrintEnd = { end: 'PRINTED', isConfirmed: true };

let engine: Harness;
let attempts: number;
let next: PrintEnd;
const printers: Printers = {
  create: () => ({
    async print() {
      attempts += 1;
      return next;
    },
  }),
  checkUrl: () => undefined,
};
const ids = { next: () => randomUUID(), randomBytes: (byteCount: number) => randomBytes(byteCount) };
const make = async () => Uint8Array.of(0x1b, 0x40);

beforeEach(() => {
  engine = createHarness();
  attempts = 0;
  next = noPaper;
});
afterEach(() => engine.stop());

function startPrinting(): Printing {
  const { journal, clock } = engine;
  return createPrinting({
    ...{ journal, printers, clock, ids, log: quietLog },
    settings: { current: () => ({ ...settingsOf({}), printers: [counter] }) },
  });
}

it('a print that waited when the till ended is never printed by itself: a person finds it, and what they print is a duplicate', async () => {
  const before = startPrinting();
  expect(await before.print('counter', receipt, make)).toEqual({ state: 'WAITING', trouble: 'PAPER_OUT' });
  engine.crashAndRestart();
  next = printed;
  const tried = attempts;
  const after = startPrinting();
  expect(after.troubles()).toMatchObject([{ state: 'FAILED', trouble: 'TILL_ENDED', subject: receipt }]);
  // The process that held the queue is gone with the first till; the new one begins with an empty one.
  expect(after.list()).toMatchObject([{ waiting: 0 }]);
  expect(attempts).toBe(tried);
  expect(after.wasPrinted('tx-1', 'CUSTOMER')).toBe(true);
  const [job] = after.troubles();
  after.dismiss(job?.jobId ?? '');
  expect(after.troubles()).toEqual([]);
  await after.stop();
});

it('a print is tried again with growing waits, and leaves the inbox by itself when it has come out', async () => {
  const printing = startPrinting();
  await printing.print('counter', receipt, make);
  expect(printing.troubles()).toMatchObject([{ state: 'WAITING', trouble: 'PAPER_OUT', attempts: 1 }]);
  expect(printing.wasPrinted('tx-1', 'CUSTOMER')).toBe(false);
  next = printed;
  await engine.clock.advance(1_000);
  await until(() => attempts === 2);
  await until(() => printing.troubles().length === 0);
  expect(printing.wasPrinted('tx-1', 'CUSTOMER')).toBe(true);
  await printing.stop();
});

it('a till that ends in order tells what waited, and nothing of it is printed later', async () => {
  const printing = startPrinting();
  await printing.print('counter', receipt, make);
  await printing.stop();
  expect(printing.troubles()).toMatchObject([{ state: 'FAILED', trouble: 'TILL_ENDED' }]);
  next = printed;
  const tried = attempts;
  await engine.clock.advance(60_000);
  expect(attempts).toBe(tried);
});
