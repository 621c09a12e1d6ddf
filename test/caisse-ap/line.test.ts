import { describe, expect, it } from 'vitest';
import { settle } from '../support/manual-clock.ts';
import { createRig, hooks, message, never, sale } from './support/rig.ts';

describe('the line to the terminal', () => {
  it('is open for a look or a request only, and counts as connected in between', async () => {
    const rig = createRig();
    await rig.ready();
    expect(rig.terminal.status()).toEqual({ connected: true, state: 'IDLE', connectivity: { method: 'ETHERNET' } });
    expect([rig.connections(), rig.isConnected()]).toEqual([1, false]);
    rig.answers([message('reply-done')]);
    await rig.pay();
    expect([rig.connections(), rig.isConnected()]).toEqual([2, false]);
    expect(rig.terminal.status()).toMatchObject({ connected: true, state: 'IDLE' });
  });

  it('is looked at each minute, with nothing sent', async () => {
    const rig = createRig();
    await rig.ready();
    await rig.clock.advance(3 * 60_000);
    expect(rig.connections()).toBe(4);
    expect(rig.requests).toEqual([]);
    rig.plug(false);
    await rig.clock.advance(60_000);
    expect(rig.terminal.status()).toMatchObject({ connected: false, state: 'DISCONNECTED' });
    rig.plug(true);
    await rig.clock.advance(60_000);
    expect(rig.terminal.status()).toMatchObject({ connected: true, state: 'IDLE' });
  });

  it('is busy as long as a payment runs, and is not looked at meanwhile', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([200_000, message('reply-done')]);
    const running = (await rig.prepared()).run(hooks());
    await rig.clock.advance(190_000);
    expect(rig.terminal.status()).toMatchObject({ connected: true, state: 'BUSY' });
    expect(rig.connections()).toBe(2);
    await rig.clock.advance(20_000);
    expect((await running).kind).toBe('APPROVED');
    expect(rig.terminal.status().state).toBe('IDLE');
  });

  it('that cannot be opened refuses a sale at once, in words; the next one works as soon as it is back', async () => {
    const rig = createRig();
    rig.plug(false);
    await rig.ready();
    await rig.clock.advance(10 * 60_000);
    await expect(rig.prepared()).rejects.toMatchObject({
      code: 'TERMINAL_UNREACHABLE',
      message: 'memory refuses the connection.',
    });
    rig.plug(true);
    rig.answers([message('reply-done')]);
    // Without a moment passing: the pause before the next try is half a minute by now.
    expect((await rig.pay()).kind).toBe('APPROVED');
    expect(rig.terminal.status()).toMatchObject({ connected: true, state: 'IDLE' });
  });

  it('that is lost in a payment ends it unknown, and the next one works at once', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers(['CZ0040300', 'DROP'], [message('reply-done')]);
    expect((await rig.pay(sale(), 0)).kind).toBe('UNKNOWN');
    expect((await rig.pay()).kind).toBe('APPROVED');
    expect(rig.requests).toHaveLength(2);
  });

  it('that the terminal closes before the request leaves sends nothing', async () => {
    const rig = createRig();
    await rig.ready();
    const exchange = await rig.prepared();
    rig.drop();
    await settle();
    expect(await exchange.run(hooks())).toMatchObject({ kind: 'NOT_STARTED', errorCode: 'TERMINAL_UNREACHABLE' });
    expect(rig.requests).toEqual([]);
    rig.answers([message('reply-done')]);
    expect((await rig.pay()).kind).toBe('APPROVED');
  });

  it('on which something speaks before it is asked is not trusted with a request', async () => {
    const rig = createRig();
    await rig.ready();
    const exchange = await rig.prepared();
    rig.say(message('reply-done'));
    await rig.clock.advance(1_000);
    expect(await exchange.run(hooks())).toMatchObject({ kind: 'NOT_STARTED', errorCode: 'TERMINAL_UNREACHABLE' });
    expect(rig.requests).toEqual([]);
  });

  it('is given back by a command that is not run', async () => {
    const rig = createRig();
    await rig.ready();
    (await rig.prepared()).discard();
    expect(rig.isConnected()).toBe(false);
    rig.answers([message('reply-done')]);
    expect((await rig.pay()).kind).toBe('APPROVED');
  });

  it('is given back by a caller who gave up while it was being opened', async () => {
    const rig = createRig();
    await rig.ready();
    const controller = new AbortController();
    const preparing = rig.terminal.prepare(sale(), controller.signal);
    controller.abort();
    await expect(preparing).rejects.toMatchObject({ code: 'TERMINAL_NOT_READY' });
    await rig.clock.advance(0);
    rig.answers([message('reply-done')]);
    expect((await rig.pay()).kind).toBe('APPROVED');
    expect(rig.requests).toHaveLength(1);
  });

  it('serves one after the other: who comes meanwhile is told that it is in use', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([60_000, message('reply-done')]);
    const running = (await rig.prepared()).run(hooks());
    const second = rig.terminal.prepare(sale(), never());
    second.catch(() => undefined);
    await rig.clock.advance(20_000);
    await expect(second).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
    await rig.clock.advance(60_000);
    expect((await running).kind).toBe('APPROVED');
    expect(rig.requests).toHaveLength(1);
  });

  it('is given up by a stop: the payment that runs is unknown', async () => {
    const rig = createRig();
    await rig.ready();
    const running = (await rig.prepared()).run(hooks());
    await rig.clock.advance(1_000);
    await rig.terminal.stop();
    expect(await running).toMatchObject({ kind: 'UNKNOWN', reasonCode: 'ANSWER_LOST' });
    expect(rig.isConnected()).toBe(false);
    expect(rig.terminal.status().connected).toBe(false);
    await expect(rig.prepared()).rejects.toMatchObject({ code: 'TERMINAL_UNREACHABLE' });
  });

  it('is tried at once for a person who looks, and within his time', async () => {
    const rig = createRig();
    rig.plug(false);
    await rig.ready();
    await rig.clock.advance(10 * 60_000);
    rig.plug(true);
    const looking = rig.terminal.probe(never(), true);
    await settle();
    expect(await looking).toMatchObject({ connected: true, state: 'IDLE' });
  });
});
