import { describe, expect, it } from 'vitest';
import type { Mark } from '../../drivers/zvt/mark.ts';
import { DONE, OK, payment } from '../support/zvt-peer.ts';
import { createRig, hooks, never, question, recovered, sale } from '../support/zvt-terminal.ts';

// What terminals and simulators by others were seen to do (docs/reference/interoperability.md).

const mark: Mark = { knowledge: 'RECEIPT', receipt: '0470', trace: '000470', date: '1127', time: '110000' };

describe('a terminal that completes an abort of nothing', () => {
  it('at once: the end belongs to the abort, and recovery goes on on the same link', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 B0', ['80 00 00', '06 0F 00']);
    const before = rig.peer.replies.length;
    const answer = await recovered(rig, question(sale(), mark));
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'FAILED' } });
    expect(rig.peer.connections()).toBe(1);
    expect(rig.peer.replies[before + 1]).toBe('80 00 00');
  });

  it.each(['06 0F 00', '06 1E 01 6C'])(
    'only when the last receipt was asked for already (%s): acknowledged, and taken for nothing',
    async (end) => {
      const rig = createRig();
      await rig.ready();
      rig.peer.on('06 20', [{ raw: end }, '80 00 00', payment({ amount: 1234 }), '06 0F 00']);
      const answer = await recovered(rig, question(sale(), mark));
      expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'APPROVED', chargedMinor: 1234 } });
      expect(rig.peer.connections()).toBe(1);
    },
  );

  it('before the answer to a status enquiry: the status still comes from its own answer', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('05 01', [{ raw: '06 0F 00' }, '80 00 00', '06 0F 01 00']);
    const prepared = await rig.terminal.prepare(sale(), never);
    prepared.discard();
    expect(rig.peer.connections()).toBe(1);
  });

  it('is not believed to have ended a payment: such an end before the reply to a sale leaves its outcome open', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', [{ raw: '06 0F 00' }, OK, payment({ amount: 1234 }), DONE]);
    const heard = hooks();
    expect((await (await rig.terminal.prepare(sale(), never)).run(heard)).kind).toBe('UNKNOWN');
    expect(heard.provisional).toEqual([]);
    expect(rig.peer.count('06 01')).toBe(1);
  });
});
