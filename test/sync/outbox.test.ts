import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostClient, HostReply } from '../../app/ports/host-client.ts';
import type { Journal } from '../../app/ports/journal.ts';
import { createJournal } from '../../app/storage/create-journal.ts';
import { createHostRefusals } from '../../app/sync/host-refusals.ts';
import { createOutbox, type Outbox } from '../../app/sync/outbox.ts';
import { createOutboxStore } from '../../app/sync/outbox-store.ts';
import { quietLog } from '../support/engine-harness.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { createSeededIds } from '../support/seeded-ids.ts';

let folder: string;
let clock: ManualClock;
let journal: Journal;
let outbox: Outbox;
let sent: string[];
let errors: string[];
let answer: (call: string) => HostReply<never>;

const lost: HostReply<never> = { kind: 'LOST', reason: 'the connection broke' };
const reversed = { kind: 'ANSWERED', body: { status: 'reversed' } } as unknown as HostReply<never>;
const pending = { kind: 'ANSWERED', body: { status: 'pending' } } as unknown as HostReply<never>;
const done = { kind: 'ANSWERED', body: { status: 'SUCCEEDED' } } as unknown as HostReply<never>;
const refused = (errorCode: 'ALREADY_SETTLED' | 'UNAUTHENTICATED' | 'ALREADY_COMPLETED'): HostReply<never> => ({
  kind: 'REFUSED',
  errorCode,
  message: 'no',
});

const host = {
  reverse: async ({ originalTransactionId }) => take(`REVERSAL ${originalTransactionId}`),
  lookUp: async (id) => take(`LOOK_UP ${id}`),
  capture: async (id, _request, { idempotencyKey }) => take(`CAPTURE ${id} ${idempotencyKey}`),
  offlineComplete: async ({ transactionId }, { idempotencyKey }) => take(`OFFLINE ${transactionId} ${idempotencyKey}`),
} as Partial<HostClient> as HostClient;

function take(call: string): HostReply<never> {
  sent.push(call);
  return answer(call);
}

function open(): void {
  journal = createJournal({ dataDir: folder, clock, log: quietLog, pid: process.pid });
  const log = { ...quietLog, error: (message: string) => void errors.push(message) };
  const ids = createSeededIds('outbox');
  const refusals = createHostRefusals({ journal, clock, ids });
  outbox = createOutbox({ store: createOutboxStore(journal), hostOf: () => host, clock, ids, log, refusals });
  outbox.start();
}

