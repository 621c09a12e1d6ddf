import { randomUUID } from 'node:crypto';
import type { Payment } from '../../../app/contract/host/payment.ts';
import type { HopShop, PosAddress } from './hop-shop.ts';
import { SETTLE_MS, until } from './until.ts';

/** How long an integrator waits for an answer before it calls again under its key, milliseconds. */
const POS_PATIENCE_MS = 4_000;
const PAUSE_MS = 50;

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** The same address, past the line that is disturbed. */
export const past = (pos: PosAddress): PosAddress => ({ ...pos, url: pos.pastUrl });

/** As an integrator calls: the same call under the same key until there is an answer that stands, or that says that it may be given up. */
export async function callPos(pos: PosAddress, path: string, key: string, body: object): Promise<Answer> {
  const end = performance.now() + SETTLE_MS;
  const headers = { 'x-api-key': pos.key, 'idempotency-key': key, 'x-timeout-seconds': String(pos.callSeconds) };
  for (;;) {
    const answer = await ask(`${pos.url}${path}`, headers, body).catch(() => undefined);
    if (answer !== undefined && !isPassing(answer)) return answer;
    if (performance.now() > end) throw new Error(`${path} is not answered: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Nothing was begun, or it still runs: the same call again is right. */
const passing = ['IDEMPOTENCY_IN_PROGRESS', 'TRANSACTION_IN_PROGRESS', 'RATE_LIMITED'];
passing.push('TERMINAL_NOT_READY', 'TERMINAL_UNREACHABLE', 'TERMINAL_BUSY', 'HOST_UNREACHABLE');
const isPassing = ({ body }: Answer) => passing.includes((body as { readonly error?: string }).error ?? '');

/** Past the line that is disturbed. */
export async function lookAt({ pastUrl, key }: PosAddress, path: string): Promise<Answer> {
  return await ask(`${pastUrl}${path}`, { 'x-api-key': key });
}

export async function lookAtTill<T>({ till }: HopShop, path: string): Promise<T> {
  return (await lookAt(till, path)).body as T;
}

/** A terminal that takes a payment, at whichever address it is asked. @throws when it does not come, however slow the machine is */
export async function untilIdle({ till, cloud }: HopShop): Promise<void> {
  await until(async () => {
    const states = [till, cloud].map(async (pos) => {
      const { body } = await lookAt(pos, '/v1/device/health').catch(() => ({ body: {} }));
      return (body as { readonly state?: string }).state;
    });
    return (await Promise.all(states)).every((state) => state === 'IDLE');
  }, 'an idle terminal');
}

/** As the merchant's server, with its secret key. */
export async function callHost(shop: HopShop, path: string, body?: object): Promise<unknown> {
  const headers = { 'x-api-key': shop.demo.secretKey, 'idempotency-key': randomUUID() };
  const answer = await ask(`${shop.hostUrl}${path}`, headers, body);
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Newest first. */
export async function paymentsAtHost(shop: HopShop): Promise<readonly Payment[]> {
  return ((await callHost(shop, '/v1/payments?limit=50')) as { readonly data: readonly Payment[] }).data;
}

async function ask(url: string, headers: Record<string, string>, body?: object): Promise<Answer> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    signal: AbortSignal.timeout(POS_PATIENCE_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}
