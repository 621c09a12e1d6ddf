import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { vector } from '../../support/vectors.ts';
import { startTestTerminal, type TestTerminal, temporaryFolder } from '../support/running-terminal.ts';
import { connectEcr17Till, type RawEcr17Till } from './raw-ecr17-till.ts';
import { ask, TERMINAL } from './terminal-bench.ts';

const PAID = `${TERMINAL}0E00`;
const folder = temporaryFolder();
let terminal: TestTerminal;
let till: RawEcr17Till;
let bookCount = 0;

async function start(...more: readonly string[]) {
  bookCount++;
  const book = join(folder.path, `faults-${bookCount}.jsonl`);
  const args = ['--protocol', 'ecr17', '--tcp', '0', '--terminal-id', TERMINAL, '--think-ms', '0', '--book', book];
  terminal = await startTestTerminal([...args, '--ack-timeout-ms', '1500', ...more]);
  till = await connectEcr17Till(terminal.port);
}

beforeEach(() => start());

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

/** A till that lost its connection asks what became of its payment. */
async function askedAfterReconnecting(): Promise<string> {
  till.end();
  till = await connectEcr17Till(terminal.port);
  return till.run(ask.lastResult());
}

describe('a fault armed for the next payment at an ECR17 terminal', () => {
  it('is met once; the payment after it is normal', async () => {
    await terminal.control.arm('decline-51');
    expect(await till.run(ask.payment(1010))).toContain('FONDI INSUFFICIENTI');
    expect((await till.run(ask.payment(1010))).slice(0, 12)).toBe(PAID);
    expect(await standing()).toMatchObject({ count: 1, sumMinor: 1010 });
  });

  it('no-extended: X gets NAK in each of its transmissions, and P is taken', async () => {
    await terminal.control.arm('no-extended');
    for (let transmission = 0; transmission < 3; transmission++) {
      till.send(ask.payment(1010));
      expect(await till.next()).toBe('NAK');
    }
    expect(await till.run(ask.payment(1010, 'P'))).toHaveLength(71);
    expect(await standing()).toMatchObject({ count: 1, sumMinor: 1010 });
  });

  it('busy: NAK, and nothing happens', async () => {
    await terminal.control.arm('busy');
    till.send(ask.payment(1010));
    expect(await till.next()).toBe('NAK');
    expect(await till.run(ask.status())).toContain('VIRTUAL');
    expect(await standing()).toMatchObject({ count: 0 });
  });

  it('no-answer: silence, at the repeats too', async () => {
    await terminal.control.arm('no-answer');
    for (let transmission = 0; transmission < 3; transmission++) till.send(ask.payment(1010));
    till.send(ask.status());
    expect(await till.next()).toBe('ACK');
    expect(await till.nextText()).toContain('VIRTUAL');
    till.acknowledge();
    expect(await standing()).toMatchObject({ count: 0 });
  });

  it('lost-ack: the result comes without an acknowledgement before it', async () => {
    await terminal.control.arm('lost-ack');
    till.send(ask.payment(1010));
    till.send(ask.payment(1010));
    const seen = [await till.next()];
    while (seen.at(-1)?.startsWith('…') === true) seen.push(await till.next());
    expect(seen).not.toContain('ACK');
    expect(seen.at(-1)?.slice(0, 12)).toBe(PAID);
    till.acknowledge();
    expect(await standing()).toMatchObject({ count: 1 });
  });

  it('wrong-lrc: the result comes damaged, and well after a NAK', async () => {
    await terminal.control.arm('wrong-lrc');
    till.send(ask.payment(1010));
    const damaged = await till.nextText();
    expect(damaged.slice(0, 16)).toBe(`BAD ${PAID}`);
    till.refuse();
    expect(await till.nextText()).toBe(damaged.slice(4));
    till.acknowledge();
    expect(await standing()).toMatchObject({ count: 1 });
  });

  it('progress-flood: hundreds of progress texts before the result', async () => {
    await terminal.control.arm('progress-flood');
    till.send(ask.payment(1010));
    let count = 0;
    let item = await till.next();
    for (; !item.startsWith(PAID); item = await till.next()) if (item === '… ATTENDERE PREGO') count++;
    expect(count).toBe(300);
    till.acknowledge();
    expect(await standing()).toMatchObject({ count: 1 });
  });

  it('duplicate-reply: the result comes twice, and the money moves once', async () => {
    await terminal.control.arm('duplicate-reply');
    till.send(ask.payment(1010));
    const first = await till.nextText();
    expect(await till.next()).toBe(first);
    till.acknowledge();
    till.acknowledge();
    expect(await standing()).toMatchObject({ count: 1 });
    expect(await till.run(ask.lastResult())).toBe(first);
  });

  it('noise: bytes before the result that belong to nothing', async () => {
    await terminal.control.arm('noise');
    till.send(ask.payment(1010));
    const seen = [await till.next()];
    while (seen.at(-1)?.startsWith(PAID) !== true) seen.push(await till.next());
    expect(seen).toContain('?');
    till.acknowledge();
    expect(await standing()).toMatchObject({ count: 1 });
  });

  it('wrong-amount: more is charged than was asked, and X tells it', async () => {
    await terminal.control.arm('wrong-amount');
    expect((await till.run(ask.payment(1010))).slice(74, 82)).toBe('00001110');
    expect(await standing()).toMatchObject({ sumMinor: 1110 });
  });

  it('cardholder-cancel: refused, without a STAN', async () => {
    await terminal.control.arm('cardholder-cancel');
    const result = await till.run(ask.payment(1010));
    expect(result).toContain('OPERAZIONE ANNULLATA');
    expect(result.slice(59, 65)).toBe('000000');
    expect(await standing()).toMatchObject({ count: 0 });
  });

  it.each(['drop-after-host', 'half-frame', 'unplug', 'reboot'])(
    '%s: the till hears nothing whole, the payment stands, and the last result tells it',
    async (rule) => {
      await terminal.control.arm(rule);
      till.send(ask.payment(1010));
      await till.closed();
      await expect
        .poll(async () => (await askedAfterReconnecting().catch(() => '')).slice(0, 12), { timeout: 10_000 })
        .toBe(PAID);
      expect(await standing()).toMatchObject({ count: 1, sumMinor: 1010 });
    },
  );

  it('drop-before-host: no money moves, and the last result says no', async () => {
    await terminal.control.arm('drop-before-host');
    till.send(ask.payment(1010));
    await till.closed();
    expect(await askedAfterReconnecting()).toContain(`${TERMINAL}0E01OPERAZIONE ANNULLATA`);
    expect(await standing()).toMatchObject({ count: 0 });
  });

  it('drop-after-final: the connection ends when the till has acknowledged', async () => {
    await terminal.control.arm('drop-after-final');
    expect((await till.run(ask.payment(1010))).slice(0, 12)).toBe(PAID);
    await till.closed();
    expect((await askedAfterReconnecting()).slice(0, 12)).toBe(PAID);
    expect(await standing()).toMatchObject({ count: 1 });
  });

  it('a till that is gone before the customer pays finds the payment when it asks', async () => {
    await terminal.control.arm('slow');
    till.send(ask.payment(1010));
    await terminal.control.untilState(({ state }) => state === 'ASKING_HOST');
    till.end();
    await terminal.control.untilState(({ state }) => state === 'IDLE');
    expect((await askedAfterReconnecting()).slice(0, 12)).toBe(PAID);
    expect(await standing()).toMatchObject({ count: 1 });
  });
});

