// What a line and a terminal do that nobody asked for.
import { describe, expect, it } from 'vitest';
import { frame, held, NOT_SHOWN, operative, paid, receipt, session } from '../support/ecr17-peer.ts';
import { createEcr17Rig } from '../support/ecr17-terminal.ts';
import { hooks, never, sale } from '../support/zvt-terminal.ts';

const PAID = paid({ amount: 1234 });

describe('a connection at rest', () => {
  it('tells what the terminal says of itself', async () => {
    const rig = createEcr17Rig();
    await rig.ready();
    expect(rig.terminal.status()).toMatchObject({
      connected: true,
      state: 'IDLE',
      serialNumber: '12345678',
      firmwareVersion: 'V1.2.3',
      connectivity: { method: 'ETHERNET' },
    });
    expect(rig.notices.at(-1)).toMatchObject({ kind: 'STATUS', status: { state: 'IDLE' } });
  });

  it('does not acknowledge a result that no command waits for', async () => {
    const rig = createEcr17Rig();
    await rig.ready();
    const before = rig.peer.acknowledgements();
    rig.peer.say(PAID);
    rig.peer.say({ raw: frame(PAID) });
    await rig.clock.advance(10);
    expect(rig.peer.acknowledgements()).toBe(before);
  });

  it('acknowledges a late receipt, so that the terminal goes on', async () => {
    const rig = createEcr17Rig();
    await rig.ready();
    const before = rig.peer.acknowledgements();
    rig.peer.say(receipt('NEGOZIO}'));
    await rig.clock.advance(10);
    expect(rig.peer.acknowledgements()).toBe(before + 1);
  });

  it('is asked for a sign of life, and lost when none comes', async () => {
    const rig = createEcr17Rig({}, 'SERIAL');
    await rig.ready();
    rig.peer.on('s', []);
    await rig.clock.advance(46_000);
    rig.plug(false);
    await rig.clock.advance(20_000);
    expect(rig.terminal.status()).toMatchObject({ connected: false, state: 'DISCONNECTED' });
    rig.plug(true);
    rig.peer.on('s', [operative()]);
    await rig.clock.advance(60_000);
    expect(rig.terminal.status()).toMatchObject({ connected: true, state: 'IDLE' });
  });

  it('over TCP may be closed by the terminal: it is idle, and opened when somebody asks', async () => {
    const rig = createEcr17Rig();
    await rig.ready();
    rig.drop('closed by the terminal');
    await rig.clock.advance(10_000);
    expect(rig.terminal.status().state).toBe('IDLE');
    expect(rig.peer.connections()).toBe(1);
    rig.plug(false);
    const preparing = rig.terminal.prepare(sale(), never);
    await expect(Promise.all([preparing, rig.clock.advance(20_000)])).rejects.toMatchObject({
      code: 'TERMINAL_UNREACHABLE',
    });
    expect(rig.terminal.status().state).toBe('DISCONNECTED');
  });

  it('that breaks is opened again by itself', async () => {
    const rig = createEcr17Rig();
    await rig.ready();
    rig.drop();
    await rig.clock.advance(10);
    expect(rig.terminal.status().state).not.toBe('IDLE');
    await rig.clock.advance(2_000);
    expect(rig.terminal.status().state).toBe('IDLE');
  });
});

describe('a connection with a question under way', () => {
  it('leaves a result of something else unacknowledged, and takes the answer', async () => {
    const rig = createEcr17Rig();
    await rig.ready();
    const before = rig.peer.acknowledgements();
    rig.peer.on('s', [{ raw: frame(PAID) }, operative()]);
    const probing = rig.terminal.probe(never);
    await rig.clock.advance(10);
    await expect(probing).resolves.toMatchObject({ state: 'IDLE' });
    expect(rig.peer.acknowledgements()).toBe(before + 1);
  });

  it('is given up with a message that cannot be read', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('X', ['123456780E00']);
    await rig.ready();
    const heard = hooks();
    await expect(rig.run(sale(), heard)).resolves.toMatchObject({ kind: 'UNKNOWN' });
    expect(heard.provisional).toEqual([]);
  });
});

describe('a payment under way', () => {
  it('takes a late status for nothing', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('X', [operative(), PAID]);
    await rig.ready();
    await expect(rig.run(sale())).resolves.toMatchObject({ kind: 'APPROVED', reference: { stan: '000101' } });
  });

  it('does not end with the result of another procedure, which is not acknowledged', async () => {
    for (const other of [held(), session(1234, 1234)]) {
      const rig = createEcr17Rig();
      rig.peer.on('X', [{ raw: frame(other) }, PAID]);
      await rig.ready();
      const heard = hooks();
      await expect(rig.run(sale(), heard)).resolves.toMatchObject({ kind: 'APPROVED', chargedMinor: 1234 });
      expect(heard.provisional).toHaveLength(1);
    }
  });

  it('that ends with a lost line after its acknowledgement has its result', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('X', [PAID, { drop: 'unplugged' }]);
    await rig.ready();
    await expect(rig.run(sale())).resolves.toMatchObject({ kind: 'APPROVED' });
  });

  it('whose line is lost while its result goes to disk is asked for', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('X', [PAID]);
    await rig.ready();
    const outcome = await rig.run(
      sale(),
      hooks(async () => rig.drop()),
    );
    expect(outcome).toMatchObject({ kind: 'UNKNOWN', reasonCode: 'ANSWER_LOST' });
  });

  it('that was refused while the line was lost is refused all the same', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('X', [NOT_SHOWN]);
    await rig.ready();
    const outcome = await rig.run(
      sale(),
      hooks(async () => rig.drop()),
    );
    expect(outcome).toMatchObject({ kind: 'FAILED', errorCode: 'CARD_READ_FAILED' });
  });

  it('is given up, unknown, when the till stops', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('X', []);
    await rig.ready();
    const preparing = rig.terminal.prepare(sale(), never);
    await rig.clock.advance(10);
    const running = (await preparing).run(hooks());
    await rig.clock.advance(10);
    const stopped = rig.terminal.stop();
    await rig.clock.advance(10);
    await stopped;
    await expect(running).resolves.toMatchObject({ kind: 'UNKNOWN' });
    await rig.clock.advance(10);
    expect(rig.clock.waiting).toBe(0);
  });
});
