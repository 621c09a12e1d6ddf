// Every message that the host sends, byte by byte, and what it makes of the answer. Both sides are written by hand.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeCardData } from '../../app/domain/card-data.ts';
import type { AuthorizeMessage, FollowUpMessage } from '../../host/ports/acquirer.ts';
import { followUp, held, originalOf, patient, preAuth, purchase, reversal, shop } from './support/acquirer-messages.ts';
import { type IsoLine, openIsoLine } from './support/iso-line.ts';
import { hexOf } from './support/scripted-acquirer.ts';

let line: IsoLine;
beforeEach(async () => {
  line = await openIsoLine();
  await line.signOn();
});
afterEach(() => line.stop());

/** DE 32, 37, 41 and 42 of this host; the number is the trace. */
const acquirerId = '"06" "123456"';
const rrn = (stan: string) => `"000000${stan}"`;
const terminal = '"T-1     "';
const acceptor = `${terminal} "M-1            "`;
/** DE 7, 11, 12, 13 of the message with this number, which was sent in second number. */
const times = (stan: string) => `"11281115${stan.slice(4)}" "${stan}" "1115${stan.slice(4)}" "1128"`;
/** DE 90: the original, this acquirer, no forwarder. */
const original = (mti: string, stan: string) =>
  `"${mti}" "${stan}" "11281115${stan.slice(4)}" "00000123456" "00000000000"`;
/** Fields 3, 4, 7, 11, 37, 38, 39, 41, 49. */
const answer = (mti: string, stan: string, rest: { code?: string; processing?: string; amount?: string } = {}) => {
  const { code = '00', processing = '000000', amount = '000000001000' } = rest;
  return `"${mti}" 32 20 00 00 0E 80 80 00 "${processing}" "${amount}" "11281115${stan.slice(4)}" "${stan}" ${rrn(stan)} "A1B2C3" "${code}" ${terminal} "978"`;
};

/** Sends, holds the bytes against what was written down, answers, and returns the reply. */
async function exchange<Reply>(replying: Promise<Reply>, expected: string, told: string): Promise<Reply> {
  expect(await line.scripted.next()).toBe(hexOf(expected));
  line.scripted.say(told);
  return replying;
}

const authorize = (message: AuthorizeMessage, isRepeat = false) =>
  line.acquirer.authorize(message, patient({ isRepeat }));

