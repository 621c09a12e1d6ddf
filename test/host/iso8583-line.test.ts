// The line to an ISO 8583 acquirer: what comes when, in which pieces, and what becomes of what waits. The acquirer's side is written by hand.
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { takeCardData } from '../../app/domain/card-data.ts';
import { originalOf, patient, preAuth, purchase, reversal, shop } from './support/acquirer-messages.ts';
import { type IsoLine, networkAnswerBitmap, networkBitmap, openIsoLine } from './support/iso-line.ts';
import { framed, hexOf } from './support/scripted-acquirer.ts';
import { until } from './support/until.ts';

let line: IsoLine;
beforeEach(async () => {
  line = await openIsoLine();
});
afterEach(() => line.stop());

/** 0210 00 of trace 000001: fields 3, 4, 7, 11, 37, 38, 39, 41, 49. */
const approval =
  '"0210" 32 20 00 00 0E 80 80 00 "000000" "000000001000" "1128111501" "000001" "000000000001" "A1B2C3" "00" "T-1     " "978"';
const second = approval.replace('"1128111501" "000001"', '"1128111502" "000002"');
const approved = { kind: 'ANSWERED', answer: { responseCode: '00' } };
const timeoutMs = 5000;

const authorize = (message = purchase(line.trace())) => line.acquirer.authorize(message, patient({ timeoutMs }));
/** Sends a purchase and reads it. */
async function sent(message = purchase(line.trace())) {
  const replying = authorize(message);
  await line.scripted.next();
  return { replying };
}

describe('signing on', () => {
  it('comes first; before its answer nothing is sent', async () => {
    expect(await line.scripted.next()).toBe(hexOf(`"0800" ${networkBitmap} "1128111500" "000001" "001"`));
    expect(line.acquirer.isReady()).toBe(false);
    expect(await authorize()).toEqual({ kind: 'NOT_SENT', reason: 'LINE_DOWN' });
    line.scripted.say(`"0810" ${networkAnswerBitmap} "1128111500" "000001" "00" "001"`);
    await until(() => line.acquirer.isReady());
  });

  it('that is refused is tried again on a new connection, after longer and longer pauses', async () => {
    for (const [attempt, pauseMs] of [200, 400, 800].entries()) {
      await line.scripted.next();
      const stan = `00000${attempt + 1}`;
      line.scripted.say(`"0810" ${networkAnswerBitmap} "1128111500" "${stan}" "96" "001"`);
      await until(() => !line.scripted.isConnected() && line.clock.waiting === 1);
      await line.clock.advance(pauseMs - 1);
      expect(line.scripted.connections()).toBe(attempt + 1);
      await line.clock.advance(1);
      await until(() => line.scripted.connections() === attempt + 2);
    }
    await line.signOn('000004');
    line.scripted.drop();
    await until(() => line.clock.waiting === 1);
    await line.clock.advance(200);
    await line.signOn('000005');
  });

  it('that is not answered within ten seconds is tried again', async () => {
    await line.scripted.next();
    await line.clock.advance(10_000);
    await until(() => !line.scripted.isConnected() && line.clock.waiting === 1);
    await line.clock.advance(200);
    await line.signOn('000002');
  });

  it('is not done by the answer to something else', async () => {
    await line.scripted.next();
    line.scripted.say(`"0810" ${networkAnswerBitmap} "1128111500" "000009" "00" "001"`);
    await until(() => line.logged().includes('an answer to no network message'));
    expect(line.acquirer.isReady()).toBe(false);
  });

  it('ends with a sign-off', async () => {
    await line.signOn();
    await line.acquirer.stop();
    expect(await line.scripted.next()).toBe(hexOf(`"0800" ${networkBitmap} "1128111500" "000002" "002"`));
    await until(() => !line.scripted.isConnected());
    expect(line.clock.waiting).toBe(0);
  });
});

