import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { answerOf, approved, goodKey } from '../support/fake-till.ts';
import { createManualClock } from '../support/server-clock.ts';
import { createHarness, type Harness, type HarnessOptions } from './server-harness.ts';

let harness: Harness | undefined;

afterEach(async () => {
  await harness?.server.close();
  harness = undefined;
});

async function inject(options: HarnessOptions = {}): Promise<Harness> {
  harness = await createHarness(options);
  return harness;
}

async function listen(options: HarnessOptions = {}): Promise<Harness & { url: string; port: number }> {
  const opened = await inject(options);
  const url = await opened.server.listen({ host: '127.0.0.1', port: 0 });
  return { ...opened, url, port: Number(new URL(url).port) };
}

const sale = { type: 'SALE', amount: 1000, currency: 'EUR' };

describe('a blocking call', () => {
  it('is not cancelled when its caller hangs up', async () => {
    const { port, till, lines } = await listen();
    let finish = (): void => {};
    let finished = false;
    till.answerWith(
      'run',
      () =>
        new Promise((resolve) => {
          finish = () => {
            finished = true;
            resolve(answerOf(approved({ type: 'SALE', amount: 1000, currency: 'EUR' })));
          };
        }),
    );
    const body = JSON.stringify(sale);
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        `POST /v1/transaction/sale HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Api-Key: ${goodKey}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      ),
    );
    await vi.waitFor(() => expect(till.calls).toHaveLength(1));
    socket.destroy();
    await new Promise((resolve) => socket.once('close', resolve));
    finish();

    expect(finished).toBe(true);
    expect(till.calls.map(({ method }) => method)).toEqual(['run']);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('has time-outs of the server that let it last 240 s, and that cut off a request which does not arrive', async () => {
    const { app } = await inject();

    expect(app.server.timeout).toBe(0);
    expect(app.server.requestTimeout).toBeLessThanOrEqual(60_000);
    expect(app.server.headersTimeout).toBeLessThanOrEqual(app.server.requestTimeout);
    expect(app.server.keepAliveTimeout).toBeGreaterThan(60_000);
  });
});

describe('closing', () => {
  it('answers what runs, refuses what comes, and ends', async () => {
    const { port, server, till } = await listen();
    let finish = (): void => {};
    till.answerWith(
      'run',
      () =>
        new Promise((resolve) => {
          finish = () => resolve(answerOf(approved({ type: 'SALE', amount: 1000, currency: 'EUR' })));
        }),
    );
    const running = post(port);
    await vi.waitFor(() => expect(till.calls).toHaveLength(1));
    const closed = server.close();
    const late = await post(port);
    finish();

    expect(late).toMatchObject({ statusCode: 503 });
    expect(late.body).toContain('TERMINAL_NOT_READY');
    expect(await running).toMatchObject({ statusCode: 200 });
    await closed;
    await expect(post(port)).rejects.toThrow(/ECONNREFUSED/);
    expect(till.calls).toHaveLength(1);
    expect(till.listenerCount()).toBe(0);
    harness = undefined;
  });

  it('waits for a running call no longer than its bound', async () => {
    const clock = createManualClock();
    const { port, server, till, lines } = await listen({ clock, closeGraceMs: 10_000 });
    till.answerWith('run', () => new Promise(() => {}));
    const running = post(port).catch((error: Error) => error);
    await vi.waitFor(() => expect(till.calls).toHaveLength(1));
    const closed = server.close();
    await vi.waitFor(() => expect(clock.pendingCount()).toBeGreaterThan(0));
    clock.advance(10_000);
    await closed;

    expect(await running).toBeInstanceOf(Error);
    expect(lines.some(({ level, message }) => level === 'warn' && message.includes('still running'))).toBe(true);
    harness = undefined;
  });

  it('says who listens when the port is taken', async () => {
    const { port } = await listen();
    const second = await createHarness();

    await expect(second.server.listen({ host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await second.server.close();
  });
});

function post(port: number): Promise<{ statusCode: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/v1/transaction/sale',
        agent: false,
        headers: { 'x-api-key': goodKey, 'content-type': 'application/json' },
      },
      (incoming) => {
        let body = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (text) => {
          body += text;
        });
        incoming.on('end', () => resolve({ statusCode: incoming.statusCode, body }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(sale));
  });
}
