import { describe, expect, it } from 'vitest';
import { createMemoryTransport } from '../../drivers/transport/memory-transport.ts';
import type { TransportFactory } from '../../drivers/transport/transport.ts';
import { createZvtTerminal } from '../../drivers/zvt/zvt-terminal.ts';
import { vectorHex } from '../support/vectors.ts';
import { createManualClock, settle } from '../support/zvt-clock.ts';
import { CARD_PART, createScriptedTerminal, DONE, OK, payment } from '../support/zvt-peer.ts';
import { createSerialSide, type SerialSideOptions } from '../support/zvt-serial-side.ts';
import { hooks, never, sale, settings, silentLog } from '../support/zvt-terminal.ts';

function createSerialRig(options: SerialSideOptions = {}) {
  const clock = createManualClock();
  const peer = createScriptedTerminal();
  const side = createSerialSide(peer, options);
  const createTransport: TransportFactory = (listeners) =>
    createMemoryTransport(
      'memory',
      (line) => {
        queueMicrotask(() => side.connected({ send: (bytes) => void line.send(bytes), drop: () => line.drop() }));
        return { onData: (bytes) => side.received(bytes), onClose: () => peer.disconnected() };
      },
      listeners,
    );
  const terminal = createZvtTerminal({
    terminalId: 'till-1',
    clock,
    log: silentLog,
    settings,
    line: 'SERIAL',
    createTransport,
  });
  return {
    clock,
    peer,
    side,
    terminal,
    async ready() {
      terminal.start();
      await clock.advance(20_000);
    },
  };
}

const approved = [
  OK,
  vectorHex('portalum-interim-0a'),
  payment({ amount: 1234, more: CARD_PART }),
  vectorHex('kotlin-print-line-empty'),
  vectorHex('kotlin-print-line-empty'),
  DONE,
];

describe('ZVT over a serial line', () => {
  it('approves a sale', async () => {
    const rig = createSerialRig();
    await rig.ready();
    expect(rig.terminal.status()).toMatchObject({ state: 'IDLE', connectivity: { method: 'SERIAL' } });
    rig.peer.on('06 01', approved);
    const running = (await rig.terminal.prepare(sale(), never)).run(hooks());
    await settle();
    const outcome = await running;
    expect(outcome).toMatchObject({ kind: 'APPROVED', chargedMinor: 1234 });
    // Two equal blank lines are two lines.
    expect(outcome).toHaveProperty('receipts.0.lines', [{ text: '' }, { text: '' }]);
  });

  it.each<[string, SerialSideOptions]>([
    ['the terminal refuses the first frame of each (NAK)', { naksFirst: true }],
    ['the terminal repeats each frame as if our acknowledgement was lost', { repeatsFrames: true }],
    ['every byte comes by itself', { chunkBytes: 1 }],
    ['acknowledgement and frame come in one read', { joinsAck: true }],
    ['the acknowledgement of each command is lost', { losesAcks: true }],
    ['the terminal’s first try of each frame is damaged', { damagesFirst: true }],
  ])('approves a sale once when %s', async (_, options) => {
    const rig = createSerialRig(options);
    await rig.ready();
    rig.peer.on('06 01', approved);
    const prepared = rig.terminal.prepare(sale(), never);
    await rig.clock.advance(10_000);
    const heard = hooks();
    const running = (await prepared).run(heard);
    await rig.clock.advance(30_000);
    expect(await running).toMatchObject({ kind: 'APPROVED', chargedMinor: 1234 });
    expect(heard.provisional).toHaveLength(1);
    expect(rig.peer.count('06 01')).toBe(1);
  });

  it('ends unknown after three sends without any answer, and the terminal saw the same frame only', async () => {
    const rig = createSerialRig();
    await rig.ready();
    const exchange = await rig.terminal.prepare(sale(), never).then((prepared) => prepared);
    rig.side.goDeaf();
    const running = exchange.run(hooks());
    await rig.clock.advance(30_000);
    expect((await running).kind).toBe('UNKNOWN');
    const sales = rig.side.deafFrames().filter((frame) => frame.startsWith('10 02 06 01'));
    expect(sales).toHaveLength(3);
    expect(new Set(sales).size).toBe(1);
  });

  it('aborts an input that the caller gives up before the line has confirmed its command', async () => {
    const rig = createSerialRig();
    await rig.ready();
    rig.peer.on('06 E1', []);
    rig.peer.on('06 B0', [OK]);
    const acknowledge = rig.side.holdAckOf('06 E1');
    const caller = new AbortController();
    const asked = rig.terminal
      .input({ prompt: 'X', inputType: 'CONFIRM' }, caller.signal)
      .catch((error: unknown) => error);
    await settle();
    expect(rig.peer.count('06 E1')).toBe(1);
    caller.abort();
    await settle();
    acknowledge();
    await rig.clock.advance(5_000);
    expect(await asked).toMatchObject({ code: 'TERMINAL_UNREACHABLE' });
    expect(rig.peer.commands.at(-1)).toBe('06 B0 00');
    expect(rig.peer.connections()).toBe(1);
  });

  it('aborts at the next connection what it could not abort on this one', async () => {
    const rig = createSerialRig();
    await rig.ready();
    rig.peer.on('06 E1', []);
    rig.peer.on('06 B0', []);
    const caller = new AbortController();
    const asked = rig.terminal
      .input({ prompt: 'X', inputType: 'CONFIRM' }, caller.signal)
      .catch((error: unknown) => error);
    await settle();
    caller.abort();
    await rig.clock.advance(30_000);
    expect(await asked).toMatchObject({ code: 'TERMINAL_UNREACHABLE' });
    expect(rig.peer.connections()).toBe(2);
    expect(rig.peer.count('06 B0')).toBe(2);
  });

  it('backs off and tries the abort again when both speak at once', async () => {
    const rig = createSerialRig();
    await rig.ready();
    rig.peer.on('06 01', [OK, vectorHex('portalum-interim-0a')]);
    const exchange = await rig.terminal.prepare(sale(), never);
    const running = exchange.run(hooks());
    await settle();
    rig.side.collideOnce(vectorHex('issue-11-valina-interim-0e'));
    const asked = exchange.requestAbort();
    await rig.clock.advance(5_000);
    expect(await asked).toBe('REQUESTED');
    rig.peer.begin('06 1E 01 6C');
    await settle();
    expect(await running).toMatchObject({ kind: 'CANCELLED', reason: 'POS_REQUEST' });
  });
});
