import { afterEach, describe, expect, it } from 'vitest';
import type { TerminalOutcome } from '../../app/ports/terminal.ts';
import { vector } from '../support/vectors.ts';
import { GO_ONLINE, goOnline, PIN_TAKEN, reply, result, STARTED, WORKING_60 } from './support/frames.ts';
import { createRig, granular, type Rig, type Running } from './support/rig.ts';

let rig: Rig;
afterEach(async () => {
  await rig.terminal.stop();
  await rig.clock.advance(200_000);
  expect(rig.clock.pendingTimers()).toBe(0);
});

const PIN_WANTED = goOnline('42 03 00');

/** The step whose answer a test is about; those before it go well. */
type Step = '60 10' | '60 11' | '62 01';

async function runTo(step: Step, ...frames: readonly Uint8Array[]): Promise<Running> {
  rig = createRig();
  await rig.ready();
  if (step !== '60 10') rig.reader.on('60 10', WORKING_60, STARTED);
  if (step === '62 01') rig.reader.on('60 11', WORKING_60, PIN_WANTED);
  rig.reader.on(step, ...frames);
  return rig.begin();
}

async function endOf(step: Step, ...frames: readonly Uint8Array[]): Promise<TerminalOutcome> {
  const { outcome } = await runTo(step, ...frames);
  await rig.clock.advance(300_000);
  const ended = await outcome;
  await rig.clock.advance(10_000);
  // Whatever ended: no step was sent twice, the reader is free, and 60-12 never went out.
  const commands = rig.reader.commands();
  for (const each of ['60 10', '60 11', '62 01'])
    expect(commands.filter((sent) => sent === each).length).toBeLessThan(2);
  expect(commands).not.toContain('60 12');
  expect(rig.terminal.status().state).toBe('IDLE');
  return ended;
}

