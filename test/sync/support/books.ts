import { expect } from 'vitest';
import { netAmountOf } from '../../../app/domain/totals.ts';
import type { SyncBench } from './sync-bench.ts';

/** What the till's journal, the host's entries and the acquirer's book say about the open batch, minor units. */
async function threeBooks(bench: SyncBench) {
  const { harness, demo } = bench;
  const terminalId = bench.reader.terminal.terminalId;
  const journal = harness.journal.totals(terminalId, harness.journal.openBatchNumber(terminalId), 'EUR');
  const { deviceId, terminalId: hostTerminalId } = demo;
  const reply = await bench
    .client()
    .reconcile(
      { deviceId, terminalId: hostTerminalId, closeDay: false, journalTotals: journal },
      { idempotencyKey: `look-${Math.random()}`, timeoutMs: 10_000, signal: new AbortController().signal },
    );
  if (reply.kind !== 'ANSWERED') throw new Error(`the host does not tell its totals: ${JSON.stringify(reply)}`);
  const { standing } = await bench.acquirerBook();
  const sum = (pick: (lane: (typeof standing)[number]) => number) =>
    standing.reduce((total, lane) => total + pick(lane), 0);
  return {
    journal: { net: netAmountOf(journal), held: journal.preAuthAmount },
    host: { net: netAmountOf(reply.body.totals), held: reply.body.totals.preAuthAmount },
    acquirer: { net: sum(({ netMinor }) => netMinor), held: sum(({ authorized }) => authorized.sumMinor) },
    differences: reply.body.differences ?? [],
  };
}

/** The three books say the same, figure for figure between till and host. */
export async function expectBooksAgree(bench: SyncBench): Promise<void> {
  const books = await threeBooks(bench);
  expect(books.differences).toEqual([]);
  expect(books.host).toEqual(books.journal);
  expect(books.acquirer).toEqual(books.journal);
}
