import { afterEach, describe, expect, it } from 'vitest';
import type { Terminal, TerminalNotice } from '../../app/ports/terminal.ts';
import { HOT_PLUG_LOOK_MS, withHotPlug } from '../../drivers/session/hot-plug.ts';
import { createScriptedHid } from '../support/scripted-hid.ts';
import { createManualClock } from '../support/zvt-clock.ts';
import { silentLog } from '../support/zvt-terminal.ts';

const line = { kind: 'HID', vendorId: 0x0acd, productId: 0x3810, serialNumber: '7T1' } as const;
const running: Terminal[] = [];
afterEach(async () => {
  for (const terminal of running.splice(0)) await terminal.stop();
});

/** A reader whose driver is asked to try; it connects when `canConnect` says so. */
function rig() {
  const hid = createScriptedHid();
  const clock = createManualClock();
  const listeners = new Set<(notice: TerminalNotice) => void>();
  const tries: boolean[] = [];
  let isConnected = false;
  let canConnect = true;
  const status = () => ({ connected: isConnected, state: isConnected ? ('IDLE' as const) : ('DISCONNECTED' as const) });
  const setConnected = (value: boolean): void => {
    isConnected = value;
    for (const listener of [...listeners]) listener({ kind: 'STATUS', status: status() });
  };
  const terminal: Terminal = {
    terminalId: 'R1',
    protocol: 'NEO2',
    capabilities: { operations: new Set(), cashback: false, maxAmountMinor: 0, inputTypes: new Set() },
    start: () => undefined,
    stop: async () => undefined,
    status,
    async probe(_signal, opensLine) {
      tries.push(opensLine ?? false);
      if (canConnect) setConnected(true);
      return status();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    prepare: () => Promise.reject(new Error('no payment here')),
    recover: () => Promise.reject(new Error('no payment here')),
    display: () => Promise.reject(new Error('no display')),
    input: () => Promise.reject(new Error('no keys')),
    print: () => Promise.reject(new Error('no printer')),
  };
  const watched = withHotPlug(terminal, { clock, log: silentLog, line, loadLibrary: async () => hid });
  running.push(watched);
  return {
    hid,
    clock,
    tries,
    watched,
    listeners,
    setConnected,
    refuse: () => {
      canConnect = false;
    },
  };
}

describe('a reader that is plugged in', () => {
  it('is tried within one look, under whatever path', async () => {
    const { hid, clock, tries, watched, setConnected } = rig();
    watched.start();
    await clock.advance(10 * HOT_PLUG_LOOK_MS);
    expect(tries).toEqual([]);
    hid.plug({ path: '/dev/hidraw3' });
    await clock.advance(HOT_PLUG_LOOK_MS);
    expect(tries).toEqual([true]);
    hid.unplug('/dev/hidraw3');
    setConnected(false);
    await clock.advance(10 * HOT_PLUG_LOOK_MS);
    hid.plug({ path: '/dev/hidraw4' });
    await clock.advance(HOT_PLUG_LOOK_MS);
    expect(tries).toEqual([true, true]);
    expect(watched.status().connected).toBe(true);
  });

  it('is found again even when it was out for less than a look and its path stayed the same', async () => {
    const { hid, clock, tries, watched, setConnected } = rig();
    hid.plug({});
    watched.start();
    await clock.advance(HOT_PLUG_LOOK_MS);
    setConnected(false);
    await clock.advance(HOT_PLUG_LOOK_MS);
    expect(tries).toHaveLength(2);
  });

  it('is not looked for while it is connected', async () => {
    const { hid, clock, watched } = rig();
    hid.plug({});
    watched.start();
    await clock.advance(HOT_PLUG_LOOK_MS);
    const looks = hid.looks();
    await clock.advance(60 * HOT_PLUG_LOOK_MS);
    expect(hid.looks()).toBe(looks);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('and cannot be opened is tried once, not at every look', async () => {
    const { hid, clock, tries, watched, refuse } = rig();
    refuse();
    hid.plug({});
    watched.start();
    await clock.advance(20 * HOT_PLUG_LOOK_MS);
    expect(tries).toHaveLength(1);
    hid.unplug('/dev/hidraw0');
    await clock.advance(HOT_PLUG_LOOK_MS);
    hid.plug({});
    await clock.advance(HOT_PLUG_LOOK_MS);
    expect(tries).toHaveLength(2);
  });

  it('is no other reader of its kind', async () => {
    const { hid, clock, tries, watched } = rig();
    hid.plug({ serialNumber: '7T2' });
    watched.start();
    await clock.advance(5 * HOT_PLUG_LOOK_MS);
    expect(tries).toEqual([]);
  });

  it('is looked for no more after the stop, and nobody listens', async () => {
    const { hid, clock, watched, listeners } = rig();
    watched.start();
    await clock.advance(HOT_PLUG_LOOK_MS);
    await watched.stop();
    const looks = hid.looks();
    await clock.advance(10 * HOT_PLUG_LOOK_MS);
    expect([hid.looks(), listeners.size, clock.pendingTimers()]).toEqual([looks, 0, 0]);
  });

  it('that the machine cannot list is asked for seldom', async () => {
    const { hid, clock, watched } = rig();
    const list = hid.devicesAsync;
    let asked = 0;
    hid.devicesAsync = () => {
      asked += 1;
      return Promise.reject(new Error('libudev.so.1: cannot open shared object file'));
    };
    watched.start();
    await clock.advance(60_000);
    expect(asked).toBeLessThanOrEqual(3);
    hid.devicesAsync = list;
  });
});
