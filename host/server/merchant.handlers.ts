import { BridgeError } from '../../app/contract/errors.ts';
import type { HostEndpointId } from '../../app/contract/host/host-endpoints.ts';
import { PaymentQuery, PaymentRecoveryRequest, PaymentRefundRequest } from '../../app/contract/host/payment.ts';
import { CancelPaymentSessionRequest, CreatePaymentSessionRequest } from '../../app/contract/host/payment-session.ts';
import { TerminalTipConfigRequest } from '../../app/contract/host/tip-config.ts';
import { ReconciliationRequest, SettlementQuery } from '../../app/contract/settlements.ts';
import { BalanceInquiryRequest } from '../../app/contract/transactions.ts';
import { jsonReply } from '../../app/http/reply.ts';
import { answerReply, forMerchant, type Handler, idOf } from './handler.ts';
import { settlementCsv } from './settlement-csv.ts';

const { plain, taking, asking } = forMerchant;

/** What a merchant's server calls (specification: secret key; decisions: Secret-key additions). */
export const merchantHandlers = {
  'paymentSessions.create': taking(CreatePaymentSessionRequest, async ({ host }, caller, call, request) =>
    answerReply(await host.createSession(caller, call, request)),
  ),
  'paymentSessions.get': plain(async ({ host }, caller, call) => jsonReply(await host.session(caller, idOf(call)))),
  'paymentSessions.cancel': taking(CancelPaymentSessionRequest, async ({ host }, caller, call, request) =>
    jsonReply(await host.cancelSession(caller, idOf(call), request)),
  ),
  'payments.list': asking(PaymentQuery, async ({ host }, caller, _call, query) =>
    jsonReply(await host.payments(caller, query)),
  ),
  'payments.get': plain(async ({ host }, caller, call) => jsonReply(await host.payment(caller, idOf(call)))),
  'payments.refund': taking(PaymentRefundRequest, async ({ host }, caller, call, request) =>
    answerReply(await host.refund(caller, call, idOf(call), request)),
  ),
  'payments.recover': taking(PaymentRecoveryRequest, async ({ host }, caller, call, request) =>
    jsonReply(await host.recover(caller, idOf(call), request)),
  ),
  // The request carries no card, so that any success would be made up (decisions: balance-inquiry).
  'host.balanceInquiry': taking(BalanceInquiryRequest, () => {
    throw new BridgeError('BALANCE_NOT_CONFIGURED', 'no terminal is linked that could read the card');
  }),
  'tipConfig.put': taking(TerminalTipConfigRequest, async ({ host }, caller, call, request) =>
    jsonReply(await host.putTipConfig(caller, idOf(call), request)),
  ),
  'reconciliation.run': taking(ReconciliationRequest, async ({ host }, caller, call, request) =>
    answerReply(await host.closeDay(caller, call, call.terminalId, request)),
  ),
  'reconciliation.totals': plain(async ({ host }, caller, call) =>
    jsonReply(await host.totals(caller, call.terminalId)),
  ),
  'settlements.list': asking(SettlementQuery, async ({ host }, caller, _call, query) =>
    jsonReply(await host.settlements(caller, query)),
  ),
  'settlements.get': plain(async ({ host }, caller, call) => jsonReply(await host.settlement(caller, idOf(call)))),
  'settlements.exportJson': plain(async ({ host }, caller, call) =>
    jsonReply(await host.settlementExport(caller, idOf(call))),
  ),
  'settlements.exportCsv': plain(async ({ host }, caller, call) => ({
    statusCode: 200,
    body: settlementCsv(await host.settlementExport(caller, idOf(call))),
    headers: {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="settlement.csv"',
    },
  })),
} as const satisfies Partial<Record<HostEndpointId, Handler>>;
