import { existsSync, lstatSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { vectorHex } from '../support/vectors.ts';
import { openRawSerialTill, type RawSerialTill } from './support/raw-serial-till.ts';
import { startTestTerminal, type TestTerminal, temporaryFolder } from './support/running-terminal.ts';

const SALE = '06 01 0A 04 00 00 00 00 10 10 49 09 78';

const folder = temporaryFolder();
let terminal: TestTerminal;
let till: RawSerialTill;
let runs = 0;

beforeEach(async () => {
  runs++;
  const linkPath = join(folder.path, `tty${runs}`);
  terminal = await startTestTerminal([
    '--pty',
    linkPath,
    '--think-ms',
    '0',
    '--ack-timeout-ms',
    '3000',
    '--book',
    join(folder.path, `pty-${runs}.jsonl`),
  ]);
  till = await openRawSerialTill(linkPath);
});

afterEach(async () => {
  await till.close();
  await terminal.stop();
});

afterAll(() => folder.remove());

async function register(): Promise<void> {
  till.write(vectorHex('digest-registration'));
  await till.expectBytes('06');
  await till.expectBytes(vectorHex('digest-ack-apdu'));
  till.write('06');
  expect(await till.nextApdu()).toBe('06 0F 0A 19 00 29 29 00 00 01 49 09 78');
  till.write(vectorHex('digest-ack-apdu'));
  await till.expectBytes('06');
}

/** Acknowledges messages until one begins as wanted; that one is not acknowledged by an APDU. */
async function until(begin: string): Promise<string> {
  for (let apdu = await till.nextApdu(); ; apdu = await till.nextApdu()) {
    if (apdu.startsWith(begin)) return apdu;
    if (apdu.startsWith('80')) continue;
    till.send('80 00 00');
    await till.expectBytes('06');
  }
}

describe('a terminal on a pty', () => {
  it('takes a sale over the serial line', async () => {
    await register();
    till.write(vectorHex('split-every-byte'));
    await till.expectBytes('06');
    expect(await until('04 0F')).toContain(' 27 00 04 00 00 00 00 10 10 ');
    till.send('80 00 00');
    await till.expectBytes('06');
    expect(await till.nextApdu()).toBe('06 0F 00');
    till.send('80 00 00');
    await till.expectBytes('06');
    expect((await terminal.control.book()).standing.charges).toMatchObject({ count: 1, sumMinor: 1010 });
  });

  it('answers a wrong checksum with NAK, and a repeated command is carried out once', async () => {
    await register();
    till.write(vectorHex('crc-bit'));
    await till.expectBytes('15');
    till.send(SALE);
    await till.expectBytes('06');
    till.send(SALE);
    expect(await till.nextApdu({ acknowledge: false })).toBe('80 00 00');
    await till.expectBytes('06');
    till.write('06');
    await until('04 0F');
    till.send('80 00 00');
    await till.expectBytes('06');
    expect(await till.nextApdu()).toBe('06 0F 00');
    expect((await terminal.control.book()).standing.charges.count).toBe(1);
  });

  it('takes a payment back when the till falls silent', async () => {
    await register();
    till.send(SALE);
    await till.expectBytes('06');
    await until('04 0F');
    expect(await till.nextApdu()).toBe('04 FF 01 05');
    till.send('80 00 00');
    await till.expectBytes('06');
    expect(await till.nextApdu()).toBe('06 1E 01 6C');
    expect((await terminal.control.book()).transactions).toMatchObject([{ stands: false, reversedBy: 'TERMINAL' }]);
  });

  it('survives noise before a result', async () => {
    await register();
    await terminal.control.arm('noise');
    till.send(SALE);
    await till.expectBytes('06');
    expect(await till.nextApdu()).toBe('80 00 00');
    expect(await till.nextApdu()).toBe('04 FF 01 0A');
    till.send('80 00 00');
    await till.expectBytes('06');
    expect(await till.nextApdu()).toBe('04 FF 01 04');
    till.send('80 00 00');
    await till.expectBytes('06 00 FF 41 0D');
    expect(await till.nextApdu()).toMatch(/^04 0F/);
  });

  it('repeats the whole result when NAK comes after half of it', async () => {
    await register();
    await terminal.control.arm('half-frame');
    till.send(SALE);
    await till.expectBytes('06');
    expect(await till.nextApdu()).toBe('80 00 00');
    expect(await till.nextApdu()).toBe('04 FF 01 0A');
    till.send('80 00 00');
    await till.expectBytes('06');
    expect(await till.nextApdu()).toBe('04 FF 01 04');
    till.send('80 00 00');
    // ACK, then the beginning of the frame; a receiver gives up after T1 and asks again.
    await till.expectBytes('06 10 02 04 0F');
    await terminal.control.untilState(({ state }) => state === 'TELLING_RESULT');
    till.write('15');
    // The bytes of the half, which hold the time of day, end anywhere, even in the middle of a doubled 10.
    expect(await till.nextWholeApdu()).toMatch(/^04 0F .* 27 00 /);
  });

  it('loses the line under a rule that says so, takes the payment back, and can be opened again', async () => {
    await register();
    await terminal.control.arm('drop-after-host');
    const watch = terminal.control.watch();
    await expect.poll(() => watch.links).toContain('UP');
    till.send(SALE);
    await expect.poll(() => watch.links, { timeout: 20_000 }).toContain('DOWN');
    await expect.poll(() => watch.links.at(-1), { timeout: 20_000 }).toBe('UP');
    watch.end();
    expect((await terminal.control.book()).transactions).toMatchObject([{ stands: false, reversedBy: 'TERMINAL' }]);
    await till.close();
    till = await openRawSerialTill(terminal.ready.pty ?? '');
    await register();
  });

  it('removes its link when it ends, and replaces one that leads nowhere', async () => {
    const linkPath = terminal.ready.pty ?? '';
    expect(lstatSync(linkPath).isSymbolicLink()).toBe(true);
    await terminal.stop();
    expect(lstatSync(linkPath, { throwIfNoEntry: false })).toBeUndefined();
    symlinkSync(join(folder.path, 'gone'), linkPath);
    const again = await startTestTerminal(['--pty', linkPath, '--book', join(folder.path, 'again.jsonl')]);
    expect(existsSync(linkPath)).toBe(true);
    await again.stop();
  });

  it('does not take a name that something else has', async () => {
    const args = ['--pty', terminal.ready.pty ?? '', '--book', join(folder.path, 'second.jsonl')];
    await expect(startTestTerminal(args)).rejects.toThrow('exists already');
  });
});
