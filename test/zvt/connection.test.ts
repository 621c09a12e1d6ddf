import { describe, expect, it } from 'vitest';
import type { TerminalCommand } from '../../app/ports/terminal.ts';
import { vectorHex } from '../support/vectors.ts';
import { settle } from '../support/zvt-clock.ts';
import { DONE, OK, payment, READY } from '../support/zvt-peer.ts';
import { createRig, hooks, never, sale } from '../support/zvt-terminal.ts';

describe('a new connection', () => {
  it('registers as card complete recommends, asks for the status and learns the last receipt', async () => {
    const rig = createRig();
    await rig.ready();
    expect(rig.peer.commands).toEqual([
      vectorHex('spec-cc-registration'),
      '05 01 03 00 00 00',
      vectorHex('own-repeat-recovery'),
    ]);
    expect(rig.terminal.status()).toMatchObject({ connected: true, state: 'IDLE', serialNumber: '12345678' });
    const exchange = await rig.terminal.prepare(sale(), never);
    expect(exchange.mark).toMatchObject({
      knowledge: 'RECEIPT',
      receipt: '0470',
      trace: '000470',
      date: '1127',
      time: '110000',
    });
  });

  it('leaves printing to the terminal where the settings say so', async () => {
    const rig = createRig({ settings: { receipts: 'TERMINAL' } });
    await rig.ready();
    expect(rig.peer.commands[0]).toBe('06 00 10 00 00 00 38 09 78 03 01 06 06 26 04 0A 02 06 D3');
  });

  it('shows the software version that the terminal names', async () => {
    const rig = createRig();
    rig.peer.on('05 01', [OK, '06 0F 15 F0 F1 F7 30 36 31 30 32 32 61 20 4D 20 49 43 5F 20 53 74 64 00']);
    await rig.ready();
    expect(rig.terminal.status()).toMatchObject({ state: 'IDLE', firmwareVersion: '061022a M IC_ Std' });
  });

  it('initialises a terminal that reports 51, and sends no payment before', async () => {
    const rig = createRig();
    rig.peer.on('05 01', [OK, vectorHex('own-terminal-status-51')], [OK, READY]);
    rig.peer.on('06 93', [OK, DONE]);
    await rig.ready();
    expect(rig.peer.count('06 93')).toBe(1);
    expect(rig.terminal.status().state).toBe('IDLE');
  });

  it('diagnoses a terminal that reports C2', async () => {
    const rig = createRig();
    rig.peer.on('05 01', [OK, vectorHex('own-terminal-status-c2')], [OK, READY]);
    rig.peer.on('06 70', [OK, DONE]);
    await rig.ready();
    expect(rig.peer.commands).toContain('06 70 00');
    expect(rig.terminal.status().state).toBe('IDLE');
  });

  it('says which currency the terminal wants when it refuses the registration', async () => {
    const rig = createRig();
    rig.peer.on('06 00', ['84 1E 03 6F 07 56']);
    await rig.ready();
    expect(rig.terminal.status().state).toBe('ERROR');
    await expect(rig.terminal.prepare(sale(), never)).rejects.toMatchObject({
      code: 'TERMINAL_NOT_READY',
      message: expect.stringContaining('756'),
    });
  });

  it('is tried again with growing pauses and a new object each time', async () => {
    const rig = createRig();
    rig.plug(false);
    await rig.ready();
    expect(rig.terminal.status()).toMatchObject({ connected: false, state: 'DISCONNECTED' });
    await expect(rig.terminal.prepare(sale(), never)).rejects.toMatchObject({
      code: 'TERMINAL_UNREACHABLE',
      message: 'memory refuses the connection.',
    });
    rig.plug(true);
    await rig.clock.advance(30_000);
    expect(rig.terminal.status().state).toBe('IDLE');
    expect(rig.peer.connections()).toBe(1);
  });

  it('follows a lost one by itself', async () => {
    const rig = createRig();
    await rig.ready();
    rig.drop();
    await settle();
    expect(rig.terminal.status()).toMatchObject({ connected: false, state: 'DISCONNECTED' });
    await rig.clock.advance(1_000);
    expect(rig.terminal.status().state).toBe('IDLE');
    expect(rig.peer.count('06 00')).toBe(2);
  });

  it('registers again after the terminal was restarted and forgot it', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('05 01', ['84 6B 00'], [OK, READY]);
    rig.peer.on('06 01', [OK, payment({ amount: 1234 }), DONE]);
    const exchange = await rig.terminal.prepare(sale(), never);
    expect(rig.peer.count('06 00')).toBe(2);
    expect((await exchange.run(hooks())).kind).toBe('APPROVED');
  });
});

