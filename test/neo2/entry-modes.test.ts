import { afterEach, describe, expect, it } from 'vitest';
import {
  dataOf,
  GO_ONLINE,
  PIN_ENTERED,
  PIN_TAKEN,
  reply,
  result,
  STARTED,
  TC,
  WORKING_02,
  WORKING_60,
} from './support/frames.ts';
import { answer, approval, createRig, granular, type Rig } from './support/rig.ts';

let rig: Rig;
afterEach(async () => {
  await rig.terminal.stop();
  await rig.clock.advance(200_000);
  expect(rig.clock.pendingTimers()).toBe(0);
});

const KSN = 'DF EE 12 0A FF FF 98 76 54 32 10 E0 00 02';
const ACCOUNT = '5A A1 08 41 11 CC CC CC CC 11 11 5A C1 10 D8 01 6F 4F DA C4 17 D1 29 25 05 73 39 3C 08 40';
const TRACK =
  '57 A1 13 54 13 33 CC CC CC 88 88 DC CC CC CC CC CC CC CC CC CC CC 57 C1 18 93 7C FD E1 13 AF FF 48 A1 0B 14 2A 5E A0 31 5B 3F 11 72 EC 14 69 88 3F';

/** A tap: result, cryptogram information, how the cardholder was verified. */
function tap(code: string, cryptogram: string, cvm = '1F 03 02', status = '23'): Uint8Array {
  return reply(
    '02',
    status,
    `C1 DF EE 25 02 ${code} ${KSN} ${ACCOUNT} 84 07 A0 00 00 00 04 10 10 9F 27 01 ${cryptogram} 9F 34 03 ${cvm}`,
  );
}
const SWIPE = reply('02', '00', `C8 DF EE 25 02 00 11 ${KSN} ${TRACK}`);

function activations(): readonly string[] {
  return rig.reader.sent.filter((frame) => frame.slice(30, 35) === '02 40').map(dataOf);
}

async function tapped(...frames: readonly Uint8Array[]) {
  rig = createRig();
  await rig.ready();
  rig.reader.on('02 40', WORKING_02, ...frames);
  const running = await rig.begin(granular({ entryMode: 'CONTACTLESS' }));
  return { ...running, ended: await running.outcome };
}

describe('A tap', () => {
  it('waits at the antenna only, and is over with its answer: the issuer alone decides', async () => {
    const { exchange, ended, steps } = await tapped(tap('00 09', '80'));
    expect(activations()[0]).toMatch(/ DF EF 37 01 02 /);
    expect(steps).toEqual(['WAITING_FOR_CARD', 'CARD_DETECTED']);
    expect(ended).toMatchObject({
      kind: 'PENDING_ONLINE',
      card: { entryMode: 'CONTACTLESS', cardScheme: 'MASTERCARD', cryptogramType: 'ARQC', cvmResult: 'NO_CVM' },
      chipData: {
        emvTags: { DFEE12: 'FFFF9876543210E00002' },
        encryptedPinBlock: null,
        pinKsn: null,
        pinBlockFormat: null,
      },
    });
    // The card is gone: a cable pulled now changes nothing.
    rig.reader.unplug();
    expect(await exchange.complete?.(approval)).toMatchObject({
      kind: 'APPROVED',
      card: { authorizationCode: 'A1B2C3' },
    });
    expect(rig.reader.commands()).not.toContain('60 12');
  });

  it.each([
    ['51', { kind: 'DECLINED', card: { responseCode: '51' } }],
    ['Z3', { kind: 'DECLINED' }],
    ['09', { kind: 'UNKNOWN' }],
  ])('ends by the code %s', async (code, expected) => {
    const { exchange } = await tapped(tap('00 09', '80'));
    expect(await exchange.complete?.(answer(code))).toMatchObject(expected);
  });

  it('goes online by its status where no result is told', async () => {
    const { ended } = await tapped(reply('02', '23', `C1 ${KSN} ${ACCOUNT} 9F 27 01 80`));
    expect(ended).toMatchObject({ kind: 'PENDING_ONLINE' });
  });

  it("names the cardholder's own device as what verified him", async () => {
    const { ended } = await tapped(tap('00 09', '80', '01 00 02'));
    expect(ended).toMatchObject({ kind: 'PENDING_ONLINE', card: { cvmResult: 'CDCVM' } });
  });

  it('asks for the PIN where the issuer is to check it', async () => {
    rig = createRig();
    await rig.ready();
    rig.reader.on('02 40', WORKING_02, tap('00 09', '80', '02 00 00'));
    rig.reader.on('62 01', PIN_TAKEN, PIN_ENTERED);
    const { outcome, steps } = await rig.begin(granular({ entryMode: 'CONTACTLESS' }));
    expect(await outcome).toMatchObject({ kind: 'PENDING_ONLINE', chipData: { pinBlockFormat: 'ISO_0' } });
    expect(steps).toEqual(['WAITING_FOR_CARD', 'CARD_DETECTED', 'PIN_REQUIRED']);
  });

  it('that approves by itself is no payment, and one that declines is declined', async () => {
    expect((await tapped(tap('00 00', '40', '1F 03 02', '00'))).ended).toMatchObject({ kind: 'CHIP_APPROVED' });
    await rig.terminal.stop();
    expect((await tapped(tap('00 01', '00', '1F 03 02', '00'))).ended).toMatchObject({ kind: 'DECLINED' });
  });

  it('that fails says so', async () => {
    const fault = reply('02', '0A', 'C1 FF EE 1F 04 20 00 00 0E');
    expect((await tapped(fault)).ended).toMatchObject({ kind: 'FAILED', errorCode: 'CARD_READ_FAILED' });
    await rig.terminal.stop();
    expect((await tapped(reply('02', '08'))).ended).toMatchObject({ kind: 'CANCELLED', reason: 'TIMEOUT' });
  });
});

