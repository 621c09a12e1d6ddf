import { describe, expect, it } from 'vitest';
import { vectorHex } from '../support/vectors.ts';
import { settle } from '../support/zvt-clock.ts';
import { DONE, OK, payment } from '../support/zvt-peer.ts';
import { createRig, hooks, never, type Rig, sale } from '../support/zvt-terminal.ts';

async function running(rig: Rig) {
  await rig.ready();
  rig.peer.on('06 01', [OK, vectorHex('portalum-interim-0a')]);
  const exchange = await rig.terminal.prepare(sale(), never);
  const outcome = exchange.run(hooks());
  await settle();
  return { exchange, outcome };
}

describe('an abort', () => {
  it('is a request: the end still comes from the terminal', async () => {
    const rig = createRig();
    const { exchange, outcome } = await running(rig);
    expect(await exchange.requestAbort()).toBe('REQUESTED');
    expect(rig.peer.commands.at(-1)).toBe(vectorHex('kotlin-abort'));
    let isOver = false;
    void outcome.then(() => {
      isOver = true;
    });
    await rig.clock.advance(60_000);
    expect(isOver).toBe(false);
    rig.peer.begin('06 1E 01 6C');
    expect(await outcome).toMatchObject({ kind: 'CANCELLED', reason: 'POS_REQUEST' });
  });

  it('does not undo an approval that wins', async () => {
    const rig = createRig();
    const { exchange, outcome } = await running(rig);
    expect(await exchange.requestAbort()).toBe('REQUESTED');
    rig.peer.begin(payment({ amount: 1234 }), DONE);
    expect((await outcome).kind).toBe('APPROVED');
  });

  it('comes too late while the terminal talks to its host (84 83): the sale runs on', async () => {
    const rig = createRig();
    const { exchange, outcome } = await running(rig);
    rig.peer.on('06 B0', ['84 83 00']);
    expect(await exchange.requestAbort()).toBe('TOO_LATE');
    rig.peer.begin(payment({ amount: 1234 }), DONE);
    expect((await outcome).kind).toBe('APPROVED');
  });

  it('that was refused does not turn a customer’s stop into the POS’s', async () => {
    const rig = createRig();
    const { exchange, outcome } = await running(rig);
    rig.peer.on('06 B0', ['84 83 00']);
    await exchange.requestAbort();
    rig.peer.begin('06 1E 01 6C');
    expect(await outcome).toMatchObject({ kind: 'CANCELLED', reason: 'CARDHOLDER' });
  });

  it('without an answer is repeated a bounded number of times', async () => {
    const rig = createRig();
    const { exchange, outcome } = await running(rig);
    rig.peer.on('06 B0', []);
    const asked = exchange.requestAbort();
    await rig.clock.advance(20_000);
    expect(await asked).toBe('TOO_LATE');
    expect(rig.peer.count('06 B0')).toBe(3);
    rig.peer.begin('06 1E 01 6C');
    expect((await outcome).kind).toBe('CANCELLED');
  });

  it('before anything was sent sends nothing at all', async () => {
    const rig = createRig();
    await rig.ready();
    const exchange = await rig.terminal.prepare(sale(), never);
    expect(await exchange.requestAbort()).toBe('REQUESTED');
    expect(await exchange.run(hooks())).toMatchObject({ kind: 'CANCELLED', reason: 'POS_REQUEST' });
    expect(rig.peer.count('06 01')).toBe(0);
  });

  it('after the end comes too late', async () => {
    const rig = createRig();
    const { exchange, outcome } = await running(rig);
    rig.peer.begin('06 1E 01 6C');
    await outcome;
    expect(await exchange.requestAbort()).toBe('TOO_LATE');
    expect(rig.peer.count('06 B0')).toBe(0);
  });

  it('does not disturb a result that is being stored', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', [OK, payment({ amount: 1234 }), DONE]);
    let store = (): void => undefined;
    const stored = new Promise<void>((resolve) => {
      store = resolve;
    });
    const exchange = await rig.terminal.prepare(sale(), never);
    const outcome = exchange.run(hooks(() => stored));
    await settle();
    const asked = exchange.requestAbort();
    await settle();
    expect(rig.peer.count('06 B0')).toBe(0);
    store();
    expect((await outcome).kind).toBe('APPROVED');
    await rig.clock.advance(20_000);
    await asked;
  });
});
