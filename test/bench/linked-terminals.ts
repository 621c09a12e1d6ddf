import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import type { LinkCall } from '../../app/contract/host/link.ts';
import { endProgram, startProgram } from '../support/processes.ts';
import { projectRoot } from '../support/project-root.ts';
import type { LinkedPos, LinkOrder, LinkReport } from './link-server.ts';
import { ms, percentile, type Report, timed } from './statistics.ts';

/** Files that a process needs besides its links. */
const otherFiles = 500;
/** Links that are being opened at once: a server's queue of new connections is short. */
const openersAtOnce = 64;
/** Links of one source address: far fewer than the ports that a system gives out. */
const linksPerAddress = 5_000;
/** How long a wake-up may take before it counts as lost. */
const lostAfterMs = 30_000;

/** Sales that the POS sends before any is counted, and those that are. */
const warmUpSales = 50;
const promisedSales = 500;
/** Promised for a sale over the host, beyond what the till takes for it. */
const promisedP99Ms = 10;

interface Routed {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Run {
  readonly links: number;
  readonly holdMs: number;
  readonly sales: number;
}

interface Measured {
  readonly opened: number;
  readonly openMs: number;
  readonly bytesEach: number;
  readonly keptLinks: number;
  readonly woken: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Sales of a POS at the host, one after the other, while all terminals are linked and the one that is meant answers at once. */
  readonly sales?: Routed;
}

/**
 * F8: terminals linked to one host process, held for `holdMs` and then woken all at once, beside a bare `ws` server with as many connections; and sales
 * of a POS that the host passes to one of them, beside bare HTTP. The links are opened by this process, which answers as the till, too. With too few
 * file descriptors it takes fewer links, says so, and the promise is not kept.
 */
export async function linkedTerminals(wanted: number, holdMs: number, sales = promisedSales): Promise<Report> {
  const links = Math.min(wanted, (await openFileLimit()) - otherFiles);
  const folder = await mkdtemp(join(tmpdir(), 'bench-links-'));
  try {
    const bare = await measure('none', { links, holdMs, sales });
    const host = await measure(`sqlite:${join(folder, 'host.db')}`, { links, holdMs, sales });
    return report(wanted, { links, holdMs, sales }, { host, bare, bareSales: await bareSales(sales) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Open files of a process, of which Node takes as many as it may; unknown where the system does not tell. */
async function openFileLimit(): Promise<number> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
}

async function measure(database: string, { links, holdMs, sales: count }: Run): Promise<Measured> {
  const program = join(projectRoot, 'dist', 'test/bench/link-server.js');
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
  const server = fork(program, [database, String(links)], { stdio: [...stdio], execArgv: ['--expose-gc'] });
  const sockets: WebSocket[] = [];
  try {
    const { url, tokens, pos } = await reportOf(server, 'READY');
    const before = await order(server, 'COUNT', 'COUNTED');
    const startedAt = performance.now();
    sockets.push(...(await openAll(url, tokens)));
    const openMs = performance.now() - startedAt;
    const after = await order(server, 'COUNT', 'COUNTED');
    await new Promise((resolve) => setTimeout(resolve, holdMs));
    const kept = await order(server, 'COUNT', 'COUNTED');
    const sales = pos === undefined ? undefined : await sellOver(pos, sockets, count);
    const delays = await wakeAll(server, sockets);
    return {
      ...(sales === undefined ? {} : { sales }),
      ...{ opened: after.links, openMs, keptLinks: kept.links, woken: delays.length },
      bytesEach: (kept.rssBytes - before.rssBytes) / Math.max(1, kept.links),
      ...{ p50Ms: percentile(delays, 50), p99Ms: percentile(delays, 99) },
    };
  } finally {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    if (server.exitCode === null && server.kill('SIGTERM')) await ended;
    for (const socket of sockets) socket.terminate();
  }
}

async function openAll(url: string, tokens: readonly string[]): Promise<readonly WebSocket[]> {
  const opened: WebSocket[] = [];
  let next = 0;
  const opener = async () => {
    for (let index = next++; index < tokens.length; index = next++) {
      opened.push(await openLink(url, tokens[index] ?? '', `127.0.0.${1 + Math.floor(index / linksPerAddress)}`));
    }
  };
  await Promise.all(Array.from({ length: openersAtOnce }, opener));
  return opened;
}

/** Resolves with the first wake-up, which each server sends to whoever has just linked. */
function openLink(url: string, token: string, localAddress: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const socket = new WebSocket(url, { headers, localAddress, perMessageDeflate: false });
    socket.once('message', () => resolve(socket));
    socket.once('close', (code) => reject(new Error(`a link was closed with ${code} before it was told anything`)));
    socket.on('error', reject);
  });
}

/** The sales of a POS, each answered by the till at once, whichever terminal it is for. */
async function sellOver(pos: LinkedPos, sockets: readonly WebSocket[], count: number): Promise<Routed> {
  for (const socket of sockets) socket.on('message', (data) => answerSale(socket, String(data)));
  return await timeSales(count, async (idempotencyKey) => {
    const headers = { ...pos.headers, 'idempotency-key': idempotencyKey };
    const answer = await fetch(pos.saleUrl, { method: 'POST', headers, body: saleText });
    const { status } = (await answer.json()) as { readonly status?: string };
    if (status !== 'APPROVED') throw new Error(`a sale over the host was answered ${answer.status}`);
  });
}

const saleText = JSON.stringify({ type: 'SALE', amount: 1_000, currency: 'EUR' });

function answerSale(socket: WebSocket, text: string): void {
  const message = JSON.parse(text) as Partial<LinkCall> & { readonly event: string };
  if (message.event !== 'call') return;
  const { callId, transactionId } = message;
  const body = JSON.stringify({ ...JSON.parse(message.body ?? '{}'), transactionId, status: 'APPROVED' });
  socket.send(
    JSON.stringify({ event: 'answer', callId, statusCode: 200, headers: { 'content-type': 'application/json' }, body }),
  );
}

/** The baseline: the same bytes to a server that sends them back. */
async function bareSales(count: number): Promise<Routed> {
  const echo = await startProgram<{ readonly url: string }>('test/bench/echo-server', []);
  try {
    return await timeSales(count, async () => {
      const answer = await fetch(echo.ready.url, { method: 'POST', body: saleText });
      await answer.json();
    });
  } finally {
    await endProgram(echo);
  }
}

async function timeSales(count: number, sell: (idempotencyKey: string) => Promise<void>): Promise<Routed> {
  const samples: number[] = [];
  for (let sale = 0; sale < warmUpSales + count; sale += 1) {
    const tookMs = await timed(() => sell(`sale-${sale}`));
    if (sale >= warmUpSales) samples.push(tookMs);
  }
  return { p50Ms: percentile(samples, 50), p99Ms: percentile(samples, 99) };
}

/** Milliseconds from the first wake-up sent to each one received. */
async function wakeAll(server: ChildProcess, sockets: readonly WebSocket[]): Promise<readonly number[]> {
  const receivedAtNs: bigint[] = [];
  const all = new Promise<void>((resolve) => {
    const lost = setTimeout(resolve, lostAfterMs);
    for (const socket of sockets) {
      socket.once('message', () => {
        if (receivedAtNs.push(process.hrtime.bigint()) < sockets.length) return;
        clearTimeout(lost);
        resolve();
      });
    }
  });
  const { startedAtNs } = await order(server, 'WAKE', 'WOKEN');
  await all;
  return receivedAtNs.map((at) => Number(at - BigInt(startedAtNs)) / 1e6);
}

function order<Kind extends LinkReport['kind']>(server: ChildProcess, message: LinkOrder, kind: Kind) {
  const answered = reportOf(server, kind);
  server.send(message);
  return answered;
}

/** The next report of the server, which is of this kind. */
function reportOf<Kind extends LinkReport['kind']>(
  server: ChildProcess,
  kind: Kind,
): Promise<Extract<LinkReport, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('the server of the benchmark has ended'));
    server.once('exit', ended);
    server.once('message', (message: LinkReport) => {
      server.off('exit', ended);
      if (message.kind === kind) resolve(message as Extract<LinkReport, { kind: Kind }>);
      else reject(new Error(`${message.kind} instead of ${kind}`));
    });
  });
}

