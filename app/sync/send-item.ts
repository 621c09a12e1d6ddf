import { BridgeError } from '../contract/errors.ts';
import type { AuthorizeRequest } from '../contract/host/authorize.ts';
import type { DeviceReconciliationRequest } from '../contract/host/device-reconciliation.ts';
import type { ReverseRequest } from '../contract/host/reverse.ts';
import type { TransactionTotals } from '../contract/settlements.ts';
import type { ExternalRecord } from '../domain/external-record.ts';
import type { HostClient } from '../ports/host-client.ts';
import type { OutboxItem } from '../ports/outbox.ts';
import { type DeferredDeps, sendDeferred } from './deferred-item.ts';
import { columnOf, noteHostColumn } from './host-column.ts';
import type { HostIdentity, IdentityOf } from './host-identity.ts';
import { notTaken, type Try } from './retry.ts';
import { sendCapture, sendTipAdjust } from './send-capture.ts';
import { CALL_TIMEOUT_MS, MONEY_CALL_TIMEOUT_MS } from './sync-limits.ts';

/** A close of a terminal with an acquirer of its own, as it waits; dates are absent in what was put there before they were told. */
type ExternalClose = Pick<DeviceReconciliationRequest, 'businessDate' | 'closedAt'> & {
  readonly externalTotals: TransactionTotals;
};

/** Makes the call that an item stands for, once. Rejects for nothing that a host or a line can do. */
export type SendItem = (item: OutboxItem, signal: AbortSignal) => Promise<Try>;

export function createSendItem(
  host: HostClient,
  identityOf: IdentityOf,
  nowIso: () => string,
  deferred: DeferredDeps,
): SendItem {
  async function identified(signal: AbortSignal): Promise<HostIdentity | Try> {
    try {
      return await identityOf(signal);
    } catch (error) {
      if (!(error instanceof BridgeError)) throw error;
      return { standing: 'WAITING', trouble: error.message, isUnreached: true };
    }
  }

  async function report({ kind, transactionId, idempotencyKey, body }: OutboxItem, signal: AbortSignal): Promise<Try> {
    const identity = await identified(signal);
    if ('standing' in identity) return identity;
    const { deviceId, terminalId } = identity;
    const own = { deviceId, terminalId };
    const keyed = { idempotencyKey, timeoutMs: CALL_TIMEOUT_MS, signal };
    if (kind !== 'DAY_CLOSE') {
      const reply = await host.record({ ...(body as unknown as ExternalRecord), ...own }, keyed);
      return reply.kind === 'ANSWERED' ? { standing: 'DONE' } : notTaken(reply);
    }
    // As it was put on disk: under one key it is one request, whatever the host has told in between.
    const told = body as unknown as ExternalClose;
    const request = { ...own, closeDay: true, ...told };
    const reply = await host.reconcile(request, keyed);
    const made = reply.kind === 'ANSWERED' ? ({ standing: 'DONE' } as const) : notTaken(reply);
    const column = columnOf(reply, made, told.externalTotals.currency);
    return { ...made, alongside: (unit) => noteHostColumn(unit, transactionId, column) };
  }

  return async (item, signal) => {
    const { kind, idempotencyKey, body } = item;
    const keyed = { idempotencyKey, timeoutMs: MONEY_CALL_TIMEOUT_MS, signal };
    switch (kind) {
      case 'REVERSAL': {
        const call = { timeoutMs: MONEY_CALL_TIMEOUT_MS, signal };
        const reply = await host.reverse(body as unknown as ReverseRequest, call);
        if (reply.kind !== 'ANSWERED') return notTaken(reply);
        if (reply.body.status === 'reversed') return { standing: 'DONE' };
        return { standing: 'TAKEN', trouble: 'The acquirer has not confirmed it yet; the host repeats it.' };
      }
      case 'OFFLINE_COMPLETION': {
        const call = { ...keyed, timeoutMs: CALL_TIMEOUT_MS };
        const reply = await host.offlineComplete(body as unknown as AuthorizeRequest, call);
        return reply.kind === 'ANSWERED' ? { standing: 'DONE' } : notTaken(reply);
      }
      case 'TIP_ADJUST':
        return await sendTipAdjust(host, { item, call: keyed, nowIso });
      case 'CAPTURE':
        return await sendCapture(host, { item, call: keyed, nowIso });
      case 'EXTERNAL_RECORD':
      case 'EXTERNAL_VOID':
      case 'DAY_CLOSE':
        return await report(item, signal);
      case 'DEFERRED_AUTHORIZATION':
        return await sendDeferred(host, deferred, item, signal);
    }
  };
}
