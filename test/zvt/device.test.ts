import { describe, expect, it } from 'vitest';
import { vectorHex } from '../support/vectors.ts';
import { settle } from '../support/zvt-clock.ts';
import { OK, type Script } from '../support/zvt-peer.ts';
import { createRig, never } from '../support/zvt-terminal.ts';

async function rigWith(answers: { readonly [command: string]: Script }) {
  const rig = createRig();
  await rig.ready();
  for (const [command, script] of Object.entries(answers)) rig.peer.on(command, script);
  return rig;
}

describe('the display', () => {
  it('shows lines for whole seconds', async () => {
    const rig = await rigWith({ '06 E0': [OK] });
    await rig.terminal.display({ lines: ['HALLO', 'DU'], duration: 2_500 }, never);
    expect(rig.peer.commands.at(-1)).toBe('06 E0 0F F0 03 F1 F0 F5 48 41 4C 4C 4F F2 F0 F2 44 55');
  });

  it('that a terminal does not have is not supported', async () => {
    const rig = await rigWith({ '06 E0': [vectorHex('portalum-negative-83')] });
    await expect(rig.terminal.display({ lines: ['X'] }, never)).rejects.toMatchObject({
      code: 'OPERATION_NOT_SUPPORTED',
    });
  });
});

describe('an input', () => {
  it.each([
    ['own-key-0d', { status: 'ENTERED', value: 'yes' }],
    ['own-key-18', { status: 'ENTERED', value: 'no' }],
    ['own-key-1b', { status: 'CANCELLED' }],
    ['own-key-6c', { status: 'TIMEOUT' }],
  ])('CONFIRM: %s', async (key, result) => {
    const rig = await rigWith({ '06 E1': [vectorHex(key)] });
    expect(await rig.terminal.input({ prompt: 'Beleg?', inputType: 'CONFIRM' }, never)).toEqual(result);
  });

  it('MENU: the function keys choose', async () => {
    const rig = await rigWith({ '06 E1': [vectorHex('own-key-32')] });
    const request = { prompt: 'Tip?', inputType: 'MENU', options: ['5 %', '10 %'] } as const;
    expect(await rig.terminal.input({ ...request, options: [...request.options] }, never)).toEqual({
      status: 'ENTERED',
      value: '10 %',
      optionIndex: 1,
    });
  });

  it('MENU: a key without an option chooses nothing', async () => {
    const rig = await rigWith({ '06 E1': [vectorHex('own-key-34')] });
    expect(await rig.terminal.input({ prompt: 'Tip?', inputType: 'MENU', options: ['a', 'b'] }, never)).toEqual({
      status: 'CANCELLED',
    });
  });

  it('DIGITS: gives them as text, with their zeros', async () => {
    const rig = await rigWith({ '06 E2': ['80 00 03 30 30 37'] });
    expect(await rig.terminal.input({ prompt: 'Km?', inputType: 'DIGITS', maxLength: 6 }, never)).toEqual({
      status: 'ENTERED',
      value: '007',
    });
    expect(rig.peer.commands.at(-1)).toContain('EB 00 00 00 00 00 00 00 00');
  });

  it('DIGITS: a terminal that wants signed texts is not supported', async () => {
    const rig = await rigWith({ '06 E2': ['84 75 00'] });
    await expect(rig.terminal.input({ prompt: 'Km?', inputType: 'DIGITS' }, never)).rejects.toMatchObject({
      code: 'OPERATION_NOT_SUPPORTED',
    });
  });

  it.each([
    ['TEXT', undefined],
    ['MENU', ['a', 'b', 'c', 'd', 'e']],
  ] as const)('%s that the keys cannot give is refused before a byte is sent', async (inputType, options) => {
    const rig = await rigWith({});
    const before = rig.peer.commands.length;
    const request = { prompt: 'X', inputType, ...(options === undefined ? {} : { options: [...options] }) };
    await expect(rig.terminal.input(request, never)).rejects.toMatchObject({ code: 'OPERATION_NOT_SUPPORTED' });
    expect(rig.peer.commands).toHaveLength(before);
  });

  it.each<[string, Script]>([
    ['one reply for both', ['80 00 00']],
    ['a reply to each', ['80 00 00', { raw: '80 00 01 6C' }]],
    ['a reply and the end of the abort', ['80 00 00', '06 1E 01 6C']],
    ['a refusal', ['84 83 00']],
  ])('that the caller gives up is aborted, and the link is kept (%s)', async (_, answers) => {
    const rig = await rigWith({ '06 E1': [], '06 B0': answers });
    const caller = new AbortController();
    const asked = rig.terminal.input({ prompt: 'X', inputType: 'CONFIRM' }, caller.signal).catch((error) => error);
    await settle();
    caller.abort();
    await rig.clock.advance(1_000);
    expect(await asked).toMatchObject({ code: 'TERMINAL_UNREACHABLE' });
    expect(rig.peer.commands.at(-1)).toBe('06 B0 00');
    await rig.terminal.display({ lines: ['X'] }, never).catch(() => undefined);
    expect(rig.peer.commands.at(-1)).toMatch(/^06 E0/);
    expect(rig.peer.connections()).toBe(1);
  });

  it('that cannot even be aborted costs the link', async () => {
    const rig = await rigWith({ '06 E1': [], '06 B0': [] });
    const caller = new AbortController();
    const asked = rig.terminal.input({ prompt: 'X', inputType: 'CONFIRM' }, caller.signal).catch((error) => error);
    await settle();
    caller.abort();
    await rig.clock.advance(10_000);
    expect(await asked).toMatchObject({ code: 'TERMINAL_UNREACHABLE' });
    expect(rig.peer.connections()).toBe(2);
  });

  it('waits as long as its own time-out, not for T3', async () => {
    const rig = await rigWith({ '06 E1': [] });
    const asked = rig.terminal.input({ prompt: 'X', inputType: 'CONFIRM', timeoutMs: 60_000 }, never);
    await rig.clock.advance(59_000);
    rig.peer.begin(vectorHex('own-key-0d'));
    expect(await asked).toEqual({ status: 'ENTERED', value: 'yes' });
  });
});

describe('printing on the terminal', () => {
  it('sends one text block', async () => {
    const rig = await rigWith({ '06 D3': [OK] });
    await rig.terminal.print(['A', 'B'], never);
    expect(rig.peer.count('06 D3')).toBe(1);
    expect(rig.peer.count('06 D1')).toBe(0);
  });

  it('goes line by line where text blocks are unknown', async () => {
    const rig = await rigWith({ '06 D1': [OK] });
    await rig.terminal.print(['A', 'B'], never);
    expect(rig.peer.commands.slice(-2)).toEqual(['06 D1 02 00 41', '06 D1 02 81 42']);
  });

  it('says when the printer is not ready', async () => {
    const rig = await rigWith({ '06 D3': ['84 CC 00'] });
    await expect(rig.terminal.print(['A'], never)).rejects.toMatchObject({ code: 'TERMINAL_NOT_READY' });
  });
});
