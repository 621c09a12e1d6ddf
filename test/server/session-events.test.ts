import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { answerOf, approved, goodKey, otherKey } from '../support/fake-till.ts';
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

function sessionCount({ app }: Harness): number {
  return app.websocketServer.clients.size;
}

function emitPin({ till }: Harness, sequence: number, terminalId = 'T1'): void {
  till.emit({ event: 'pin_required', sequence, transactionId: 'tx-1', terminalId });
}

function sequencesOf(client: SessionClient): unknown[] {
  return client.messages().map(({ sequence }) => sequence);
}

async function roundTrip(opened: Harness, client: SessionClient): Promise<void> {
  const before = opened.till.calls.length;
  client.send({ action: 'replay', after: 1_000_000 });
  await vi.waitFor(() => expect(opened.till.calls.length).toBeGreaterThan(before), 10_000);
}

describe('events', () => {
  it('reach every session of every client as they happen, in their order, in the same bytes', async () => {
    const opened = await listen();
    const clients = await Promise.all([
      ...Array.from({ length: 4 }, () => openSession(opened.url)),
      ...Array.from({ length: 4 }, () => openSession(opened.url, { headers: { 'x-api-key': otherKey } })),
    ]);
    for (let sequence = 1; sequence <= 200; sequence += 1) emitPin(opened, sequence);
    await Promise.all(clients.map((client) => client.received(200)));

    for (const client of clients) {
      expect(sequencesOf(client)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
      expect(client.texts).toEqual(clients[0]?.texts);
    }
  });

  it('are written once, however many listen', async () => {
    const opened = await listen();
    const clients = await Promise.all(Array.from({ length: 8 }, () => openSession(opened.url)));
    let writtenCount = 0;
    const event = {
      event: 'pin_required' as const,
      sequence: 5,
      transactionId: 'tx-1',
      toJSON: () => {
        writtenCount += 1;
        return { event: 'pin_required', sequence: 5 };
      },
    };
    opened.till.emit(event);
    await Promise.all(clients.map((client) => client.received(1)));

    expect(writtenCount).toBe(1);
  });

  it('missed while the POS was reconnecting come by replay, once, also when others happen meanwhile', async () => {
    const opened = await listen();
    for (const sequence of [1, 2, 3, 4]) emitPin(opened, sequence);
    const client = await openSession(opened.url);
    emitPin(opened, 5);
    await client.received(1);
    client.send({ action: 'replay', after: 2 });
    await roundTrip(opened, client);
    emitPin(opened, 6);
    await client.received(4);

    expect(sequencesOf(client)).toEqual([5, 3, 4, 6]);
  });

  it('are told apart by terminal when a gap is filled', async () => {
    const opened = await listen();
    emitPin(opened, 1, 'T1');
    emitPin(opened, 50, 'T2');
    const client = await openSession(opened.url);
    emitPin(opened, 2, 'T1');
    await client.received(1);
    client.send({ action: 'replay', after: 0 });
    await roundTrip(opened, client);
    await client.received(3);

    expect(sequencesOf(client)).toEqual([2, 1, 50]);
  });

  it('come again as often as a client asks later', async () => {
    const opened = await listen();
    const client = await openSession(opened.url);
    client.send({ action: 'sale', amount: 1, currency: 'EUR' });
    await vi.waitFor(() => expect(opened.till.calls).toHaveLength(1));
    for (const sequence of [1, 2, 3]) emitPin(opened, sequence);
    await client.received(3);
    client.send({ action: 'replay', after: 1, terminalId: 'T1' });
    await client.received(5);

    expect(sequencesOf(client)).toEqual([1, 2, 3, 2, 3]);
    expect(opened.till.calls.at(-1)).toMatchObject({
      method: 'eventsAfter',
      context: { terminalId: 'T1', clientId: 'client-1' },
      input: [1],
    });
  });

  it('are replayed in pages of at most 1000', async () => {
    const opened = await listen();
    for (let sequence = 1; sequence <= 1500; sequence += 1) emitPin(opened, sequence);
    const client = await openSession(opened.url);
    client.send({ action: 'replay', after: 0 });
    await client.received(1000);
    client.send({ action: 'replay', after: 1000 });
    await client.received(1500);

    expect(sequencesOf(client)).toEqual(Array.from({ length: 1500 }, (_, index) => index + 1));
  });
});

describe('a slow reader', () => {
  it('is closed with 1013 once too much waits for it, holds up nobody else, and can replay', async () => {
    const opened = await listen({ session: { maxBufferedBytes: 400_000, closeTimeoutMs: 60_000 } });
    const [slow, quick] = await Promise.all([openSession(opened.url), openSession(opened.url)]);
    slow.socket.pause();
    const filler = 'x'.repeat(100_000);
    let sequence = 0;
    // The system's own buffers take some megabytes before anything waits in ours.
    while (serverSocketsOpen(opened) === 2 && sequence < 1_000) {
      sequence += 1;
      opened.till.emit({ event: 'processing', sequence, transactionId: 'tx-1', message: filler });
      while (quick.texts.length < sequence) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sequence).toBeLessThan(1_000);
    slow.socket.resume();

    expect((await slow.closed()).code).toBe(1013);
    expect(sequencesOf(quick)).toHaveLength(sequence);
    const lastSeen = Number(sequencesOf(slow).at(-1));
    expect(lastSeen).toBeLessThan(sequence);
    const again = await openSession(opened.url);
    again.send({ action: 'replay', after: lastSeen });
    await again.received(1);
    expect(sequencesOf(again)[0]).toBe(lastSeen + 1);
  });

  it('that never reads again is cut off', async () => {
    const clock = createManualClock();
    const opened = await listen({ clock, session: { maxBufferedBytes: 1_000 } });
    const slow = await openSession(opened.url);
    slow.socket.pause();
    opened.till.emit({ event: 'processing', sequence: 1, transactionId: 'tx-1', message: 'x'.repeat(2_000) });
    clock.advance(1_000);

    await vi.waitFor(() => expect(sessionCount(opened)).toBe(0), 10_000);
    slow.socket.terminate();
  });
});

/** Sessions that the server has not begun to close. */
function serverSocketsOpen({ app }: Harness): number {
  return [...app.websocketServer.clients].filter(({ readyState }) => readyState === 1).length;
}

describe('a silent peer', () => {
  it('is pinged every 5 seconds and kept while it answers', async () => {
    const clock = createManualClock();
    const opened = await listen({ clock });
    const client = await openSession(opened.url);
    let pings = 0;
    client.socket.on('ping', () => {
      pings += 1;
    });
    for (let tick = 1; tick <= 6; tick += 1) {
      clock.advance(5_000);
      await vi.waitFor(() => expect(pings).toBe(tick), 10_000);
      await roundTrip(opened, client);
    }

    expect(sessionCount(opened)).toBe(1);
  });

  it('is cut off 15 seconds after its last sign of life, when its line is half open', async () => {
    const clock = createManualClock();
    const opened = await listen({ clock });
    const client = await openSession(opened.url, { autoPong: false });
    clock.advance(14_999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(sessionCount(opened)).toBe(1);
    clock.advance(1);

    expect((await client.closed()).code).toBe(1006);
    await vi.waitFor(() => expect(sessionCount(opened)).toBe(0));
  });

  it('is cut off when its process is stopped (SIGSTOP), and its result can still be had', async () => {
    const clock = createManualClock();
    const opened = await listen({ clock });
    const peer = startPeer(opened.url);
    try {
      await once(peer.stdout ?? peer, 'data');
      peer.kill('SIGSTOP');
      for (let tick = 0; tick < 3; tick += 1) clock.advance(5_000);
      await vi.waitFor(() => expect(sessionCount(opened)).toBe(0), 10_000);
      opened.till.emit({
        event: 'result',
        sequence: 9,
        response: approved({ type: 'SALE', amount: 1000, currency: 'EUR' }),
      });
      const again = await openSession(opened.url);
      again.send({ action: 'replay', after: 0 });
      expect((await again.received(1))[0]).toMatchObject({ event: 'result', sequence: 9 });
    } finally {
      peer.kill('SIGKILL');
    }
  });
});

/** A POS in a process of its own that opens a session and says so. */
function startPeer(url: string): ChildProcess {
  const program = `
    import { WebSocket } from 'ws';
    const socket = new WebSocket(${JSON.stringify(`${url.replace('http', 'ws')}/v1/session`)}, { headers: { 'x-api-key': ${JSON.stringify(goodKey)} } });
    socket.on('open', () => console.log('open'));
    socket.on('error', () => {});
    setInterval(() => {}, 1000);
  `;
  return spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
}

describe('closing the server', () => {
  it('finishes a running action, sends its events, and closes the sessions with 1001', async () => {
    const opened = await listen();
    let finish = (): void => {};
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    opened.till.answerWith('run', async () => {
      await done;
      emitPin(opened, 1);
      return answerOf(approved({ type: 'SALE', amount: 1, currency: 'EUR' }));
    });
    const client = await openSession(opened.url);
    client.send({ action: 'sale', amount: 1, currency: 'EUR' });
    await vi.waitFor(() => expect(opened.till.calls).toHaveLength(1));
    const closed = opened.server.close();
    client.send({ action: 'sale', amount: 2, currency: 'EUR', requestId: 'late' });
    expect((await client.received(1))[0]).toMatchObject({ errorCode: 'TERMINAL_NOT_READY', requestId: 'late' });
    finish();

    expect((await client.closed()).code).toBe(1001);
    expect(client.messages().at(-1)).toMatchObject({ sequence: 1 });
    await closed;
    expect(opened.till.calls).toHaveLength(1);
    expect(opened.till.listenerCount()).toBe(0);
    harness = undefined;
  });

  it('does not wait for a peer that answers nothing', async () => {
    const clock = createManualClock();
    const opened = await listen({ clock });
    const client = await openSession(opened.url);
    client.socket.pause();
    const closed = opened.server.close();
    await vi.waitFor(() => expect(serverSocketsOpen(opened)).toBe(0));
    clock.advance(1_000);
    await closed;
    client.socket.terminate();
    harness = undefined;
  });

  it('leaves no timer behind', async () => {
    const clock = createManualClock();
    const opened = await listen({ clock });
    const clients = await Promise.all([openSession(opened.url), openSession(opened.url, { headers: {} })]);
    await opened.server.close();
    await Promise.all(clients.map((client) => client.closed()));

    expect(clock.pendingCount()).toBe(0);
    harness = undefined;
  });
});