describe('echoes', () => {
  it('are asked for after a minute of silence; without an answer the line is made anew', async () => {
    await line.signOn();
    await line.clock.advance(59_999);
    expect(line.scripted.unread()).toBe(0);
    await line.clock.advance(1);
    expect(await line.scripted.next()).toBe(hexOf(`"0800" ${networkBitmap} "1128111600" "000002" "301"`));
    line.scripted.say(`"0810" ${networkAnswerBitmap} "1128111600" "000002" "00" "301"`);
    await until(() =>
      line.logged().includes('received {"protocol":"iso8583","command":"0810","reason":"0810 7=1128111600'),
    );
    await line.clock.advance(60_000);
    expect(await line.scripted.next()).toContain(hexOf('"000003" "301"'));
    await line.clock.advance(10_000);
    await until(() => !line.scripted.isConnected() && !line.acquirer.isReady());
  });

  it('are not asked for while messages go to and fro', async () => {
    await line.signOn();
    for (let round = 0; round < 3; round++) {
      await line.clock.advance(40_000);
      const { replying } = await sent({
        ...purchase(line.trace()),
        trace: { ...line.trace(), stan: 1, sentAtMs: Date.UTC(2026, 10, 28, 11, 15, 1) },
      });
      line.scripted.say(approval);
      expect(await replying).toMatchObject(approved);
    }
    expect(line.scripted.unread()).toBe(0);
  });

  it('of the acquirer are answered', async () => {
    await line.signOn();
    line.scripted.say(`"0800" ${networkBitmap} "1128111533" "777777" "301"`);
    expect(await line.scripted.next()).toBe(hexOf(`"0810" ${networkAnswerBitmap} "1128111533" "777777" "00" "301"`));
  });

  it('aside, a sign-off of the acquirer is answered, and followed by a new sign-on', async () => {
    await line.signOn();
    line.scripted.say(`"0800" ${networkBitmap} "1128111533" "777777" "002"`);
    await until(() => !line.acquirer.isReady());
    await line.clock.advance(200);
    await until(() => line.scripted.connections() === 2);
  });
});

describe('answers', () => {
  beforeEach(() => line.signOn());

  it('may come in any pieces', async () => {
    for (let cut = 1; cut < framed(approval).length; cut += 7) {
      const { replying } = await sent({
        ...purchase(line.trace()),
        trace: { ...line.trace(), stan: 1, sentAtMs: Date.UTC(2026, 10, 28, 11, 15, 1) },
      });
      const bytes = framed(approval);
      line.scripted.sayBytes(bytes.subarray(0, cut));
      await new Promise((resolve) => setImmediate(resolve));
      line.scripted.sayBytes(bytes.subarray(cut));
      expect(await replying).toMatchObject(approved);
    }
  });

  it('may come joined, and in another order than they were asked for', async () => {
    const first = await sent();
    const other = await sent();
    line.scripted.say(second.replace('"00" "T-1', '"51" "T-1'), approval);
    expect(await first.replying).toMatchObject({ answer: { responseCode: '00' } });
    expect(await other.replying).toMatchObject({ answer: { responseCode: '51' } });
  });

  it('of the same trace number are told apart by their type', async () => {
    const trace = line.trace();
    const sale = await sent(purchase(trace));
    const hold = await sent(preAuth({ ...trace, reference: 'another' }));
    line.scripted.say(approval.replace('0210', '0110').replace('"00" "T-1', '"05" "T-1'), approval);
    expect(await sale.replying).toMatchObject({ answer: { responseCode: '00' } });
    expect(await hold.replying).toMatchObject({ answer: { responseCode: '05' } });
  });

  it.each([
    ['another trace number', '"1128111501" "000001"', '"1128111501" "000099"', { stan: 99, terminalId: 'T-1' }],
    ['another terminal', '"T-1     "', '"T-9     "', { stan: 1, terminalId: 'T-9' }],
    ['another time', '"1128111501"', '"1127111501"', { stan: 1, terminalId: 'T-1' }],
    ['another type', '"0210"', '"0110"', { stan: 1, terminalId: 'T-1' }],
  ])(
    'with %s are for no message of ours: told, without a reference, and the right one is still awaited',
    async (_, from, to, late) => {
      const { replying } = await sent();
      line.scripted.say(approval.replace(from, to));
      await until(() => line.late.length === 1);
      expect(line.late[0]).toMatchObject({
        ...late,
        answer: { responseCode: '00', authorizationCode: 'A1B2C3', echo: { amountMinor: 1000 } },
      });
      expect(line.late[0]).not.toHaveProperty('reference');
      line.scripted.say(approval);
      expect(await replying).toMatchObject(approved);
    },
  );

  it('that come again are not told again; when they say something else they are', async () => {
    const { replying } = await sent();
    line.scripted.say(approval.replace('"00" "T-1', '"05" "T-1'), approval.replace('"00" "T-1', '"05" "T-1'));
    expect(await replying).toMatchObject({ answer: { responseCode: '05' } });
    line.scripted.say(approval);
    await until(() => line.late.length > 0);
    expect(line.late).toMatchObject([{ stan: 1, kind: 'AUTHORIZE', answer: { responseCode: '00' } }]);
  });

  it('after the time-out are late, and find their message', async () => {
    const message = purchase(line.trace());
    const { replying } = await sent(message);
    await line.clock.advance(timeoutMs);
    expect(await replying).toEqual({ kind: 'LOST', reason: 'TIMEOUT' });
    line.scripted.say(approval);
    await until(() => line.late.length === 1);
    expect(line.late).toMatchObject([
      { reference: message.trace.reference, stan: 1, terminalId: 'T-1', kind: 'AUTHORIZE' },
    ]);
  });

  it('that cannot be read are no answers', async () => {
    const { replying } = await sent();
    const broken = [
      approval.replace('000000001000', '00000000100X'),
      approval.replace(' "978"', ''),
      `${approval} "1"`,
      approval.replace('32 20 00 00', '32 20 00 10'),
      '"021X" 00 00 00 00 00 00 00 00',
      '"0210" 80 00 00 00 00 00 00 00',
    ];
    line.scripted.say(...broken);
    await until(() => line.logged().split('a message cannot be read').length === broken.length + 1);
    expect(line.late).toEqual([]);
    line.scripted.say(approval);
    expect(await replying).toMatchObject(approved);
  });

  it('without a code or a terminal name no message', async () => {
    const { replying } = await sent();
    line.scripted.say(
      '"0210" 00 20 00 00 00 80 00 00 "000001" "T-1     "',
      '"0210" 00 20 00 00 02 00 00 00 "000001" "00"',
    );
    await until(() => line.logged().split('an answer that names no message').length === 3);
    line.scripted.say(approval);
    expect(await replying).toMatchObject(approved);
  });

  it.each([
    ['of nothing', [0x00, 0x00]],
    ['too short for a message', [0x00, 0x0b, 0x30]],
    ['too long for a message', [0x47, 0x45, 0x54, 0x20]],
  ])('with a length %s break the line: what waits is lost, and a new line is made', async (_, bytes) => {
    const { replying } = await sent();
    line.scripted.sayBytes(Buffer.from(bytes));
    expect(await replying).toEqual({ kind: 'LOST', reason: 'LINE_LOST' });
    await until(() => line.clock.waiting === 1);
    await line.clock.advance(200);
    await line.signOn('000002');
  });

  it('to a lost message are still told when they come on the next connection', async () => {
    const message = purchase(line.trace());
    const { replying } = await sent(message);
    line.scripted.drop();
    expect(await replying).toEqual({ kind: 'LOST', reason: 'LINE_LOST' });
    expect(await authorize()).toEqual({ kind: 'NOT_SENT', reason: 'LINE_DOWN' });
    await until(() => line.clock.waiting === 1);
    await line.clock.advance(200);
    await line.signOn('000002');
    line.scripted.say(approval);
    await until(() => line.late.length === 1);
    expect(line.late).toMatchObject([{ reference: message.trace.reference, answer: { responseCode: '00' } }]);
  });

  it('to a reversal or a close that came late are not told: both are repeated', async () => {
    const lost = line.acquirer.reverse(
      reversal(line.trace(), originalOf(purchase(line.trace()))),
      patient({ timeoutMs }),
    );
    await line.scripted.next();
    await line.clock.advance(timeoutMs);
    expect(await lost).toMatchObject({ kind: 'LOST' });
    line.scripted.say(approval.replace('0210', '0430'), `"0800" ${networkBitmap} "1128111533" "777777" "301"`);
    await line.scripted.next();
    expect(line.late).toEqual([]);
  });
});