describe('an idle terminal', () => {
  it('is asked for its status at least once a minute', async () => {
    const rig = createRig();
    await rig.ready();
    const before = rig.peer.count('05 01');
    await rig.clock.advance(60_000);
    expect(rig.peer.count('05 01')).toBe(before + 1);
    await rig.clock.advance(120_000);
    expect(rig.peer.count('05 01')).toBeGreaterThanOrEqual(before + 3);
  });

  it('that misses one enquiry keeps its link and counts as not working until it answers', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('05 01', [], [OK, READY]);
    await rig.clock.advance(50_500);
    expect(rig.terminal.status().state).toBe('ERROR');
    await rig.clock.advance(6_000);
    expect(rig.terminal.status().state).toBe('IDLE');
    expect(rig.peer.connections()).toBe(1);
  });

  it('that misses two enquiries is connected anew', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('05 01', [], [], [OK, READY]);
    await rig.clock.advance(62_000);
    expect(rig.peer.connections()).toBe(2);
    expect(rig.terminal.status().state).toBe('IDLE');
  });

  it('whose late answer comes with the next enquiry does not end the payment after it', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('05 01', [], [OK, READY, READY]);
    rig.peer.on('06 01', [OK, payment({ amount: 1234 }), DONE]);
    await rig.clock.advance(56_500);
    const prepared = rig.terminal.prepare(sale(), never);
    await rig.clock.advance(1_000);
    expect((await (await prepared).run(hooks())).kind).toBe('APPROVED');
  });

  it('has its own day close recorded', async () => {
    const rig = createRig();
    await rig.ready();
    const before = rig.peer.replies.length;
    rig.peer.begin('04 FF 01 0F', vectorHex('own-eod-totals'), vectorHex('portalum-line-a01'), DONE);
    await settle();
    expect(rig.peer.replies.slice(before)).toEqual([OK, OK, OK, OK]);
    expect(rig.notices.filter((notice) => notice.kind === 'BATCH_CLOSED_BY_TERMINAL')).toEqual([
      {
        kind: 'BATCH_CLOSED_BY_TERMINAL',
        batch: {
          totalMinor: 1384376,
          batchReference: '001234',
          schemes: [
            { scheme: 'VISA', count: 101, amountMinor: 1000000 },
            { scheme: 'MASTERCARD', count: 30, amountMinor: 250010 },
            { scheme: 'AMEX', count: 2, amountMinor: 9900 },
            { scheme: 'OTHER', count: 28, amountMinor: 124466 },
          ],
        },
      },
    ]);
  });

  it('whose own day close fails closes nothing', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.begin('04 FF 01 0F', '06 1E 01 77');
    await settle();
    expect(rig.notices.some((notice) => notice.kind === 'BATCH_CLOSED_BY_TERMINAL')).toBe(false);
  });

  it.each([
    ['set clock', '04 01 08 0C 12 00 00 AA 26 11 27', OK],
    ['print line', vectorHex('kotlin-print-line'), OK],
    ['an unknown command', '06 55 01 00', OK],
    ['dial-up through the till', '06 D8 00', '84 83 00'],
    ['input through the till', '04 0D 00', '84 83 00'],
  ])('gets its answer: %s', async (_, message, reply) => {
    const rig = createRig();
    await rig.ready();
    const before = rig.peer.replies.length;
    rig.peer.begin(message);
    await settle();
    expect(rig.peer.replies.slice(before)).toEqual([reply]);
    expect(rig.terminal.status().state).toBe('IDLE');
  });
});

