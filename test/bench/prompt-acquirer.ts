import type { Acquirer, AuthorizeMessage } from '../../host/ports/acquirer.ts';

const unasked = async (): Promise<never> => {
  throw new Error('the benchmark asks for authorizations only');
};

/** An acquirer in the host's own process that approves at once: what is measured is the host, and neither a line nor another book. */
export const promptAcquirer: Acquirer = {
  capabilities: {
    canAdjustTips: true,
    canAsk: true,
    canInquireBalance: false,
    hasOwnReversalRepeats: false,
    maxAmountMinor: 999_999_999_999,
    authorizationValidDays: 7,
    isSimulated: true,
  },
  start: async () => {},
  stop: async () => {},
  isReady: () => true,
  onLateAnswer: () => () => {},
  authorize: async ({ amountMinor, currencyCode, operation, terminalId, trace }: AuthorizeMessage) => ({
    kind: 'ANSWERED',
    answer: {
      responseCode: '00',
      authorizationCode: '123456',
      rrn: trace.rrn,
      echo: { amountMinor, currencyCode, operation, terminalId },
    },
  }),
  ...{ capture: unasked, adjustTip: unasked, void: unasked, refund: unasked },
  ...{ reverse: unasked, ask: unasked, closeBatch: unasked },
};
