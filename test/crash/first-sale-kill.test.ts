import { describe, expect, it } from 'vitest';
import { createKillRig, type KillPoint } from './kill-rig.ts';

/** Before the command is acknowledged, while the host is asked, at the receipts, and after the completion. */
const points: readonly KillPoint[] = [
  { kind: 'AFTER_MESSAGE', index: 4 },
  { kind: 'AFTER_MESSAGE', index: 7 },
  { kind: 'BEFORE_MESSAGE', index: 12 },
  { kind: 'AFTER_MESSAGE', index: 15 },
];

describe('a till killed in its very first sale, at a terminal that has no receipt yet', () => {
  it.each(points)("answers as the terminal's book says, without a person, killed %o", async (point) => {
    const rig = await createKillRig();
    try {
      const body = { type: 'SALE', amount: 4200, currency: 'EUR' };
      const { replay, openTasks, at } = await rig.runAndKill({ path: '/v1/transaction/sale', body }, 'first', point);
      const { charges } = await rig.book();
      expect(replay.status, `${at}: ${replay.text}`).toBe(200);
      expect(charges.sumMinor, `${at}: ${replay.text}`).toBe(replay.body.status === 'APPROVED' ? 4200 : 0);
      expect(replay.body.outcome, at).toMatchObject({ charged: charges.count === 1 ? 'YES' : 'NO' });
      expect(openTasks, at).toEqual([]);
    } finally {
      await rig.close();
    }
  });
});
