import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../../drivers/framing/bytes.ts';
import { readAttribution } from '../../../drivers/neo2/codec/attribution.ts';
import { clearTag, clearValue } from '../../../drivers/neo2/codec/tlv.ts';
import { nextTdesKsn } from '../../../drivers/virtual/neo2/crypto/dukpt-tdes.ts';
import { vector } from '../../support/vectors.ts';
import {
  AUTHENTICATE,
  activateCommand,
  answerOf,
  cardData,
  createReaderBench,
  frames,
  startCommand,
  tap,
  texts,
  told,
  untilCryptogram,
} from './reader-bench.ts';

describe('a virtual NEO 2 reader', () => {
  it('answers a ping byte for byte, whichever CRC order the till has', () => {
    const bench = createReaderBench();
    const reply = toHex(vector('ping-reply'));
    expect(frames(bench.bytes(vector('ping')))).toEqual([reply]);
    expect(frames(bench.bytes(vector('ping-other-order-msb')))).toEqual([reply]);
  });

  it('tells its control interface in the firmware', () => {
    const bench = createReaderBench();
    expect(answerOf(bench.bytes(vector('firmware')), 'get-firmware')).toMatchObject({
      type: 'firmware',
      status: 0,
      text: 'VIRTUAL 1.0 CTL 40123',
    });
  });

  it('keeps its configuration, and is registered by it', () => {
    const bench = createReaderBench();
    expect(bench.view().isRegistered).toBe(false);
    expect(told(bench.bytes(vector('set-config')))).toEqual(['0400']);
    expect(bench.view().isRegistered).toBe(true);
    expect(answerOf(bench.bytes(vector('get-configuration')), 'get-configuration')).toMatchObject({
      type: 'configuration',
      tags: [
        { tag: 'FFF7', value: fromHex('00') },
        { tag: 'DFED59', value: fromHex('00') },
      ],
    });
  });

  it('sends a first response unless it was told not to', () => {
    const bench = createReaderBench();
    expect(frames(bench.bytes(vector('start-contact-lsb')))[0]).toBe(toHex(vector('first-response-60')));
    const quiet = createReaderBench();
    quiet.till({ type: 'set-configuration', tags: [clearTag('DFED59', Uint8Array.of(1))] });
    expect(told(quiet.till(startCommand()))).toEqual([]);
    expect(quiet.view().state).toBe('WAITING_FOR_CARD');
  });

  it('refuses what it does not know, and frames that cannot be read', () => {
    const bench = createReaderBench();
    const unknown = (command: number, code: number) =>
      told(bench.take({ type: 'frame', command, code, data: new Uint8Array(0) }));
    expect(unknown(0x77, 0x01)).toEqual(['7702']);
    expect(unknown(0x60, 0x55)).toEqual(['6003']);
    expect(told(bench.take({ type: 'frame', command: 0x60, code: 0x11, data: Uint8Array.of(0) }))).toEqual(['6005']);
    expect(told(bench.take({ type: 'broken-frame' }))).toEqual(['0004']);
    expect(told(bench.bytes(vector('apdu-select')))).toEqual(['2C06']);
    expect(told(bench.bytes(vector('card-off')))).toEqual(['2C00']);
  });

  it('runs an inserted card from start to TC', () => {
    const bench = createReaderBench();
    expect(told(bench.till(startCommand()))).toEqual(['6063']);
    expect(bench.view()).toMatchObject({ state: 'WAITING_FOR_CARD', isCardReaderLit: true });
    expect(told(bench.present('visa-chip'))).toEqual(['6000 0010']);
    expect(told(bench.till(AUTHENTICATE))).toEqual(['6063']);
    const answer = bench.expire('chip');
    expect(told(answer)).toEqual(['6000 0004']);
    expect(bench.view().state).toBe('WAITING_FOR_ISSUER');
    expect(bench.book().open).toEqual([1]);
    const applied = bench.till({
      type: 'apply-response',
      isHostReached: true,
      tags: [clearTag('8A', fromHex('3030'))],
    });
    expect(told(applied)).toEqual(['6063']);
    const end = bench.expire('chip');
    expect(told(end)).toEqual(['6000 0002']);
    expect(texts(end)).toEqual([0x03]);
    expect(cardData(end)).toMatchObject({ cryptogram: 'TC' });
    expect(bench.book()).toMatchObject({
      open: [],
      approved: { charges: { count: 1, sumMinor: 1234 } },
      steps: [
        {
          card: { id: 'visa-chip', maskedPan: '************0010' },
          counter: 1,
          end: 'APPROVED',
          told: { isHostReached: true, responseCode: '00', check: 'ABSENT', scriptCount: 0 },
        },
      ],
    });
  });

  it('hands out the tags of a payment, the account encrypted under a serial number', () => {
    const bench = createReaderBench();
    const { list, attribution, ksn, maskedPan } = cardData(
      untilCryptogram(bench, 'visa-chip', { otherAmountMinor: 34 }),
    );
    expect(attribution).toEqual(readAttribution(0xc0));
    expect(ksn?.reveal()).toBe('629949012C0004600001');
    expect(maskedPan).toBe('4761********0010');
    expect(list.filter(({ tag }) => tag === '57' || tag === '5A').map(({ form }) => form)).toEqual([
      'MASKED',
      'ENCRYPTED',
      'MASKED',
      'ENCRYPTED',
    ]);
    const hex = (tag: string) => toHex(clearValue(list, tag) ?? new Uint8Array(0));
    expect([
      hex('9F02'),
      hex('9F03'),
      hex('5F2A'),
      hex('9C'),
      hex('9A'),
      hex('9F27'),
      hex('9F36'),
      hex('9F39'),
    ]).toEqual(['000000001234', '000000000034', '0978', '00', '261128', '80', '0001', '05']);
  });

  it('says by its attribution byte that it encrypts with AES', () => {
    const bench = createReaderBench({ encryption: 'AES' });
    const { attribution, list } = cardData(untilCryptogram(bench));
    expect(attribution.byte).toBe(0xc2);
    for (const { form, value } of list) if (form === 'ENCRYPTED') expect(value.length % 16).toBe(0);
  });

  it('takes an issuer that refuses, and one that cannot be reached', () => {
    const declined = createReaderBench();
    untilCryptogram(declined);
    declined.bytes(vector('apply-decline-msb'));
    expect(told(declined.expire('chip'))).toEqual(['6000 0003']);
    expect(declined.book().steps).toMatchObject([{ end: 'DECLINED', told: { responseCode: '51', check: 'FAILED' } }]);

    for (const id of ['apply-no-host-02', 'apply-no-host-00']) {
      const alone = createReaderBench();
      untilCryptogram(alone);
      alone.bytes(vector(id));
      expect(toHex(clearValue(cardData(alone.expire('chip')).list, '8A') ?? new Uint8Array(0))).toBe('5A33');
      expect(alone.book().steps).toMatchObject([{ end: 'DECLINED', told: { isHostReached: false } }]);
    }
  });

  it('refuses a tag 91 that is not of the issuer, whatever the code says', () => {
    const bench = createReaderBench();
    untilCryptogram(bench);
    bench.bytes(vector('apply-approve-lsb'));
    expect(told(bench.expire('chip'))).toEqual(['6000 0003']);
    expect(bench.book().steps).toMatchObject([{ end: 'DECLINED', told: { responseCode: '00', check: 'FAILED' } }]);
  });

  it('keeps the step open when the answer has no response code', () => {
    const bench = createReaderBench();
    untilCryptogram(bench);
    expect(told(bench.till({ type: 'apply-response', isHostReached: true, tags: [] }))).toEqual(['6005']);
    expect(bench.view().state).toBe('WAITING_FOR_ISSUER');
  });

  it('refuses steps out of order', () => {
    const bench = createReaderBench();
    expect(told(bench.till(AUTHENTICATE))).toEqual(['600C']);
    expect(told(bench.bytes(vector('apply-no-host-02')))).toEqual(['600C']);
    untilCryptogram(bench);
    expect(told(bench.till(startCommand()))).toEqual(['600C']);
    expect(told(bench.till(activateCommand()))).toEqual(['020B']);
    expect(told(bench.till(AUTHENTICATE))).toEqual(['600C']);
    expect(told(bench.bytes(vector('ping')))).toEqual(['1800']);
  });

  it('takes nothing but a cancel while a command waits for its answer', () => {
    const bench = createReaderBench();
    bench.till(startCommand());
    expect(told(bench.bytes(vector('ping')))).toEqual(['180B']);
    expect(told(bench.till(startCommand()))).toEqual(['600B']);
    expect(told(bench.bytes(vector('cancel')))).toEqual(['6000 0012', '0500']);
    expect(told(bench.bytes(vector('ping')))).toEqual(['1800']);
    expect(told(bench.bytes(vector('stop')))).toEqual(['0500']);
  });

  it('abandons a card whose till cancels between the steps, and refuses the answer that comes after', () => {
    const bench = createReaderBench();
    untilCryptogram(bench);
    expect(told(bench.bytes(vector('cancel')))).toEqual(['0500']);
    expect(bench.book().steps).toMatchObject([{ end: 'ABANDONED', reason: 'the till cancelled' }]);
    expect(told(bench.bytes(vector('apply-no-host-02')))).toEqual(['600C']);
  });

  it('cannot cancel the last word of the chip', () => {
    const bench = createReaderBench();
    untilCryptogram(bench);
    bench.bytes(vector('apply-no-host-02'));
    expect(told(bench.bytes(vector('cancel')))).toEqual(['050B']);
    expect(told(bench.expire('chip'))).toEqual(['6000 0003']);
  });

  it('gives up when no card comes, and when the till does not go on', () => {
    const bench = createReaderBench({ isManual: true });
    bench.till(startCommand());
    expect(bench.delayOf('card')).toBe(30_000);
    expect(told(bench.expire('card'))).toEqual(['6000 0008']);
    bench.till(activateCommand());
    expect(told(bench.expire('card'))).toEqual(['0208']);

    bench.till(startCommand());
    bench.present('visa-chip');
    expect(bench.delayOf('next')).toBe(20_000);
    expect(told(bench.expire('next'))).toEqual([]);
    expect(told(bench.till(AUTHENTICATE))).toEqual(['600C']);

    bench.till(startCommand());
    bench.till(AUTHENTICATE);
    bench.expire('chip');
    expect(bench.delayOf('next')).toBe(60_000);
    bench.expire('next');
    expect(bench.book().steps).toMatchObject([{ end: 'ABANDONED', reason: 'the till did not answer in time' }]);
  });

  it('tells at each step that the card was taken out', () => {
    const started = createReaderBench({ isManual: true });
    started.till(startCommand());
    started.present('visa-chip');
    started.take({ type: 'card-removed' });
    expect(told(started.till(AUTHENTICATE))).toEqual(['6000 3005']);

    const reading = createReaderBench({ isManual: true });
    reading.till(startCommand());
    reading.present('visa-chip');
    reading.till(AUTHENTICATE);
    expect(told(reading.take({ type: 'card-removed' }))).toEqual(['6000 3005']);

    const online = createReaderBench({ isManual: true });
    untilCryptogram(online);
    online.take({ type: 'card-removed' });
    expect(told(online.bytes(vector('apply-approve-lsb')))).toEqual(['6000 3005']);
    expect(online.book().steps).toMatchObject([{ end: 'ABANDONED' }]);

    const applying = createReaderBench({ isManual: true });
    untilCryptogram(applying);
    applying.bytes(vector('apply-approve-lsb'));
    expect(told(applying.take({ type: 'card-removed' }))).toEqual(['6000 3005']);
    expect(applying.book().approved.charges.count).toBe(0);
  });

  it('asks for the stripe when a chip does not work, if the till allows it', () => {
    const bench = createReaderBench();
    bench.till(startCommand({}, true));
    expect(told(bench.present('unreadable'))).toEqual(['6000 0007']);
    bench.till(startCommand({}, false));
    expect(told(bench.present('unreadable'))).toEqual(['6000 3002']);
    expect(bench.entries()).toEqual([]);
  });

  it('ends with one answer when a card is tapped', () => {
    const bench = createReaderBench();
    const answer = tap(bench);
    expect(told(answer)).toEqual(['0223 0009']);
    expect(cardData(answer)).toMatchObject({ attribution: { interface: 'CONTACTLESS' }, cryptogram: 'ARQC' });
    expect(told(bench.bytes(vector('apply-no-host-02')))).toEqual(['600C']);
    expect(bench.book()).toMatchObject({ open: [], leftToIssuer: { charges: { count: 1, sumMinor: 1234 } } });
  });

  it('lets a tapped card decide by itself', () => {
    const bench = createReaderBench();
    expect(told(tap(bench, 'visa-offline-contactless'))).toEqual(['0200 0000']);
    expect(bench.book().approved.charges).toEqual({ count: 1, sumMinor: 1234 });
  });

  it('hands out a stripe under the same keys', () => {
    const bench = createReaderBench();
    const answer = tap(bench, 'visa-magstripe');
    expect(told(answer)).toEqual(['0200 0011']);
    const { list, attribution, encrypted } = cardData(answer);
    expect(attribution.interface).toBe('STRIPE');
    expect(encrypted?.reveal().map(({ tag }) => tag)).toEqual(['5A', '57']);
    expect(toHex(clearValue(list, '9F39') ?? new Uint8Array(0))).toBe('90');
  });

  it('goes on with 60-11 when a card is inserted although it could have been tapped', () => {
    const bench = createReaderBench();
    expect(told(bench.till(activateCommand()))).toEqual(['0263']);
    expect(told(bench.present('visa-chip'))).toEqual(['0200 0010']);
    bench.till(AUTHENTICATE);
    expect(told(bench.expire('chip'))).toEqual(['6000 0004']);
  });

  it('does not see a card at an interface that nobody asked for', () => {
    const bench = createReaderBench();
    bench.till(activateCommand({ presentations: ['STRIPE'] }));
    expect(told(bench.present('visa-contactless'))).toEqual([]);
    expect(bench.view().state).toBe('WAITING_FOR_CARD');
    bench.till({ type: 'cancel' });
    bench.till(activateCommand({ presentations: ['CONTACT'] }));
    expect(told(bench.expire('think'))).toEqual(['0200 0010']);
    expect(bench.view().card).toBe('visa-chip');
  });

  it('approves and refuses offline', () => {
    const bench = createReaderBench();
    expect(told(untilCryptogram(bench, 'visa-offline'))).toEqual(['6000 0000']);
    expect(told(untilCryptogram(bench, 'visa-offline-declined'))).toEqual(['6000 0001']);
    expect(bench.book().steps.map(({ end }) => end)).toEqual(['APPROVED', 'DECLINED']);
    expect(bench.book().approved.charges).toEqual({ count: 1, sumMinor: 1234 });
  });

  it('counts refunds at the card apart', () => {
    const bench = createReaderBench();
    untilCryptogram(bench, 'visa-signature', { transactionType: '20', amountMinor: 500 });
    bench.till({ type: 'apply-response', isHostReached: true, tags: [clearTag('8A', fromHex('3030'))] });
    bench.expire('chip');
    expect(bench.book().approved).toEqual({ charges: { count: 0, sumMinor: 0 }, refunds: { count: 1, sumMinor: 500 } });
  });

  it('tells the last result again, for 60-13 and 03-40, until the next card', () => {
    const bench = createReaderBench();
    expect(told(bench.bytes(vector('get-result-tags')))).toEqual(['6060']);
    const first = cardData(tap(bench));
    const again = answerOf(bench.bytes(vector('get-transaction-result')), 'get-transaction-result');
    expect(again).toMatchObject({ type: 'transaction', resultCode: '0009', ksn: first.ksn });
    expect(told(bench.bytes(vector('get-result-tags')))).toEqual(['6000 0009']);
    bench.till(startCommand());
    bench.till({ type: 'cancel' });
    expect(told(bench.bytes(vector('get-result-tags')))).toEqual(['6000 0012']);
  });

  it('never uses a key or a counter twice, also after a restart', () => {
    const first = createReaderBench();
    untilCryptogram(first);
    const before = first.book().steps[0];
    const second = createReaderBench({}, first.entries());
    second.take({ type: 'boot' });
    expect(second.book().steps).toMatchObject([{ end: 'ABANDONED', reason: 'the reader lost its power' }]);
    untilCryptogram(second);
    const after = second.book().steps[1];
    expect([before?.counter, after?.counter]).toEqual([1, 2]);
    expect(after?.accountKsn).toBe(toHex(nextTdesKsn(fromHex(before?.accountKsn ?? '')) ?? new Uint8Array(0)));
  });

  it('takes no card when its keys are used up', () => {
    const bench = createReaderBench({}, [
      {
        sequence: 1,
        at: '2026-11-28T12:00:00.000Z',
        kind: 'CARD_READ',
        card: { id: 'visa-chip', scheme: 'VISA', maskedPan: '************0010', entry: 'CONTACT' },
        order: { transactionType: '00', amountMinor: 1, cashbackMinor: 0, currency: '0978' },
        decision: 'DECLINED',
        counter: 0xffff,
        // Ten bits of 21 at the top: no counter after it has at most ten.
        accountKsn: '629949012C00047FF800',
      },
    ]);
    expect(told(bench.till(startCommand()))).toEqual(['600A']);
  });

  it('waits for a person when one holds it, and lets the customer go on when he lets go', () => {
    const bench = createReaderBench();
    bench.take({ type: 'hand', forMs: 5000 });
    bench.till(activateCommand());
    expect(bench.isRunning('think')).toBe(false);
    bench.expire('hand');
    expect(told(bench.expire('think'))).toEqual([]);
    expect(told(bench.expire('chip'))).toEqual(['0223 0009']);
  });
});