describe('the gate before a payment', () => {
  it.each([
    ['own-terminal-status-f0', 'TERMINAL_NOT_READY', 'Close the day'],
    ['own-terminal-status-b1', 'TERMINAL_NOT_READY', 'Close the day'],
    ['own-terminal-status-df', 'TERMINAL_NOT_READY', 'Out of order'],
    ['own-terminal-status-dc', 'TERMINAL_NOT_READY', 'Remove the card'],
  ])('%s gives %s', async (status, code, words) => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('05 01', [OK, vectorHex(status)]);
    await expect(rig.terminal.prepare(sale(), never)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words),
    });
    expect(rig.peer.count('06 01')).toBe(0);
    expect(rig.peer.count('06 50')).toBe(0);
  });

  it('waits while the terminal asks for it, and gives up after a bounded time', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('05 01', [OK, vectorHex('own-terminal-status-9c')]);
    const prepared = rig.terminal.prepare(sale(), never).catch((error: unknown) => error);
    await rig.clock.advance(20_000);
    expect(await prepared).toMatchObject({ code: 'TERMINAL_BUSY' });
  });

  it('goes on when the terminal has become free', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('05 01', [OK, vectorHex('own-terminal-status-9c')], ['84 9C 00'], [OK, READY]);
    const prepared = rig.terminal.prepare(sale(), never);
    await rig.clock.advance(5_000);
    (await prepared).discard();
  });

  const base = {
    transactionId: 'T1',
    amountMinor: 100,
    tipAmountMinor: 0,
    cashbackAmountMinor: 0,
    currency: 'EUR',
    entryMode: 'AUTO',
  } as const;
  it.each<[string, TerminalCommand, string]>([
    ['a foreign currency', { ...base, operation: 'SALE', currency: 'CHF' }, 'UNSUPPORTED_CURRENCY'],
    ['thirteen digits', sale(1_000_000_000_000), 'AMOUNT_TOO_LARGE'],
    ['cash-back', { ...base, operation: 'SALE', cashbackAmountMinor: 500 }, 'OPERATION_NOT_SUPPORTED'],
    ['granular mode', { ...base, operation: 'GRANULAR', type: 'SALE' }, 'OPERATION_NOT_SUPPORTED'],
  ])('refuses %s before a byte is sent', async (_, command, code) => {
    const rig = createRig();
    await rig.ready();
    const before = rig.peer.commands.length;
    await expect(rig.terminal.prepare(command, never)).rejects.toMatchObject({ code });
    expect(rig.peer.commands).toHaveLength(before);
  });

  it('takes the largest amount of twelve digits', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', ['84 9C 00']);
    await (await rig.terminal.prepare(sale(999_999_999_999), never)).run(hooks());
    expect(rig.peer.commands.at(-1)).toBe('06 01 0A 04 99 99 99 99 99 99 49 09 78');
  });

  it('holds the terminal until the exchange ends: a second command waits, then is refused as busy', async () => {
    const rig = createRig();
    await rig.ready();
    const first = await rig.terminal.prepare(sale(), never);
    const second = rig.terminal.prepare(sale(), never).catch((error: unknown) => error);
    await rig.clock.advance(15_000);
    expect(await second).toMatchObject({ code: 'TERMINAL_BUSY' });
    first.discard();
    (await rig.terminal.prepare(sale(), never)).discard();
  });
});

describe('stop', () => {
  it('gives a running exchange up as unknown and leaves no timer', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', [OK]);
    const running = (await rig.terminal.prepare(sale(), never)).run(hooks());
    await settle();
    await rig.terminal.stop();
    expect((await running).kind).toBe('UNKNOWN');
    await settle();
    expect(rig.clock.pendingTimers()).toBe(0);
  });
});