describe('A chip that ends before its issuer is asked', () => {
  it.each<[string, Step, Uint8Array[], object]>([
    ['nobody presents a card', '60 10', [WORKING_60, result('00 08')], { kind: 'CANCELLED', reason: 'TIMEOUT' }],
    ['nobody presents a card (chip)', '60 10', [WORKING_60, result('30 06')], { kind: 'CANCELLED', reason: 'TIMEOUT' }],
    [
      'nobody presents a card (status)',
      '60 10',
      [WORKING_60, vector('status-08')],
      { kind: 'CANCELLED', reason: 'TIMEOUT' },
    ],
    ['the cardholder cancels', '60 10', [WORKING_60, result('00 12')], { kind: 'CANCELLED', reason: 'CARDHOLDER' }],
    ['the chip is dead', '60 10', [WORKING_60, result('30 02')], { kind: 'FAILED', errorCode: 'CARD_READ_FAILED' }],
    ['the reader is busy', '60 10', [vector('status-0b')], { kind: 'NOT_STARTED', errorCode: 'TERMINAL_BUSY' }],
    ['the step is not allowed', '60 10', [vector('status-0c')], { kind: 'NOT_STARTED', errorCode: 'TERMINAL_BUSY' }],
    [
      'the command is unknown',
      '60 10',
      [vector('status-02')],
      { kind: 'NOT_STARTED', errorCode: 'OPERATION_NOT_SUPPORTED' },
    ],
    ['the reader is silent', '60 10', [], { kind: 'FAILED', errorCode: 'TERMINAL_ERROR' }],
    ['the reader works for ever', '60 10', [WORKING_60], { kind: 'FAILED', errorCode: 'TERMINAL_ERROR' }],
    ['the card is taken out', '60 11', [WORKING_60, result('30 05')], { kind: 'CANCELLED', reason: 'CARD_REMOVED' }],
    ['the step takes too long', '60 11', [WORKING_60, result('00 08')], { kind: 'CANCELLED', reason: 'TIMEOUT' }],
    [
      'the cardholder cancels later',
      '60 11',
      [WORKING_60, result('00 12')],
      { kind: 'CANCELLED', reason: 'CARDHOLDER' },
    ],
    ['the card declines', '60 11', [WORKING_60, result('00 01')], { kind: 'DECLINED' }],
    ['the card is not accepted', '60 11', [WORKING_60, result('00 06')], { kind: 'DECLINED' }],
    ['the card approves by itself', '60 11', [WORKING_60, result('00 00')], { kind: 'CHIP_APPROVED' }],
    [
      'a result is contradicted',
      '60 11',
      [WORKING_60, reply('60', '00', 'C0 DF EE 25 02 00 00 9F 27 01 00')],
      { kind: 'DECLINED' },
    ],
    [
      'the result is on no list',
      '60 11',
      [WORKING_60, result('77 77')],
      { kind: 'FAILED', errorCode: 'TERMINAL_ERROR' },
    ],
    [
      'the tags make no sense',
      '60 11',
      [WORKING_60, reply('60', '00', 'C0 DF EE 25 02 00')],
      { kind: 'FAILED', errorCode: 'TERMINAL_ERROR' },
    ],
    ['the reader refuses', '60 11', [vector('status-0c')], { kind: 'FAILED', errorCode: 'TERMINAL_ERROR' }],
    ['the reader falls silent', '60 11', [WORKING_60], { kind: 'FAILED', errorCode: 'TERMINAL_ERROR' }],
    [
      'another amount is told',
      '60 11',
      [WORKING_60, reply('60', '00', 'C0 DF EE 25 02 00 04 9F 02 06 00 00 00 00 13 34')],
      { kind: 'FAILED', errorCode: 'TERMINAL_ERROR' },
    ],
    [
      'the PIN is cancelled',
      '62 01',
      [PIN_TAKEN, vector('pin-reply-not-ok')],
      { kind: 'CANCELLED', reason: 'CARDHOLDER' },
    ],
    ['the PIN takes too long', '62 01', [PIN_TAKEN, reply('62', '08')], { kind: 'CANCELLED', reason: 'TIMEOUT' }],
    [
      'there is no PIN key',
      '62 01',
      [PIN_TAKEN, reply('62', '00', '05')],
      { kind: 'FAILED', errorCode: 'TERMINAL_ERROR' },
    ],
    ['there is no keypad', '62 01', [reply('62', '03')], { kind: 'FAILED', errorCode: 'TERMINAL_ERROR' }],
    ['the PIN never comes', '62 01', [PIN_TAKEN], { kind: 'FAILED', errorCode: 'TERMINAL_ERROR' }],
  ])('has its defined end when %s', async (_name, step, frames, expected) => {
    expect(await endOf(step, ...frames)).toMatchObject(expected);
  });

  it.each(
    ['01', '03', '04', '05', '06', '07', '0A', '0D', '10', '1D', '20', '25', '57', '60', '61', '99'].flatMap((status) =>
      (['60 10', '60 11', '62 01'] as const).map((step) => [status, step] as const),
    ),
  )('has a defined end for status %s after %s, and nothing is charged', async (status, step) => {
    const outcome = await endOf(step, reply(step.slice(0, 2), status));
    expect(['FAILED', 'NOT_STARTED']).toContain(outcome.kind);
  });

  it('tells a card that still waits to stop', async () => {
    await endOf('62 01', PIN_TAKEN, vector('pin-reply-not-ok'));
    expect(rig.reader.commands().slice(-2)).toEqual(['62 01', '05 01']);
  });

  it('skips what the reader shows and asks in between', async () => {
    const beside = [
      vector('lcd-lsb'),
      vector('lcd-msb'),
      vector('event-lcd'),
      vector('event-buzzer'),
      vector('status-0e'),
    ];
    rig = createRig();
    await rig.ready();
    rig.reader.on('60 10', ...beside, WORKING_60, ...beside, STARTED);
    rig.reader.on('60 11', ...beside, WORKING_60, ...beside, GO_ONLINE);
    const { outcome } = await rig.begin();
    expect(await outcome).toMatchObject({ kind: 'PENDING_ONLINE' });
  });

  it('hands out nothing when card data come in the clear, and says what to do', async () => {
    const clear = reply('60', '00', 'C0 DF EE 25 02 00 04 5A 08 41 11 11 11 11 11 11 11 9F 27 01 80');
    const outcome = await endOf('60 11', WORKING_60, clear);
    expect(outcome).toMatchObject({
      kind: 'FAILED',
      errorCode: 'CARD_READ_FAILED',
      message: expect.stringMatching(/encryption on/),
    });
    expect(JSON.stringify([outcome, rig.logged, rig.notices])).not.toContain('4111111111111111');
  });

  it('refuses clear data by default even of a reader that says it does not encrypt', async () => {
    expect(await endOf('60 10', WORKING_60, vector('start-reply-plain'))).toMatchObject({
      errorCode: 'CARD_READ_FAILED',
    });
  });

  it('takes clear data where the till is set up for a reader without keys, and keeps them secret', async () => {
    rig = createRig({ encryption: 'AS_ATTRIBUTED' });
    await rig.ready();
    rig.reader.on('60 10', WORKING_60, vector('start-reply-plain'));
    rig.reader.on('60 11', WORKING_60, reply('60', '00', '00 DF EE 25 02 00 04 9F 27 01 80 9F 34 03 1F 03 02'));
    const { outcome } = await rig.begin(granular());
    const pending = await outcome;
    expect(pending).toMatchObject({
      kind: 'PENDING_ONLINE',
      card: { maskedPan: '411111******1111', cvmResult: 'NO_CVM' },
    });
    if (pending.kind !== 'PENDING_ONLINE') return;
    expect(pending.reading?.account.reveal()).toEqual({ kind: 'CLEAR', pan: '4111111111111111' });
    expect(Object.keys(pending.chipData.emvTags)).not.toContain('5A');
    expect(JSON.stringify([pending, rig.logged])).not.toContain('4111111111111111');
  });
});

describe('Unplugged', () => {
  it.each<[Step]>([['60 10'], ['60 11'], ['62 01']])(
    'at %s, nothing was charged and the reader comes back',
    async (step) => {
      const { outcome } = await runTo(step, ...(step === '62 01' ? [PIN_TAKEN] : [WORKING_60]));
      rig.reader.unplug();
      expect(await outcome).toMatchObject({
        kind: 'FAILED',
        errorCode: 'TERMINAL_ERROR',
        message: expect.stringContaining('no money'),
      });
      await rig.clock.advance(5_000);
      expect(rig.terminal.status().state).toBe('IDLE');
      // Ping, 05-01 and the set-up come before anything else on the new connection.
      expect(rig.reader.sent.slice(-4).map((frame) => frame.slice(30, 35))).toEqual([
        '18 01',
        '05 01',
        '29 00',
        '04 00',
      ]);
      expect(rig.reader.connections).toBe(2);
    },
  );
});