interface Figures {
  readonly host: Measured;
  readonly bare: Measured;
  readonly bareSales: Routed;
}

function report(wanted: number, { links, holdMs, sales: count }: Run, { host, bare, bareSales }: Figures): Report {
  const areHeld = [host.opened, host.keptLinks, host.woken].every((count) => count === wanted);
  const { sales = { p50Ms: Number.NaN, p99Ms: Number.NaN } } = host;
  const isFast = sales.p99Ms < promisedP99Ms;
  const fewer = `  ONLY ${links} of ${wanted} links: too few open files are allowed (ulimit -n)`;
  return {
    isKept: areHeld && isFast,
    lines: [
      `F8 terminals linked to one host process (SQLite; held for ${holdMs / 1000} s, then all woken at once)`,
      ...(links < wanted ? [fewer] : []),
      lineOf('host', host),
      lineOf('baseline: bare ws', bare),
      `  promised ${wanted} links, all held and woken: ${areHeld ? 'kept' : 'NOT KEPT'}`,
      `F8 a sale that the host passes on, to a till that answers at once, while ${links} are linked (${count} one after the other)`,
      `  host               p50 ${ms(sales.p50Ms)}, p99 ${ms(sales.p99Ms)}`,
      `  baseline: bare HTTP p50 ${ms(bareSales.p50Ms)}, p99 ${ms(bareSales.p99Ms)}`,
      `  promised p99 < ${promisedP99Ms} ms: ${isFast ? 'kept' : 'NOT KEPT'}`,
    ],
  };
}

function lineOf(name: string, measured: Measured): string {
  const counts = `${measured.opened} opened in ${ms(measured.openMs)}, ${measured.keptLinks} held, ${measured.woken} woken`;
  const wake = `wake → received p50 ${ms(measured.p50Ms)}, p99 ${ms(measured.p99Ms)}`;
  return `  ${name.padEnd(18)} ${counts}; ${(measured.bytesEach / 1024).toFixed(1)} KiB of RSS each; ${wake}`;
}
