import { afterEach, describe, expect, it, vi } from 'vitest';
import { BridgeError } from '../../app/contract/errors.ts';
import { RefusalEvent, RepeatedResultEvent } from '../../app/contract/session.ts';
import { validate } from '../../app/contract/validate.ts';
import { answerOf, approved, goodKey } from '../support/fake-till.ts';
import { createManualClock } from '../support/server-clock.ts';
import { createHarness, type Harness, type HarnessOptions } from './server-harness.ts';
import { openSession, type SessionClient } from './session-client.ts';

let harness: Harness | undefined;

afterEach(async () => {
  await harness?.server.close();
  harness = undefined;
});

async function listen(options: HarnessOptions = {}): Promise<Harness & { url: string }> {
  harness = await createHarness(options);
  return { ...harness, url: await harness.server.listen({ host: '127.0.0.1', port: 0 }) };
}

const sale = approved({ type: 'SALE', amount: 1000, currency: 'EUR' });

function sessionCount({ app }: Harness): number {
  return app.websocketServer.clients.size;
}

async function untilCalls(opened: Harness, count: number): Promise<void> {
  await vi.waitFor(() => expect(opened.till.calls.length).toBeGreaterThanOrEqual(count), 10_000);
}

/** A message whose processing can be seen, so that everything sent before it has been processed. */
async function roundTrip(opened: Harness, client: SessionClient): Promise<void> {
  const before = opened.till.calls.length;
  client.send({ action: 'replay', after: 1_000_000 });
  await untilCalls(opened, before + 1);
}

