import type { StartRequest } from '../contract/console/sell.ts';
import type { TransactionRequest } from '../contract/transactions.ts';
import { lastFourOf } from '../domain/mask.ts';
import { totalMinor } from '../domain/money.ts';
import { defined } from '../services/response.ts';
import { contextOf, type Handlers } from './call.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { giveBackMeansOf } from './give-back-means.ts';
import { pickTerminal } from './pick-terminal.ts';
import type { Hand } from './virtual-hand.ts';

type SellHandlers = Pick<Handlers, 'sell.start' | 'sell.abort' | 'sell.tips' | 'sell.openPreAuths'>;

/** What moves money or reads a card at a terminal. */
export function createSellHandlers({ till, journal, tipsOf }: ConsoleDeps, hand: Hand): SellHandlers {
  return {
    async 'sell.start'(call, request) {
      const { terminalId, idempotencyKey } = request;
      const tipSource = 'tipSource' in request ? request.tipSource : undefined;
      const context = {
        ...contextOf(call, 'sell.start', { terminalId, idempotencyKey }),
        ...(tipSource === undefined ? {} : { tipSource }),
      };
      const picked = pickTerminal(till, terminalId).terminalId;
      const answer = await hand.during(picked, () => till.run(context, bodyOf(request)));
      return JSON.parse(answer.body);
    },
    'sell.abort': (call, { transactionId }) => till.abort(contextOf(call, 'sell.abort'), transactionId),
    'sell.tips'(_call, { terminalId }) {
      const tips = tipsOf(pickTerminal(till, terminalId).terminalId);
      return tips === undefined ? {} : { tips: { ...tips, presetBasisPoints: [...tips.presetBasisPoints] } };
    },
    'sell.openPreAuths': () => ({
      preAuths: till.terminals().flatMap(({ terminalId }) =>
        journal.openPreAuths(terminalId).map((record) =>
          defined({
            transactionId: record.transactionId,
            terminalId,
            amount: totalMinor(record),
            currency: record.currency,
            timestamp: record.createdAt,
            referenceId: record.referenceId,
            cardScheme: record.card.cardScheme,
            lastFour: lastFourOf(record.card.maskedPan ?? ''),
            canRelease: giveBackMeansOf(till, record).canVoid,
          }),
        ),
      ),
    }),
  };
}

/** The request as the engine takes it; who approved is in the actor, and no PIN goes any further. */
function bodyOf(request: StartRequest): TransactionRequest {
  const { terminalId: _terminalId, idempotencyKey: _idempotencyKey, approval: _approval, ...body } = request;
  if (!('tipSource' in body)) return body;
  const { tipSource: _tipSource, ...sale } = body;
  return sale;
}
