import { describe, expect, it } from 'vitest';
import { vectorHex } from '../support/vectors.ts';
import { settle } from '../support/zvt-clock.ts';
import { DONE, OK, payment } from '../support/zvt-peer.ts';
import { createRig, hooks, never, sale } from '../support/zvt-terminal.ts';

describe('those who listen cannot disturb a payment', () => {
  it('a screen that fails to show progress ends nothing', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', [OK, vectorHex('portalum-interim-0a'), payment({ amount: 1234 }), DONE]);
    const failing = {
      ...hooks(),
      onProgress() {
        throw new Error('screen');
      },
    };
    expect((await (await rig.terminal.prepare(sale(), never)).run(failing)).kind).toBe('APPROVED');
  });

  it('a status listener that fails ends nothing, and one that left hears nothing', async () => {
    const rig = createRig();
    let heard = 0;
    const leave = rig.terminal.subscribe(() => {
      heard++;
      throw new Error('listener');
    });
    await rig.ready();
    expect(rig.terminal.status().state).toBe('IDLE');
    expect(heard).toBeGreaterThan(0);
    leave();
    const before = heard;
    rig.drop();
    await settle();
    expect(heard).toBe(before);
  });

  it('a day close of the terminal that cannot be recorded is not acknowledged', async () => {
    const rig = createRig();
    await rig.ready();
    rig.terminal.subscribe((notice) => {
      if (notice.kind === 'BATCH_CLOSED_BY_TERMINAL') throw new Error('disk full');
    });
    const before = rig.peer.replies.length;
    rig.peer.begin('04 FF 01 0F', vectorHex('own-eod-totals'), DONE);
    await settle();
    expect(rig.peer.replies.slice(before)).toEqual([OK, OK]);
    await rig.clock.advance(2_000);
    expect(rig.terminal.status().state).toBe('IDLE');
    expect(rig.peer.connections()).toBe(2);
  });
});
