import { afterEach, describe, expect, it } from 'vitest';
import {
  dataOf,
  GO_ONLINE,
  GO_ONLINE_WITH_PIN,
  PIN_ENTERED,
  PIN_TAKEN,
  STARTED,
  TC,
  WORKING_60,
} from './support/frames.ts';
import { approval, createRig, granular, type Rig, settle } from './support/rig.ts';

let rig: Rig;
afterEach(async () => {
  await rig.terminal.stop();
  await rig.clock.advance(10_000);
  expect(rig.clock.pendingTimers()).toBe(0);
});

/** 60-10, 60-11 and 62-01 answered as a chip with online PIN answers them. */
function chipWithPin({ reader }: Rig): void {
  reader.on('60 10', WORKING_60, STARTED);
  reader.on('60 11', WORKING_60, GO_ONLINE_WITH_PIN);
  reader.on('62 01', PIN_TAKEN, PIN_ENTERED);
}

describe('A chip sale with online PIN', () => {
  it('runs from the card to its issuer and back', async () => {
    rig = createRig();
    await rig.ready();
    chipWithPin(rig);
    rig.reader.on('60 12', WORKING_60, TC);
    const { exchange, outcome, steps } = await rig.begin(granular({ amountMinor: 200 }));
    const pending = await outcome;
    expect(pending.kind).toBe('PENDING_ONLINE');
    if (pending.kind !== 'PENDING_ONLINE') return;
    expect(steps).toEqual(['WAITING_FOR_CARD', 'CARD_DETECTED', 'PIN_REQUIRED']);
    expect(pending.chipData).toMatchObject({
      encryptedPinBlock: '1B9C1845EB993A7A',
      pinKsn: 'FFFF9876543210E00001',
      pinBlockFormat: 'ISO_0',
    });
    expect(pending.chipData.emvTags).toMatchObject({
      '5A': 'D8016F4FDAC417D129250573393C0840',
      '57': '937CFDE113AFFF48A10B142A5EA0315B3F1172EC1469883F',
      DFEE12: 'FFFF9876543210E00001',
      '9F26': '0102030405060708',
      '9F27': '80',
      '9F34': '420300',
    });
    expect(pending.card).toEqual({
      cardScheme: 'VISA',
      maskedPan: '4111********1111',
      entryMode: 'CONTACT',
      aid: 'A0000000031010',
      applicationLabel: 'VISA',
      cryptogramType: 'ARQC',
      tvr: '8000008000',
      cvmResult: 'ONLINE_PIN',
    });
    expect(pending.reading?.pinKeyScheme).toBe('TDES_DUKPT');
    expect(pending.reading?.account.reveal()).toEqual({
      kind: 'ENCRYPTED',
      panEncrypted: 'D8016F4FDAC417D129250573393C0840',
      ksn: 'FFFF9876543210E00001',
      keyScheme: 'TDES_DUKPT',
    });
    const completed = await exchange.complete?.(approval);
    expect(completed).toMatchObject({
      kind: 'APPROVED',
      card: { cryptogramType: 'TC', responseCode: '00', authorizationCode: 'A1B2C3', maskedPan: '4111********1111' },
    });
    expect(rig.reader.commands()).toEqual(['05 01', '60 10', '60 11', '62 01', '60 12']);
    await settle();
    expect(rig.terminal.status().state).toBe('IDLE');
  });

  it('sends the bytes that the guide and the logs show', async () => {
    rig = createRig({ currency: 'USD', currencyNumeric: '840' });
    await rig.ready();
    chipWithPin(rig);
    rig.reader.on('60 12', WORKING_60, TC);
    const { exchange, outcome } = await rig.begin(granular({ amountMinor: 200, currency: 'USD' }));
    await outcome;
    await exchange.complete?.(approval);
    const [start = '', authenticate = '', pin = '', apply = ''] = rig.reader.sent.slice(-4);
    // As start-contact-lsb, but for the 60 seconds of the card.
    expect(dataOf(start)).toBe(
      '01 00 3C 00 78 9C 01 00 5F 57 01 00 9F 02 06 00 00 00 00 02 00 9F 03 06 00 00 00 00 00 00 5F 2A 02 08 40',
    );
    expect(authenticate).toBe('56 69 56 4F 74 65 63 68 32 00 60 11 00 03 00 00 78 F3 46');
    expect(dataOf(pin)).toBe('01 00 0C 04 09 45 4E 54 45 52 20 50 49 4E');
    expect(apply).toBe(
      '56 69 56 4F 74 65 63 68 32 00 60 12 00 11 01 8A 02 30 30 91 0A 11 22 33 44 55 66 77 88 30 30 F3 1C',
    );
  });

  it.each([1, 2, 7, 63])('comes to the same end when every frame arrives in pieces of %i bytes', async (byteCount) => {
    rig = createRig();
    rig.reader.cutInto(byteCount);
    await rig.ready();
    chipWithPin(rig);
    rig.reader.on('60 12', WORKING_60, TC);
    const { exchange, outcome } = await rig.begin(granular({ amountMinor: 200 }));
    expect((await outcome).kind).toBe('PENDING_ONLINE');
    expect((await exchange.complete?.(approval))?.kind).toBe('APPROVED');
  });

  it('tells the card of a refund and of cash-back', async () => {
    rig = createRig();
    await rig.ready();
    for (const command of [
      granular({ type: 'REFUND' }),
      granular({ amountMinor: 6000, cashbackAmountMinor: 5000 }),
      granular({ type: 'PRE_AUTH' }),
    ]) {
      rig.reader.on('60 10', WORKING_60, STARTED);
      rig.reader.on('60 11', WORKING_60, GO_ONLINE);
      const { exchange, outcome } = await rig.begin(command);
      await outcome;
      exchange.discard();
      await rig.clock.advance(1_000);
    }
    const starts = rig.reader.sent.filter((frame) => frame.includes('00 60 10 00')).map(dataOf);
    expect(starts.map((data) => data.slice(15))).toEqual([
      '9C 01 20 5F 57 01 00 9F 02 06 00 00 00 00 12 34 9F 03 06 00 00 00 00 00 00 5F 2A 02 09 78',
      '9C 01 09 5F 57 01 00 9F 02 06 00 00 00 00 60 00 9F 03 06 00 00 00 00 50 00 5F 2A 02 09 78',
      '9C 01 00 5F 57 01 00 9F 02 06 00 00 00 00 12 34 9F 03 06 00 00 00 00 00 00 5F 2A 02 09 78',
    ]);
  });
});
