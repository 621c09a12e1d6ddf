import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { createPos } from '../support/pos.ts';
import {
  endProgram,
  type Program,
  ProgramEnded,
  runProgram,
  startTill,
  startVirtualTerminal,
  type TillReady,
  temporaryFolder,
  type VirtualTerminalReady,
} from '../support/processes.ts';

const folder = temporaryFolder();
const programs: Program<unknown>[] = [];
let terminals = 0;

afterEach(async () => {
  for (const program of programs.splice(0)) await endProgram(program);
});

async function till(...args: string[]): Promise<Program<TillReady>> {
  const program = await startTill(args);
  programs.push(program);
  return program;
}

async function terminal(...args: string[]): Promise<Program<VirtualTerminalReady>> {
  terminals += 1;
  const book = join(folder.path, `book-${terminals}.jsonl`);
  const program = await startVirtualTerminal(['--think-ms', '0', '--book', book, ...args]);
  programs.push(program);
  return program;
}

function posOf(program: Program<TillReady>) {
  return createPos(program.ready.posUrl, program.ready.posKey ?? '');
}

/** Every field of the specification's response that ZVT carries for a chip payment. */
const expectedFields = [
  ...[
    'transactionId',
    'status',
    'type',
    'amount',
    'currency',
    'authorizationCode',
    'responseCode',
    'cardScheme',
    'maskedPan',
    'entryMode',
  ],
  ...[
    'aid',
    'applicationLabel',
    'cvmResult',
    'referenceId',
    'timestamp',
    'receiptData',
    'metadata',
    'outcome',
    'simulated',
    'batchNumber',
    'businessDate',
  ],
];
const receiptFields = [
  ...[
    'merchantName',
    'merchantId',
    'terminalId',
    'transactionId',
    'dateTime',
    'cardScheme',
    'maskedPan',
    'applicationLabel',
    'aid',
  ],
  ...['authorizationCode', 'amount', 'tipAmount', 'totalAmount', 'entryMode', 'cvmPerformed', 'approvalStatus'],
];
const sale = {
  type: 'SALE',
  amount: 1000,
  tipAmount: 100,
  currency: 'EUR',
  referenceId: 'order-1',
  metadata: { table: '7' },
};

async function expectFullSale(program: Program<TillReady>): Promise<void> {
  const answer = await posOf(program).post('/v1/transaction/sale', sale);
  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toMatchObject({
    status: 'APPROVED',
    type: 'SALE',
    amount: 1000,
    tipAmount: 100,
    currency: 'EUR',
    responseCode: '00',
    referenceId: 'order-1',
    metadata: { table: '7' },
    simulated: true,
  });
  expect(Object.keys(answer.body)).toEqual(expect.arrayContaining(expectedFields));
  const receipt = answer.body.receiptData as Record<string, unknown>;
  expect(Object.keys(receipt)).toEqual(expect.arrayContaining(receiptFields));
  expect(receipt.totalAmount).toBe(1100);
}

