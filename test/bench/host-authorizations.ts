import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { hostEndpointOf } from '../../app/contract/host/host-endpoints.ts';
import { createPostgresServer } from '../support/postgres-server.ts';
import { projectRoot } from '../support/project-root.ts';
import { type BenchTerminal, benchPurchase, terminalsInTurn } from './bench-terminals.ts';
import { type Driven, drive, type Load } from './drive.ts';
import type { LoadOrder, LoadReport } from './host-under-load.ts';
import { parentOf, processorSeconds } from './processor-time.ts';
import { ms, type Report } from './statistics.ts';

/** Callers at once, each measured in turn with its baseline. */
const callerCounts = [16, 32, 64];
const httpCallers = 32;
const warmUpMs = 2_000;
const forMs = 6_000;
const promisedPerSecond = 2_000;
const promisedP99Ms = 25;
const promisedRatio = 0.3;
/** Everything that keeps a commit is on, as PostgreSQL comes; only its memory is larger than that of a toy. */
const serverFlags = ['-c', 'max_connections=200', '-c', 'shared_buffers=256MB'];

/** What a load did, and what it took. */
interface Measured extends Driven {
  readonly callers: number;
  /** Processors' worth of time. */
  readonly hostProcessors: number;
  readonly databaseProcessors: number;
  /** Transactions of the database for each authorization: reads, too. */
  readonly transactionsEach: number;
}

/**
 * F2: authorizations of the host over PostgreSQL with fsync, beside bare commits of the rows of one authorization from the same process; and the
 * whole way once, over HTTP from a process of its own. Both share the machine with PostgreSQL.
 */
export async function hostAuthorizations(): Promise<Report> {
  const server = await createPostgresServer(serverFlags);
  try {
    const bench = await openBench(`${server.url}postgres`);
    try {
      // Code and tables that are new to everybody say nothing of a host that runs all day.
      await bench.measure('services', 64, { warmUpMs: 0, forMs: 3_000 });
      const pairs: { readonly host: Measured; readonly bare: Measured }[] = [];
      for (const callers of callerCounts) {
        const host = await bench.measure('services', callers, { warmUpMs, forMs });
        pairs.push({ host, bare: await bench.measure('bare', callers, { warmUpMs, forMs }) });
      }
      const overHttp = await bench.measure('http', httpCallers, { warmUpMs, forMs });
      return report(pairs, overHttp);
    } finally {
      await bench.close();
    }
  } finally {
    await server.remove();
  }
}

interface Bench {
  measure(what: LoadOrder['what'] | 'http', callers: number, times: Omit<Load, 'callers'>): Promise<Measured>;
  close(): Promise<void>;
}

async function openBench(database: string): Promise<Bench> {
  const program = join(projectRoot, 'dist', 'test/bench/host-under-load.js');
  const host = fork(program, [database], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ready = await reportOf(host, 'READY');
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const databasePid = parentOf(await numberOf(client, 'SELECT pg_backend_pid()'));
  const hostPid = host.pid ?? 0;
  const drivers = {
    http: (load: Load) => driveHttp(ready.baseUrl, ready.terminals, load),
    services: (load: Load) => order(host, { what: 'services', load }),
    bare: (load: Load) => order(host, { what: 'bare', load }),
  };
  return {
    async measure(what, callers, times) {
      const read = async () => ({
        at: performance.now(),
        host: processorSeconds(hostPid),
        database: processorSeconds(databasePid),
        transactions: await numberOf(client, 'SELECT sum(xact_commit)::int FROM pg_stat_database'),
      });
      const before = await read();
      const driven = await drivers[what]({ callers, ...times });
      const after = await read();
      const seconds = (after.at - before.at) / 1000;
      return {
        ...driven,
        callers,
        hostProcessors: (after.host - before.host) / seconds,
        databaseProcessors: (after.database - before.database) / seconds,
        transactionsEach: (after.transactions - before.transactions) / (driven.perSecond * seconds),
      };
    },
    async close() {
      await client.end();
      const ended = new Promise((resolve) => host.once('exit', resolve));
      host.kill('SIGTERM');
      await ended;
    },
  };
}

async function numberOf(client: pg.Client, query: string): Promise<number> {
  const { rows } = await client.query<unknown[]>({ text: query, rowMode: 'array' });
  return Number(rows[0]?.[0]);
}

function order(host: ChildProcess, message: LoadOrder): Promise<Driven> {
  const driven = reportOf(host, 'DRIVEN');
  host.send(message);
  return driven.then((report) => report.driven);
}

/** The next report of the host, which is of this kind. */
function reportOf<Kind extends LoadReport['kind']>(
  host: ChildProcess,
  kind: Kind,
): Promise<Extract<LoadReport, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('the host of the benchmark has ended'));
    host.once('exit', ended);
    host.once('message', (message: LoadReport) => {
      host.off('exit', ended);
      if (message.kind === kind) resolve(message as Extract<LoadReport, { kind: Kind }>);
      else reject(new Error(`${message.kind} instead of ${kind}`));
    });
  });
}

