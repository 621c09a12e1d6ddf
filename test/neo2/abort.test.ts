import { afterEach, describe, expect, it } from 'vitest';
import { vector } from '../support/vectors.ts';
import { GO_ONLINE, goOnline, PIN_TAKEN, reply, result, STARTED, WORKING_60 } from './support/frames.ts';
import { createRig, granular, never, type Rig, settle } from './support/rig.ts';

let rig: Rig;
afterEach(async () => {
  await rig.terminal.stop();
  await rig.clock.advance(200_000);
  expect(rig.clock.pendingTimers()).toBe(0);
});

const cancelled = { kind: 'CANCELLED', reason: 'POS_REQUEST' };
const CANCEL_DONE = vector('cancel-reply');

async function runTo(step: '60 10' | '60 11' | '62 01') {
  rig = createRig();
  await rig.ready();
  if (step !== '60 10') rig.reader.on('60 10', WORKING_60, STARTED);
  if (step === '62 01') rig.reader.on('60 11', WORKING_60, goOnline('42 03 00'));
  rig.reader.on(step, step === '62 01' ? PIN_TAKEN : WORKING_60);
  return rig.begin();
}

describe('An abort', () => {
  it.each(['60 10', '60 11', '62 01'] as const)('ends what waits at %s by 05-01', async (step) => {
    const { exchange, outcome } = await runTo(step);
    expect(await exchange.requestAbort()).toBe('REQUESTED');
    expect(await outcome).toMatchObject(cancelled);
    await rig.clock.advance(1_000);
    expect(rig.reader.commands().slice(-2)).toEqual([step, '05 01']);
    expect(rig.terminal.status().state).toBe('IDLE');
  });

  it('before anything was sent ends without a byte', async () => {
    rig = createRig();
    await rig.ready();
    const exchange = await rig.terminal.prepare(granular(), never);
    const before = rig.reader.sent.length;
    expect(await exchange.requestAbort()).toBe('REQUESTED');
    expect(await exchange.run({ onProgress: () => undefined, onProvisional: async () => undefined })).toMatchObject(
      cancelled,
    );
    expect(rig.reader.sent).toHaveLength(before);
  });

  it.each([
    ['its own end', result('00 12')],
    ['the question for its issuer', GO_ONLINE],
    ['a decline', result('00 01')],
  ])('ends the payment although the card answered before it with %s', async (_name, frame) => {
    const { exchange, outcome } = await runTo('60 11');
    rig.reader.on('05 01', frame, CANCEL_DONE);
    expect(await exchange.requestAbort()).toBe('REQUESTED');
    expect(await outcome).toMatchObject(cancelled);
    await rig.clock.advance(1_000);
    expect(rig.reader.commands()).not.toContain('62 01');
  });

  it('does not hide that the chip had approved', async () => {
    const { exchange, outcome } = await runTo('60 11');
    rig.reader.on('05 01', result('00 00'), CANCEL_DONE);
    await exchange.requestAbort();
    expect(await outcome).toMatchObject({ kind: 'CHIP_APPROVED' });
  });

  it('that the reader refuses is too late, and the payment goes on', async () => {
    const { exchange, outcome } = await runTo('60 11');
    rig.reader.on('05 01', reply('05', '0B'));
    expect(await exchange.requestAbort()).toBe('TOO_LATE');
    rig.reader.say(GO_ONLINE);
    expect(await outcome).toMatchObject({ kind: 'PENDING_ONLINE' });
  });

  it('without an answer closes the line: nothing may be sent before it', async () => {
    const { exchange, outcome } = await runTo('60 10');
    rig.reader.on('05 01', WORKING_60);
    const asked = exchange.requestAbort();
    await rig.clock.advance(4_000);
    expect(await asked).toBe('REQUESTED');
    expect(await outcome).toMatchObject(cancelled);
    await rig.clock.advance(5_000);
    expect(rig.reader.connections).toBe(2);
  });

  it('leaves no answer behind that the next payment could take for its own', async () => {
    const first = await runTo('60 10');
    await first.exchange.requestAbort();
    await first.outcome;
    // Late: after 05 00, before the next payment and in it.
    rig.reader.say(STARTED);
    await rig.clock.advance(1_000);
    rig.reader.on('60 10', STARTED, WORKING_60);
    const next = await rig.begin();
    expect(rig.reader.commands()).not.toContain('60 11');
    rig.reader.say(result('00 12'));
    expect(await next.outcome).toMatchObject({ kind: 'CANCELLED', reason: 'CARDHOLDER' });
  });

  it('keeps the next payment from its step until the cancellation is answered', async () => {
    const first = await runTo('60 10');
    rig.reader.on('05 01', WORKING_60);
    void first.exchange.requestAbort();
    const next = rig.begin();
    await settle();
    expect(rig.reader.commands().filter((sent) => sent === '60 10')).toHaveLength(1);
    expect(rig.reader.commands().at(-1)).toBe('05 01');
    rig.reader.say(CANCEL_DONE);
    await rig.clock.advance(500);
    rig.reader.say(WORKING_60, result('00 08'));
    expect(await (await next).outcome).toMatchObject({ kind: 'CANCELLED', reason: 'TIMEOUT' });
  });
});
