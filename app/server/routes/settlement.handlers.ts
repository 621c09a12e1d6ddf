import type { EndpointId } from '../../contract/endpoints.ts';
import { ReconciliationRequest, SettlementQuery } from '../../contract/settlements.ts';
import { jsonReply } from '../../http/reply.ts';
import { answerReply, asking, type Handler, plain, taking } from './handler.ts';

/** Day close, totals and settlements (specification: Reconciliation and settlements; decisions: Day close, Totals). */
export const settlementHandlers = {
  'reconciliation.run': taking(ReconciliationRequest, async ({ till }, call, request) =>
    answerReply(await till.reconcile(call.context, request)),
  ),
  'reconciliation.totals': plain(({ till }, call) => jsonReply(till.totals(call.context))),
  'settlements.list': asking(SettlementQuery, ({ till }, call, query) =>
    jsonReply(till.settlements(call.context, query)),
  ),
  'settlements.get': plain(({ till }, call) =>
    jsonReply(till.settlement(call.context, call.pathParameters.settlementId ?? '')),
  ),
} as const satisfies Partial<Record<EndpointId, Handler>>;
