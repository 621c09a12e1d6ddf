import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileLog, type FileLog, type FileLogOptions } from '../../app/logs/file-log.ts';
import type { LogFields } from '../../app/ports/log.ts';
import { createManualClock } from '../support/server-clock.ts';

let directory: string;
let humanLines: string[];
let log: FileLog | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'till-logs-'));
  humanLines = [];
});

afterEach(() => {
  log?.close();
  log = undefined;
  rmSync(directory, { recursive: true, force: true });
});

function open(options: Partial<FileLogOptions> = {}): FileLog {
  log = createFileLog({
    directory: join(directory, 'logs'),
    clock: createManualClock(Date.parse('2026-11-27T10:20:30.456Z')),
    writeHumanLine: (line) => humanLines.push(line),
    ...options,
  });
  return log;
}

function fileText(name = 'till.log'): string {
  return readFileSync(join(directory, 'logs', name), 'utf8');
}

/** As careless code would call: fields that the type does not know. */
function careless(fields: Record<string, unknown>): LogFields {
  return fields;
}

describe('file log', () => {
  it('writes one JSON line with time, level, message and the given fields', () => {
    open().warn('the terminal does not answer', { terminalId: 'T1', durationMs: 12, code: 'TERMINAL_UNREACHABLE' });

    expect(fileText().endsWith('}\n')).toBe(true);
    expect(JSON.parse(fileText())).toEqual({
      level: 'warn',
      time: '2026-11-27T10:20:30.456Z',
      message: 'the terminal does not answer',
      terminalId: 'T1',
      durationMs: 12,
      code: 'TERMINAL_UNREACHABLE',
    });
  });

  it('writes a short line for people beside it', () => {
    open().info('request', { method: 'POST', route: '/v1/transaction/sale', statusCode: 200, requestId: 'r-1' });

    expect(humanLines).toEqual(['10:20:30.456 INFO  request (statusCode=200 method=POST route=/v1/transaction/sale)']);
  });

  it('drops fields that are not on the list and values of another kind', () => {
    open().info(
      'request',
      careless({
        requestId: 'r-1',
        body: { pan: '4111111111111111' },
        apiKey: 'secret-key',
        statusCode: '200',
        path: { a: 1 },
      }),
    );

    const line = JSON.parse(fileText());
    expect(Object.keys(line).sort()).toEqual(['level', 'message', 'requestId', 'time']);
    expect(fileText() + humanLines.join()).not.toMatch(/4111|secret-key/);
  });

  it.each([
    ['4111111111111111'],
    ['4111 1111 1111 1111'],
    ['4111-1111-1111-1111'],
    ['5413330089010483D2512101012345'],
    ['4111111111111111=25121010000000000000'],
    ['track2:4111111111111111=2512101'],
    ['PAN374245455400126'],
  ])('hides the card number in %s wherever text is taken', (text) => {
    open().error(`failed ${text}`, { reason: text, stack: `Error: ${text}\n at x`, clientName: text });

    const all = fileText() + humanLines.join();
    expect(all).toContain('[hidden]');
    expect(all.replace(/[^0-9]/g, '')).not.toMatch(/41111111|54133300|37424545/);
  });

  it.each([
    ['a PIN block in groups', '0412 26FF FFFF FFFF'],
    ['a key serial number', 'FFFF9876543210E0BEEF'],
    ['a card number in base64', Buffer.from('4929130412345675').toString('base64')],
    ['a card number in hexadecimal digits', Buffer.from('4929130412345675').toString('hex')],
  ])('hides %s that a caller chose for an id', (_, text) => {
    open().info('request', { requestId: text, statusCode: 200 });

    expect(JSON.parse(fileText())).toMatchObject({ requestId: '[hidden]', statusCode: 200 });
  });

  it('shows its newest lines, those of the run before included', () => {
    open().info('before');
    log?.close();
    open().warn('now', { terminalId: 'T1' });

    expect(log?.view.after(0)).toMatchObject([
      { sequence: 1, level: 'info', message: 'before' },
      { sequence: 2, level: 'warn', message: 'now', fields: { terminalId: 'T1' } },
    ]);
    expect(log?.view.after(1)).toHaveLength(1);
  });

  it('leaves identifiers as they are, digits or not', () => {
    const id = '12345678-1234-4321-8765-123456789012';
    open().info(`task ${id}`, { transactionId: id });

    expect(JSON.parse(fileText())).toMatchObject({ message: `task ${id}`, transactionId: id });
  });

  it('keeps a hostile text on one line and away from the screen', () => {
    open().warn('refused', { reason: 'a\nFAKE 12:00 INFO all well\u001b[2J\u2028b' });

    expect(fileText().trimEnd().split('\n')).toHaveLength(1);
    expect(humanLines).toHaveLength(1);
    expect(humanLines[0]).toMatch(/^[\x20-\x7e]+$/);
  });

  it('cuts long texts', () => {
    open().warn('x'.repeat(10_000), { reason: 'y'.repeat(10_000), stack: 'z'.repeat(100_000) });

    expect(fileText().length).toBeLessThan(6_000);
  });

  it('writes nothing below its level', () => {
    open({ level: 'warn' }).info('quiet');

    expect(fileText()).toBe('');
    expect(humanLines).toEqual([]);
  });

  it('never keeps more than maxFiles of maxFileBytes, and drops the oldest', () => {
    const written = open({ maxFileBytes: 1_000, maxFiles: 3 });
    for (let index = 0; index < 200; index += 1) written.info('line', { sequence: index });

    const names = readdirSync(join(directory, 'logs')).sort();
    expect(names).toEqual(['till.1.log', 'till.2.log', 'till.log']);
    for (const name of names) expect(statSync(join(directory, 'logs', name)).size).toBeLessThanOrEqual(1_000);
    const sequences = ['till.2.log', 'till.1.log', 'till.log']
      .flatMap((name) => fileText(name).trimEnd().split('\n'))
      .map((line) => JSON.parse(line).sequence);
    expect(sequences.at(-1)).toBe(199);
    expect(sequences).toEqual(sequences.map((_, index) => 200 - sequences.length + index));
  });

  it('goes on in the file of the run before', () => {
    open().info('first');
    log?.close();
    open().info('second');

    expect(
      fileText()
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).message),
    ).toEqual(['first', 'second']);
  });

  it('keeps the file to its owner', () => {
    open().info('x');

    expect(statSync(join(directory, 'logs', 'till.log')).mode & 0o077).toBe(0);
  });

  it('tells people once when the disk refuses, and throws nothing', () => {
    const written = open({ maxFileBytes: 10, maxFiles: 2 });
    written.info('first');
    log?.close();
    // A file in place of the folder: every further open fails.
    rmSync(join(directory, 'logs'), { recursive: true });
    const again = open({ maxFileBytes: 10, maxFiles: 2 });
    again.info('second');
    rmSync(join(directory, 'logs'), { recursive: true });
    writeFileSync(join(directory, 'logs'), '');
    again.info('third');
    again.info('fourth');

    expect(humanLines.filter((line) => line.includes('log file cannot be written'))).toHaveLength(1);
    expect(humanLines.at(-1)).toContain('fourth');
  });
});
