import { afterEach, describe, expect, it } from 'vitest';
import { TERMINAL_TROUBLE_AFTER_SECONDS } from '../../app/contract/console/console-limits.ts';
import type { DeviceState } from '../../app/contract/device.ts';
import { createMemoryDevice, type MemoryDevice } from '../support/memory-terminal.ts';
import { type ConsoleHarness, createConsoleHarness, type Screen } from './console-harness.ts';

const outageMs = TERMINAL_TROUBLE_AFTER_SECONDS * 1000;

let harness: ConsoleHarness | undefined;
afterEach(async () => {
  await harness?.stop();
  harness = undefined;
});

async function openInbox(...devices: readonly MemoryDevice[]) {
  harness = await createConsoleHarness({ devices });
  const screen = await harness.as('CASHIER');
  return { screen, clock: harness.engine.clock };
}

const troublesOf = async (screen: Screen) => (await screen.get('attention.list', {})).terminalTroubles;

function tell(device: MemoryDevice, state: DeviceState): void {
  const connected = state !== 'DISCONNECTED' && state !== 'CONNECTING';
  device.setConnected(connected);
  device.notify({ kind: 'STATUS', status: { connected, state } });
}

describe('a terminal that is gone', () => {
  it('stands in the inbox after a short outage, since it went, until it is back', async () => {
    const device = createMemoryDevice();
    const { screen, clock } = await openInbox(device);
    await clock.advance(60_000);
    const wentAt = new Date(clock.nowMs()).toISOString();
    tell(device, 'DISCONNECTED');
    await clock.advance(outageMs - 1);
    expect(await troublesOf(screen)).toEqual([]);
    await clock.advance(1);
    expect(await troublesOf(screen)).toEqual([
      { terminalId: harness?.engine.till.terminals()[0]?.terminalId, kind: 'UNREACHABLE', since: wentAt },
    ]);
    tell(device, 'IDLE');
    expect(await troublesOf(screen)).toEqual([]);
  });

  it('counts anew when it was back for a moment that nobody looked at', async () => {
    const device = createMemoryDevice();
    const { screen, clock } = await openInbox(device);
    tell(device, 'DISCONNECTED');
    await clock.advance(outageMs - 1_000);
    tell(device, 'IDLE');
    await clock.advance(2_000);
    tell(device, 'DISCONNECTED');
    await clock.advance(outageMs - 1_000);
    expect(await troublesOf(screen)).toEqual([]);
  });

  it('does not begin anew when it only tries to connect', async () => {
    const device = createMemoryDevice();
    const { screen, clock } = await openInbox(device);
    tell(device, 'DISCONNECTED');
    await clock.advance(outageMs - 1_000);
    tell(device, 'CONNECTING');
    await clock.advance(1_000);
    expect(await troublesOf(screen)).toHaveLength(1);
  });

  it('is measured without the wall clock, which may jump', async () => {
    const device = createMemoryDevice();
    const { screen, clock } = await openInbox(device);
    tell(device, 'DISCONNECTED');
    clock.jumpWall(60_000);
    expect(await troublesOf(screen)).toEqual([]);
    await clock.advance(outageMs);
    expect(await troublesOf(screen)).toHaveLength(1);
  });

  it('is named apart from one that works, and goes when it is taken away', async () => {
    const gone = createMemoryDevice({ terminalId: 'GONE' });
    const { screen, clock } = await openInbox(gone, createMemoryDevice({ terminalId: 'HERE' }));
    tell(gone, 'DISCONNECTED');
    await clock.advance(outageMs);
    expect((await troublesOf(screen)).map(({ terminalId }) => terminalId)).toEqual(['GONE']);
    await harness?.engine.till.detach('GONE');
    expect(await troublesOf(screen)).toEqual([]);
  });
});
