import type { Payment } from '../../../app/contract/host/payment.ts';
import type { PaymentSessionDetail, TerminalPaymentSession } from '../../../app/contract/host/payment-session.ts';
import type { TerminalTipConfigRequest } from '../../../app/contract/host/tip-config.ts';
import { Secret } from '../../../app/domain/secret.ts';
import type { HostAccess } from '../../../app/ports/host-client.ts';
import { nodeIds } from '../../../app/programs/node-ports.ts';
import { createSessionTill } from '../../../app/services/session-till.ts';
import { createIdentityOf } from '../../../app/sync/host-identity.ts';
import { createHostLink, type HostLink } from '../../../app/sync/host-link.ts';
import { createKeptIdentities } from '../../../app/sync/kept-identity.ts';
import { createPairings } from '../../../app/sync/pairings.ts';
import { createRemoteSessions, type RemoteSessions } from '../../../app/sync/sessions/remote-sessions.ts';
import { createSessionStore } from '../../../app/sync/sessions/session-store.ts';
import { quietLog } from '../../support/engine-harness.ts';
import { realClock } from '../../support/zvt-clock.ts';
import { liveJournal } from './live-journal.ts';
import { createMemoryVault } from './memory-vault.ts';
import { openSyncBench, type SyncBench } from './sync-bench.ts';

/** A till that runs what the merchant's server asks for at its host. */
export interface SessionBench extends SyncBench {
  sessions(): RemoteSessions;
  /** As the merchant's server creates it; a refund names its original. */
  create(amountMinor: number, originalTransactionId?: string): Promise<TerminalPaymentSession>;
  detail(sessionId: string): Promise<PaymentSessionDetail>;
  cancel(sessionId: string): Promise<number>;
  /** As the merchant's staff sets the tips; what is left out is as in `noTips`. */
  setTips(tips: Partial<TerminalTipConfigRequest>): Promise<void>;
  /** As the host has it. */
  payment(paymentId: string): Promise<Payment>;
  paymentStatus(paymentId: string): Promise<string>;
  /** The till is killed and started again, and takes up its sessions. */
  restart(): Promise<void>;
}

const noTips: TerminalTipConfigRequest = {
  enabled: false,
  presetBasisPoints: [],
  allowCustomAmount: false,
  postAuthAdjustEnabled: false,
  maxAmountMinor: 100_000,
  maxBasisPoints: 10_000,
  fixedAmountMinor: null,
  fixedAmountThresholdMinor: null,
};

/** The link of a terminal to a host that was given at the start. */
export function linkTo(access: HostAccess, terminalId: string): HostLink {
  const store = { setting: () => undefined, saveSetting: () => undefined };
  return createHostLink({
    terminalId,
    pairings: createPairings({ store, vault: createMemoryVault() }),
    identities: createKeptIdentities(store),
    given: () => ({ access: () => access }),
    training: true,
    ...{ clock: realClock, log: quietLog, onReturn: () => undefined },
  });
}

export async function openSessionBench(): Promise<SessionBench> {
  const bench = await openSyncBench({ tipsOf: () => link.tips() });
  const { demo, harness, line } = bench;
  const link = linkTo({ url: line.url, deviceToken: new Secret(demo.deviceToken) }, 'R1');
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
      readConfiguration: async (signal) => void (await link.check(signal)),
      terminalId: 'R1',
      ...{ clock: realClock, ids: nodeIds, log: quietLog },
    });
    made.start();
    return made;
  }

  async function ask(path: string, body?: object, method = body === undefined ? 'GET' : 'POST'): Promise<Response> {
    return await fetch(`${line.url}${path}`, {
      method,
      headers: {
        'x-api-key': demo.secretKey,
        'idempotency-key': nodeIds.next(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async function payment(paymentId: string): Promise<Payment> {
    return (await (await ask(`/v1/payments/${paymentId}`)).json()) as Payment;
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
    payment,
    paymentStatus: async (paymentId) => (await payment(paymentId)).status,
    async setTips(tips) {
      const path = `/v1/staff/merchants/${demo.merchantId}/terminal-tip-config`;
      const reply = await ask(path, { ...noTips, ...tips }, 'PUT');
      if (!reply.ok) throw new Error(await reply.text());
    },
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
