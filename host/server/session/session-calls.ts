import { type EndpointId, endpointOf } from '../../../app/contract/endpoints.ts';
import { BridgeError, type ErrorCode, errorCatalogue } from '../../../app/contract/errors.ts';
import { MAX_EVENT_PAGE_ITEMS } from '../../../app/contract/limits.ts';
import { bodyOf, type TillAction } from '../../../app/http/action-body.ts';
import { optional, routeOf } from '../../../app/http/read-call.ts';
import type { PosAnswer, PosCall } from '../../services/host.ts';

/** The call that does the same as an action: it is one thing under one Idempotency-Key (decisions: Idempotency-Key). */
const endpointIds = {
  sale: 'pos.sale',
  pre_auth: 'pos.preAuth',
  card_read: 'pos.cardRead',
  complete: 'pos.complete',
  display: 'device.display',
  input: 'device.input',
  abort: 'transactions.abort',
} as const satisfies Record<TillAction['action'], EndpointId>;

/** What a body says that the action says by its name. @param currency of the terminal; a card read moves no money and names none */
function bodyOfCall(action: TillAction, currency: string | undefined): object | undefined {
  const body = bodyOf(action);
  if (action.action === 'sale') return { type: 'SALE', ...body };
  if (action.action === 'pre_auth') return { type: 'PRE_AUTH', ...body };
  if (action.action === 'card_read') return { type: 'CARD_READ', amount: 0, currency, ...body };
  return action.action === 'abort' ? undefined : body;
}

export function callOfAction(action: TillAction, requestId: string, currency?: string): PosCall {
  const isGranular = action.action === 'sale' && action.granular === true;
  const endpoint = endpointOf(isGranular ? 'pos.initiate' : endpointIds[action.action]);
  const named = 'transactionId' in action ? action.transactionId : undefined;
  const parameters = action.action === 'abort' ? { id: action.transactionId } : {};
  return {
    ...{ endpoint, requestId, route: routeOf(endpoint, parameters) },
    url: endpoint.path.replace('{id}', encodeURIComponent(parameters.id ?? '')),
    ...optional('body', bodyOfCall(action, currency)),
    ...optional('terminalId', action.terminalId),
    ...optional('eventRequestId', action.requestId),
    ...optional('namedTransactionId', named),
    ...optional('idempotencyKey', 'idempotencyKey' in action ? action.idempotencyKey : undefined),
    ...optional('timeoutSeconds', 'timeoutSeconds' in action ? action.timeoutSeconds : undefined),
  };
}

export function callOfReplay(after: number, terminalId: string, requestId: string): PosCall {
  const endpoint = endpointOf('events.list');
  const url = `${endpoint.path}?after=${after}&limit=${MAX_EVENT_PAGE_ITEMS}`;
  return { endpoint, requestId, route: routeOf(endpoint, {}), url, terminalId };
}

/** What the answer of a call refuses, as an error; undefined for one that refuses nothing. */
export function refusalIn({ statusCode, headers, body, isHosts }: PosAnswer): BridgeError | undefined {
  if (statusCode < 400 && isHosts !== true) return undefined;
  const { error, errorCode, message, field, transactionId, outcome } = Object(JSON.parse(body));
  const retryAfter = headers['retry-after'];
  return new BridgeError(codeOf(error ?? errorCode), String(message), {
    ...optional('field', field),
    details: {
      ...optional('transactionId', transactionId),
      ...optional('outcome', outcome),
      ...optional('retryAfterSeconds', retryAfter === undefined ? undefined : Number(retryAfter)),
    },
  });
}

/** A newer till may know codes that this host does not. */
function codeOf(told: unknown): ErrorCode {
  return typeof told === 'string' && Object.hasOwn(errorCatalogue, told) ? (told as ErrorCode) : 'INTERNAL';
}