describe('messages that are never sent', () => {
  beforeEach(() => line.signOn());
  afterEach(() => expect(line.scripted.unread()).toBe(0));
  const fits = { kind: 'NOT_SENT', reason: 'DOES_NOT_FIT' };

  it('an amount of thirteen digits', async () => {
    expect(line.acquirer.capabilities.maxAmountMinor).toBe(999_999_999_999);
    expect(await authorize(purchase(line.trace(), { amountMinor: 1_000_000_000_000 }))).toEqual(fits);
  });

  it('a terminal or merchant whose name is too long', async () => {
    expect(await authorize(purchase(line.trace(), { terminalId: 'T-1234567' }))).toEqual(fits);
    expect(await authorize(purchase(line.trace(), { merchantId: 'M-12345678901234' }))).toEqual(fits);
  });

  it('a PIN block of sixteen bytes, and a currency that does not exist', async () => {
    const { cardData } = takeCardData({
      deviceId: 'D-1',
      terminalId: 'T-1',
      amount: 1000,
      currencyCode: 'EUR',
      entryMode: 'CONTACT',
      pinBlock: '0123456789ABCDEF0123456789ABCDEF',
      ksn: 'FFFF9876543210E00001',
    });
    expect(await authorize(purchase(line.trace(), { cardData }))).toEqual(fits);
    expect(await authorize(purchase(line.trace(), { currencyCode: 'XYZ' }))).toEqual(fits);
    expect(line.logged()).not.toContain('0123456789ABCDEF');
  });

  it('a question, and what the caller has given up', async () => {
    const original = originalOf(purchase(line.trace()));
    expect(await line.acquirer.ask({ ...shop, trace: line.trace(), original }, patient())).toEqual({
      kind: 'NOT_SENT',
      reason: 'UNSUPPORTED',
    });
    const call = patient({ signal: AbortSignal.abort() });
    expect(await line.acquirer.authorize(purchase(line.trace()), call)).toEqual({
      kind: 'NOT_SENT',
      reason: 'ABORTED',
    });
  });

  it('another message with a trace number that still waits', async () => {
    const trace = line.trace();
    const { replying } = await sent(purchase(trace));
    expect(await authorize(purchase({ ...trace, reference: 'another' }))).toEqual({ kind: 'NOT_SENT', reason: 'BUSY' });
    line.scripted.say(approval);
    expect(await replying).toMatchObject(approved);
  });
});