/** The whole way: connections that stay open, one request of each at a time. */
async function driveHttp(baseUrl: string, terminals: readonly BenchTerminal[], load: Load): Promise<Driven> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.callers });
  const { hostname, port } = new URL(baseUrl);
  const next = terminalsInTurn(terminals, load.callers);
  const post = (terminal: BenchTerminal) =>
    new Promise<string>((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${terminal.deviceToken}`,
        'idempotency-key': randomUUID(),
      };
      const { path } = hostEndpointOf('device.authorize');
      const call = request({ agent, hostname, port, path, method: 'POST', headers }, (answer) => {
        text(answer).then(resolve, reject);
      });
      call.on('error', reject);
      call.end(JSON.stringify(benchPurchase(terminal)));
    });
  const driven = await drive(load, async (caller) => {
    const answer = await post(next(caller));
    if (!answer.includes('"approved":true')) throw new Error(`not approved: ${answer}`);
  });
  agent.destroy();
  return driven;
}

function report(pairs: readonly { readonly host: Measured; readonly bare: Measured }[], overHttp: Measured): Report {
  const ratios = pairs.map(({ host, bare }) => host.perSecond / bare.perSecond);
  const isFast = pairs.some(({ host }) => host.perSecond >= promisedPerSecond && host.p99Ms < promisedP99Ms);
  const load = loadavg()
    .map((average) => average.toFixed(1))
    .join(' ');
  return {
    isKept: isFast && ratios.every((ratio) => ratio >= promisedRatio),
    lines: [
      `F2 authorizations of the host (PostgreSQL with fsync on the same ${cpus().length} processors, load average ${load}; the acquirer is a double that approves at once)`,
      ...pairs.flatMap(({ host, bare }, index) => [
        lineOf(`${host.callers} callers`, host),
        lineOf('  bare commits of its rows', bare),
        `    host / bare             ${(ratios[index] ?? Number.NaN).toFixed(2)}   (promised ≥ ${promisedRatio})`,
      ]),
      lineOf(`${overHttp.callers} callers, HTTP`, overHttp),
      `  promised                  ≥ ${promisedPerSecond}/s at p99 < ${promisedP99Ms} ms, by some number of callers: ${isFast ? 'kept' : 'not kept'}`,
    ],
  };
}

function lineOf(name: string, { perSecond, p50Ms, p99Ms, ...took }: Measured): string {
  const processors = `processors: host ${took.hostProcessors.toFixed(2)}, database ${took.databaseProcessors.toFixed(2)}`;
  const speed = `${perSecond.toFixed(0).padStart(6)}/s   p50 ${ms(p50Ms)}   p99 ${ms(p99Ms)}`;
  return `  ${name.padEnd(25)} ${speed}   ${processors}; ${took.transactionsEach.toFixed(2)} transactions each`;
}
