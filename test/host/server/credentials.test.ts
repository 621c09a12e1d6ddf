import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorCatalogue } from '../../../app/contract/errors.ts';
import { type HostEndpoint, hostEndpoints } from '../../../app/contract/host/host-endpoints.ts';
import { credentials, device, merchant } from './fake-host.ts';
import { createHarness, type Harness, requestFor } from './harness.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.server.close());

interface Shown {
  readonly name: string;
  readonly headers: Record<string, string>;
  /** What the credential is; `unknown` where nothing that works was shown. */
  readonly is: 'device in Bearer' | 'secret in X-Api-Key' | 'of a POS' | 'known' | 'unknown';
}

const unknownToken = `dt_${'A'.repeat(43)}`;
const shown: readonly Shown[] = [
  { name: 'nothing', headers: {}, is: 'unknown' },
  { name: 'a device token', headers: { authorization: `Bearer ${credentials.deviceToken}` }, is: 'device in Bearer' },
  { name: 'a secret key', headers: { 'x-api-key': credentials.secretKey }, is: 'secret in X-Api-Key' },
  { name: 'a device token in X-Api-Key', headers: { 'x-api-key': credentials.deviceToken }, is: 'known' },
  { name: 'a secret key as Bearer', headers: { authorization: `Bearer ${credentials.secretKey}` }, is: 'known' },
  { name: 'a publishable key', headers: { 'x-api-key': credentials.publishableKey }, is: 'known' },
  {
    name: 'a publishable key as Bearer',
    headers: { authorization: `Bearer ${credentials.publishableKey}` },
    is: 'known',
  },
  { name: 'a POS key', headers: { 'x-api-key': credentials.posKey }, is: 'of a POS' },
  { name: 'a POS key as Bearer', headers: { authorization: `Bearer ${credentials.posKey}` }, is: 'of a POS' },
  { name: 'an unknown token', headers: { authorization: `Bearer ${unknownToken}` }, is: 'unknown' },
  { name: 'an unknown key', headers: { 'x-api-key': `sk_${'A'.repeat(43)}` }, is: 'unknown' },
  { name: 'Basic', headers: { authorization: 'Basic dXNlcjpwYXNzd29yZA==' }, is: 'unknown' },
  { name: 'an empty Bearer', headers: { authorization: 'Bearer ' }, is: 'unknown' },
  { name: 'an empty key', headers: { 'x-api-key': '' }, is: 'unknown' },
  { name: 'two keys in one header', headers: { 'x-api-key': `${credentials.secretKey}, sk_x` }, is: 'unknown' },
  { name: 'a key of 5,000 characters', headers: { 'x-api-key': 'k'.repeat(5000) }, is: 'unknown' },
  {
    name: 'an unknown token beside a secret key',
    headers: { authorization: `Bearer ${unknownToken}`, 'x-api-key': credentials.secretKey },
    is: 'secret in X-Api-Key',
  },
];

/** Paths that both APIs have: the kind of key decides (decisions: Credentials). */
const shared = new Set(['reconciliation.run', 'reconciliation.totals', 'settlements.list', 'settlements.get']);

function statusFor(endpoint: HostEndpoint, { is, headers }: Shown): number {
  const right = endpoint.credential === 'device' ? 'device in Bearer' : 'secret in X-Api-Key';
  if (is === right || (is === 'of a POS' && shared.has(endpoint.id))) return 200;
  // The header that the call takes decides: a wrong one there is unknown, whatever stands in the other.
  if (endpoint.credential === 'device' && is === 'secret in X-Api-Key' && headers.authorization !== undefined)
    return 401;
  return is === 'unknown' ? 401 : 403;
}

const guarded = hostEndpoints.filter(({ credential }) => credential !== 'none');
const open = hostEndpoints.filter(({ credential }) => credential === 'none');

