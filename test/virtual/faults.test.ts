import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectRawTill, type RawTill } from './support/raw-till.ts';
import { startTestTerminal, type TestTerminal, temporaryFolder } from './support/running-terminal.ts';

const REGISTER = '06 00 06 00 00 00 1A 09 78';
const SALE = '06 01 0A 04 00 00 00 00 12 34 49 09 78';
const ACK = '80 00 00';

const folder = temporaryFolder();
let terminal: TestTerminal;
let till: RawTill;
let bookCount = 0;

async function registeredTill(): Promise<RawTill> {
  const next = await connectRawTill(terminal.port);
  await next.run(REGISTER);
  return next;
}

beforeEach(async () => {
  bookCount++;
  terminal = await startTestTerminal([
    '--tcp',
    '0',
    '--think-ms',
    '0',
    '--ack-timeout-ms',
    '1500',
    '--book',
    join(folder.path, `faults-${bookCount}.jsonl`),
  ]);
  till = await registeredTill();
});

afterEach(async () => {
  till.end();
  await terminal.stop();
});

afterAll(() => folder.remove());

/** What the book says after the terminal is idle again. */
async function standing() {
  await terminal.control.untilState(({ state }) => state === 'IDLE');
  return (await terminal.control.book()).standing.charges;
}

/** Reads until a message begins as wanted, acknowledging everything before it. */
async function until(begin: string): Promise<string> {
  for (let message = await till.next(); ; message = await till.next()) {
    if (message.startsWith(begin)) return message;
    if (!message.startsWith('80')) till.send(ACK);
  }
}

