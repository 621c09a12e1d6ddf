import { randomUUID } from 'node:crypto';
import { type HostEndpointId, hostEndpointOf } from '../../../app/contract/host/host-endpoints.ts';
import { apiKey, bearer, call, type Demo, type HostProgram } from './host-program.ts';

/** A running host, whose demo merchant has one terminal, and a code with which the terminal of another merchant is paired. */
export interface Served {
  readonly host: HostProgram;
  readonly demo: Demo;
  readonly pairingCode: string;
}

/** What goes into a documented call beside its row of the table. */
export interface Sent {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

/** A documented call that can be made now, and what is to be put back in order after it. */
export interface Prepared extends Sent {
  readonly after?: () => Promise<unknown>;
}

type Answer = Awaited<ReturnType<typeof call>>;

/** Makes the call of a row with these headers. */
export async function send(
  served: Served,
  id: HostEndpointId,
  sent: Sent,
  headers: Record<string, string>,
): Promise<Answer> {
  const { method, path, idempotency } = hostEndpointOf(id);
  const filled = Object.entries(sent.path ?? {}).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, value),
    path,
  );
  const key = idempotency === 'required' ? { 'idempotency-key': sent.idempotencyKey ?? randomUUID() } : {};
  return await call(served.host, method, filled + (sent.query ?? ''), { ...key, ...headers }, sent.body);
}

/** The right credential of a row, in its header. */
export function rightHeaders({ demo }: Served, id: HostEndpointId): Record<string, string> {
  const { credential } = hostEndpointOf(id);
  if (credential === 'device') return bearer(demo.deviceToken);
  return credential === 'secret' ? apiKey(demo.secretKey) : {};
}

type Body = Readonly<Record<string, unknown>>;

/** Makes a call that must succeed, and reads what came back. */
async function done(served: Served, id: HostEndpointId, sent: Sent): Promise<Body> {
  const answer = await send(served, id, sent, rightHeaders(served, id));
  if (answer.status !== 200) throw new Error(`${id}: ${answer.status} ${answer.text}`);
  return answer.json();
}

/** The documented example, as far as it names this host's own merchant, terminal and device by their names here. */
function exampleOf({ demo }: Served, id: HostEndpointId): Body {
  const example = Object(hostEndpointOf(id).example);
  const ours: Body = { merchantId: demo.merchantId, terminalId: demo.terminalId, deviceId: demo.deviceId };
  return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, ours[name] ?? value]));
}

async function authorize(served: Served, changes: Body = {}): Promise<string> {
  const body = { ...exampleOf(served, 'device.authorize'), transactionId: randomUUID(), ...changes };
  const { payment } = await done(served, 'device.authorize', { body });
  return String(Object(payment).id);
}

async function createSession(served: Served): Promise<string> {
  return String(
    (await done(served, 'paymentSessions.create', { body: exampleOf(served, 'paymentSessions.create') })).id,
  );
}

async function claimSession(served: Served): Promise<Body> {
  await createSession(served);
  return Object(
    (await done(served, 'device.claimSession', { body: exampleOf(served, 'device.claimSession') })).session,
  );
}

/** Ends the session that the terminal is at, as a device does that gives up before it has authorized. */
async function failSession(served: Served, { id, claimToken }: Body, sequence: number): Promise<unknown> {
  const body = { sequence, eventType: 'FAILED', failureCode: 'OPERATOR', claimToken };
  return await done(served, 'device.sessionEvent', { path: { id: String(id) }, body });
}

async function anySettlement(served: Served): Promise<Sent> {
  const { settlementId } = await done(served, 'reconciliation.run', { body: { closeDay: true } });
  return { path: { settlementId: String(settlementId) } };
}

const plainPurchase = {
  amount: 1000,
  baseAmountMinor: 1000,
  tipAmountMinor: 0,
  tipSource: undefined,
  cashbackAmountMinor: 0,
};
const none = async (): Promise<Prepared> => ({});