function restart(): void {
  outbox.stop();
  journal.close();
  open();
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'outbox-'));
  clock = createManualClock();
  sent = [];
  errors = [];
  answer = () => lost;
  open();
});
afterEach(() => {
  outbox.stop();
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const add = (transactionId: string, kind: 'REVERSAL' | 'CAPTURE' | 'OFFLINE_COMPLETION') =>
  outbox.add({
    terminalId: 'R1',
    transactionId,
    kind,
    body: kind === 'REVERSAL' ? { originalTransactionId: transactionId, reason: 'lost' } : { transactionId },
  });
const stateOf = (transactionId: string, kind: 'REVERSAL' | 'CAPTURE' | 'OFFLINE_COMPLETION' = 'REVERSAL') =>
  outbox.find(transactionId, kind);

describe('what the till owes its host', () => {
  it('is sent by itself, with growing waits, until it is taken', async () => {
    add('t1', 'REVERSAL');
    await clock.advance(1_000);
    expect(sent).toHaveLength(1);
    await clock.advance(2_000);
    expect(sent).toHaveLength(2);
    await clock.advance(1_400);
    expect(sent).toHaveLength(2);
    answer = () => reversed;
    await clock.advance(10_000);
    expect(sent).toHaveLength(3);
    expect(stateOf('t1')).toMatchObject({ state: 'DONE', attempts: 3 });
    await clock.advance(86_400_000);
    expect(sent).toHaveLength(3);
  });

  it('is never put off for longer than an hour, and a person is told after six tries', async () => {
    add('t1', 'REVERSAL');
    for (let hour = 0; hour < 8; hour += 1) await clock.advance(1_000);
    expect(errors).toEqual([]);
    await clock.advance(120_000);
    expect(stateOf('t1')?.attempts).toBeGreaterThanOrEqual(6);
    expect(errors[0]).toContain('a person should look');
    await clock.advance(20 * 3_600_000);
    const before = sent.length;
    await clock.advance(1.3 * 3_600_000);
    expect(sent.length).toBeGreaterThan(before);
  });

  it('survives restarts, with its key and its time', async () => {
    add('t1', 'CAPTURE');
    await clock.advance(1_000);
    const before = stateOf('t1', 'CAPTURE');
    restart();
    expect(stateOf('t1', 'CAPTURE')).toEqual(before);
    answer = () => done;
    await clock.advance(10_000);
    expect(new Set(sent)).toEqual(new Set(['CAPTURE t1 capture-t1']));
    expect(stateOf('t1', 'CAPTURE')).toMatchObject({ state: 'DONE' });
  });

  it('leaves in its order within a payment, but nothing keeps money from being taken back', async () => {
    add('t1', 'OFFLINE_COMPLETION');
    add('t1', 'CAPTURE');
    await clock.advance(1_000);
    expect(sent).toEqual(['OFFLINE t1 offline_completion-t1']);
    add('t1', 'REVERSAL');
    await clock.advance(200);
    expect(sent).toContain('REVERSAL t1');
    answer = (call) => (call.startsWith('OFFLINE') ? done : lost);
    await clock.advance(10_000);
    expect(sent).toContain('CAPTURE t1 capture-t1');
  });

  it('is set aside when the host will never take it, stays on record, and holds nothing else up', async () => {
    answer = (call) => (call.endsWith(' t1') ? refused('ALREADY_SETTLED') : reversed);
    add('t1', 'REVERSAL');
    add('t2', 'REVERSAL');
    await clock.advance(1_000);
    expect(stateOf('t1')).toMatchObject({ state: 'SET_ASIDE', trouble: 'ALREADY_SETTLED: no' });
    expect(stateOf('t2')).toMatchObject({ state: 'DONE' });
    expect(errors[0]).toContain('a person must look');
    restart();
    expect(journal.openOutboxItems().map(({ transactionId }) => transactionId)).toEqual(['t1']);
    await clock.advance(86_400_000);
    expect(sent).toEqual(['REVERSAL t1', 'REVERSAL t2']);
  });

  it('waits out a credential that does not work, and counts as done what was done before', async () => {
    answer = () => refused('UNAUTHENTICATED');
    add('t1', 'CAPTURE');
    await clock.advance(1_000);
    expect(stateOf('t1', 'CAPTURE')).toMatchObject({ state: 'WAITING' });
    answer = (call) => (call.startsWith('LOOK_UP') ? done : refused('ALREADY_COMPLETED'));
    await clock.advance(10_000);
    expect(stateOf('t1', 'CAPTURE')).toMatchObject({ state: 'DONE' });
  });

  it('has left once the host repeats it, and is asked for until the acquirer confirms', async () => {
    answer = () => pending;
    add('t1', 'REVERSAL');
    expect(await outbox.attempt('t1', 'REVERSAL')).toBe('TAKEN');
    expect(await outbox.flush('R1')).toEqual([]);
    expect(stateOf('t1')).toMatchObject({ state: 'WAITING' });
    answer = () => reversed;
    await clock.advance(30_000);
    expect(stateOf('t1')).toMatchObject({ state: 'DONE' });
  });

  it('is tried on when nobody can be told of it for a while', async () => {
    outbox.stop();
    let failures = 3;
    const look = () => {
      failures -= 1;
      if (failures >= 0) throw new Error('the disk is full');
      return false;
    };
    const log = { ...quietLog, error: (message: string) => void errors.push(message) };
    const ids = createSeededIds('outbox');
    outbox = createOutbox({
      store: createOutboxStore(journal),
      hostOf: () => host,
      clock,
      ids,
      log,
      refusals: { look },
    });
    outbox.start();
    answer = () => reversed;
    add('t1', 'REVERSAL');
    await clock.advance(30_000);
    expect(errors.some((message) => message.includes('tried again'))).toBe(true);
    expect(stateOf('t1')).toMatchObject({ state: 'DONE' });
  });

  it('is sent once when two ask for it at the same time, and added once', async () => {
    add('t1', 'REVERSAL');
    add('t1', 'REVERSAL');
    answer = () => reversed;
    const standings = await Promise.all([outbox.attempt('t1', 'REVERSAL'), outbox.attempt('t1', 'REVERSAL')]);
    expect(standings).toEqual(['DONE', 'DONE']);
    expect(sent).toEqual(['REVERSAL t1']);
  });
});
