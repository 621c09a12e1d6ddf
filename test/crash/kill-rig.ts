import { join } from 'node:path';
import { createPos, type PosAnswer } from '../support/pos.ts';
import {
  endProgram,
  type Program,
  startTill,
  startVirtualTerminal,
  type TillReady,
  temporaryFolder,
  type VirtualTerminalReady,
} from '../support/processes.ts';
import { startWireProxy, type WirePoint } from '../support/wire-proxy.ts';
import { watchCommits } from './watch-commits.ts';

/** When the till is killed while its call runs. */
export type KillPoint =
  | { readonly kind: 'BEFORE_MESSAGE' | 'AFTER_MESSAGE'; readonly index: number }
  /** After the n-th commit of the journal since the call began. */
  | { readonly kind: 'AFTER_COMMIT'; readonly count: number }
  | { readonly kind: 'AFTER_MS'; readonly delayMs: number };

export interface Call {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

export interface KillResult {
  /** The wire message that was in flight, or what else named the point. */
  readonly at: string;
  /** False when the call had already been answered before the point was reached. */
  readonly killed: boolean;
  /** The answer of the same call under the same key after the restart. */
  readonly replay: PosAnswer;
  readonly record: Record<string, unknown> | undefined;
  readonly openTasks: readonly Record<string, unknown>[];
  readonly restartMs: number;
}

interface CountAndSum {
  readonly count: number;
  readonly sumMinor: number;
}

/** What stands in the terminal's book. */
export interface StandingBook {
  readonly charges: CountAndSum;
  readonly refunds: CountAndSum;
  readonly holds: CountAndSum;
  /** Batches closed so far. */
  readonly closes: number;
}

/**
 * A real till, a real virtual terminal in a process of its own, and a wire between them on which the till can be killed at any message. The
 * terminal's book, read from its own process, is the judge.
 */
export interface KillRig {
  readonly folder: string;
  run(call: Call, key: string): Promise<PosAnswer>;
  runAndKill(call: Call, key: string, point: KillPoint): Promise<KillResult>;
  book(): Promise<StandingBook>;
  close(): Promise<void>;
}

export async function createKillRig(): Promise<KillRig> {
  const folder = temporaryFolder();
  const terminal = await startVirtualTerminal([
    '--tcp',
    '0',
    '--think-ms',
    '20',
    '--book',
    join(folder.path, 'book.jsonl'),
  ]);
  const wire = createWire();
  const proxy = await startWireProxy(portOf(terminal.ready), {
    before: (point) => wire.before(point),
    after: (point) => wire.after(point),
  });
  const dataDir = join(folder.path, 'data');
  const start = () =>
    startTill([
      '--data-dir',
      dataDir,
      '--training',
      '--terminal',
      `zvt+tcp://127.0.0.1:${proxy.port}?password=000000&currency=EUR`,
    ]);
  let till = await start();
  const pos = () => createPos(till.ready.posUrl, till.ready.posKey ?? '');

  return {
    folder: dataDir,
    run: (call, key) => pos().post(call.path, call.body, { 'idempotency-key': key }),
    runAndKill: async (call, key, point) => {
      const victim = till;
      const reached = wire.killAt(point, victim, dataDir);
      const answered = pos()
        .post(call.path, call.body, { 'idempotency-key': key })
        .then(() => 'answered' as const)
        .catch(() => 'cut' as const);
      // A cut call ends a moment before the point is told; only an answered one means that the point was never reached.
      const neverReached = answered.then((end) => (end === 'cut' ? reached : 'answered before the point'));
      const at = await Promise.race([reached, neverReached]);
      wire.disarm();
      victim.kill('SIGKILL');
      await victim.ended;
      const end = await answered;
      const restartedAt = performance.now();
      till = await start();
      const restartMs = performance.now() - restartedAt;
      const replay = await pos().post(call.path, call.body, { 'idempotency-key': key });
      return {
        at,
        killed: end === 'cut',
        replay,
        record: await recordOf(pos(), replay),
        openTasks: (await pos().get('/v1/recovery-tasks')).body.data as Record<string, unknown>[],
        restartMs,
      };
    },
    book: async () => standing(terminal.ready),
    close: async () => {
      await endProgram(till);
      await proxy.close();
      await endProgram(terminal);
      folder.remove();
    },
  };
}

async function recordOf(
  pos: ReturnType<typeof createPos>,
  replay: PosAnswer,
): Promise<Record<string, unknown> | undefined> {
  const id = replay.body.transactionId;
  return typeof id === 'string' ? (await pos.get(`/v1/transactions/${id}`)).body : undefined;
}

function portOf(ready: VirtualTerminalReady): number {
  if (ready.tcp === null) throw new Error('the virtual terminal has no TCP port');
  return ready.tcp;
}

async function standing(ready: VirtualTerminalReady): Promise<StandingBook> {
  const response = await fetch(new URL('/book', ready.controlUrl));
  const book = (await response.json()) as { standing: Omit<StandingBook, 'closes'>; closes: number };
  return { ...book.standing, closes: book.closes };
}

/** Decides at each wire message whether the till dies now. */
function createWire() {
  let armed: { point: KillPoint; victim: Program<TillReady>; done(at: string): void } | undefined;
  let first: number | undefined;
  const disarm = () => {
    armed = undefined;
    first = undefined;
  };
  const strike = async (at: string) => {
    const current = armed;
    if (current === undefined) return;
    armed = undefined;
    current.victim.kill('SIGKILL');
    await current.victim.ended;
    current.done(at);
  };
  const meets = async (kind: 'BEFORE_MESSAGE' | 'AFTER_MESSAGE', point: WirePoint) => {
    if (armed === undefined) return;
    first ??= point.index;
    if (armed.point.kind === kind && point.index - first === armed.point.index)
      await strike(
        `${kind.toLowerCase().replace('_', ' ')} ${armed.point.index} ${point.direction} ${point.hex.slice(0, 24)}`,
      );
  };
  return {
    disarm,
    before: (point: WirePoint) => meets('BEFORE_MESSAGE', point),
    after: (point: WirePoint) => meets('AFTER_MESSAGE', point),
    killAt: (point: KillPoint, victim: Program<TillReady>, dataDir: string) =>
      new Promise<string>((done) => {
        armed = { point, victim, done };
        first = undefined;
        if (point.kind === 'AFTER_MS') setTimeout(() => void strike(`after ${point.delayMs} ms`), point.delayMs);
        if (point.kind === 'AFTER_COMMIT')
          watchCommits(dataDir, point.count, () => void strike(`after commit ${point.count}`));
      }),
  };
}