describe('an authorization', () => {
  it('that captures at once is 0200', async () => {
    const reply = await exchange(
      authorize(purchase(line.trace())),
      `"0200" 32 38 00 81 08 C0 80 00 "000000" "000000001000" ${times('000001')} "00" ${acquirerId} ${rrn('000001')} ${acceptor} "978"`,
      answer('0210', '000001'),
    );
    expect(reply).toEqual({
      kind: 'ANSWERED',
      answer: {
        responseCode: '00',
        authorizationCode: 'A1B2C3',
        rrn: '000000000001',
        echo: { operation: 'purchase', amountMinor: 1000, currencyCode: 'EUR', terminalId: 'T-1' },
      },
    });
  });

  it('that holds is 0100; a pre-authorization says so in DE 25', async () => {
    const expected = (stan: string, condition: string) =>
      `"0100" 32 38 00 81 08 C0 80 00 "000000" "000000001000" ${times(stan)} "${condition}" ${acquirerId} ${rrn(stan)} ${acceptor} "978"`;
    await exchange(authorize(held(line.trace())), expected('000001', '00'), answer('0110', '000001'));
    const reply = await exchange(authorize(preAuth(line.trace())), expected('000002', '06'), answer('0110', '000002'));
    expect(reply).toMatchObject({ answer: { echo: { operation: 'pre_auth' } } });
  });

  it('with cash-back has processing code 09 and the cash-back in DE 54', async () => {
    await exchange(
      authorize(purchase(line.trace(), { amountMinor: 1600, tipMinor: 100, cashbackMinor: 500 })),
      `"0200" 32 38 00 81 08 C0 84 00 "090000" "000000001600" ${times('000001')} "00" ${acquirerId} ${rrn('000001')} ${acceptor} "978" "020" "0040978D000000000500"`,
      answer('0210', '000001', { processing: '090000', amount: '000000001600' }),
    );
  });

  it('of a refund has processing code 20, and names its original', async () => {
    const sale = purchase(line.trace());
    const refund = purchase(line.trace(), {
      operation: 'refund',
      amountMinor: 400,
      original: originalOf(sale, 'AUTHORIZE', 'A1B2C3'),
    });
    await exchange(
      authorize(refund),
      `"0200" B2 38 00 81 0C C0 80 00 00 00 00 40 00 00 00 00 "200000" "000000000400" ${times('000002')} "00" ${acquirerId} ${rrn('000002')} "A1B2C3" ${acceptor} "978" ${original('0200', '000001')}`,
      answer('0210', '000002', { processing: '200000', amount: '000000000400' }),
    );
  });

  it('again is a repeat, otherwise the same', async () => {
    const expected = (mti: string) =>
      `"${mti}" 32 38 00 81 08 C0 80 00 "000000" "000000001000" ${times('000001')} "00" ${acquirerId} ${rrn('000001')} ${acceptor} "978"`;
    const message = held(line.trace());
    await exchange(authorize(message), expected('0100'), answer('0110', '000001'));
    await exchange(authorize(message, true), expected('0101'), answer('0110', '000001'));
  });

  it('in yen carries yen, and one in dinars carries fils', async () => {
    for (const [stan, currencyCode, amountMinor, number, told] of [
      ['000001', 'JPY', 500, '392', '000000000500'],
      ['000002', 'KWD', 92_000, '414', '000000092000'],
    ] as const) {
      await exchange(
        authorize(purchase(line.trace(), { currencyCode, amountMinor })),
        `"0200" 32 38 00 81 08 C0 80 00 "000000" "${told}" ${times(stan)} "00" ${acquirerId} ${rrn(stan)} ${acceptor} "${number}"`,
        answer('0210', stan),
      );
    }
  });

  it('carries clear account data, PIN and chip where they belong, and gives the issuer’s data back', async () => {
    const { cardData } = takeCardData({
      deviceId: 'D-1',
      terminalId: 'T-1',
      amount: 1000,
      currencyCode: 'EUR',
      entryMode: 'CONTACT',
      track2: '4761739001010119D22122011758928889F',
      emvTlv: {
        '5A': '4761739001010119',
        '5F24': '221231',
        '5F34': '01',
        '9F26': '0102030405060708',
        '5F20': '434152442F54455354',
      },
      pinBlock: '0123456789abcdef',
      ksn: 'FFFF9876543210E00001',
      pinBlockFormat: 'ISO-0',
      pinKeyScheme: 'TDES_DUKPT',
    });
    const reply = await exchange(
      authorize(purchase(line.trace(), { cardData, entryMode: 'CONTACT', chipTags: { '9F36': '0007' } })),
      `"0200" 72 3C 06 81 28 C0 92 10 "16" "4761739001010119" "000000" "000000001000" ${times('000001')} "2212" "051" "001" "00" ${acquirerId}
       "34" "4761739001010119=22122011758928889" ${rrn('000001')} ${acceptor} "978" 01 23 45 67 89 AB CD EF
       "016" 9F 36 02 00 07 9F 26 08 01 02 03 04 05 06 07 08 "037" "TDES_DUKPT:FFFF9876543210E00001:ISO-0"`,
      `"0210" 32 20 00 00 0E 80 82 00 "000000" "000000001000" "1128111501" "000001" ${rrn('000001')} "A1B2C3" "00" ${terminal} "978"
       "023" 91 0A 11 22 33 44 55 66 77 88 30 30 71 04 86 02 AA BB 72 03 01 02 03`,
    );
    expect(reply).toMatchObject({
      answer: { issuerAuthData: '11223344556677883030', issuerScript71: '8602AABB', issuerScript72: '010203' },
    });
  });

  it('carries account data that the device has encrypted, with their key, and no clear ones', async () => {
    const { cardData } = takeCardData({
      deviceId: 'D-1',
      terminalId: 'T-1',
      amount: 1000,
      currencyCode: 'EUR',
      entryMode: 'CONTACTLESS',
      panEncrypted: 'c0ffee00c0ffee01',
      accountDataKsn: 'FFFF9876543210E00002',
      accountDataKeyScheme: 'AES_DUKPT',
    });
    await exchange(
      authorize(purchase(line.trace(), { cardData, entryMode: 'CONTACTLESS' })),
      `"0200" 32 38 04 81 08 C0 80 06 "000000" "000000001000" ${times('000001')} "071" "00" ${acquirerId} ${rrn('000001')} ${acceptor} "978"
       "030" "AES_DUKPT:FFFF9876543210E00002" "008" C0 FF EE 00 C0 FF EE 01`,
      answer('0210', '000001'),
    );
  });
});

