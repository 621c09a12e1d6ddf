import { expect, it } from 'vitest';
import { paymentState } from '../../renderer/pages/activity/payment-state.ts';

const paid = { status: 'APPROVED', type: 'SALE', charged: 'YES' } as const;
const refused = { status: 'DECLINED', type: 'SALE', charged: 'NO' } as const;

it('tells a sale that waits for its issuer from one that is paid, and a later decline from one at once', () => {
  const words = [
    paymentState({ ...paid, deferredAuthorization: 'WAITING' }),
    paymentState({ ...paid, deferredAuthorization: 'AUTHORIZED' }),
    paymentState({ ...refused, deferredAuthorization: 'DECLINED' }),
    paymentState(refused),
  ];
  expect(words).toEqual([
    { tone: 'WARN', word: 'activity:state.acceptedOffline' },
    { tone: 'GOOD', word: 'activity:state.paid' },
    { tone: 'BAD', word: 'activity:state.declinedAfterwards' },
    { tone: 'BAD', word: 'activity:state.declined' },
  ]);
});