describe('a fault armed for the next payment', () => {
  it('is met once; the payment after it is normal', async () => {
    await terminal.control.arm('decline-51');
    const declined = await till.run(SALE);
    expect(declined.at(-2)).toMatch(/^04 0F .. 27 33 /);
    expect(declined.at(-1)).toBe('06 1E 01 33');
    expect((await till.run(SALE)).at(-1)).toBe('06 0F 00');
    expect(await standing()).toMatchObject({ count: 1, sumMinor: 1234 });
  });

  it('can be armed several times and be disarmed', async () => {
    await terminal.control.arm('busy', 3);
    expect(await till.run(SALE)).toEqual(['84 9C 00']);
    expect(await till.run(SALE)).toEqual(['84 9C 00']);
    await terminal.control.send('DELETE', '/next');
    expect((await till.run(SALE)).at(-1)).toBe('06 0F 00');
  });

  it('takes the place of what was armed before', async () => {
    await terminal.control.arm('busy', 3);
    await terminal.control.arm('decline-05');
    expect((await till.run(SALE)).at(-1)).toBe('06 1E 01 05');
    expect((await till.run(SALE)).at(-1)).toBe('06 0F 00');
  });

  it('is not made up from the amount: a terminal on its own approves every amount', async () => {
    expect((await till.run('06 01 0A 04 00 00 00 00 10 51 49 09 78')).at(-1)).toBe('06 0F 00');
  });

  it('slow: the host takes its time and approves', async () => {
    await terminal.control.arm('slow');
    const startedAt = performance.now();
    expect((await till.run(SALE)).at(-1)).toBe('06 0F 00');
    expect(performance.now() - startedAt).toBeGreaterThan(250);
  });

  it('no-answer: the command is lost, nothing is charged, the next question is answered', async () => {
    await terminal.control.arm('no-answer');
    till.send(SALE);
    expect(await till.run('05 01 00')).toEqual([ACK, '06 0F 01 00']);
    expect(await standing()).toMatchObject({ count: 0 });
  });

  it('drop-before-host: the line is lost and nothing is charged', async () => {
    await terminal.control.arm('drop-before-host');
    till.send(SALE);
    await expect(until('04 0F')).rejects.toThrow('closed');
    expect(await standing()).toMatchObject({ count: 0 });
  });

  it('drop-after-host: approved, the line is lost, the terminal takes it back', async () => {
    await terminal.control.arm('drop-after-host');
    till.send(SALE);
    await expect(until('04 0F')).rejects.toThrow('closed');
    expect(await standing()).toMatchObject({ count: 0 });
    expect((await terminal.control.book()).transactions).toMatchObject([{ stands: false, reversedBy: 'TERMINAL' }]);
    till = await registeredTill();
    expect(await till.run('06 20 05 00 00 00 03 03')).toEqual([ACK, '06 1E 01 83']);
  });

  it('drop-after-final: the line is lost after the acknowledgement and the charge stands', async () => {
    await terminal.control.arm('drop-after-final');
    till.send(SALE);
    const result = await until('04 0F');
    till.send(ACK);
    await till.closed();
    expect(await standing()).toMatchObject({ count: 1 });
    till = await registeredTill();
    expect((await till.run('06 20 05 00 00 00 03 03'))[1]).toBe(result);
  });

  it('duplicate-reply: the result comes twice and is charged once', async () => {
    await terminal.control.arm('duplicate-reply');
    const seen = await till.run(SALE);
    const results = seen.filter((message) => message.startsWith('04 0F'));
    expect(results).toHaveLength(2);
    expect(results[0]).toBe(results[1]);
    expect(await standing()).toMatchObject({ count: 1 });
  });

  it('late-approval-after-abort: the abort is accepted and the approval comes all the same', async () => {
    await terminal.control.arm('late-approval-after-abort');
    till.send(SALE);
    await until('04 FF 01 04');
    till.send(ACK);
    till.send('06 B0 00');
    expect(await till.next()).toBe(ACK);
    const seen = await till.next();
    expect(seen).toMatch(/^04 0F .. 27 00 /);
    till.send(ACK);
    expect(await till.next()).toBe('06 0F 00');
    expect(await standing()).toMatchObject({ count: 1 });
  });

  it('half-frame: half a result arrives, then the line is lost; the terminal takes it back', async () => {
    await terminal.control.arm('half-frame');
    till.send(SALE);
    await expect(until('04 0F')).rejects.toThrow('closed');
    expect(till.rest()).toMatch(/^04 0F .. 27 00 04 00 00 00 00 12 34 /);
    expect(await standing()).toMatchObject({ count: 0 });
  });

  it('noise: the result is hidden behind foreign bytes, stays unacknowledged and is taken back', async () => {
    await terminal.control.arm('noise');
    till.send(SALE);
    await until('04 FF 01 04');
    till.send(ACK);
    expect(await until('00 FF 41')).toContain(' 27 00 04 00 00 00 00 12 34 ');
    expect(await standing()).toMatchObject({ count: 0 });
  });

  it('unplug: nobody can connect for a while, the approval is taken back, then it works again', async () => {
    await terminal.control.arm('unplug');
    till.send(SALE);
    await expect(until('04 0F')).rejects.toThrow('closed');
    await expect(connectRawTill(terminal.port)).rejects.toThrow('ECONNREFUSED');
    expect(await standing()).toMatchObject({ count: 0 });
    till = await reconnected();
    expect(await till.run('05 01 00')).toEqual([ACK, '06 0F 01 00']);
  });

  it('reboot: the terminal restarts, takes back what was open and has forgotten the registration', async () => {
    await terminal.control.arm('reboot');
    till.send(SALE);
    await expect(until('04 0F')).rejects.toThrow('closed');
    expect((await terminal.control.state()).state).toBe('RESTARTING');
    till = await reconnected();
    expect(await till.run(SALE)).toEqual(['84 6B 00']);
    expect((await terminal.control.book()).transactions).toMatchObject([{ stands: false, reversedBy: 'TERMINAL' }]);
  });

  it('cardholder-cancel: the customer presses stop', async () => {
    await terminal.control.arm('cardholder-cancel');
    const seen = await till.run(SALE);
    expect(seen.at(-2)).toMatch(/^04 0F .. 27 6C /);
    expect(seen.at(-1)).toBe('06 1E 01 6C');
    expect((await terminal.control.book()).entries.at(-1)).toMatchObject({ kind: 'CANCELLED' });
  });

  it('wrong-amount: another amount is charged and told', async () => {
    await terminal.control.arm('wrong-amount');
    const seen = await till.run(SALE);
    expect(seen.find((message) => message.startsWith('04 0F'))).toContain(' 04 00 00 00 00 13 34 ');
    expect(await standing()).toMatchObject({ count: 1, sumMinor: 1334 });
  });

  it('no-result-code: the approval does not say so', async () => {
    await terminal.control.arm('no-result-code');
    const seen = await till.run(SALE);
    expect(seen.find((message) => message.startsWith('04 0F'))).toMatch(/^04 0F .. 04 00 00 00 00 12 34 /);
  });

  it('out-of-paper: the payment stands and the command ends with CC', async () => {
    await terminal.control.arm('out-of-paper');
    expect((await till.run(SALE)).at(-1)).toBe('06 1E 01 CC');
    expect(await standing()).toMatchObject({ count: 1 });
  });

  it('day-close-needed: refused until the day is closed', async () => {
    await terminal.control.arm('day-close-needed');
    expect((await till.run(SALE)).at(-1)).toBe('06 1E 01 F0');
    expect((await till.run(SALE)).at(-1)).toBe('06 1E 01 F0');
    await till.run('06 50 03 00 00 00');
    expect((await till.run(SALE)).at(-1)).toBe('06 0F 00');
  });

  it('needs-initialisation: refused until initialised', async () => {
    await terminal.control.arm('needs-initialisation');
    expect((await till.run(SALE)).at(-1)).toBe('06 1E 01 DF');
    await till.run('06 93 03 00 00 00');
    expect((await till.run(SALE)).at(-1)).toBe('06 0F 00');
  });

  it('a till that does not acknowledge: taken back after the time-out, and the till is told', async () => {
    till.send(SALE);
    await until('04 0F');
    expect(await till.next()).toBe('04 FF 01 05');
    till.send(ACK);
    expect(await till.next()).toBe('06 1E 01 6C');
    till.send(ACK);
    expect(await standing()).toMatchObject({ count: 0 });
  });
});

describe('a TCP connection', () => {
  it('is refused while another till has the terminal, and free once that one is gone', async () => {
    const second = await connectRawTill(terminal.port);
    await second.closed();
    till.end();
    till = await registeredTill();
    expect((await till.run(SALE)).at(-1)).toBe('06 0F 00');
  });

  it('takes over at once from a till that was killed and started again', async () => {
    till.end();
    till = await connectRawTill(terminal.port);
    expect(await till.run('05 01 00')).toEqual([ACK, '06 0F 01 00']);
  });

  it('takes commands in any pieces', async () => {
    for (const byte of SALE.split(' ')) till.send(byte);
    expect(await until('04 0F')).toContain(' 27 00 ');
  });
});

/** Connects as soon as the terminal is back. */
async function reconnected(): Promise<RawTill> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    try {
      return await connectRawTill(terminal.port);
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