describe('what follows an authorization', () => {
  const hold = () => held(line.trace());
  const of = (message: AuthorizeMessage) => originalOf(message, 'AUTHORIZE', 'A1B2C3');
  /** Fields 3, 4, 7, 11, 12, 13, 25, 32, 37, 38, 41, 42, 49, 90. */
  const act = (mti: string, processing: string, amount: string, originalMti = '0100') =>
    `"${mti}" B2 38 00 81 0C C0 80 00 00 00 00 40 00 00 00 00 "${processing}" "${amount}" ${times('000002')} "00" ${acquirerId} ${rrn('000002')} "A1B2C3" ${acceptor} "978" ${original(originalMti, '000001')}`;
  const next = (message: AuthorizeMessage, amountMinor: number): FollowUpMessage =>
    followUp(line.trace(), message, { original: of(message), amountMinor });

  it('is 0220 for a capture, and 0221 when it is repeated', async () => {
    const message = next(hold(), 700);
    const told = answer('0230', '000002', { amount: '000000000700' });
    const reply = await exchange(
      line.acquirer.capture(message, patient()),
      act('0220', '000000', '000000000700'),
      told,
    );
    expect(reply).toMatchObject({
      kind: 'ANSWERED',
      answer: { responseCode: '00', echo: { amountMinor: 700, operation: 'purchase' } },
    });
    await exchange(
      line.acquirer.capture(message, patient({ isRepeat: true })),
      act('0221', '000000', '000000000700'),
      told,
    );
  });

  it('is 0220 with processing code 02 for a tip', async () => {
    const told = answer('0230', '000002', { amount: '000000001200', processing: '020000' });
    const reply = await exchange(
      line.acquirer.adjustTip(next(hold(), 1200), patient()),
      act('0220', '020000', '000000001200'),
      told,
    );
    expect(reply).toMatchObject({ answer: { responseCode: '00', echo: { amountMinor: 1200 } } });
  });

  it('is 0400 for a void: one that the acquirer may refuse', async () => {
    const expected = act('0400', '000000', '000000001000', '0200')
      .replace('B2 38 00 81', 'B2 38 00 01')
      .replace('"1128" "00"', '"1128"');
    const message = purchase(line.trace());
    const reply = await exchange(
      line.acquirer.void(next(message, 1000), patient()),
      expected,
      answer('0410', '000002', { code: '12' }),
    );
    expect(reply).toMatchObject({ kind: 'ANSWERED', answer: { responseCode: '12' } });
  });

  it('is 0200 with processing code 20 for a refund', async () => {
    const message = purchase(line.trace());
    const told = answer('0210', '000002', { amount: '000000000300', processing: '200000' });
    const reply = await exchange(
      line.acquirer.refund(next(message, 300), patient()),
      act('0200', '200000', '000000000300', '0200'),
      told,
    );
    expect(reply).toMatchObject({ answer: { echo: { operation: 'refund', amountMinor: 300 } } });
  });
});

