import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { LinkCall } from '../../../app/contract/host/link.ts';
import { createManualClock, type ManualClock } from '../../support/manual-clock.ts';
import { credentials, device } from './fake-host.ts';
import { createHarness, type Harness } from './harness.ts';

let harness: Harness;
let clock: ManualClock;
let url: string;

beforeEach(async () => {
  clock = createManualClock();
  harness = await createHarness({ clock, link: { maxCallsPerLink: 2, maxBufferedBytes: 200_000 } });
  url = await harness.server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => harness.server.close());

const timeoutMs = 250_000;

function callOf(callId: string, change: Partial<LinkCall> = {}): LinkCall {
  const client = { clientId: 'C-1', clientName: 'Shop' };
  return { event: 'call', callId, ...client, method: 'POST', path: '/v1/transaction/sale', body: '{}', ...change };
}

function answerOf(callId: string, body = '{"charged":true}') {
  return { event: 'answer', callId, statusCode: 200, headers: { 'content-type': 'application/json' }, body };
}

interface Till {
  readonly socket: WebSocket;
  readonly calls: LinkCall[];
  tell(message: object | string): void;
  /** When as many calls have come. */
  called(count: number): Promise<void>;
}

async function link(token: string = credentials.deviceToken): Promise<Till> {
  const linked = harness.links.count();
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/terminal/link`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const calls: LinkCall[] = [];
  const wakes: unknown[] = [];
  socket.on('message', (data) => {
    const message = JSON.parse(String(data));
    if (message.event === 'call') calls.push(message);
    else wakes.push(message);
  });
  socket.on('error', () => {});
  await vi.waitFor(() => expect(wakes).toHaveLength(1), 10_000);
  expect(harness.links.count()).toBeGreaterThanOrEqual(linked);
  return {
    socket,
    calls,
    tell: (message) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
    called: (count) => vi.waitFor(() => expect(calls).toHaveLength(count), 10_000),
  };
}

const dropped = () => harness.lines.filter(({ message }) => message === 'a message of a till was dropped');

describe('a POS call over the link of a terminal', () => {
  it('reaches the till that holds the terminal, once, and brings its answer', async () => {
    const till = await link();
    const other = await link(credentials.otherDeviceToken);
    const first = harness.links.call(device, callOf('c-1'), timeoutMs);
    const second = harness.links.call(device, callOf('c-2'), timeoutMs);
    await till.called(2);
    till.tell({ ...answerOf('c-2', '{"second":true}'), since: 7 });
    till.tell(answerOf('c-1'));
    const { statusCode, headers, body } = answerOf('c-1');
    expect(await first).toEqual({ kind: 'ANSWERED', answer: { statusCode, headers, body } });
    expect(await second).toMatchObject({ kind: 'ANSWERED', answer: { body: '{"second":true}' } });
    expect(till.calls).toEqual([callOf('c-1'), callOf('c-2')]);
    expect(other.calls).toEqual([]);
  });

  it('is not sent to a terminal that is not linked, and that is told at once', async () => {
    expect(await harness.links.call(device, callOf('c-1'), timeoutMs)).toEqual({ kind: 'NOT_LINKED' });
    const till = await link();
    const ofAnother = { ...device, merchantId: 'M-2' };
    expect(await harness.links.call(ofAnother, callOf('c-1'), timeoutMs)).toEqual({ kind: 'NOT_LINKED' });
    expect(till.calls).toEqual([]);
  });

  it('is not sent where as many as may wait are waiting, and is once one has been answered', async () => {
    const till = await link();
    const first = harness.links.call(device, callOf('c-1'), timeoutMs);
    void harness.links.call(device, callOf('c-2'), timeoutMs);
    expect(await harness.links.call(device, callOf('c-3'), timeoutMs)).toEqual({ kind: 'NOT_LINKED' });
    await till.called(2);
    till.tell(answerOf('c-1'));
    await first;
    void harness.links.call(device, callOf('c-4'), timeoutMs);
    await till.called(3);
    expect(till.calls.map(({ callId }) => callId)).toEqual(['c-1', 'c-2', 'c-4']);
  });

  it('is not sent to a till that reads too slowly', async () => {
    await link();
    const body = 'x'.repeat(250_000);
    expect(await harness.links.call(device, callOf('c-1', { body }), timeoutMs)).toEqual({ kind: 'NOT_LINKED' });
  });

  it('is lost when its link is, and when its time is over', async () => {
    const till = await link();
    const cut = harness.links.call(device, callOf('c-1'), timeoutMs);
    await till.called(1);
    till.socket.terminate();
    expect(await cut).toEqual({ kind: 'LOST' });

    const later = await link();
    const late = harness.links.call(device, callOf('c-2'), 8_000);
    await later.called(1);
    await clock.advance(7_999);
    const end = vi.fn();
    void late.then(end);
    expect(end).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(await late).toEqual({ kind: 'LOST' });
    later.tell(answerOf('c-2'));
    await vi.waitFor(() => expect(dropped()).toHaveLength(1), 10_000);
  });

  it('is answered by nobody but the link that was asked', async () => {
    const till = await link();
    const other = await link(credentials.otherDeviceToken);
    const asked = harness.links.call(device, callOf('c-1'), timeoutMs);
    await till.called(1);
    other.tell(answerOf('c-1', '{"forged":true}'));
    await vi.waitFor(() => expect(dropped()).toHaveLength(1), 10_000);
    till.tell(answerOf('c-1'));
    expect(await asked).toMatchObject({ answer: { body: '{"charged":true}' } });
  });

  it.each([
    'no JSON',
    'null',
    '[]',
    '{"event":"wake","subject":"CONFIGURATION"}',
    '{"event":"answer","callId":"c-1","statusCode":99,"headers":{},"body":""}',
    '{"event":"answer","callId":"c-1","statusCode":200,"headers":{"a":1},"body":""}',
    '{"event":"answer","callId":"c-1","statusCode":200,"headers":{}}',
    JSON.stringify(answerOf('c-2')),
  ])('is not answered by %s, which is said in the log', async (text) => {
    const till = await link();
    const asked = harness.links.call(device, callOf('c-1'), timeoutMs);
    await till.called(1);
    till.tell(text);
    await vi.waitFor(() => expect(dropped()).toHaveLength(1), 10_000);
    till.tell(answerOf('c-1'));
    expect(await asked).toMatchObject({ kind: 'ANSWERED', answer: { body: '{"charged":true}' } });
  });

  it('brings an answer that is longer than any request', async () => {
    const till = await link();
    const asked = harness.links.call(device, callOf('c-1'), timeoutMs);
    await till.called(1);
    const body = JSON.stringify({ data: 'x'.repeat(1_000_000) });
    till.tell(answerOf('c-1', body));
    expect(await asked).toMatchObject({ kind: 'ANSWERED', answer: { body } });
  });
});
