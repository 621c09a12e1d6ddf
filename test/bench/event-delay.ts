import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket, WebSocketServer } from 'ws';
import type { Log } from '../../app/ports/log.ts';
import type { ExchangeHooks, Terminal } from '../../app/ports/terminal.ts';
import { nodeIds } from '../../app/programs/node-ports.ts';
import { createTill } from '../../app/services/create-till.ts';
import { createJournal } from '../../app/storage/create-journal.ts';
import { createSystemClock } from '../../drivers/virtual/system-clock.ts';
import { createHarness } from '../server/server-harness.ts';
import { goodKey, otherKey } from '../support/fake-till.ts';
import { ms, percentile, type Report } from './statistics.ts';

const clientCount = 8;
const warmUps = 200;
const eventCount = 1_000;
/** Between two events: a terminal tells a few a second, never many at once. */
const pauseMs = 3;
const promisedP99Ms = 5;
const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * F7: from the moment a driver tells of its progress until each of eight WebSocket clients holds the event, through the engine with its journal
 * on disk and the server. The baseline beside it, event by event: the same text from a bare ws server to eight clients.
 */
export async function eventDelay(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'till-bench-'));
  const source = await startTill(folder);
  const bare = await startBare();
  try {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < warmUps + eventCount; round++) {
      const delays = await source.emit();
      const baseline = await bare.emit(source.lastText());
      if (round >= warmUps) {
        ours.push(...delays);
        theirs.push(...baseline);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    const p99 = percentile(ours, 99);
    return {
      isKept: p99 < promisedP99Ms,
      lines: [
        `F7 event from driver to WebSocket client (${eventCount} events, ${clientCount} clients, in turn with their baseline)`,
        `  through engine and server      p50 ${ms(percentile(ours, 50))}   p99 ${ms(p99)}   (promised p99 < ${promisedP99Ms} ms)${p99 < promisedP99Ms ? '' : '   NOT KEPT'}`,
        `  baseline: bare ws broadcast    p50 ${ms(percentile(theirs, 50))}   p99 ${ms(percentile(theirs, 99))}`,
      ],
    };
  } finally {
    await bare.stop();
    await source.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Clients that tell when each message came. */
async function openClients(url: string, headersOf: (client: number) => Record<string, string>) {
  let onMessage: (text: string) => void = () => {};
  const sockets = await Promise.all(
    Array.from({ length: clientCount }, async (_, client) => {
      const socket = new WebSocket(url, { headers: headersOf(client) });
      socket.on('message', (data) => onMessage(String(data)));
      await new Promise<void>((resolve, reject) => {
        socket.once('open', resolve);
        socket.once('error', reject);
      });
      return socket;
    }),
  );
  return {
    /** Sends once and waits for all. @returns milliseconds until each client had it */
    delaysOf(send: () => void): Promise<{ readonly delays: readonly number[]; readonly text: string }> {
      const delays: number[] = [];
      return new Promise((resolve) => {
        const startedAt = performance.now();
        onMessage = (text) => {
          delays.push(performance.now() - startedAt);
          if (delays.length === clientCount) resolve({ delays, text });
        };
        send();
      });
    },
    close() {
      for (const socket of sockets) socket.terminate();
    },
  };
}

async function startTill(folder: string) {
  const clock = createSystemClock();
  const journal = createJournal({ dataDir: folder, clock, log: silentLog, pid: process.pid });
  const { terminal, running, end } = createTellingTerminal();
  const till = createTill({
    journal,
    terminals: [{ terminal, currency: 'EUR', simulated: false }],
    clock,
    ids: nodeIds,
    log: silentLog,
    hmac: (text) => createHmac('sha256', 'bench').update(text).digest('hex'),
    settings: {
      merchantId: 'M1',
      merchantName: 'Bench',
      timeZone: 'UTC',
      dayCutOff: '00:00',
      stopGraceMs: 1_000,
    },
  });
  till.start();
  const harness = await createHarness({ clock });
  // The server has a till that only passes on what the engine tells.
  const unsubscribe = till.subscribe((event) => harness.till.emit(event));
  const address = await harness.server.listen({ host: '127.0.0.1', port: 0 });
  const context = { clientId: 'c', actor: 'pos:bench', requestId: 'r', route: 'POST /v1/transaction/sale' };
  const sale = till.run({ ...context, timeoutSeconds: 300 }, { type: 'SALE', amount: 1_000, currency: 'EUR' });
  sale.catch(() => {});
  const hooks = await running;
  hooks.onProgress({ step: 'CARD_DETECTED', card: {} });
  const clients = await openClients(`${address.replace('http', 'ws')}/v1/session`, (client) => ({
    'x-api-key': client % 2 === 0 ? goodKey : otherKey,
  }));
  let lastText = '';
  return {
    lastText: () => lastText,
    async emit() {
      const { delays, text } = await clients.delaysOf(() => hooks.onProgress({ step: 'PIN_REQUIRED' }));
      lastText = text;
      return delays;
    },
    async stop() {
      clients.close();
      end();
      await sale;
      unsubscribe();
      await harness.server.close();
      await till.stop();
      journal.close();
    },
  };
}

/** A terminal that takes one payment, and whose progress is told by the benchmark. */
function createTellingTerminal() {
  let started: (hooks: ExchangeHooks) => void = () => {};
  let end = (): void => {};
  const running = new Promise<ExchangeHooks>((resolve) => {
    started = resolve;
  });
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const idle = { connected: true, state: 'IDLE' } as const;
  const terminal: Terminal = {
    terminalId: 'T1',
    protocol: 'bench',
    capabilities: {
      operations: new Set(['SALE']),
      cashback: false,
      maxAmountMinor: 999_999_999,
      inputTypes: new Set(),
    },
    start() {},
    async stop() {},
    status: () => idle,
    probe: async () => idle,
    subscribe: () => () => {},
    prepare: async () => ({
      mark: {},
      async run(hooks) {
        started(hooks);
        await ended;
        return { kind: 'CANCELLED', reason: 'OPERATOR', receipts: [] };
      },
      requestAbort: async () => 'TOO_LATE',
      discard() {},
    }),
    recover: async () => ({ kind: 'UNDECIDED', reason: 'never asked', evidence: [] }),
    async display() {},
    input: async () => ({ status: 'CANCELLED' }),
    async print() {},
  };
  return { terminal, running, end: () => end() };
}

async function startBare() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise<void>((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const clients = await openClients(`ws://127.0.0.1:${port}`, () => ({}));
  return {
    async emit(text: string) {
      const { delays } = await clients.delaysOf(() => {
        for (const socket of server.clients) socket.send(text);
      });
      return delays;
    },
    async stop() {
      clients.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