describe('an action', () => {
  const callFields = { requestId: 'r-1', terminalId: 'T1', idempotencyKey: 'key-1', timeoutSeconds: 90 };
  const context = {
    clientId: 'client-1',
    actor: 'pos:front desk',
    terminalId: 'T1',
    eventRequestId: 'r-1',
    idempotencyKey: 'key-1',
    timeoutSeconds: 90,
  };
  const { idempotencyKey: _key, timeoutSeconds: _timeout, ...addressed } = context;
  const { timeoutSeconds: _seconds, ...keyed } = context;
  const { idempotencyKey: _otherKey, ...timed } = context;
  const { timeoutSeconds: _none, ...keyedFields } = callFields;
  const { idempotencyKey: _no, ...timedFields } = callFields;
  const address = { requestId: 'r-1', terminalId: 'T1' };
  const payment = { amount: 1000, currency: 'EUR', entryMode: 'CONTACT', referenceId: 'ref', metadata: { table: '7' } };
  const issuerAnswer = { transactionId: 'tx-1', responseCode: '00', authorizationCode: '123456' };
  const prompt = { prompt: 'Receipt?', inputType: 'CONFIRM' };

  it.each([
    [
      'sale',
      { ...payment, tipAmount: 100, ...callFields },
      'run',
      { ...context, route: 'POST /v1/transaction/sale' },
      [{ type: 'SALE', ...payment, tipAmount: 100 }],
    ],
    [
      'sale',
      { ...payment, granular: true, ...callFields },
      'initiate',
      { ...context, route: 'POST /v1/transaction/initiate' },
      [{ type: 'SALE', ...payment }],
    ],
    [
      'pre_auth',
      { ...payment, ...callFields },
      'run',
      { ...context, route: 'POST /v1/transaction/pre-auth' },
      [{ type: 'PRE_AUTH', ...payment }],
    ],
    [
      'card_read',
      { entryMode: 'AUTO', ...timedFields },
      'run',
      { ...timed, route: 'POST /v1/transaction/card-read' },
      [{ type: 'CARD_READ', amount: 0, currency: 'EUR', entryMode: 'AUTO' }],
    ],
    [
      'complete',
      { ...issuerAnswer, ...keyedFields },
      'complete',
      { ...keyed, route: 'POST /v1/transaction/complete' },
      [issuerAnswer],
    ],
    [
      'display',
      { lines: ['Hello'], ...address },
      'display',
      { ...addressed, route: 'POST /v1/device/display' },
      [{ lines: ['Hello'] }],
    ],
    ['input', { ...prompt, ...address }, 'input', { ...addressed, route: 'POST /v1/device/input' }, [prompt]],
    [
      'abort',
      { transactionId: 'tx-1', ...address },
      'abort',
      { ...addressed, route: 'POST /v1/transactions/tx-1/abort' },
      ['tx-1'],
    ],
  ])('%s reaches the engine as the REST call that does the same', async (action, fields, method, expected, input) => {
    const opened = await listen();
    const client = await openSession(opened.url, { headers: { 'x-api-key': goodKey, 'x-request-id': 'session-1' } });
    client.send({ action, ...fields });
    await untilCalls(opened, 1);

    expect(opened.till.calls).toEqual([{ method, context: { ...expected, requestId: 'session-1.1' }, input }]);
  });

  it('whose key was used before gets the first answer again', async () => {
    const opened = await listen();
    opened.till.answerWith('run', () => answerOf(sale, true));
    const client = await openSession(opened.url);
    client.send({ action: 'sale', amount: 1000, currency: 'EUR', idempotencyKey: 'k', requestId: 'r-9' });
    const [message] = await client.received(1);

    expect(validate(RepeatedResultEvent, message)).toMatchObject({
      event: 'result',
      requestId: 'r-9',
      replayed: true,
      response: sale,
    });
  });

  it('that the engine refuses is told as an error event, to this client alone', async () => {
    const opened = await listen();
    opened.till.answerWith('run', () => {
      throw new BridgeError('TRANSACTION_IN_PROGRESS', 'tx-7 is running', { details: { transactionId: 'tx-7' } });
    });
    const [client, other] = await Promise.all([openSession(opened.url), openSession(opened.url)]);
    client.send({ action: 'sale', amount: 1000, currency: 'EUR', requestId: 'r-2' });
    const [message] = await client.received(1);

    expect(validate(RefusalEvent, message)).toMatchObject({
      event: 'error',
      errorCode: 'TRANSACTION_IN_PROGRESS',
      message: 'tx-7 is running',
      transactionId: 'tx-7',
      requestId: 'r-2',
    });
    await roundTrip(opened, other);
    expect(other.texts).toEqual([]);
  });

  it('that fails unexpectedly is told as INTERNAL, without what happened', async () => {
    const opened = await listen();
    opened.till.answerWith('abort', () => {
      throw new Error('secret');
    });
    const client = await openSession(opened.url);
    client.send({ action: 'abort', transactionId: 'tx-1', requestId: 'r-3' });
    const [message] = await client.received(1);

    expect(message).toMatchObject({ errorCode: 'INTERNAL', requestId: 'r-3' });
    expect(client.texts.join()).not.toContain('secret');
    expect(opened.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  it.each([
    ['an unknown action', { action: 'refund', requestId: 'r' }, 'action'],
    ['no action', { requestId: 'r' }, 'action'],
    ['an unknown field', { action: 'sale', amount: 1, currency: 'EUR', tip: 1, requestId: 'r' }, 'tip'],
    ['an amount in text', { action: 'sale', amount: '100', currency: 'EUR', requestId: 'r' }, 'amount'],
    ['an amount of 0', { action: 'sale', amount: 0, currency: 'EUR', requestId: 'r' }, 'amount'],
    ['an unknown currency', { action: 'sale', amount: 1, currency: 'EURO', requestId: 'r' }, 'currency'],
    [
      'a card number',
      { action: 'sale', amount: 1, currency: 'EUR', referenceId: '4111111111111111', requestId: 'r' },
      'referenceId',
    ],
    [
      'a prompt for a PIN',
      { action: 'input', prompt: 'Enter your PIN', inputType: 'DIGITS', requestId: 'r' },
      'prompt',
    ],
    ['a replay from -1', { action: 'replay', after: -1, requestId: 'r' }, 'after'],
    [
      'an empty key',
      { action: 'sale', amount: 1, currency: 'EUR', idempotencyKey: '', requestId: 'r' },
      'idempotencyKey',
    ],
    ['a second auth', { action: 'auth', token: goodKey }, undefined],
  ])('with %s is refused, naming the field', async (_, message, field) => {
    const opened = await listen();
    const client = await openSession(opened.url);
    client.send(message);
    const [refusal] = await client.received(1);

    expect(validate(RefusalEvent, refusal)).toMatchObject({ event: 'error', errorCode: 'INVALID_REQUEST' });
    expect(refusal?.field).toBe(field);
    expect(refusal?.requestId).toBe('requestId' in message ? 'r' : undefined);
    expect(client.texts.join()).not.toContain('4111111111111111');
    expect(opened.till.calls).toEqual([]);
  });

  it.each([['{"action":"sale","amount":1,"amount":2}'], ['{"action":'], ['[]'], ['null'], ['"sale"'], ['']])(
    'that is %j is refused, and the session goes on',
    async (text) => {
      const opened = await listen();
      const client = await openSession(opened.url);
      client.send(text);

      expect((await client.received(1))[0]).toMatchObject({ event: 'error', errorCode: 'INVALID_REQUEST' });
      await roundTrip(opened, client);
    },
  );

  it('in a binary frame is refused', async () => {
    const { url, till } = await listen();
    const client = await openSession(url);
    client.socket.send(Buffer.from('{"action":"abort","transactionId":"tx-1"}'));

    expect((await client.received(1))[0]).toMatchObject({ errorCode: 'INVALID_REQUEST' });
    expect(till.calls).toEqual([]);
  });

  it('beyond 64 KiB ends the session with 1009', async () => {
    const { url, till } = await listen();
    const client = await openSession(url);
    client.send({ action: 'display', lines: ['x'.repeat(65 * 1024)] });

    expect((await client.closed()).code).toBe(1009);
    expect(till.calls).toEqual([]);
  });

  it('beyond the rate is refused with the time to wait', async () => {
    const opened = await listen({ clock: createManualClock(), requestsPerSecond: 1, requestBurst: 2 });
    const client = await openSession(opened.url);
    client.send({ action: 'abort', transactionId: 'tx-1' });
    client.send({ action: 'abort', transactionId: 'tx-1', requestId: 'r-4' });

    expect((await client.received(1))[0]).toMatchObject({
      errorCode: 'RATE_LIMITED',
      retryAfterSeconds: 1,
      requestId: 'r-4',
    });
    expect(opened.till.calls).toHaveLength(1);
  });

  it('beyond those that may run at once is refused', async () => {
    const opened = await listen({ session: { maxRunningActions: 2 } });
    let finish = (): void => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    opened.till.answerWith('display', () => done);
    const client = await openSession(opened.url);
    for (const requestId of ['1', '2', '3']) client.send({ action: 'display', lines: ['x'], requestId });

    expect((await client.received(1))[0]).toMatchObject({ errorCode: 'RATE_LIMITED', requestId: '3' });
    expect(opened.till.calls).toHaveLength(2);
    finish();
  });

  it('goes on when its client hangs up', async () => {
    const opened = await listen();
    let finish = (): void => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    let finished = false;
    opened.till.answerWith('run', async () => {
      await done;
      finished = true;
      return answerOf(sale, true);
    });
    const client = await openSession(opened.url);
    client.send({ action: 'sale', amount: 1000, currency: 'EUR' });
    await untilCalls(opened, 1);
    client.socket.terminate();
    await vi.waitFor(() => expect(sessionCount(opened)).toBe(0));
    finish();
    await vi.waitFor(() => expect(finished).toBe(true));

    expect(opened.till.calls.map(({ method }) => method)).toEqual(['run']);
    expect(opened.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a client that misbehaves', () => {
  it('is closed with 1008 after so many refused messages in a row', async () => {
    const { url } = await listen({ session: { maxBadMessages: 5 } });
    const client = await openSession(url);
    for (let index = 0; index < 10; index += 1) client.send('bad');

    expect((await client.closed()).code).toBe(1008);
    expect(client.texts).toHaveLength(5);
  });

  it('is forgiven after a good one', async () => {
    const opened = await listen({ session: { maxBadMessages: 3 } });
    const client = await openSession(opened.url);
    for (let round = 0; round < 4; round += 1) {
      client.send('bad');
      client.send('bad');
      await roundTrip(opened, client);
    }

    expect(client.socket.readyState).toBe(1);
  });

  it('is closed with 4401 when its key is revoked, at its next action', async () => {
    const opened = await listen();
    const client = await openSession(opened.url);
    opened.credentials.revoke(goodKey);
    client.send({ action: 'sale', amount: 1000, currency: 'EUR' });

    expect((await client.closed()).code).toBe(4401);
    expect(opened.till.calls).toEqual([]);
  });

  it('is closed with 4401 when its key is revoked, within a ping though it says nothing', async () => {
    const clock = createManualClock();
    const opened = await listen({ clock });
    const client = await openSession(opened.url);
    opened.credentials.revoke(goodKey);
    clock.advance(5_000);

    expect((await client.closed()).code).toBe(4401);
  });
});
