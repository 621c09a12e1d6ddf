import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import yauzl from 'yauzl';
import { type ProcedureName, procedures } from '../../app/contract/console/procedures.ts';
import { type ConsoleLine, cookieOf, openConsoleLine } from '../support/console-call.ts';
import { filesBelow } from '../support/files-below.ts';
import {
  endProgram,
  type Program,
  runProgram,
  startTill,
  type TillReady,
  temporaryFolder,
} from '../support/processes.ts';

/** Card data that no test of ours uses elsewhere, and how each of them might be written down. The search is a plain one, not the scanner's. */
const canaries = [
  '4929130412345675',
  '5413330089010483',
  '5413330089010483=25121010000012345678',
  '041226FFFFFFFFFF',
  'FFFF9876543210E0BEEF',
];
const spellings = canaries.flatMap((text) => [
  text,
  text.replace(/(.{4})(?=.)/g, '$1 '),
  text.replace(/(.{4})(?=.)/g, '$1-'),
  Array.from(text).reverse().join(''),
  Buffer.from(text).toString('hex'),
  Buffer.from(text).toString('base64'),
  Buffer.from(text, 'utf16le').toString('base64'),
]);

const folder = temporaryFolder();
let till: Program<TillReady>;
beforeAll(async () => {
  till = await startTill(['--data-dir', join(folder.path, 'data'), '--training']);
});
afterAll(async () => {
  await endProgram(till);
  folder.remove();
});

/** Sends it, whatever the answer is. */
async function send(path: string, canary: string, init: RequestInit = {}): Promise<void> {
  const headers = { authorization: `Bearer ${till.ready.posKey}`, 'content-type': 'application/json', ...init.headers };
  await fetch(`${till.ready.posUrl}${path}`, { ...init, headers }).then((answer) => answer.text());
  expect(canary).not.toBe('');
}

async function feed(canary: string, number: number): Promise<void> {
  const header = encodeURIComponent(canary);
  const fields = {
    amount: 1200 + number,
    currency: 'EUR',
    referenceId: canary,
    metadata: { [`k${number}`]: canary, note: canary },
  };
  const json = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) });
  await send('/v1/transaction/sale', canary, {
    ...json({ ...fields, cardNumber: canary }),
    headers: { 'idempotency-key': header },
  });
  await send('/v1/transaction/sale', canary, {
    ...json({ ...fields, amount: canary }),
    headers: { 'x-request-id': header },
  });
  await send('/v1/transaction/refund', canary, json({ originalTransactionId: canary, amount: 5, currency: canary }));
  await send('/v1/device/display', canary, json({ text: canary, lines: [canary] }));
  await send('/v1/device/input', canary, json({ prompt: canary, inputType: canary }));
  await send('/v1/device/print', canary, json({ lines: [canary] }));
  await send(`/v1/transactions?referenceId=${header}&cursor=${header}&${header}=1`, canary);
  await send(`/v1/transactions/${header}`, canary, {
    headers: { 'x-terminal-id': header, 'user-agent': header, origin: `https://${header}` },
  });
  await send(`/${header}`, canary, { method: 'PUT', body: canary, headers: { authorization: `Bearer ${header}` } });
}

async function feedSocket(): Promise<void> {
  const url = `${till.ready.posUrl.replace('http', 'ws')}/v1/session`;
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${till.ready.posKey}` } });
  await new Promise<void>((resolve) => {
    socket.once('open', () => {
      for (const text of spellings)
        socket.send(JSON.stringify({ action: text, requestId: text, params: { referenceId: text } }));
      for (const text of canaries) socket.send(text);
      socket.close();
    });
    socket.once('close', () => resolve());
    socket.once('error', () => resolve());
  });
}

/** As the ready administrator of the training till. */
async function signedIn(line: ConsoleLine): Promise<ConsoleLine> {
  const { trainingStaff } = await line.call('session.state', {});
  await line.call('session.signIn', { staffId: trainingStaff?.staffId ?? '', pin: trainingStaff?.pin ?? '' });
  return line;
}

/** What a person can write at the console, each request whole and good but for the text. */
function written(text: string, terminalId: string): readonly (readonly [ProcedureName, unknown])[] {
  const transactionId = '01890a5d-ac96-774b-bcce-b302099a8057';
  const printer = { printerId: 'p1', name: text, url: 'escpos+tcp://127.0.0.1:9', columns: 42 };
  return [
    ['staff.create', { name: text, role: 'CASHIER', pin: '7364' }],
    ['settings.update', { changes: { merchantName: text, receiptHeader: [text], receiptFooter: [text] } }],
    ['settings.update', { changes: { supportContact: { name: text, phone: text, email: text } } }],
    ['activity.search', { text }],
    ['attention.resolve', { transactionId, charged: true, evidence: text }],
    ['terminals.rename', { terminalId, name: text }],
    ['terminals.testDisplay', { terminalId, lines: [text] }],
    ['terminals.testPrint', { terminalId, lines: [text] }],
    ['integrations.clients.create', { name: text }],
    ['integrations.origins.allow', { origin: `https://${text}` }],
    ['integrations.diagnose', { origin: `https://${text}`, address: `http://${text}` }],
    ['printing.savePrinter', { printer }],
    ['support.entry', { name: text }],
  ];
}

/** The fields of a request, whichever of several forms it may have. */
function fieldsOf(schema: object): readonly string[] {
  const {
    properties = {},
    oneOf = [],
    anyOf = [],
  } = schema as {
    readonly properties?: object;
    readonly oneOf?: readonly object[];
    readonly anyOf?: readonly object[];
  };
  return [...new Set([...Object.keys(properties), ...[...oneOf, ...anyOf].flatMap(fieldsOf)])];
}

