import { afterEach, describe, expect, it } from 'vitest';
import type { InputRequest } from '../../app/contract/device.ts';
import { vector } from '../support/vectors.ts';
import { dataOf, reply } from './support/frames.ts';
import { createRig, never, type Rig, settle } from './support/rig.ts';

let rig: Rig;
afterEach(async () => {
  await rig.terminal.stop();
  await rig.clock.advance(200_000);
  expect(rig.clock.pendingTimers()).toBe(0);
});

const TAKEN = vector('pin-ack');
/** 62-04: state, digits, filled with F to sixteen. */
function amount(digits: string): Uint8Array {
  const text = digits.padEnd(16, 'F');
  return reply('62', '00', `00 ${[...text].map((each) => each.charCodeAt(0).toString(16)).join(' ')}`);
}

async function asked(request: InputRequest, command: string, ...frames: readonly Uint8Array[]) {
  rig = createRig();
  await rig.ready();
  rig.reader.on(command, ...frames);
  const answer = rig.terminal.input(request, never);
  answer.catch(() => undefined);
  await rig.clock.advance(60_000);
  return answer;
}

const tip: InputRequest = { prompt: 'TIP', inputType: 'DECIMAL', minLength: 2, maxLength: 6 };

describe('A question at the keypad', () => {
  it('takes an amount as a decimal number', async () => {
    expect(await asked(tip, '62 04', TAKEN, amount('1250'))).toEqual({ status: 'ENTERED', value: '12.50' });
    expect(dataOf(rig.reader.sent.find((frame) => frame.slice(30, 35) === '62 04') ?? '')).toBe('00 06 02 54 49 50');
    await rig.terminal.stop();
    expect(await asked(tip, '62 04', TAKEN, amount('5'))).toEqual({ status: 'ENTERED', value: '0.05' });
  });

  it('takes digits as they were typed', async () => {
    const request: InputRequest = { prompt: 'TABLE', inputType: 'DIGITS' };
    expect(await asked(request, '62 04', TAKEN, amount('0042'))).toEqual({ status: 'ENTERED', value: '0042' });
  });

  it.each([
    ['function-key-reply-enter', { status: 'ENTERED', value: 'yes' }],
    ['function-key-reply-f1', { status: 'CANCELLED' }],
  ])('takes a key as a confirmation (%s)', async (id, expected) => {
    expect(await asked({ prompt: 'OK?', inputType: 'CONFIRM' }, '62 02', TAKEN, vector(id))).toEqual(expected);
  });

  it('ends without an entry when the person cancels or does nothing', async () => {
    expect(await asked(tip, '62 04', TAKEN, reply('62', '00', '01'))).toEqual({ status: 'CANCELLED' });
    await rig.terminal.stop();
    expect(await asked(tip, '62 04', TAKEN, reply('62', '08'))).toEqual({ status: 'TIMEOUT' });
    await rig.terminal.stop();
    expect(await asked(tip, '62 04', TAKEN)).toEqual({ status: 'TIMEOUT' });
    expect(rig.reader.commands().slice(-2)).toEqual(['62 04', '05 01']);
  });

  it('says that a reader without keys has none', async () => {
    await expect(asked(tip, '62 04', reply('62', '03'))).rejects.toMatchObject({ code: 'OPERATION_NOT_SUPPORTED' });
  });

  it('is ended when the caller gives up', async () => {
    rig = createRig();
    await rig.ready();
    rig.reader.on('62 04', TAKEN);
    const caller = new AbortController();
    const answer = rig.terminal.input(tip, caller.signal);
    await settle();
    expect(rig.terminal.status().state).toBe('BUSY');
    caller.abort();
    expect(await answer).toEqual({ status: 'CANCELLED' });
    await rig.clock.advance(1_000);
    expect(rig.terminal.status().state).toBe('IDLE');
  });

  it.each<[InputRequest, string]>([
    [{ prompt: 'x', inputType: 'MENU', options: ['a', 'b'] }, 'inputType'],
    [{ prompt: 'x', inputType: 'TEXT' }, 'inputType'],
    [{ prompt: 'x', inputType: 'SIGNATURE' }, 'inputType'],
    [{ prompt: 'longer than sixteen', inputType: 'DIGITS' }, 'prompt'],
    [{ prompt: 'Größe', inputType: 'DIGITS' }, 'prompt'],
    [{ prompt: 'x', inputType: 'DIGITS', minLength: 16 }, 'minLength'],
  ])('%o cannot be asked, and no byte is sent', async (request, field) => {
    rig = createRig();
    await rig.ready();
    const before = rig.reader.sent.length;
    await expect(rig.terminal.input(request, never)).rejects.toMatchObject({ code: 'OPERATION_NOT_SUPPORTED', field });
    expect(rig.reader.sent).toHaveLength(before);
  });
});
