// What users of such drivers reported (the numbers are of the list in docs), as it must go here.
import { describe, expect, it } from 'vitest';
import { describeConnectError } from '../../drivers/transport/tcp-transport.ts';
import { createRig, hooks, message, never, question, sale } from './support/rig.ts';

describe('a report of users', () => {
  it('1: the terminal approves and the till never hears of it: unknown, asked of a person, and a connection of its own for each sale', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([], [message('reply-done')]);
    expect((await rig.pay(sale(), 400_000)).kind).toBe('UNKNOWN');
    expect((await rig.terminal.recover(question(sale()), never())).kind).toBe('UNDECIDED');
    const before = rig.connections();
    await rig.pay();
    await rig.pay();
    expect(rig.connections()).toBe(before + 2);
  });

  it('3: two replies in one read are not taken for one that is broken', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([message('reply-done') + message('reply-done')]);
    expect((await rig.pay()).kind).toBe('APPROVED');
  });

  it('8: refused, abandoned, not understood and lost are four ends', async () => {
    const kinds: string[] = [];
    for (const steps of [
      [message('reply-failed-04')],
      [message('reply-failed-11')],
      [message('reply-failed-09')],
      ['DROP' as const],
    ]) {
      const rig = createRig();
      await rig.ready();
      rig.answers(steps);
      kinds.push((await rig.pay()).kind);
    }
    expect(kinds).toEqual(['DECLINED', 'CANCELLED', 'FAILED', 'UNKNOWN']);
  });

  it('10: refused, no way there, an unknown name and silence are told apart', async () => {
    const words = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENOTFOUND', 'ETIMEDOUT'].map(
      (code) => describeConnectError(Object.assign(new Error(code), { code }), '192.0.2.1:8888').message,
    );
    expect(new Set(words).size).toBe(4);
    // A port that takes a connection and says nothing: the time of the payment is bounded.
    const rig = createRig();
    await rig.ready();
    const running = (await rig.prepared()).run(hooks());
    await rig.clock.advance(300_000);
    expect(await running).toMatchObject({
      kind: 'UNKNOWN',
      message: expect.stringContaining('did not answer within 300 s'),
    });
  });

  it('15: the status never stays "connecting": a look has an end', async () => {
    const rig = createRig();
    rig.plug(false);
    await rig.ready();
    expect(rig.terminal.status().state).toBe('DISCONNECTED');
    // A look that meets a line which does not answer at all ends with its caller's time.
    const controller = new AbortController();
    const looking = rig.terminal.probe(controller.signal, true);
    controller.abort();
    expect(await looking).toMatchObject({ connected: false });
  });

  it('16: an earlier sale that still waits at the terminal answers with its own amount: not taken for this one', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([message('reply-other-amount')]);
    expect(await rig.pay()).toMatchObject({
      kind: 'UNKNOWN',
      message: 'The terminal approved 2000 minor units, but 1000 were asked.',
    });
  });

  it('17, 23: a cancel that the terminal cannot be told is not said to be done, and the real end is waited for', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([60_000, message('reply-done')]);
    const exchange = await rig.prepared();
    const running = exchange.run(hooks());
    await rig.clock.advance(30_000);
    expect(await exchange.requestAbort()).toBe('TOO_LATE');
    await rig.clock.advance(60_000);
    expect((await running).kind).toBe('APPROVED');
  });

  it('19: a reply in any two reads, seconds apart, is one reply; and nobody else is held up meanwhile', async () => {
    const reply = message('two-reads');
    for (let place = 1; place < reply.length; place++) {
      const rig = createRig();
      await rig.ready();
      rig.answers([reply.slice(0, place), 400, reply.slice(place)]);
      expect((await rig.pay()).kind, `cut after ${place}`).toBe('APPROVED');
    }
    const waiting = createRig();
    await waiting.ready();
    const running = (await waiting.prepared()).run(hooks());
    await waiting.clock.advance(177_000);
    expect(await waiting.terminal.probe(never())).toMatchObject({ state: 'BUSY' });
    await waiting.clock.advance(200_000);
    expect((await running).kind).toBe('UNKNOWN');
  });

  it('19: however many reads it takes', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([...message('each-byte')].flatMap((character) => [character, 20]));
    expect((await rig.pay(sale(), 10_000)).kind).toBe('APPROVED');
  });

  it('21: 4.60 is 460 on the line, and 0.01 is 01', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([message('reply-failed-11')]);
    await rig.pay(sale(460));
    await rig.pay(sale(1));
    expect(rig.requests.map((request) => request.slice(-8))).toEqual(['CB003460', '0CB00201']);
  });

  it('24, 28: after the time is over the outcome is unknown, the connection is closed, and the next sale is tried', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([], [message('reply-failed-05')]);
    expect((await rig.pay(sale(), 301_000)).kind).toBe('UNKNOWN');
    expect(rig.isConnected()).toBe(false);
    // A terminal that is still with the first one says so.
    expect((await rig.pay()).kind).toBe('DECLINED');
    expect(rig.requests).toHaveLength(2);
  });

  it('30, 37: a terminal that was away for days is found by itself, over a new connection', async () => {
    const rig = createRig();
    await rig.ready();
    rig.plug(false);
    await rig.clock.advance(60 * 60_000);
    expect(rig.terminal.status().connected).toBe(false);
    rig.plug(true);
    await rig.clock.advance(31_000);
    expect(rig.terminal.status()).toMatchObject({ connected: true, state: 'IDLE' });
  });

  it('35: a reply that comes after its payment was given up is of no other payment', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([305_000, message('reply-done')], [10_000, message('reply-failed-04')]);
    expect((await rig.pay(sale(), 300_000)).kind).toBe('UNKNOWN');
    expect((await rig.pay(sale(), 20_000)).kind).toBe('DECLINED');
  });

  it('OCA/l10n-france 669: a cancelled payment’s reply without an amount is a cancelled payment', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([message('reply-abandoned-no-amount')]);
    expect((await rig.pay()).kind).toBe('CANCELLED');
  });

  it('a terminal that refuses the tag BF is not sent it', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([message('reply-done')]);
    await rig.pay();
    expect(rig.requests.join('')).not.toContain('BF');
  });
});
