import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReaderBookSummary } from '../../../drivers/virtual/neo2/book/reader-ledger.ts';
import { vector } from '../../support/vectors.ts';
import { startTestTerminal, type TestTerminal, temporaryFolder } from '../support/running-terminal.ts';
import { openRawReaderTill, type RawReaderTill } from './raw-serial-reader-till.ts';

/** 60-10: fallback, 30 s, 30 s, then 9C, 9F02 12.34, 9F03, 5F2A EUR. */
const START = '01001E001E9C01009F02060000000012349F03060000000000005F2A020978';
const RESULT = /^6000..DFEE2502(\d{4})/;

const folder = temporaryFolder();
let terminal: TestTerminal;
let till: RawReaderTill;
let linkPath: string;
let bookPath: string;
let runs = 0;

async function start(...more: readonly string[]): Promise<void> {
  const args = ['--protocol', 'neo2', '--pty', linkPath, '--think-ms', '0', '--book', bookPath, ...more];
  terminal = await startTestTerminal(args);
  till = await openRawReaderTill(linkPath);
}

beforeEach(async () => {
  runs++;
  linkPath = join(folder.path, `reader${runs}`);
  bookPath = join(folder.path, `reader-${runs}.jsonl`);
  await start();
});

afterEach(async () => {
  await till.close();
  await terminal.stop();
});

afterAll(() => folder.remove());

async function bookOf(): Promise<ReaderBookSummary> {
  return (await terminal.control.send('GET', '/book')).body as ReaderBookSummary;
}

async function untilCryptogram(): Promise<string> {
  till.send('6010', START);
  expect(RESULT.exec(await till.answer())?.[1]).toBe('0010');
  till.send('6011', '00003C');
  return till.answer();
}

describe('a virtual reader on a pty', () => {
  it('tells where its control interface is', async () => {
    till.write(vector('firmware'));
    const answer = await till.next();
    const text = Buffer.from(answer.slice(4), 'hex').toString('latin1');
    expect(text).toBe(`VIRTUAL 1.0 CTL ${new URL(terminal.ready.controlUrl).port}\0`);
    expect(await terminal.control.state()).toMatchObject({ protocol: 'neo2', link: 'UP', simulated: true });
  });

  it('runs a payment with PIN, and the book says what the chip was told', async () => {
    expect(RESULT.exec(await untilCryptogram())?.[1]).toBe('0004');
    till.send('6201', '01000C040350494E');
    expect(await till.answer()).toBe('6200');
    expect(await till.answer()).toMatch(/^620000(3[0-9]|4[1-6]){36}$/);
    till.send('6012', '018A023030');
    expect(RESULT.exec(await till.answer())?.[1]).toBe('0002');
    expect(await bookOf()).toMatchObject({
      approved: { charges: { count: 1, sumMinor: 1234 } },
      steps: [{ end: 'APPROVED', counter: 1, told: { responseCode: '00', check: 'ABSENT' } }],
    });
    // Neither the number of the card nor its PIN stands in the book.
    expect(readFileSync(bookPath, 'utf8')).not.toMatch(/4761739001010010|"pin"\s*:/);
  });

  it('answers 04 to a wrong checksum, and reads on after noise and a frame that was cut', async () => {
    const ping = vector('ping');
    till.write(ping.map((byte, index) => (index === 15 ? byte ^ 1 : byte)));
    expect(await till.next()).toBe('0004');
    till.write(Uint8Array.of(0, 0x56, 0x69, 0xff));
    for (const byte of ping) till.write(Uint8Array.of(byte));
    expect(await till.next()).toBe('1800');
  });

  it('spoils its answers as the script says: noise, half a frame, a line that vanishes', async () => {
    await terminal.control.arm('noise');
    await untilCryptogram();
    till.send('6012', '018A023030');
    expect(RESULT.exec(await till.answer())?.[1]).toBe('0002');

    await terminal.control.arm('drop-after-host');
    await untilCryptogram();
    const watched = terminal.control.watch();
    till.send('6012', '018A023030');
    await terminal.control.untilState(({ state }) => state === 'IDLE' && watched.links.includes('DOWN'));
    await terminal.control.untilState(({ link }) => link === 'UP');
    watched.end();
    expect((await bookOf()).approved.charges).toEqual({ count: 2, sumMinor: 2468 });
    await till.close();
    till = await openRawReaderTill(linkPath);
    till.write(vector('ping'));
    expect(await till.next()).toBe('1800');
  });

  it('vanishes with its cable, and comes back having forgotten the card', async () => {
    await untilCryptogram();
    await terminal.control.send('POST', '/fault', { fault: 'unplug' });
    await terminal.control.untilState(({ state }) => state === 'RESTARTING');
    await terminal.control.untilState(({ state, link }) => state === 'IDLE' && link === 'UP');
    await till.close();
    till = await openRawReaderTill(linkPath);
    till.send('6012', '018A023030');
    expect(await till.answer()).toBe('600C');
    expect((await bookOf()).steps).toMatchObject([{ end: 'ABANDONED', reason: 'the reader lost its power' }]);
  });

  it('goes on with its keys and counters in the next run', async () => {
    await untilCryptogram();
    await till.close();
    await terminal.stop();
    expect(existsSync(linkPath)).toBe(false);
    await start();
    await untilCryptogram();
    const { steps, open } = await bookOf();
    expect(steps.map(({ counter, accountKsn }) => [counter, accountKsn])).toEqual([
      [1, '629949012C0004600001'],
      [2, '629949012C0004600002'],
    ]);
    expect(open).toHaveLength(1);
  });

  it('refuses the book of a terminal of another protocol', async () => {
    await till.close();
    await terminal.stop();
    await expect(startTestTerminal(['--tcp', '0', '--book', bookPath])).rejects.toThrow('another protocol');
    await start();
  });

  it('shows its cards, and refuses what only a ZVT terminal can meet', async () => {
    const { body } = await terminal.control.send('GET', '/cards');
    const ids = (body as { readonly cards: readonly { readonly id: string }[] }).cards.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['visa-chip', 'visa-refuses', 'visa-magstripe', 'unreadable']));
    expect((await terminal.control.arm('drop-after-final')).status).toBe(400);
    expect((await terminal.control.arm('decline-51')).status).toBe(200);
    expect((await terminal.control.send('POST', '/fault', { fault: 'out-of-paper' })).status).toBe(400);
    expect((await terminal.control.send('POST', '/auto-close')).status).toBe(409);
  });
});