describe('every endpoint with every kind of credential', () => {
  it.each(guarded.flatMap((endpoint) => shown.map((one) => ({ endpoint, one, title: one.name, id: endpoint.id }))))(
    '$id with $title',
    async ({ endpoint, one }) => {
      const answer = await harness.app.inject(requestFor(endpoint, one.headers));

      const expected = statusFor(endpoint, one);
      if (expected === 200) {
        // The link asks for an upgrade then, and a balance is never made up.
        const instead = { 'device.link': 426, 'host.balanceInquiry': 503 } as Record<string, number>;
        expect(answer.statusCode, answer.body).toBe(instead[endpoint.id] ?? 200);
        if (one.is === 'of a POS') expect(harness.calls.map(({ method }) => method)).toEqual(['posCall']);
        return;
      }
      expect(answer.statusCode, answer.body).toBe(expected);
      expect(answer.json().error).toBe(expected === 401 ? 'UNAUTHENTICATED' : 'FORBIDDEN');
      expect(endpoint.errors).toContain(answer.json().error);
      expect(harness.calls).toEqual([]);
      if (expected === 401) {
        const scheme = endpoint.credential === 'device' ? 'Bearer realm="host"' : 'ApiKey realm="host"';
        expect(answer.headers['www-authenticate']).toBe(scheme);
      }
      for (const secret of Object.values(credentials)) expect(answer.body).not.toContain(secret);
    },
  );

  it.each(open)('$id needs none, and is not put off by a wrong one', async (endpoint) => {
    expect((await harness.app.inject(requestFor(endpoint))).statusCode).toBe(200);
    expect((await harness.app.inject(requestFor(endpoint, { 'x-api-key': 'wrong' }))).statusCode).toBe(200);
  });

  it('hands on who calls, and a credential that was revoked is refused at the next call', async () => {
    const config = { url: '/api/v1/terminal/config', headers: { authorization: `bearer ${credentials.deviceToken}` } };
    const payments = { url: '/v1/payments', headers: { 'x-api-key': credentials.secretKey } };
    await harness.app.inject(config);
    await harness.app.inject(payments);
    expect(harness.calls.map(({ input }) => input[0])).toEqual([device, merchant]);

    harness.revoked.add(credentials.deviceToken).add(credentials.secretKey);
    expect((await harness.app.inject(config)).statusCode).toBe(401);
    expect((await harness.app.inject(payments)).statusCode).toBe(401);
    expect(harness.calls).toHaveLength(2);
  });
});

describe('rate limits', () => {
  const reverse = hostEndpoints.find(({ id }) => id === 'device.recoveryReverse');

  it('give each credential its own burst, and reversals are exempt', async () => {
    await harness.server.close();
    harness = await createHarness({ requestsPerSecond: 0.01, requestBurst: 3 });
    const ask = (token: string) =>
      harness.app.inject({ url: '/api/v1/terminal/config', headers: { authorization: `Bearer ${token}` } });
    const statuses = [];
    for (let turn = 0; turn < 4; turn += 1) statuses.push((await ask(credentials.deviceToken)).statusCode);
    expect(statuses).toEqual([200, 200, 200, errorCatalogue.RATE_LIMITED.httpStatus]);
    const limited = await ask(credentials.deviceToken);
    expect(limited.json().error).toBe('RATE_LIMITED');
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);

    expect((await ask(credentials.otherDeviceToken)).statusCode).toBe(200);
    const payments = (key: string) => harness.app.inject({ url: '/v1/payments', headers: { 'x-api-key': key } });
    expect((await payments(credentials.secretKey)).statusCode).toBe(200);
    if (reverse === undefined) throw new Error('no reversal');
    for (let turn = 0; turn < 10; turn += 1) {
      expect((await harness.app.inject(requestFor(reverse))).statusCode).toBe(200);
    }
  });

  it('hold strangers by their address, and keep no probe from its answer', async () => {
    await harness.server.close();
    harness = await createHarness({ requestsPerSecond: 0.01, requestBurst: 3 });
    const guess = async () =>
      (await harness.app.inject({ url: '/v1/payments', headers: { 'x-api-key': 'sk_guess' } })).statusCode;
    expect([await guess(), await guess(), await guess(), await guess()]).toEqual([401, 401, 401, 429]);
    expect((await harness.app.inject('/ready')).statusCode).toBe(200);
    expect(
      (await harness.app.inject({ url: '/v1/payments', headers: { 'x-api-key': credentials.secretKey } })).statusCode,
    ).toBe(200);
  });
});
