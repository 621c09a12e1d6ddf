// The built program as a real process: what a reader that is killed remembers.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { ReaderBookSummary } from '../../../drivers/virtual/neo2/book/reader-ledger.ts';
import { endProgram, type Program, startVirtualTerminal, type VirtualTerminalReady } from '../../support/processes.ts';
import { controlClient, temporaryFolder } from '../support/running-terminal.ts';
import { openRawReaderTill } from './raw-serial-reader-till.ts';

const START = '01001E001E9C01009F02060000000012349F03060000000000005F2A020978';

const folder = temporaryFolder();
const linkPath = join(folder.path, 'reader');
const programs: Program<VirtualTerminalReady>[] = [];

afterEach(async () => {
  for (const program of programs.splice(0)) await endProgram(program);
});
afterAll(() => folder.remove());

async function start(): Promise<Program<VirtualTerminalReady>> {
  const book = join(folder.path, 'reader.jsonl');
  const args = ['--protocol', 'neo2', '--pty', linkPath, '--think-ms', '0', '--book', book];
  const program = await startVirtualTerminal(args);
  programs.push(program);
  return program;
}

async function untilCryptogram() {
  const till = await openRawReaderTill(linkPath);
  till.send('6010', START);
  expect(await till.answer()).toContain('DFEE25020010');
  till.send('6011', '00003C');
  expect(await till.answer()).toContain('DFEE25020004');
  return till;
}

describe('a virtual reader that is killed', () => {
  it('abandons the card that waited, and goes on with its keys', async () => {
    const first = await start();
    expect(first.ready).toMatchObject({ tcp: null, pty: linkPath });
    const till = await untilCryptogram();
    first.kill('SIGKILL');
    await first.ended;
    await till.close();

    const second = await start();
    await (await untilCryptogram()).close();
    const { body } = await controlClient(second.ready.controlUrl).send('GET', '/book');
    expect((body as ReaderBookSummary).steps).toMatchObject([
      { counter: 1, end: 'ABANDONED', reason: 'the reader lost its power' },
      { counter: 2, end: 'OPEN' },
    ]);
    await endProgram(second);
    expect(existsSync(linkPath)).toBe(false);
  });
});