describe('a reversal', () => {
  /** Fields 3, 4, 7, 11, 12, 13, 32, 37, 39, 41, 42, 49, 90. */
  const expected = (mti: string, code: string, originalMti: string, processing = '000000') =>
    `"${mti}" B2 38 00 01 0A C0 80 00 00 00 00 40 00 00 00 00 "${processing}" "000000001000" ${times('000002')} ${acquirerId} ${rrn('000002')} "${code}" ${acceptor} "978" ${original(originalMti, '000001')}`;

  it('is 0420, and 0421 with the same numbers and original when it is repeated', async () => {
    const message = reversal(
      { ...line.trace(), ...line.trace() },
      originalOf(purchase({ ...line.trace(), stan: 1, sentAtMs: Date.UTC(2026, 10, 28, 11, 15, 1) })),
    );
    const lost = line.acquirer.reverse(message, patient({ timeoutMs: 1000 }));
    expect(await line.scripted.next()).toBe(hexOf(expected('0420', '68', '0200')));
    await line.clock.advance(1000);
    expect(await lost).toEqual({ kind: 'LOST', reason: 'TIMEOUT' });
    for (let repeat = 0; repeat < 2; repeat++) {
      const reply = await exchange(
        line.acquirer.reverse(message, patient({ isRepeat: true })),
        expected('0421', '68', '0200'),
        answer('0430', '000002'),
      );
      expect(reply).toEqual({ kind: 'CONFIRMED' });
    }
    expect(line.late).toEqual([]);
  });

  it.each([
    ['a hold', { kind: 'AUTHORIZE', captureMethod: 'MANUAL' }, '0100', '000000'],
    ['a pre-authorization', { kind: 'AUTHORIZE', operation: 'pre_auth', captureMethod: 'MANUAL' }, '0100', '000000'],
    ['a purchase with cash-back', { kind: 'AUTHORIZE', cashbackMinor: 500 }, '0200', '090000'],
    ['a refund', { kind: 'REFUND', operation: 'refund' }, '0200', '200000'],
    ['a capture', { kind: 'CAPTURE', captureMethod: 'MANUAL' }, '0220', '000000'],
    ['a tip', { kind: 'ADJUST_TIP', captureMethod: 'MANUAL' }, '0220', '020000'],
    ['a void', { kind: 'VOID' }, '0400', '000000'],
  ] as const)('of %s names its type in DE 90', async (_, change, originalMti, processing) => {
    const first = { ...originalOf(purchase(line.trace())), ...change };
    const replying = line.acquirer.reverse(reversal(line.trace(), first, { reason: 'CANCELLED' }), patient());
    await exchange(replying, expected('0420', '17', originalMti, processing), answer('0430', '000002', { processing }));
  });

  it.each([
    ['00', { kind: 'CONFIRMED' }],
    ['25', { kind: 'UNKNOWN_ORIGINAL' }],
    ['12', { kind: 'REFUSED', responseCode: '12' }],
    ['68', { kind: 'LOST', reason: 'UNCERTAIN_ANSWER' }],
    ['09', { kind: 'LOST', reason: 'UNCERTAIN_ANSWER' }],
    ['94', { kind: 'LOST', reason: 'UNCERTAIN_ANSWER' }],
  ])('that is answered %s is %j', async (code, reply) => {
    const replying = line.acquirer.reverse(reversal(line.trace(), originalOf(purchase(line.trace()))), patient());
    await line.scripted.next();
    line.scripted.say(answer('0430', '000001', { code }));
    expect(await replying).toEqual(reply);
  });
});