/** A sale whose card is shown as soon as the terminal asks for one; ends too when it is refused before. */
async function sell(line: ConsoleLine, terminalId: string, request: object): Promise<void> {
  let isOver = false;
  const ended = line.send('sell.start', request).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const { view } = await line.call('virtual.state', { terminalId });
    const action = { kind: 'PRESENT_CARD', card: 'visa-contactless' };
    if (view?.isCardReaderLit === true) await line.send('virtual.act', { terminalId, action });
    await setTimeout(20);
  }
  await ended;
}

/** Each text through every field of every procedure: by itself, and in requests that are good but for it. */
async function feedConsole(): Promise<void> {
  const consoleUrl = till.ready.consoleUrl ?? '';
  const cookie = await cookieOf(consoleUrl);
  const openLine = () => openConsoleLine(new URL(consoleUrl).origin, cookie);
  const line = await signedIn(await openLine());
  const { terminalId = '' } = till.ready;
  for (const text of spellings) {
    for (const [name, { request }] of Object.entries(procedures)) {
      if (name === 'session.signOut') continue;
      for (const field of fieldsOf(request)) await line.send(name, { [field]: text });
    }
    // A name that is too long for any procedure ends the line that it came over.
    const other = await openLine();
    await other.send(text, { [text]: text }).catch(() => undefined);
    other.close();
    for (const [name, request] of written(text, terminalId)) await line.send(name, request);
  }
  for (const [number, text] of canaries.entries()) {
    const sale = { type: 'SALE', amount: 2200 + number, currency: 'EUR', idempotencyKey: `console-${number}` };
    await sell(line, terminalId, { ...sale, referenceId: text });
    await sell(line, terminalId, { ...sale, idempotencyKey: text });
  }
  line.close();
}

async function textsOf(path: string): Promise<ReadonlyMap<string, string>> {
  const zip = await yauzl.openPromise(path, { autoClose: false });
  const texts = new Map<string, string>();
  for await (const entry of zip.eachEntry()) {
    texts.set(entry.fileName, String(await buffer(await zip.openReadStreamPromise(entry))));
  }
  zip.close();
  return texts;
}

/** Feeding every field of a till takes its time on a busy machine. */
const feedingLimitMs = 600_000;

describe('the support bundle of a till that was fed card data', () => {
  it('holds none of it, beside the running till', { timeout: feedingLimitMs }, async () => {
    for (const [number, canary] of spellings.entries()) await feed(canary, number);
    await feedSocket();
    await feedConsole();
    const out = join(folder.path, 'bundle.zip');
    const { code, errors } = await runProgram('main/support-bundle', ['--data-dir', till.ready.dataDir, '--out', out]);
    expect(errors).toBe('');
    expect(code).toBe(0);
    const texts = await textsOf(out);
    expect([...texts.keys()]).toEqual(
      expect.arrayContaining(['journal/transactions.jsonl', 'logs/till.log', 'scan-report.json', 'manifest.json']),
    );
    expect(texts.get('journal/verification.json')).toContain('"ok": true');
    for (const [name, text] of texts) {
      for (const spelling of spellings) expect(text.includes(spelling), `${name} holds ${spelling}`).toBe(false);
    }
  });

  it('leaves the logs of the till without it as well', () => {
    const logs = join(till.ready.dataDir, 'logs');
    const text = filesBelow(logs)
      .map(({ content }) => content.toString())
      .join('');
    for (const spelling of spellings) expect(text.includes(spelling), spelling).toBe(false);
  });

  it('leaves no card number in any file of the data folder', () => {
    const files = filesBelow(till.ready.dataDir);
    expect(files.map(({ path }) => path)).toContainEqual(expect.stringContaining('journal.db'));
    for (const number of canaries.slice(0, 2)) {
      const grouped = [' ', '-'].map((separator) => number.replace(/(.{4})(?=.)/g, `$1${separator}`));
      for (const text of [number, ...grouped]) {
        for (const { path, content } of files) expect(content.includes(text), `${path} holds ${text}`).toBe(false);
      }
    }
  });

  it('is refused when card data were written into the log, and goes without that line on request', async () => {
    const out = join(folder.path, 'tampered.zip');
    const planted = join(till.ready.dataDir, 'logs', 'old.log');
    writeFileSync(
      planted,
      `{"level":"info","time":"2026-11-28T03:00:00.000Z","message":"x ${Buffer.from(canaries[0] ?? '').toString('base64')}"}\n`,
    );
    const args = ['--data-dir', till.ready.dataDir, '--out', out];
    const refused = await runProgram('main/support-bundle', args);
    expect(refused.code).toBe(1);
    expect(refused.errors).toContain('logs/old.log, line 1: CARD_NUMBER');
    expect(existsSync(out)).toBe(false);
    const { code } = await runProgram('main/support-bundle', [...args, '--leave-out']);
    rmSync(planted);
    expect(code).toBe(0);
    expect((await textsOf(out)).get('scan-report.json')).toMatch(/"linesRemovedFromLogs": [1-9]/);
  });

  it('says what is wrong when there is no till', async () => {
    const out = join(folder.path, 'none.zip');
    const { code, errors } = await runProgram('main/support-bundle', [
      '--data-dir',
      join(folder.path, 'none'),
      '--out',
      out,
    ]);
    expect(code).toBe(2);
    expect(errors).toContain('has no journal.db');
    expect(existsSync(out)).toBe(false);
  });
});