describe('Any way of reading', () => {
  it('takes every interface, and a seated chip goes on with 60-11', async () => {
    rig = createRig();
    await rig.ready();
    rig.reader.on('02 40', WORKING_02, reply('02', '00', 'C0 DF EE 25 02 00 10'));
    rig.reader.on('60 11', WORKING_60, GO_ONLINE);
    rig.reader.on('60 12', WORKING_60, TC);
    const { exchange, outcome } = await rig.begin(granular({ entryMode: 'AUTO' }));
    expect(activations()[0]).toBe(
      '3C 9C 01 00 9F 02 06 00 00 00 00 12 34 9F 03 06 00 00 00 00 00 00 5F 2A 02 09 78 DF EF 37 01 07 DF EF 3C 03 01 00 78',
    );
    expect(await outcome).toMatchObject({ kind: 'PENDING_ONLINE', card: { entryMode: 'CONTACT' } });
    expect(await exchange.complete?.(approval)).toMatchObject({ kind: 'APPROVED' });
    expect(rig.reader.commands()).toEqual(['05 01', '02 40', '60 11', '60 12']);
  });

  it('takes a swipe: the account is its track, and the issuer decides', async () => {
    rig = createRig();
    await rig.ready();
    rig.reader.on('02 40', WORKING_02, SWIPE);
    const { exchange, outcome } = await rig.begin(granular({ entryMode: 'AUTO' }));
    const pending = await outcome;
    expect(pending).toMatchObject({
      kind: 'PENDING_ONLINE',
      card: { entryMode: 'MAGSTRIPE', maskedPan: '541333******8888', cardScheme: 'MASTERCARD' },
    });
    if (pending.kind === 'PENDING_ONLINE')
      expect(pending.reading?.account.reveal()).toMatchObject({ panEncrypted: expect.stringMatching(/^937CFDE1/) });
    expect(await exchange.complete?.(approval)).toMatchObject({ kind: 'APPROVED' });
  });

  it.each([
    ['60 10', '00 07'],
    ['60 10', '30 04'],
    ['60 11', '00 07'],
  ])('swipes a card whose chip fails at %s with %s', async (step, code) => {
    rig = createRig();
    await rig.ready();
    if (step === '60 11') rig.reader.on('60 10', WORKING_60, STARTED);
    rig.reader.on(step, WORKING_60, result(code));
    rig.reader.on('02 40', WORKING_02, SWIPE);
    const { outcome } = await rig.begin();
    expect(await outcome).toMatchObject({ kind: 'PENDING_ONLINE', card: { entryMode: 'FALLBACK' } });
    expect(activations()).toHaveLength(1);
    expect(activations()[0]).toMatch(/ DF EF 37 01 01$/);
  });

  it('falls back once', async () => {
    rig = createRig();
    await rig.ready();
    rig.reader.on('60 10', WORKING_60, result('00 07'));
    rig.reader.on('02 40', WORKING_02, reply('02', '00', 'C0 DF EE 25 02 00 07'));
    const { outcome } = await rig.begin();
    expect(await outcome).toMatchObject({ kind: 'FAILED', errorCode: 'CARD_READ_FAILED' });
    expect(activations()).toHaveLength(1);
  });
});

describe('Reading a card', () => {
  it('asks for no money, and lets a seated chip go', async () => {
    rig = createRig();
    await rig.ready();
    rig.reader.on(
      '02 40',
      WORKING_02,
      reply('02', '00', `C0 DF EE 25 02 00 10 ${KSN} ${ACCOUNT} 84 07 A0 00 00 00 03 10 10`),
    );
    const { outcome } = await rig.begin({ transactionId: 'T2', operation: 'CARD_READ', entryMode: 'AUTO' });
    expect(await outcome).toEqual({
      kind: 'APPROVED',
      card: { maskedPan: '4111********1111', entryMode: 'CONTACT', aid: 'A0000000031010', cardScheme: 'VISA' },
      reference: {},
      receipts: [],
    });
    await rig.clock.advance(1_000);
    expect(activations()[0]).toMatch(/9F 02 06 00 00 00 00 00 00 /);
    expect(rig.reader.commands()).toEqual(['05 01', '02 40', '05 01']);
  });
});
