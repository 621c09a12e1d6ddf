import { afterEach, beforeEach, expect, it } from 'vitest';
import type { DayDifference, ReconciliationResponse } from '../../app/contract/settlements.ts';
import type { CardScheme } from '../../app/contract/transactions.ts';
import type { Journal } from '../../app/ports/journal.ts';
import type { TerminalBatchTotals } from '../../app/ports/terminal.ts';
import { ask, createHarness, type Harness, saleOf } from '../support/engine-harness.ts';
import { createManualClock, type ManualClock, settle } from '../support/manual-clock.ts';
import { createMemoryDevice, type MemoryDevice, testCard } from '../support/memory-terminal.ts';
import { type BooksSide, startBooksSide } from './support/own-acquirer-till.ts';
import { createRecordingHost, type RecordingHost } from './support/recording-host.ts';

let host: RecordingHost;
let device: MemoryDevice;
let clock: ManualClock;
let side: BooksSide;
let harness: Harness;

const makeHostBooks = (journal: Journal) => {
  side = startBooksSide(journal, host.client, clock);
  return side.books;
};

beforeEach(() => {
  host = createRecordingHost();
  device = createMemoryDevice();
  clock = createManualClock();
  harness = createHarness({ devices: [device], clock, makeHostBooks });
});
afterEach(async () => {
  side.outbox.stop();
  await harness.stop();
});

const context = (idempotencyKey: string) => ({
  ...{ clientId: 'client-1', actor: 'console:Anna', requestId: 'q', route: 'POST /v1/reconciliation', idempotencyKey },
});

/** A payment of a card of this scheme. */
async function pay(scheme: CardScheme, amount: number, fields: Parameters<typeof saleOf>[0] = {}): Promise<string> {
  device.next({ card: { ...testCard, cardScheme: scheme } });
  return (await ask(harness.till, saleOf({ amount, ...fields }))).transactionId;
}

const takeBack = (transactionId: string) =>
  ask(harness.till, { type: 'VOID', amount: 0, currency: 'EUR', originalTransactionId: transactionId });

/** A payment of which the terminal has lost the result, and a person says that it was made; the terminal's batch knows better. */
async function payUnknown(scheme: CardScheme, amount: number): Promise<string> {
  const question = { kind: 'UNDECIDED', reason: 'no receipt', evidence: [] } as const;
  device.next({ lose: 'STATUS', card: { ...testCard, cardScheme: scheme } });
  device.answer(question, question);
  const running = ask(harness.till, saleOf({ amount }));
  await settle();
  await clock.advance(60_000);
  const { transactionId } = await running;
  harness.till.resolve(context('resolve'), transactionId, {
    charged: true,
    evidence: 'The customer showed a receipt.',
  });
  return transactionId;
}

/** What the host does not take, and a person has seen. */
async function refusedByHost(work: () => Promise<string>): Promise<string> {
  host.refuses = () => true;
  const transactionId = await work();
  await clock.advance(5_000);
  host.refuses = () => false;
  harness.till.resolve(context('resolve'), transactionId, { charged: true, evidence: 'The terminal has it.' });
  return transactionId;
}

async function closeDay(key: string, batch?: TerminalBatchTotals): Promise<ReconciliationResponse> {
  if (batch !== undefined) device.next({ batch });
  const running = harness.till.reconcile(context(key), { closeDay: true });
  await settle();
  await clock.advance(11_000);
  return JSON.parse((await running).body);
}

/** The terminal's own rows: what the journal counts of each scheme, and what it is made to differ by. */
function batchWith(planted: Readonly<Record<string, readonly [count: number, amount: number]>>): TerminalBatchTotals {
  const { journal } = harness;
  const ours = journal.schemeTotals('T1', journal.openBatchNumber('T1'), 'EUR');
  const names = new Set([...ours.map(({ scheme }) => scheme), ...Object.keys(planted)]);
  const schemes = [...names].map((scheme) => {
    const [count, amount] = planted[scheme] ?? [0, 0];
    const row = ours.find((one) => one.scheme === scheme);
    return { scheme, count: (row?.count ?? 0) + count, amountMinor: (row?.amountMinor ?? 0) + amount };
  });
  return { schemes };
}