describe("a newcomer's first minutes", () => {
  it('npm start gives a training till that is ready to sell through a virtual terminal of its own', async () => {
    const dataDir = join(folder.path, 'embedded');
    const first = await till('--data-dir', dataDir);
    expect(first.ready).toMatchObject({ dataDir, simulated: true, pid: first.process.pid });
    expect(first.ready.consoleUrl).toMatch(/^http:\/\/127\.0\.0\.1:[0-9]+\/\?token=[A-Za-z0-9_-]{22}$/);
    expect(first.ready.virtualTerminal?.pid).toBe(first.ready.children[0]);
    await expectFullSale(first);
    const { hostUrl } = first.ready;
    expect((await (await fetch(`${hostUrl}/ready`)).json()).status).toBe('ready');
    expect(first.ready.children).toHaveLength(3);
    first.kill('SIGTERM');
    expect(await first.ended).toBe(0);

    await expect(fetch(`${hostUrl}/ready`)).rejects.toThrow();

    const second = await till('--data-dir', dataDir);
    expect(second.ready.posKey).toBe(first.ready.posKey);
    // The terminal survived its till and was found again, book and all.
    expect(second.ready.virtualTerminal).toEqual(first.ready.virtualTerminal);
    // The host ends with its till, even when nobody tells it to.
    second.kill('SIGKILL');
    await second.ended;
    await vi.waitFor(async () => {
      await expect(fetch(`${second.ready.hostUrl}/health`)).rejects.toThrow();
    }, 20_000);
    process.kill(second.ready.children[0] ?? 0, 'SIGTERM');
  });

  it('sells over TCP with every field that ZVT carries', async () => {
    const virtual = await terminal('--tcp', '0');
    await expectFullSale(
      await till(
        '--data-dir',
        join(folder.path, 'tcp'),
        '--training',
        '--terminal',
        `zvt+tcp://127.0.0.1:${virtual.ready.tcp}?password=000000&currency=EUR`,
      ),
    );
  });

  it('sells over a serial line with every field that ZVT carries', async () => {
    const link = join(folder.path, 'tty-terminal');
    await terminal('--pty', link);
    await expectFullSale(
      await till(
        '--data-dir',
        join(folder.path, 'pty'),
        '--training',
        '--terminal',
        `zvt+serial://${link}?baudRate=9600`,
      ),
    );
  });

  it('tells the WebSocket session each step of a sale in the specified order', async () => {
    const virtual = await terminal('--tcp', '0');
    const program = await till(
      '--data-dir',
      join(folder.path, 'session'),
      '--training',
      '--terminal',
      `zvt+tcp://127.0.0.1:${virtual.ready.tcp}`,
    );
    const socket = new WebSocket(`${program.ready.posUrl.replace('http', 'ws')}/v1/session`, {
      headers: { 'x-api-key': program.ready.posKey ?? '' },
    });
    const events: { event: string; sequence: number; requestId?: string; response?: { status: string } }[] = [];
    const result = new Promise<void>((resolve, reject) => {
      socket.on('message', (data) => {
        const event = JSON.parse(String(data)) as (typeof events)[number];
        events.push(event);
        if (event.event === 'result') resolve();
        if (event.event === 'error') reject(new Error(String(data)));
      });
      socket.on('error', reject);
    });
    await new Promise<void>((resolve) => socket.on('open', () => resolve()));
    socket.send(JSON.stringify({ action: 'sale', amount: 1250, currency: 'EUR', requestId: 'r1' }));
    await result;
    socket.close();
    const steps = events.filter((event) => event.requestId === 'r1').map((event) => event.event);
    expect(steps.filter((step) => step !== 'pin_required')).toEqual(
      expect.arrayContaining(['waiting_for_card', 'card_detected', 'processing', 'result']),
    );
    const order = ['waiting_for_card', 'card_detected', 'processing', 'result'].map((step) => steps.indexOf(step));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(events.at(-1)?.response?.status).toBe('APPROVED');
    const sequences = events.map((event) => event.sequence);
    expect(sequences).toEqual([...sequences].sort((a, b) => a - b));
  });
});

describe('a start that cannot work', () => {
  it('names the holder of a port that is in use, and ends with 1', async () => {
    const holder = await till('--data-dir', join(folder.path, 'holder'));
    const port = new URL(holder.ready.posUrl).port;
    const attempt = startTill(['--data-dir', join(folder.path, 'late'), '--port', port]);
    await expect(attempt).rejects.toBeInstanceOf(ProgramEnded);
    const end = (await attempt.catch((error: unknown) => error)) as ProgramEnded;
    expect(end.code).toBe(1);
    expect(end.errors).toContain(`Port ${port} is in use by node (pid ${holder.ready.pid})`);
    for (const pid of holder.ready.children) process.kill(pid, 'SIGTERM');
  });

  it('names the data folder that another till uses', async () => {
    const dataDir = join(folder.path, 'shared');
    const holder = await till('--data-dir', dataDir);
    const end = (await startTill(['--data-dir', dataDir]).catch((error: unknown) => error)) as ProgramEnded;
    expect(end.code).toBe(1);
    expect(end.errors).toContain(dataDir);
    for (const pid of holder.ready.children) process.kill(pid, 'SIGTERM');
  });

  it('names the part of a terminal address that is wrong', async () => {
    const end = (await startTill([
      '--data-dir',
      join(folder.path, 'bad'),
      '--terminal',
      'zvt+tcp://127.0.0.1:20007?pasword=1',
    ]).catch((error: unknown) => error)) as ProgramEnded;
    expect(end.code).toBe(1);
    expect(end.errors).toContain('pasword');
  });
});

describe('keys', () => {
  it('are created beside a running till, work at once, and stop working when revoked', async () => {
    const dataDir = join(folder.path, 'keys');
    const virtual = await terminal('--tcp', '0');
    const program = await till('--data-dir', dataDir, '--terminal', `zvt+tcp://127.0.0.1:${virtual.ready.tcp}`);
    expect(program.ready.posKey).toBeUndefined();
    const created = await runProgram('main/keys', ['--data-dir', dataDir, 'create', 'Front shop']);
    expect(created.code, created.errors).toBe(0);
    const pos = createPos(program.ready.posUrl, created.output.trim());
    expect((await pos.get('/v1/meta')).status).toBe(200);
    expect((await runProgram('main/keys', ['--data-dir', dataDir, 'list'])).output).toContain('Front shop');
    expect(readFileSync(join(dataDir, 'journal.db')).includes(created.output.trim())).toBe(false);
    expect((await runProgram('main/keys', ['--data-dir', dataDir, 'revoke', 'Front shop'])).code).toBe(0);
    expect((await pos.get('/v1/meta')).status).toBe(401);
  });
});
