import type { PaymentSessionDetail, TerminalPaymentSession } from '../../../app/contract/host/payment-session.ts';
import { nodeIds } from '../../../app/programs/node-ports.ts';
import { createSessionTill } from '../../../app/services/session-till.ts';
import { createIdentityOf } from '../../../app/sync/host-identity.ts';
import { createRemoteSessions, type RemoteSessions } from '../../../app/sync/sessions/remote-sessions.ts';
import { createSessionStore } from '../../../app/sync/sessions/session-store.ts';
import { quietLog } from '../../support/engine-harness.ts';
import { realClock } from '../../support/zvt-clock.ts';
import { liveJournal } from './live-journal.ts';
import { openSyncBench, type SyncBench } from './sync-bench.ts';

/** A till that runs what the merchant's server asks for at its host. */
export interface SessionBench extends SyncBench {
  sessions(): RemoteSessions;
  /** As the merchant's server creates it; a refund names its original. */
  create(amountMinor: number, originalTransactionId?: string): Promise<TerminalPaymentSession>;
  detail(sessionId: string): Promise<PaymentSessionDetail>;
  cancel(sessionId: string): Promise<number>;
  /** As the host has it. */
  paymentStatus(paymentId: string): Promise<string>;
  /** The till is killed and started again, and takes up its sessions. */
  restart(): Promise<void>;
}

export async function openSessionBench(): Promise<SessionBench> {
  const bench = await openSyncBench();
  const { demo, harness, line } = bench;
  let sessions = serve();

  function serve(): RemoteSessions {
    // Of this run of the till: what an earlier one still does meets a journal that is closed.
    const { till, journal } = harness;
    const made = createRemoteSessions({
      till: createSessionTill(till, journal),
      store: createSessionStore(
        liveJournal(() => journal),
        'R1',
      ),
      host: bench.client(),
      identityOf: createIdentityOf(bench.client()),
      terminalId: 'R1',
      ...{ clock: realClock, ids: nodeIds, log: quietLog },
    });
    made.start();
    return made;
  }

  async function ask(path: string, body?: object): Promise<Response> {
    return await fetch(`${line.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'x-api-key': demo.secretKey,
        'idempotency-key': nodeIds.next(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  return {
    ...bench,
    sessions: () => sessions,
    async create(amountMinor, originalTransactionId) {
      const { merchantId, terminalId } = demo;
      const operation = originalTransactionId === undefined ? 'PURCHASE' : 'REFUND';
      const original = originalTransactionId === undefined ? {} : { originalTransactionId };
      const order = { merchantId, terminalId, operation, amountMinor, currencyCode: 'EUR', ...original };
      const reply = await ask('/v1/terminal/payment-sessions', order);
      if (!reply.ok) throw new Error(await reply.text());
      return (await reply.json()) as TerminalPaymentSession;
    },
    async detail(sessionId) {
      return (await (await ask(`/v1/terminal/payment-sessions/${sessionId}`)).json()) as PaymentSessionDetail;
    },
    cancel: async (sessionId) => (await ask(`/v1/terminal/payment-sessions/${sessionId}/cancel`, {})).status,
    paymentStatus: async (paymentId) =>
      ((await (await ask(`/v1/payments/${paymentId}`)).json()) as { readonly status: string }).status,
    async restart() {
      sessions.stop();
      await bench.crash();
      sessions = serve();
      sessions.wake();
    },
    async stop() {
      sessions.stop();
      await bench.stop();
    },
  };
}
