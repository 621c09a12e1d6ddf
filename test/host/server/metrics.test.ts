import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostEndpointOf } from '../../../app/contract/host/host-endpoints.ts';
import { createHarness, type Harness, requestFor } from './harness.ts';
import { parseOpenMetrics } from './open-metrics.ts';

let harness: Harness;

beforeEach(async () => {
  harness = await createHarness();
});
afterEach(() => harness.server.close());

async function scrape() {
  const answer = await harness.app.inject('/metrics');
  expect(answer.statusCode).toBe(200);
  const families = parseOpenMetrics(answer.body);
  const gauge = (name: string) => families.get(`till_host_${name}`)?.samples[0]?.value;
  return { answer, families, gauge };
}

describe('the metrics', () => {
  it('are OpenMetrics text', async () => {
    const { answer, families } = await scrape();
    expect(answer.headers['content-type']).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
    expect(families.get('till_host_requests')?.type).toBe('counter');
    for (const { help } of families.values()) expect(help).not.toBe('');
  });

  it('count requests by method, route and status, and how long they take', async () => {
    const capture = requestFor(hostEndpointOf('device.capture'));
    for (let turn = 0; turn < 3; turn += 1) await harness.app.inject(capture);
    await harness.app.inject({ ...capture, headers: {} });
    await harness.app.inject('/nothing/here');
    const { families } = await scrape();
    const counted = families.get('till_host_requests')?.samples.map(({ labels, value }) => [labels, value]);
    const route = '/api/v1/terminal/payments/{id}/capture';
    expect(counted).toEqual(
      expect.arrayContaining([
        [{ method: 'POST', route, status: '200' }, 3],
        [{ method: 'POST', route, status: '401' }, 1],
        [{ method: 'GET', route: 'none', status: '404' }, 1],
      ]),
    );
    const durations = families
      .get('till_host_request_duration_seconds')
      ?.samples.filter(({ labels }) => labels.route === route);
    const buckets = durations?.filter(({ name }) => name.endsWith('_bucket')).map(({ value }) => value) ?? [];
    expect(buckets).toEqual([...buckets].sort((one, other) => one - other));
    expect(buckets.at(-1)).toBe(4);
    expect(durations?.find(({ name }) => name.endsWith('_count'))?.value).toBe(4);
  });

  it('tell whether other hosts are heard, where there are others', async () => {
    let isConnected = true;
    const node = await createHarness({ bus: { node: 'a', isConnected: () => isConnected, onChange: () => {} } });
    const told = async () =>
      parseOpenMetrics((await node.app.inject('/metrics')).body).get('till_host_nats_ready')?.samples[0]?.value;
    expect(await told()).toBe(1);
    isConnected = false;
    expect(await told()).toBe(0);
    await node.server.close();
    expect((await scrape()).gauge('nats_ready')).toBeUndefined();
  });

  it('tell what waits for a person, and whether database and acquirer answer', async () => {
    harness.state.waiting = 2;
    const { gauge } = await scrape();
    expect([gauge('recovery_tasks_open'), gauge('recovery_tasks_for_person')]).toEqual([3, 2]);
    expect([gauge('reversals_open'), gauge('reversals_for_person')]).toEqual([3, 2]);
    expect(gauge('sessions_in_recovery')).toBe(3);
    expect([gauge('database_ready'), gauge('acquirer_ready'), gauge('terminal_links')]).toEqual([1, 1, 0]);
  });

  it('never say 0 of what they do not know', async () => {
    harness.state.isDatabaseReady = false;
    harness.state.isAcquirerReady = false;
    const { gauge } = await scrape();
    expect([gauge('database_ready'), gauge('acquirer_ready')]).toEqual([0, 0]);
    expect([gauge('recovery_tasks_open'), gauge('reversals_for_person')]).toEqual([Number.NaN, Number.NaN]);
    expect(gauge('sessions_in_recovery')).toBeNaN();
  });

  it('name no merchant, terminal or payment', async () => {
    await harness.app.inject(requestFor(hostEndpointOf('device.tipAdjust')));
    await harness.app.inject(requestFor(hostEndpointOf('settlements.get')));
    const { answer } = await scrape();
    for (const name of ['M-1', 'T-1', 'D-1', 'p-1', 'settlement-1', 'key-1']) expect(answer.body).not.toContain(name);
  });
});
