import { join } from 'node:path';
import type { ActivityFilter } from '../../app/ports/journal.ts';
import { journalFileName } from '../../app/storage/create-journal.ts';
import { openForReading, type ReadHandle } from '../../app/storage/database.ts';
import { searchTransactions } from '../../app/storage/search.store.ts';
import { type SeededRandom, seededRandom } from '../support/seeded-random.ts';
import { ms, percentile, type Report } from './statistics.ts';

const promisedMs = 30;
const pageRows = 100;
/** Searches of each kind, each with its first page and the later ones that a person may still scroll to. */
const roundsPerKind = 12;
const laterPages = 4;

type Search = Omit<ActivityFilter, 'limit' | 'cursor'>;

interface Known {
  readonly transaction_id: string;
  readonly reference_id: string;
  readonly last_four: string;
  readonly total_minor: number;
  readonly created_at: string;
}

/** What people look for, made of a transaction that is somewhere in the journal. */
const kinds: Readonly<Record<string, (known: Known, random: SeededRandom) => Search>> = {
  everything: () => ({}),
  amount: ({ total_minor: totalMinor }) => typed((totalMinor / 100).toFixed(2), { totalMinor }),
  'amount, a common one': () => typed('2.80', { totalMinor: 280 }),
  'last four': ({ last_four: lastFour }) => typed(lastFour, { lastFour, totalMinor: Number(lastFour) * 100 }),
  'reference, whole': ({ reference_id: reference }) => typed(reference),
  'reference, its begin': ({ reference_id: reference }, random) =>
    typed(reference.slice(0, random.between(1, reference.length))),
  id: ({ transaction_id: id }) => typed(id),
  'id, its begin': ({ transaction_id: id }, random) => typed(id.slice(0, random.between(1, 8))),
  status: (_, random) => ({ states: [random.pick(['APPROVED', 'DECLINED', 'CANCELLED', 'ERROR'])] }),
  'in progress': () => ({ states: ['INTENT', 'PROVISIONAL'] }),
  type: (_, random) => ({
    type: random.pick(['SALE', 'REFUND', 'VOID', 'PRE_AUTH', 'PRE_AUTH_COMPLETE', 'CARD_READ']),
  }),
  'a week': ({ created_at: from }) => ({ from, to: daysAfter(from, 7) }),
  'declined refunds of a year': ({ created_at: from }) => ({
    ...{ from, to: daysAfter(from, 365), type: 'REFUND', states: ['DECLINED'] },
  }),
  'amount among refunds': ({ total_minor: totalMinor }) => ({
    ...typed((totalMinor / 100).toFixed(2), { totalMinor }),
    type: 'REFUND',
  }),
};

function typed(prefix: string, more: { readonly totalMinor?: number; readonly lastFour?: string } = {}): Search {
  const { totalMinor, lastFour } = more;
  const amounts = totalMinor === undefined ? [] : [{ totalMinor, currency: 'EUR' }];
  return { match: { amounts, prefix, idPrefix: prefix, ...(lastFour === undefined ? {} : { lastFour }) } };
}

function daysAfter(iso: string, days: number): string {
  return new Date(Date.parse(iso) + days * 86_400_000).toISOString();
}

/**
 * F4: the store's search over a long journal, pages of a hundred rows, beside two baselines of the same run: a hundred look-ups by the key of the
 * table, and a walk over the whole table as a search without an index makes it.
 */
export function historySearch(dataDir: string, transactions: number): Report {
  const database = openForReading(join(dataDir, journalFileName));
  try {
    const random = seededRandom(1);
    const lines: string[] = [];
    const all: Sample[] = [];
    // Once through everything, so that neither the disk nor the compiler is measured.
    for (const kind of Object.values(kinds)) measure(database, kind, random);
    for (const [name, kind] of Object.entries(kinds)) {
      const samples = measure(database, kind, random);
      all.push(...samples);
      const times = samples.map(({ elapsedMs }) => elapsedMs);
      lines.push(`  ${name.padEnd(28)} p50 ${ms(percentile(times, 50))}   p95 ${ms(percentile(times, 95))}`);
    }
    const elapsed = all.map(({ elapsedMs }) => elapsedMs);
    const p95 = percentile(elapsed, 95);
    const workedP95 = percentile(
      all.map(({ workedMs }) => workedMs),
      95,
    );
    return {
      isKept: p95 < promisedMs,
      lines: [
        `F4 history search over ${transactions.toLocaleString('en')} transactions (${all.length} pages of ${pageRows})`,
        ...lines,
        `  all of them                  p50 ${ms(percentile(elapsed, 50))}   p95 ${ms(p95)}   max ${ms(Math.max(...elapsed))}   (promised p95 < ${promisedMs} ms)`,
        `  of it the processor's work   p95 ${ms(workedP95)}   (the rest waits for the disk, or for a machine that others use)`,
        `  baseline: ${pageRows} look-ups by key     ${ms(lookUps(database, random))}`,
        `  baseline: walk over the table   ${ms(wholeWalk(database))}`,
      ],
    };
  } finally {
    database.close();
  }
}

/** One page: how long it took by the clock, and by the processor alone. */
interface Sample {
  readonly elapsedMs: number;
  readonly workedMs: number;
}

function measure(
  database: ReadHandle,
  kind: (known: Known, random: SeededRandom) => Search,
  random: SeededRandom,
): readonly Sample[] {
  const samples: Sample[] = [];
  for (let round = 0; round < roundsPerKind; round += 1) {
    const search = kind(someKnown(database, random), random);
    let cursor: string | undefined;
    for (let page = 0; page <= laterPages; page += 1) {
      const filter: ActivityFilter = { ...search, limit: pageRows, ...(cursor === undefined ? {} : { cursor }) };
      const usedBefore = process.cpuUsage();
      const startedAt = performance.now();
      const { nextCursor } = searchTransactions(database, filter);
      const elapsedMs = performance.now() - startedAt;
      const { user, system } = process.cpuUsage(usedBefore);
      samples.push({ elapsedMs, workedMs: (user + system) / 1_000 });
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
  }
  return samples;
}

function someKnown(database: ReadHandle, random: SeededRandom): Known {
  const known = database
    .read<Known>(
      `SELECT * FROM transactions WHERE first_seq >= (SELECT max(first_seq) * ? / 1000 FROM transactions)
       AND reference_id IS NOT NULL AND last_four IS NOT NULL ORDER BY first_seq LIMIT 1`,
    )
    .get(random.between(0, 990));
  if (known === undefined) throw new Error('the journal holds no transaction with reference and card');
  return known;
}

function lookUps(database: ReadHandle, random: SeededRandom): number {
  const last = database.read<{ last: number }>('SELECT max(seq) AS last FROM journal').get()?.last ?? 1;
  const row = database.read<{ body: string }>('SELECT body FROM journal WHERE seq = ?');
  const startedAt = performance.now();
  for (let index = 0; index < pageRows; index += 1) row.get(random.between(1, last));
  return performance.now() - startedAt;
}

function wholeWalk(database: ReadHandle): number {
  const startedAt = performance.now();
  database.read<object>(`SELECT count(*) AS found FROM transactions WHERE +reference_id = 'nothing'`).get();
  return performance.now() - startedAt;
}
