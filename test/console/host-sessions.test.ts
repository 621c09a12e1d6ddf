import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SessionDeviceEvent } from '../../app/contract/host/payment-session.ts';
import type { ClaimedSession } from '../../app/ports/payment-sessions.ts';
import { type ConsoleHarness, createConsoleHarness } from './console-harness.ts';

let harness: ConsoleHarness;
beforeEach(async () => {
  harness = await createConsoleHarness();
});
afterEach(() => harness.stop());

const claimToken = 'secret of the claim';
const claimed = { sequence: 1, eventType: 'CLAIMED', claimToken } as const;
const ended = (end: Omit<SessionDeviceEvent, 'sequence' | 'claimToken'>) => [
  claimed,
  { sequence: 2, claimToken, ...end },
];

function keep(sessionId: string, fields: Partial<ClaimedSession>): void {
  const order = {
    ...{ sessionId, claimToken, authorizationKey: 'key', terminalId: 'T1' },
    ...({ operation: 'PURCHASE', amountMinor: 3_300, currency: 'EUR' } as const),
  };
  const fresh = {
    order,
    state: 'CLAIMED',
    events: [claimed],
    delivered: 0,
    updatedAt: '2026-11-29T08:00:00.000Z',
  } as const;
  harness.engine.journal.commit((unit) => unit.savePaymentSession({ ...fresh, ...fields }));
}

it('tells of the latest payment sessions how each stands, and nothing of their claims', async () => {
  keep('claimed', {});
  keep('started', { state: 'STARTED', transactionId: 'tx-1', delivered: 1 });
  keep('sold', { state: 'OVER', events: ended({ eventType: 'COMPLETED', status: 'SUCCEEDED' }), delivered: 2 });
  keep('declined', { state: 'OVER', events: ended({ eventType: 'COMPLETED', status: 'DECLINED' }), delivered: 2 });
  keep('stopped', { state: 'ENDED', events: ended({ eventType: 'CANCELLED', failureCode: 'CARDHOLDER_CANCELLED' }) });
  keep('failed', {
    state: 'OVER',
    events: ended({ eventType: 'FAILED', failureCode: 'TILL_RESTARTED' }),
    delivered: 2,
  });
  keep('given-up', { state: 'OVER', delivered: 1 });
  const screen = await harness.as('CASHIER');
  const answer = await screen.get('host.sessions', {});
  expect(answer.sessions).toMatchObject([
    { sessionId: 'given-up', state: 'GIVEN_UP', isTold: true },
    { sessionId: 'failed', state: 'FAILED', failureCode: 'TILL_RESTARTED' },
    { sessionId: 'stopped', state: 'CANCELLED', failureCode: 'CARDHOLDER_CANCELLED', isTold: false },
    { sessionId: 'declined', state: 'DECLINED' },
    { sessionId: 'sold', state: 'SUCCEEDED', amountMinor: 3_300, isTold: true },
    { sessionId: 'started', state: 'STARTED', transactionId: 'tx-1' },
    { sessionId: 'claimed', state: 'CLAIMED', terminalId: 'T1' },
  ]);
  expect(JSON.stringify(answer)).not.toContain(claimToken);
});

it('tells of twenty at most', async () => {
  for (let number = 1; number <= 25; number += 1) keep(`session-${number}`, {});
  const screen = await harness.as('SUPPORT');
  const answer = await screen.get('host.sessions', {});
  const ids = Array.from({ length: 20 }, (_, index) => `session-${25 - index}`);
  expect(answer.sessions.map(({ sessionId }) => sessionId)).toEqual(ids);
});