describe('the line of an ECR17 terminal', () => {
  it('has a result repeated three times where the till says nothing', async () => {
    till.send(ask.payment(1010));
    const result = await till.nextText();
    expect(await till.next()).toBe(result);
    expect(await till.next()).toBe(result);
    expect(await standing()).toMatchObject({ count: 1 });
  });

  it('takes no message with the checksum of another variant', async () => {
    const other = await connectOther('stx');
    other.send(ask.status());
    // Its own checksum of a NAK, which the other variant does not know.
    expect(await other.next()).toBe('NAK');
    other.end();
  });

  it.each(['stx', 'noext', 'stx-noext'])('speaks with the checksum variant %s', async (lrc) => {
    till.end();
    await terminal.stop();
    await start('--lrc', lrc);
    const other = await connectOther(lrc);
    expect((await other.run(ask.payment(1010))).slice(0, 12)).toBe(PAID);
    expect(await standing()).toMatchObject({ count: 1 });
    other.end();
  });

  it('ends after each procedure when told so, and not after a question', async () => {
    till.end();
    await terminal.stop();
    await start('--close-between');
    await till.run(ask.status());
    await till.run(ask.lastResult());
    expect((await till.run(ask.payment(1010))).slice(0, 12)).toBe(PAID);
    await till.closed();
    expect((await askedAfterReconnecting()).slice(0, 12)).toBe(PAID);
  });

  it('carries what comes in single bytes', async () => {
    for (const byte of vector('status-request-std')) till.write(byte);
    expect(await till.next()).toBe('ACK');
    expect(await till.nextText()).toContain('VIRTUAL');
    till.acknowledge();
  });

  async function connectOther(lrc: string): Promise<RawEcr17Till> {
    till.end();
    till = await connectEcr17Till(terminal.port, lrc);
    return till;
  }
});