type Named = Pick<DayDifference, 'side' | 'cause' | 'amount'> & { readonly of?: string | undefined };
const namesOf = (differences: readonly DayDifference[] | undefined): Named[] =>
  (differences ?? []).map(({ side: of, cause, amount, transactionId }) => ({
    side: of,
    cause,
    amount,
    of: transactionId,
  }));
const byName = (a: Named, b: Named) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

it('names each of twenty differences of one day', async () => {
  // Payments on which all agree, among those that differ.
  for (const scheme of ['VISA', 'MASTERCARD', 'AMEX'] as const) await pay(scheme, 4_444);
  await pay('VISA', 9_999, { tipAmount: 1_001 });
  const tips = [
    await pay('VISA', 3_000, { tipAmount: 310 }),
    await pay('VISA', 4_000, { tipAmount: 170 }),
    await pay('VISA', 5_000, { tipAmount: 83 }),
  ];
  const sold = [await pay('MASTERCARD', 1_310), await pay('MASTERCARD', 2_620), await pay('MASTERCARD', 5_170)];
  const voids: string[] = [];
  for (const transactionId of sold) voids.push((await takeBack(transactionId)).transactionId);
  const holds = [await pay('AMEX', 20_010, { type: 'PRE_AUTH' }), await pay('AMEX', 31_020, { type: 'PRE_AUTH' })];
  const unknown = [
    await payUnknown('OTHER', 7_030),
    await payUnknown('OTHER', 8_050),
    await payUnknown('OTHER', 9_070),
  ];
  await pay('UNIONPAY', 5_555);
  const told = await pay('VISA', 6_100);
  await clock.advance(5_000);
  const untold: string[] = [];
  for (const amount of [1_111, 2_222, 3_333, 4_545]) untold.push(await refusedByHost(() => pay('VISA', amount)));
  host.refuses = () => true;
  const untoldVoid = (await takeBack(told)).transactionId;
  await clock.advance(5_000);
  host.refuses = () => false;
  harness.till.resolve(context('resolve'), told, { charged: true, evidence: 'The terminal has taken it back.' });
  const planted = batchWith({
    VISA: [0, -(310 + 170 + 83)],
    MASTERCARD: [3, 1_310 + 2_620 + 5_170],
    AMEX: [2, 20_010 + 31_020],
    OTHER: [-3, -(7_030 + 8_050 + 9_070)],
    UNIONPAY: [0, 250],
    JCB: [1, 1_230],
    DINERS: [1, 4_560],
    DISCOVER: [2, 7_890],
  });
  const answer = await closeDay('today', planted);
  const terminal = { side: 'TERMINAL' } as const;
  const expected: Named[] = [
    ...[310, 170, 83].map((tip, at): Named => ({ ...terminal, cause: 'TIP_LATE', amount: -tip, of: tips[at] })),
    ...[1_310, 2_620, 5_170].map(
      (sum, at): Named => ({ ...terminal, cause: 'VOID_AFTER_CUT_OFF', amount: sum, of: voids[at] }),
    ),
    ...[20_010, 31_020].map(
      (sum, at): Named => ({ ...terminal, cause: 'OPEN_AUTHORIZATION', amount: sum, of: holds[at] }),
    ),
    ...[7_030, 8_050, 9_070].map(
      (sum, at): Named => ({ ...terminal, cause: 'UNKNOWN', amount: -sum, of: unknown[at] }),
    ),
    ...[1_230, 4_560, 7_890].map((sum): Named => ({ ...terminal, cause: 'TERMINAL_ONLY', amount: sum, of: undefined })),
    { ...terminal, cause: 'TIP_LATE', amount: 250, of: undefined },
    ...[1_111, 2_222, 3_333, 4_545].map(
      (sum, at): Named => ({ side: 'HOST', cause: 'NOT_FORWARDED', amount: -sum, of: untold[at] }),
    ),
    { side: 'HOST', cause: 'NOT_FORWARDED', amount: -6_100, of: untoldVoid },
  ];
  expect(expected).toHaveLength(20);
  expect(answer.status).toBe('PARTIAL');
  expect(namesOf(answer.namedDifferences).sort(byName)).toEqual([...expected].sort(byName));
  for (const difference of answer.namedDifferences ?? [])
    expect(difference.owner).toMatch(/^(TILL|SHOP|ACQUIRER|HOST)$/);
});
