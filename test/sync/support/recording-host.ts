import type { RecordRequest } from '../../../app/contract/host/record.ts';
import type { TransactionTotals } from '../../../app/contract/settlements.ts';
import type { HostClient, HostReply } from '../../../app/ports/host-client.ts';

/** What the host does with the next call. LOST: it has done it, and the answer is lost. */
type HostFault = 'NOT_SENT' | 'LOST' | { readonly refused: 'ILLEGAL_STATE' | 'UNAUTHENTICATED' };

type ToldClose = TransactionTotals & { readonly key: string };

/** A host in memory that keeps what it is told of a terminal's own payments, once per key, and counts by itself. */
export interface RecordingHost {
  readonly client: HostClient;
  /** Every call that arrived, oldest first: `record <id> <status>`, `close <id>`. */
  readonly calls: readonly string[];
  /** The payments as they stand, by name. */
  readonly payments: ReadonlyMap<string, RecordRequest>;
  readonly closes: readonly ToldClose[];
  isDown: boolean;
  /** The calls that meet this refuse for good. */
  refuses: (request: RecordRequest) => boolean;
  next(...faults: HostFault[]): void;
}

export function createRecordingHost(): RecordingHost {
  const calls: string[] = [];
  const payments = new Map<string, RecordRequest>();
  const closes: ToldClose[] = [];
  /** Body and answer of each key. */
  const answered = new Map<string, { readonly text: string; readonly answer: unknown }>();
  const faults: HostFault[] = [];
  let openBatch: { id: string; amount: number; event: 'SALE' | 'REFUND' | 'VOID' }[] = [];

  /** One effect per key; the same key with another body is what no till may send. */
  function keyed<T>(call: string, idempotencyKey: string, body: unknown, effect: () => T): HostReply<T> {
    const fault = host.isDown ? 'NOT_SENT' : faults.shift();
    if (fault === 'NOT_SENT') return { kind: 'NOT_SENT', reason: 'connection refused' };
    calls.push(call);
    if (typeof fault === 'object') return { kind: 'REFUSED', errorCode: fault.refused, message: 'no' };
    const text = JSON.stringify(body);
    const before = answered.get(idempotencyKey);
    if (before !== undefined && before.text !== text) throw new Error(`another body under the key ${idempotencyKey}`);
    const answer = before === undefined ? effect() : (before.answer as T);
    answered.set(idempotencyKey, { text, answer });
    return fault === 'LOST' ? { kind: 'LOST', reason: 'the answer was lost' } : { kind: 'ANSWERED', body: answer };
  }

  function take(request: RecordRequest): void {
    const { transactionId: id, type, status, amount } = request;
    const known = payments.get(id);
    if (known !== undefined && !(known.status === 'SUCCEEDED' && status === 'REVERSED')) {
      throw new Error(`payment ${id} was told twice`);
    }
    const charged = type === 'REFUND' ? 'REFUND' : 'SALE';
    if (known === undefined && status !== 'DECLINED') openBatch.push({ id, amount, event: charged });
    if (status === 'REVERSED') openBatch.push({ id, amount, event: 'VOID' });
    payments.set(id, request);
  }

  function close(key: string): ToldClose {
    const of = (event: string) => openBatch.filter((one) => one.event === event);
    const sum = (event: string) => of(event).reduce((total, { amount }) => total + amount, 0);
    const told = {
      key,
      ...{ saleCount: of('SALE').length, saleAmount: sum('SALE'), refundCount: of('REFUND').length },
      ...{ refundAmount: sum('REFUND'), voidCount: of('VOID').length, voidAmount: sum('VOID') },
      ...{ preAuthCount: 0, preAuthAmount: 0, currency: 'EUR' },
    };
    openBatch = [];
    closes.push(told);
    return told;
  }

  const client = {
    config: async () => ({
      kind: 'ANSWERED',
      body: { deviceId: 'D1', terminalId: 'HT1', currencyCode: 'EUR', limits: {} },
    }),
    record: async (request: RecordRequest, { idempotencyKey }: { idempotencyKey: string }) =>
      host.refuses(request)
        ? { kind: 'REFUSED', errorCode: 'ILLEGAL_STATE', message: 'no' }
        : keyed(`record ${request.transactionId} ${request.status}`, idempotencyKey, request, () => take(request)),
    reconcile: async (request: { externalTotals?: object }, { idempotencyKey }: { idempotencyKey: string }) =>
      keyed(`close ${idempotencyKey}`, idempotencyKey, request, () => {
        const { key: _key, ...totals } = close(idempotencyKey);
        const isEmpty = totals.saleCount + totals.refundCount + totals.voidCount === 0;
        const external = isEmpty ? {} : { externalTotals: totals };
        return {
          status: 'SUCCESS',
          totals,
          ...external,
          timestamp: '2026-11-28T20:00:00.000Z',
          settlementId: `S${closes.length}`,
        };
      }),
  } as unknown as HostClient;

  const refuses = () => false;
  const host: RecordingHost = {
    client,
    calls,
    payments,
    closes,
    isDown: false,
    refuses,
    next: (...of) => faults.push(...of),
  };
  return host;
}