describe('settings', () => {
  it('name terminal and merchant as the acquirer knows them, and the answer as the host does', async () => {
    const named = await openIsoLine({
      acceptorOf: ({ terminalId }) =>
        terminalId === 'T-1' ? { terminalId: '00012345', merchantId: '987654321' } : undefined,
    });
    await named.signOn();
    const replying = named.acquirer.authorize(purchase(named.trace()), patient());
    expect(await named.scripted.next()).toContain(hexOf('"00012345987654321      "'));
    named.scripted.say(approval.replace('T-1     ', '00012345'));
    expect(await replying).toMatchObject({ answer: { echo: { terminalId: 'T-1' } } });
    expect(await named.acquirer.authorize(purchase(named.trace(), { terminalId: 'T-2' }), patient())).toMatchObject({
      reason: 'DOES_NOT_FIT',
    });
    await named.stop();
  });

  it('may say that tips are not adjusted', async () => {
    const plain = await openIsoLine({ canAdjustTips: false });
    await plain.signOn();
    expect(plain.acquirer.capabilities.canAdjustTips).toBe(false);
    const message = purchase(plain.trace());
    const adjust = { ...message, trace: plain.trace(), original: originalOf(message) };
    expect(await plain.acquirer.adjustTip(adjust, patient())).toEqual({ kind: 'NOT_SENT', reason: 'UNSUPPORTED' });
    await plain.stop();
  });
});

describe('card data', () => {
  const secrets = [
    '4761739001010119',
    '22122011758928889',
    '2212',
    '0123456789ABCDEF',
    'FFFF9876543210E00001',
    '0102030405060708',
    'A1A2A3A4A5A6A7A8',
  ];
  const { cardData } = takeCardData({
    deviceId: 'D-1',
    terminalId: 'T-1',
    amount: 1000,
    currencyCode: 'EUR',
    entryMode: 'CONTACT',
    applicationPan: '4761739001010119',
    track2: '4761739001010119=22122011758928889',
    emvTlv: { '5F24': '221231', '9F26': '0102030405060708' },
    pinBlock: '0123456789ABCDEF',
    ksn: 'FFFF9876543210E00001',
  });

  it('are in the message, but in no log; nor are those that the acquirer sends', async () => {
    await line.signOn();
    const replying = authorize(purchase(line.trace(), { cardData }));
    expect(await line.scripted.next()).toContain(hexOf('"4761739001010119=22122011758928889"'));
    // The answer repeats the account number and tells something private.
    line.scripted.say(
      '"0210" 72 20 00 00 0E 90 82 00 "16" "4761739001010119" "000000" "000000001000" "1128111501" "000001" "000000000001" "A1B2C3" "00" "T-1     " "05" "SOUCI" "978" "010" 91 08 A1 A2 A3 A4 A5 A6 A7 A8',
    );
    expect(await replying).toMatchObject({ answer: { issuerAuthData: 'A1A2A3A4A5A6A7A8' } });
    const logged = line.logged();
    expect(logged).toContain('0200 2=• 3=000000 4=000000001000 7=1128111501');
    expect(logged).toContain('44=•');
    for (const secret of [...secrets.filter((text) => text !== '2212'), 'SOUCI']) expect(logged).not.toContain(secret);
  });

  it('are wiped from the bytes once these are gone', async () => {
    await line.signOn();
    const written: Uint8Array[] = [];
    const write = vi.spyOn(Socket.prototype, 'write').mockImplementation(function (this: Socket, ...args: unknown[]) {
      const [bytes] = args;
      if (bytes instanceof Uint8Array && bytes.includes(0x34)) written.push(bytes);
      return original.apply(this, args as Parameters<Socket['write']>);
    });
    const { replying } = await sent(purchase(line.trace(), { cardData }));
    write.mockRestore();
    line.scripted.say(approval);
    expect(await replying).toMatchObject(approved);
    expect(written.length).toBeGreaterThan(0);
    await until(() => written.every((bytes) => bytes.every((byte) => byte === 0)));
  });
});

const original: (this: Socket, ...args: Parameters<Socket['write']>) => boolean = Socket.prototype.write;
