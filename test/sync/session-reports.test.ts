import { expect, it } from 'vitest';
import type { ClaimedSession } from '../../app/ports/payment-sessions.ts';
import { nodeIds } from '../../app/programs/node-ports.ts';
import { createSessionBook } from '../../app/sync/sessions/session-book.ts';
import { createSessionReports } from '../../app/sync/sessions/session-reports.ts';
import { quietLog } from '../support/engine-harness.ts';
import { createManualClock } from '../support/manual-clock.ts';

const order = {
  ...{ sessionId: 'S1', claimToken: 'token', authorizationKey: 'key', terminalId: 'T1' },
  ...{ operation: 'PURCHASE' as const, amountMinor: 1_000, currency: 'EUR' },
} as const;

it('tells a host that was away for a day of its session within minutes: until then the terminal can be ordered nothing', async () => {
  const clock = createManualClock();
  const kept: ClaimedSession[] = [];
  const book = createSessionBook({ open: () => [], save: (session) => void kept.push(session) }, clock);
  let isAway = true;
  let told = 0;
  const reports = createSessionReports({
    ...{ book, clock, ids: nodeIds, log: quietLog, signal: new AbortController().signal },
    host: {
      async sessionEvent() {
        if (isAway) return { kind: 'LOST', reason: 'no line' };
        told += 1;
        return { kind: 'ANSWERED', body: { status: 'IN_PROGRESS' } as never };
      },
    },
  });
  book.claim(order);
  reports.deliver('S1');
  for (let hour = 0; hour < 24; hour++) await clock.advance(3_600_000);
  isAway = false;
  await clock.advance(120_000);
  expect(told).toBe(1);
  expect(kept.at(-1)).toMatchObject({ delivered: 1 });
});
