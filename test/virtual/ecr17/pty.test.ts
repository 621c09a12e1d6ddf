import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestTerminal, type TestTerminal, temporaryFolder } from '../support/running-terminal.ts';
import { openSerialEcr17Till, type RawEcr17Till } from './raw-ecr17-till.ts';
import { ask, TERMINAL } from './terminal-bench.ts';

const folder = temporaryFolder();
let terminal: TestTerminal;
let till: RawEcr17Till;
let runs = 0;

beforeEach(async () => {
  runs++;
  const linkPath = join(folder.path, `tty${runs}`);
  const book = join(folder.path, `pty-${runs}.jsonl`);
  const args = ['--protocol', 'ecr17', '--pty', linkPath, '--terminal-id', TERMINAL, '--think-ms', '0', '--book', book];
  terminal = await startTestTerminal([...args, '--ack-timeout-ms', '1500']);
  till = await openSerialEcr17Till(linkPath);
});

afterEach(async () => {
  till.end();
  await terminal.stop();
});

afterAll(() => folder.remove());

describe('an ECR17 terminal on a serial line', () => {
  it('takes a payment and tells its last result', async () => {
    const result = await till.run(ask.payment(1010));
    expect(result.slice(0, 12)).toBe(`${TERMINAL}0E00`);
    expect(await till.run(ask.lastResult())).toBe(result);
    expect((await terminal.control.book()).standing.charges).toMatchObject({ count: 1, sumMinor: 1010 });
  });

  it('repeats whole what broke off on the line', async () => {
    await terminal.control.arm('half-frame');
    till.send(ask.payment(1010));
    // Half a frame has no end: what comes after it up to the end of the repeat looks like one text.
    const text = await till.nextText();
    expect(text).toContain(`\u0002${TERMINAL}0E00`);
    till.refuse();
    const whole = await till.nextText();
    expect(whole.slice(0, 12)).toBe(`${TERMINAL}0E00`);
    till.acknowledge();
    await terminal.control.untilState(({ state }) => state === 'IDLE');
    expect((await terminal.control.book()).standing.charges.count).toBe(1);
  });

  it('asks again for a command that came damaged, and does it once', async () => {
    till.write(0x02, 0x41, 0x03, 0x40);
    expect(await till.next()).toBe('NAK');
    expect((await till.run(ask.payment(1010))).slice(0, 12)).toBe(`${TERMINAL}0E00`);
    expect((await terminal.control.book()).standing.charges.count).toBe(1);
  });
});