describe('stop while the terminal is asked', () => {
  it('takes the answer to its end, so that the terminal does not repeat it to whoever comes next, and asks nothing more', async () => {
    const rig = createRig();
    rig.peer.on('06 00', [OK]);
    await rig.ready();
    const stopped = rig.terminal.stop();
    rig.peer.begin(vectorHex('own-registration-done'));
    await stopped;
    expect(rig.peer.commands).toHaveLength(1);
    expect(rig.peer.replies).toEqual([OK]);
    expect(rig.clock.pendingTimers()).toBe(0);
  });

  it('lets nothing begin that waited for its turn', async () => {
    const rig = createRig();
    rig.peer.on('06 00', [OK]);
    await rig.ready();
    const waiting = rig.terminal.prepare(sale(), never);
    const refused = expect(waiting).rejects.toMatchObject({ code: 'TERMINAL_UNREACHABLE' });
    await settle();
    const stopped = rig.terminal.stop();
    rig.peer.begin(vectorHex('own-registration-done'));
    await Promise.all([stopped, refused]);
    expect(rig.peer.commands).toHaveLength(1);
  });

  it('does not wait for ever', async () => {
    const rig = createRig();
    rig.peer.on('06 00', [OK]);
    await rig.ready();
    const stopped = rig.terminal.stop();
    await rig.clock.advance(2_000);
    await stopped;
    await settle();
    expect(rig.clock.pendingTimers()).toBe(0);
  });
});

describe('probe', () => {
  it('answers by its deadline when the terminal is silent', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('05 01', []);
    const deadline = new AbortController();
    const probed = rig.terminal.probe(deadline.signal);
    await settle();
    deadline.abort();
    expect((await probed).connected).toBe(true);
    await rig.clock.advance(5_000);
    expect(rig.terminal.status().state).toBe('ERROR');
  });
});

describe('probe of a person who waits', () => {
  it('tries a line that is down at once, not when its pause is over', async () => {
    const rig = createRig();
    await rig.ready();
    rig.plug(false);
    rig.drop();
    await rig.clock.advance(40_000);
    rig.plug(true);
    expect((await rig.terminal.probe(never)).state).toBe('DISCONNECTED');
    const probed = rig.terminal.probe(never, true);
    await settle();
    expect(await probed).toMatchObject({ connected: true, state: 'IDLE' });
  });

  it('ends by its deadline when the line stays down', async () => {
    const rig = createRig();
    await rig.ready();
    rig.plug(false);
    rig.drop();
    const deadline = new AbortController();
    const probed = rig.terminal.probe(deadline.signal, true);
    await settle();
    deadline.abort();
    expect(await probed).toMatchObject({ connected: false });
  });
});

describe('a day close of the terminal whose end the till does not hear', () => {
  it('is recorded when the totals were told before the link was lost', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.begin('04 FF 01 0F', vectorHex('own-eod-totals'), vectorHex('portalum-line-a01'));
    await settle();
    rig.drop();
    await settle();
    expect(rig.notices.filter((notice) => notice.kind === 'BATCH_CLOSED_BY_TERMINAL')).toHaveLength(1);
  });
});

describe('after a lost day close', () => {
  it('nothing is aborted on the next connection', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 50', [OK, { drop: true }]);
    const exchange = await rig.terminal.prepare({ transactionId: 'C', operation: 'DAY_CLOSE', currency: 'EUR' }, never);
    expect((await exchange.run(hooks())).kind).toBe('UNKNOWN');
    await rig.clock.advance(2_000);
    expect(rig.terminal.status().state).toBe('IDLE');
    expect(rig.peer.count('06 B0')).toBe(0);
  });
});

describe('a caller who gives up while the terminal is made ready', () => {
  it('is told at once; the question under way is heard to its end before anybody else speaks', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('05 01', ['80 00 00']);
    const caller = new AbortController();
    const prepared = rig.terminal.prepare(sale(), caller.signal).catch((error: unknown) => error);
    await settle();
    caller.abort();
    expect(await prepared).toMatchObject({ code: 'TERMINAL_NOT_READY' });
    rig.peer.on('05 01', [OK, READY]);
    const next = rig.terminal.prepare(sale(), never);
    await settle();
    expect(rig.peer.count('06 01')).toBe(0);
    const asked = rig.peer.count('05 01');
    rig.peer.begin('06 0F 01 00');
    (await next).discard();
    expect(rig.peer.count('05 01')).toBe(asked + 1);
    expect(rig.peer.connections()).toBe(1);
  });

  it('who had given up before is told so, and the terminal is free for the next', async () => {
    const rig = createRig();
    await rig.ready();
    await expect(rig.terminal.prepare(sale(), AbortSignal.abort())).rejects.toBeInstanceOf(Error);
    (await rig.terminal.prepare(sale(), never)).discard();
  });
});
