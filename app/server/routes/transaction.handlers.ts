import type { EndpointId } from '../../contract/endpoints.ts';
import { ResolveRequest } from '../../contract/recovery.ts';
import {
  BalanceInquiryRequest,
  CaptureRequest,
  CardReadRequest,
  CompleteRequest,
  InitiateRequest,
  PreAuthCompleteRequest,
  PreAuthRequest,
  RefundRequest,
  SaleRequest,
  TransactionQuery,
  type TransactionRequest,
  VoidRequest,
} from '../../contract/transactions.ts';
import { jsonReply, type Reply } from '../../http/reply.ts';
import { answerReply, asking, type Call, type Handler, type HandlerDeps, plain, taking } from './handler.ts';

async function run({ till }: HandlerDeps, call: Call, request: TransactionRequest): Promise<Reply> {
  return answerReply(await till.run(call.context, request));
}

/** The route matched `{id}`, so it is there. */
function idOf(call: Call): string {
  return call.pathParameters.id ?? '';
}

/** Payments, granular payments, look-up and recovery (specification: POS transaction API; decisions: Look-up, Abort, Resolve). */
export const transactionHandlers = {
  'pos.sale': taking(SaleRequest, run),
  'pos.preAuth': taking(PreAuthRequest, run),
  'pos.preAuthComplete': taking(PreAuthCompleteRequest, run),
  'pos.refund': taking(RefundRequest, run),
  'pos.void': taking(VoidRequest, run),
  'pos.cardRead': taking(CardReadRequest, run),
  'pos.balanceInquiry': taking(BalanceInquiryRequest, run),
  'pos.initiate': taking(InitiateRequest, async ({ till }, call, request) =>
    answerReply(await till.initiate(call.context, request)),
  ),
  'pos.complete': taking(CompleteRequest, async ({ till }, call, request) =>
    answerReply(await till.complete(call.context, request)),
  ),
  'transactions.list': asking(TransactionQuery, ({ till }, call, query) =>
    jsonReply(till.transactions(call.context, query)),
  ),
  'transactions.current': plain(({ till }, call) => jsonReply(till.currentTransaction(call.context))),
  'transactions.last': plain(({ till }, call) => jsonReply(till.lastTransaction(call.context))),
  'transactions.get': plain(({ till }, call) => jsonReply(till.transaction(call.context, idOf(call)))),
  'transactions.abort': plain(async ({ till }, call) => jsonReply(await till.abort(call.context, idOf(call)))),
  'transactions.capture': taking(CaptureRequest, async ({ till }, call, request) =>
    answerReply(await till.capture(call.context, idOf(call), request)),
  ),
  'transactions.resolve': taking(ResolveRequest, ({ till }, call, request) =>
    jsonReply(till.resolve(call.context, idOf(call), request)),
  ),
  'recoveryTasks.list': plain(({ till }, call) => jsonReply(till.recoveryTasks(call.context))),
} as const satisfies Partial<Record<EndpointId, Handler>>;
