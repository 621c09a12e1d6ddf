// A host and a till with a terminal as the programs that they are: one script of a WebSocket session at both addresses.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openSession, type SessionClient } from '../server/session-client.ts';
import {
  endProgram,
  type Program,
  runProgram,
  startProgram,
  startVirtualTerminal,
  type TillReady,
  temporaryFolder,
  type VirtualTerminalReady,
} from '../support/processes.ts';

interface HostReady {
  readonly baseUrl: string;
  readonly demo: Readonly<Record<'merchantId', string>>;
}

type Message = Record<string, unknown>;

const PROGRAMS_MS = 240_000;
const WAIT = { timeout: 90_000, interval: 100 };
const folder = temporaryFolder();
const hostDir = join(folder.path, 'host');
const tillDir = join(folder.path, 'till');
let host: Program<HostReady>;
let terminal: Program<VirtualTerminalReady>;
let till: Program<TillReady>;
let tillKey = '';
let cloudKey = '';
/** Of the terminal at the host. */
let terminalId = '';

async function command(program: string, ...args: readonly string[]): Promise<string> {
  const { code, output, errors } = await runProgram(program, args);
  expect(code, errors).toBe(0);
  return output;
}
const admin = (...args: readonly string[]) => command('host/main', 'admin', ...args, '--data-dir', hostDir, '--json');

function startTill(): Promise<Program<TillReady>> {
  const url = `zvt+tcp://127.0.0.1:${terminal.ready.tcp}?currency=EUR`;
  return startProgram('main/headless', ['--headless', '--port', '0', '--data-dir', tillDir, '--terminal', url]);
}

const open = (url: string, key: string) => openSession(url, { headers: { 'x-api-key': key } });

async function until(client: SessionClient, isIt: (message: Message) => boolean): Promise<Message> {
  return await vi.waitFor(() => {
    const found = client.messages().find(isIt);
    if (found === undefined) throw new Error(`it has not come; there are ${client.texts.join('\n')}`);
    return found;
  }, WAIT);
}

beforeAll(async () => {
  host = await startProgram<HostReady>('host/main', ['--port', '0', '--data-dir', hostDir, '--demo']);
  const merchant = ['--merchant', host.ready.demo.merchantId];
  const added = await admin('terminals', 'add', ...merchant, '--name', 'Till 2', '--currency', 'EUR');
  terminalId = JSON.parse(added).terminalId;
  cloudKey = (await admin('pos-clients', 'add', ...merchant, '--name', 'Web shop')).match(/pos_[\w-]+/)?.[0] ?? '';
  terminal = await startVirtualTerminal(['--tcp', '0', '--book', join(folder.path, 'book.jsonl'), '--think-ms', '700']);
  till = await startTill();
  tillKey = (await command('main/keys', 'create', 'POS', '--data-dir', tillDir)).match(/pos_[\w-]+/)?.[0] ?? '';
  const code = await admin('pairing-codes', 'add', ...merchant, '--terminal', terminalId);
  const pairing = ['--terminal', 'T1', '--data-dir', tillDir, '--host', host.ready.baseUrl];
  await command('main/pair', JSON.parse(code).pairingCode, ...pairing);
  await vi.waitFor(async () => {
    const headers = { 'x-api-key': cloudKey, 'x-terminal-id': terminalId };
    expect((await fetch(`${host.ready.baseUrl}/v1/device/health`, { headers })).status).toBe(200);
  }, WAIT);
}, PROGRAMS_MS);
afterAll(async () => {
  await endProgram(till);
  await endProgram(terminal);
  await endProgram(host);
  folder.remove();
}, PROGRAMS_MS);

/** What of a message is the same wherever the session is: all but ids, times and what the acquirer chose. */
function shapeOf(message: Message, name: string): Message {
  const { event, requestId, errorCode, field, replayed, response, terminalId: told, state } = message;
  const { status, type, amount } = Object(response);
  const fields = Object.keys(message).toSorted().join(' ');
  return { event, requestId, errorCode, field, replayed, state, status, type, amount, fields, isHere: told === name };
}

/** A session from its first message to its last. */
async function play(url: string, key: string, name: string, amount: number): Promise<Message[]> {
  const client = await open(url, key);
  const say = (message: object) => client.send({ terminalId: name, ...message });
  const sale = { action: 'sale', amount, currency: 'EUR', idempotencyKey: `order-${amount}` };
  client.send('{');
  await client.received(1);
  client.send({ action: 'sale', amount: 1, currency: 'EUR', more: true, requestId: 'unknown field' });
  await until(client, ({ requestId }) => requestId === 'unknown field');
  client.send({ action: 'display', lines: ['Hello'], requestId: 'elsewhere', terminalId: 'nobody' });
  await until(client, ({ requestId }) => requestId === 'elsewhere');
  say({ ...sale, requestId: 'sale' });
  await until(client, ({ event }) => event === 'result');
  say({ ...sale, requestId: 'again' });
  const { response } = await until(client, ({ requestId }) => requestId === 'again');
  say({ ...sale, amount: amount + 1, requestId: 'other body' });
  await until(client, ({ requestId }) => requestId === 'other body');
  say({ action: 'abort', transactionId: Object(response).transactionId, requestId: 'too late' });
  await until(client, ({ requestId }) => requestId === 'too late');
  await until(client, ({ event, state }) => event === 'status_changed' && state === 'IDLE');
  client.socket.close();
  return client.messages().map((message) => shapeOf(message, name));
}

it(
  'gives the same messages at the till and at the cloud',
  async () => {
    const atTill = await play(till.ready.posUrl, tillKey, 'T1', 2_000);
    const atCloud = await play(host.ready.baseUrl, cloudKey, terminalId, 2_000);
    expect(atTill.map(({ event }) => event)).toContain('card_detected');
    expect(atCloud).toEqual(atTill);
  },
  PROGRAMS_MS,
);

it(
  'says that the outcome is unknown when the till is lost in mid-sale, and the till tells it once it is back',
  async () => {
    const client = await open(host.ready.baseUrl, cloudKey);
    client.send({
      action: 'sale',
      amount: 3_000,
      currency: 'EUR',
      terminalId,
      requestId: 'lost',
      idempotencyKey: 'lost',
    });
    const begun = await until(client, ({ event }) => event === 'waiting_for_card');
    till.kill('SIGKILL');
    const lost = await until(client, ({ event }) => event === 'error');
    expect(lost).toMatchObject({
      ...{ requestId: 'lost', errorCode: 'OUTCOME_UNKNOWN', transactionId: begun.transactionId },
      outcome: { charged: 'UNKNOWN', safeToRetry: false },
    });
    client.send({ action: 'sale', amount: 3_100, currency: 'EUR', terminalId, requestId: 'away' });
    const away = await until(client, ({ requestId }) => requestId === 'away');
    expect(away.errorCode).toBe('TERMINAL_UNREACHABLE');
    await endProgram(till);
    till = await startTill();
    await vi.waitFor(async () => {
      client.send({ action: 'replay', after: begun.sequence, terminalId });
      await until(client, ({ event, transactionId, response }) => {
        const isResult = event === 'outcome_resolved' || event === 'result';
        return isResult && (transactionId ?? Object(response).transactionId) === begun.transactionId;
      });
    }, WAIT);
    client.socket.close();
  },
  PROGRAMS_MS,
);