describe('a batch', () => {
  const totals = {
    saleCount: 12,
    saleAmountMinor: 123_456,
    refundCount: 1,
    refundAmountMinor: 300,
    voidCount: 2,
    voidAmountMinor: 1500,
  };
  const sums =
    '"0000000001" "0000000000" "0000000012" "0000000002" "0000000000000300" "0000000000000000" "0000000000123456" "0000000000001500"';
  const close = (change: Partial<typeof totals> = {}) =>
    line.acquirer.closeBatch(
      { ...shop, trace: line.trace(), currencyCode: 'EUR', totals: { ...totals, ...change } },
      patient(),
    );

  it('is 0500 with counts and sums, and the net with its side', async () => {
    const expected = `"0500" 82 38 00 01 08 C0 40 00 00 78 07 80 80 00 00 00 ${times('000001')} ${acquirerId} ${rrn('000001')} ${acceptor} "978" ${sums} "D" "0000000000121656"`;
    // Fields 7, 11, 15, 37, 39, 41 and 66.
    const told = `"0510" 82 22 00 00 0A 80 00 00 40 00 00 00 00 00 00 00 "1128111501" "000001" "1130" "BATCH0000042" "00" ${terminal} "1"`;
    expect(await exchange(close(), expected, told)).toEqual({
      kind: 'CLOSED',
      isAgreed: true,
      batchReference: 'BATCH0000042',
      fundingDate: '2026-11-30',
    });
  });

  it('whose refunds exceed its sales has its net on the other side', async () => {
    const replying = close({ saleAmountMinor: 0 });
    expect(await line.scripted.next()).toContain(hexOf('"C" "0000000000001800"'));
    line.scripted.say(`"0510" 02 20 00 00 02 80 00 00 "1128111501" "000001" "00" ${terminal}`);
    expect(await replying).toEqual({ kind: 'CLOSED', isAgreed: true });
  });

  it('that is out of balance says what the acquirer has', async () => {
    const replying = close();
    await line.scripted.next();
    // Fields 7, 11, 39, 41, 66, 74–77, 86–89; paid in January.
    line.scripted.say(
      `"0510" 82 22 00 00 02 80 00 00 40 78 07 80 00 00 00 00 "1128111501" "000001" "0102" "00" ${terminal} "2" ${sums.replace('123456', '123999')}`,
    );
    expect(await replying).toEqual({
      kind: 'CLOSED',
      isAgreed: false,
      totals: { ...totals, saleAmountMinor: 123_999 },
      fundingDate: '2027-01-02',
    });
  });

  it.each([
    ['95', { kind: 'CLOSED', isAgreed: false }],
    ['96', { kind: 'REFUSED', responseCode: '96' }],
    ['68', { kind: 'LOST', reason: 'UNCERTAIN_ANSWER' }],
  ])('that is answered %s is %j', async (code, reply) => {
    const replying = close();
    await line.scripted.next();
    line.scripted.say(`"0510" 02 20 00 00 02 80 00 00 "1128111501" "000001" "${code}" ${terminal}`);
    expect(await replying).toEqual(reply);
  });
});

describe('an answer', () => {
  it('of 10 tells what was approved, and no echo of the amount', async () => {
    const replying = authorize(purchase(line.trace()));
    await line.scripted.next();
    line.scripted.say(answer('0210', '000001', { code: '10', amount: '000000000500' }));
    const reply = await replying;
    expect(reply).toMatchObject({ answer: { responseCode: '10', approvedAmountMinor: 500 } });
    expect(reply.kind === 'ANSWERED' && 'amountMinor' in reply.answer.echo).toBe(false);
  });

  it.each([
    ['another currency', '"978"', '"840"', { currencyCode: 'USD' }],
    ['a number that is no currency', '"978"', '"000"', { currencyCode: '000' }],
    ['another operation', '"000000" "000000001000"', '"200000" "000000001000"', { operation: 'refund' }],
    ['another amount', '"000000001000"', '"000000001001"', { amountMinor: 1001 }],
  ])('that repeats %s is passed on as it is', async (_, sent, told, echo) => {
    const replying = authorize(purchase(line.trace()));
    await line.scripted.next();
    line.scripted.say(answer('0210', '000001').replace(sent, told));
    expect(await replying).toMatchObject({ kind: 'ANSWERED', answer: { echo } });
  });

  it.each(['090000', '300000'])(
    'that repeats processing code %s for a purchase is not believed',
    async (processing) => {
      const replying = authorize(purchase(line.trace()));
      await line.scripted.next();
      line.scripted.say(answer('0210', '000001', { processing }));
      expect(await replying).toEqual({ kind: 'LOST', reason: 'UNREADABLE_ANSWER' });
    },
  );

  it('that repeats nothing but what names it is compared with nothing', async () => {
    const replying = authorize(purchase(line.trace()));
    await line.scripted.next();
    line.scripted.say(`"0210" 00 20 00 00 06 80 00 00 "000001" "      " "51" ${terminal}`);
    expect(await replying).toEqual({ kind: 'ANSWERED', answer: { responseCode: '51', echo: { terminalId: 'T-1' } } });
  });
});
