import type { TransactionRequest } from '../../contract/transactions.ts';
import { bodyOf, type TillAction } from '../../http/action-body.ts';
import type { Answer, CallContext, Till } from '../../services/till.ts';
import type { PosCaller } from '../plugins/admission.ts';

/**
 * An action carries the route of the REST call that does the same, so that a POS which lost its session may repeat the call there under the
 * same Idempotency-Key (decisions: Idempotency-Key).
 */
const routes: Readonly<Record<TillAction['action'], string>> = {
  sale: 'POST /v1/transaction/sale',
  pre_auth: 'POST /v1/transaction/pre-auth',
  card_read: 'POST /v1/transaction/card-read',
  complete: 'POST /v1/transaction/complete',
  display: 'POST /v1/device/display',
  input: 'POST /v1/device/input',
  abort: 'POST /v1/transactions/{id}/abort',
};
const initiateRoute = 'POST /v1/transaction/initiate';

/** Runs an action. What comes of it are the engine's events; the answer is returned where there is one. @throws BridgeError */
export async function runAction(till: Till, action: TillAction, context: CallContext): Promise<Answer | undefined> {
  switch (action.action) {
    case 'sale': {
      const request: TransactionRequest = { type: 'SALE', ...bodyOf(action) };
      const isGranular = action.granular === true;
      return isGranular ? till.initiate({ ...context, route: initiateRoute }, request) : till.run(context, request);
    }
    case 'pre_auth':
      return till.run(context, { type: 'PRE_AUTH', ...bodyOf(action) });
    case 'card_read':
      return till.run(context, {
        type: 'CARD_READ',
        amount: 0,
        currency: currencyOf(till, context),
        ...bodyOf(action),
      });
    case 'complete':
      return till.complete(context, bodyOf(action));
    case 'display':
      await till.display(context, bodyOf(action));
      return undefined;
    case 'input':
      await till.input(context, bodyOf(action));
      return undefined;
    case 'abort':
      await till.abort(context, action.transactionId);
      return undefined;
  }
}

/** A card read moves no money and names no currency: it is the terminal's own. An unknown terminal is refused by the engine. */
function currencyOf(till: Till, context: CallContext): string {
  const terminals = till.terminals();
  const picked = terminals.find((terminal) => terminal.terminalId === context.terminalId) ?? terminals[0];
  return picked?.currency ?? 'EUR';
}

/** What the call carries beside its body. `requestId` is the log's; the client's own is echoed in the events. */
export function contextOfAction(action: TillAction, caller: PosCaller, requestId: string): CallContext {
  return {
    clientId: caller.clientId,
    actor: `pos:${caller.name}`,
    requestId,
    route: action.action === 'abort' ? routes.abort.replace('{id}', action.transactionId) : routes[action.action],
    ...(action.terminalId === undefined ? {} : { terminalId: action.terminalId }),
    ...(action.requestId === undefined ? {} : { eventRequestId: action.requestId }),
    ...('idempotencyKey' in action && action.idempotencyKey !== undefined
      ? { idempotencyKey: action.idempotencyKey }
      : {}),
    ...('timeoutSeconds' in action && action.timeoutSeconds !== undefined
      ? { timeoutSeconds: action.timeoutSeconds }
      : {}),
  };
}