/** For every row of the table: its documented example, made true by what has to be there first. */
export const preparations: Readonly<Record<HostEndpointId, (served: Served) => Promise<Prepared>>> = {
  'device.authorize': async (served) => ({ body: exampleOf(served, 'device.authorize') }),
  'device.offlineComplete': async (served) => ({ body: exampleOf(served, 'device.offlineComplete') }),
  'device.recoveryReverse': async (served) => {
    const originalTransactionId = await authorize(served);
    return { body: { ...exampleOf(served, 'device.recoveryReverse'), originalTransactionId } };
  },
  'device.tipAdjust': async (served) => {
    const config = exampleOf(served, 'tipConfig.put');
    const path = { id: served.demo.merchantId };
    await done(served, 'tipConfig.put', { path, body: { ...config, postAuthAdjustEnabled: true } });
    const id = await authorize(served);
    return {
      path: { id },
      body: exampleOf(served, 'device.tipAdjust'),
      async after() {
        // A purchase that waits for its tip blocks the close of the day.
        await done(served, 'device.capture', { path: { id }, body: {} });
        await done(served, 'tipConfig.put', { path, body: config });
      },
    };
  },
  'device.capture': async (served) => {
    const hold = { ...plainPurchase, amount: 20_000, baseAmountMinor: 20_000, transactionType: 'pre_auth' };
    return { path: { id: await authorize(served, hold) }, body: exampleOf(served, 'device.capture') };
  },
  'device.void': async (served) => ({
    path: { id: await authorize(served) },
    body: exampleOf(served, 'device.void'),
  }),
  'device.record': async (served) => ({
    body: { ...exampleOf(served, 'device.record'), transactionId: randomUUID() },
  }),
  'device.lookUp': async (served) => ({ query: `?transactionId=${await authorize(served)}` }),
  'device.reconciliation': async (served) => ({ body: exampleOf(served, 'device.reconciliation') }),
  'device.pair': async ({ pairingCode }) => ({ body: { pairingCode } }),
  'device.config': none,
  'device.posClients': none,
  'device.claimSession': async (served) => {
    const id = await createSession(served);
    const claimed = async () => Object(Object(await done(served, 'paymentSessions.get', { path: { id } })).session);
    return {
      body: exampleOf(served, 'device.claimSession'),
      idempotencyKey: 'claim-1',
      async after() {
        if ((await claimed()).status !== 'CLAIMED') throw new Error('the session was not claimed');
        const body = exampleOf(served, 'device.claimSession');
        const headers = { ...rightHeaders(served, 'device.claimSession'), 'idempotency-key': 'claim-1' };
        // Under its key the same claim is given again, with its token.
        const again = (await send(served, 'device.claimSession', { body }, headers)).json();
        await failSession(served, Object(again.session), 1);
      },
    };
  },
  'device.sessionEvent': async (served) => {
    const session = await claimSession(served);
    const body = { ...exampleOf(served, 'device.sessionEvent'), claimToken: session.claimToken };
    return { path: { id: String(session.id) }, body, after: () => failSession(served, session, 2) };
  },
  'device.link': none,
  'paymentSessions.create': async (served) => ({
    body: exampleOf(served, 'paymentSessions.create'),
    async after() {
      const claimed = await done(served, 'device.claimSession', { body: exampleOf(served, 'device.claimSession') });
      await failSession(served, Object(claimed.session), 1);
    },
  }),
  'paymentSessions.get': async (served) => {
    const session = await claimSession(served);
    await done(served, 'device.sessionEvent', {
      path: { id: String(session.id) },
      body: { ...exampleOf(served, 'device.sessionEvent'), claimToken: session.claimToken },
    });
    return { path: { id: String(session.id) }, after: () => failSession(served, session, 2) };
  },
  'paymentSessions.cancel': async (served) => ({
    path: { id: await createSession(served) },
    body: exampleOf(served, 'paymentSessions.cancel'),
  }),
  'payments.list': async (served) => ({ query: `?limit=1&terminalId=${served.demo.terminalId}` }),
  'payments.get': async (served) => ({ path: { id: await authorize(served) } }),
  'payments.refund': async (served) => ({
    path: { id: await authorize(served) },
    body: exampleOf(served, 'payments.refund'),
  }),
  'payments.recover': async (served) => ({
    path: { id: await authorize(served) },
    body: exampleOf(served, 'payments.recover'),
  }),
  'host.balanceInquiry': async (served) => ({ body: exampleOf(served, 'host.balanceInquiry') }),
  'tipConfig.put': async (served) => ({
    path: { id: served.demo.merchantId },
    body: exampleOf(served, 'tipConfig.put'),
  }),
  'reconciliation.run': async (served) => ({ body: exampleOf(served, 'reconciliation.run') }),
  'reconciliation.totals': none,
  'settlements.list': async (served) => {
    await anySettlement(served);
    return { query: '?limit=100&currency=EUR&from=2020-01-01T00:00:00Z' };
  },
  'settlements.get': anySettlement,
  'settlements.exportJson': async (served) => {
    await authorize(served);
    return await anySettlement(served);
  },
  'settlements.exportCsv': anySettlement,
  'service.health': none,
  'service.ready': none,
  'service.metrics': none,
  'service.meta': none,
  'service.openapi': none,
  'service.docs': none,
};
