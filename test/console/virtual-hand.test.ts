import { describe, expect, it } from 'vitest';
import { createHand } from '../../app/console/virtual-hand.ts';
import type { VirtualTerminalView } from '../../app/contract/console/virtual.ts';
import type { VirtualTerminalControl } from '../../app/ports/virtual-terminal.ts';

const view: VirtualTerminalView = {
  state: 'IDLE',
  display: [],
  isCardReaderLit: false,
  isLinkUp: true,
  isInHand: false,
  isOutOfPaper: false,
  paper: [],
};

/** A control interface that notes what it was told; `isDeaf`: it answers nothing. */
function controlThat({ isDeaf = false } = {}) {
  const told: string[] = [];
  const note = async (what: string) => {
    told.push(what);
    if (isDeaf) throw new Error('it does not answer');
    return view;
  };
  const control: VirtualTerminalControl = {
    arm: async () => undefined,
    disarm: async () => undefined,
    look: async () => ({
      view,
      cards: [],
      script: { rules: [], faults: [], playsIssuer: true },
      isAlwaysInHand: false,
    }),
    act: async () => view,
    takeInHand: (seconds) => note(`take ${seconds}`),
    letGo: () => note('let go'),
    watch: () => () => undefined,
  };
  return { control, told };
}

function handOf(control: VirtualTerminalControl, isOwn = true) {
  return createHand({ controlOf: () => control, isOwn: () => isOwn });
}

describe('a payment that begins at the console', () => {
  it('takes the till’s own terminal in hand as long as it runs', async () => {
    const { control, told } = controlThat();
    const result = await handOf(control).during('T1', async () => {
      expect(told).toEqual(['take 300']);
      return 'paid';
    });
    expect(result).toBe('paid');
    expect(told).toEqual(['take 300', 'let go']);
  });

  it('lets go of it when it fails, too', async () => {
    const { control, told } = controlThat();
    await expect(handOf(control).during('T1', () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(told).toEqual(['take 300', 'let go']);
  });

  it('takes no terminal that an option has named: its customer is simulated unless its switch is used', async () => {
    const { control, told } = controlThat();
    await handOf(control, false).during('T1', async () => undefined);
    expect(told).toEqual([]);
  });

  it('lets go only when the last of two has ended', async () => {
    const { control, told } = controlThat();
    const hand = handOf(control);
    let endFirst = (): void => undefined;
    const first = hand.during('T1', () => new Promise<void>((resolve) => (endFirst = resolve)));
    await hand.during('T1', async () => undefined);
    expect(told).not.toContain('let go');
    endFirst();
    await first;
    expect(told.at(-1)).toBe('let go');
  });

  it('runs on a terminal that cannot be told, as it would without anybody', async () => {
    const { control } = controlThat({ isDeaf: true });
    expect(await handOf(control).during('T1', async () => 'paid')).toBe('paid');
  });
});

describe('the switch of the drawn terminal', () => {
  it('keeps the terminal in hand over payments, until it is switched off', async () => {
    const { control, told } = controlThat();
    const hand = handOf(control);
    await hand.hold('T1', control);
    await hand.during('T1', async () => undefined);
    expect(told).toEqual(['take 600']);
    await hand.letGo('T1', control);
    expect(told).toEqual(['take 600', 'let go']);
  });

  it('holds it for another while at each touch, and a touch without it holds nothing', async () => {
    const { control, told } = controlThat();
    const hand = handOf(control);
    await hand.touch('T1', control);
    expect(told).toEqual([]);
    await hand.hold('T1', control);
    await hand.touch('T1', control);
    expect(told).toEqual(['take 600', 'take 600']);
  });

  it('stays off when the terminal did not hear it', async () => {
    const deaf = controlThat({ isDeaf: true });
    const hand = handOf(deaf.control);
    await expect(hand.hold('T1', deaf.control)).rejects.toThrow();
    await hand.touch('T1', deaf.control);
    expect(deaf.told).toEqual(['take 600']);
  });
});
