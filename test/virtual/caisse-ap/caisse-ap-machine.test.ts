import { describe, expect, it } from 'vitest';
import { vector } from '../../support/vectors.ts';
import { cardOf, createCaisseApBench, DONE, ECHO, SALE, textOf } from './caisse-ap-bench.ts';

const failed = (reason: string, amount = 'CB0041000') => `${ECHO}${amount}AE00201AF002${reason}`;

describe('a sale at a Caisse-AP terminal', () => {
  it('waits for the card, asks the host, and replies once', () => {
    const bench = createCaisseApBench();
    expect(bench.till(SALE)).toEqual([]);
    expect(bench.view()).toMatchObject({
      state: 'WAITING_FOR_CARD',
      isCardReaderLit: true,
      isRegistered: true,
      display: ['SALE', '10.00 EUR', 'Insert or tap card'],
    });
    expect(bench.expire('think')).toEqual([]);
    expect(bench.view().state).toBe('ASKING_HOST');
    expect(bench.expire('host')).toEqual(['book AUTHORIZED', DONE, 'book FINAL']);
    expect(bench.view()).toMatchObject({ state: 'IDLE', display: ['SALE', '10.00 EUR', 'Approved'] });
    expect(bench.book().standing.charges).toMatchObject({ count: 1, sumMinor: 1000, byScheme: { VISA: { count: 1 } } });
    expect(bench.book().pending).toEqual([]);
  });

  it('gives the specified reply, byte for byte', () => {
    const card = {
      ...cardOf('visa-signature'),
      pan: '4111111111111111',
      expiry: '2912',
    };
    const bench = createCaisseApBench({ cards: [card], vuNumber: '0000001', authorizationCode: () => 'A1B2C3' });
    bench.tillVector('sale-1000');
    bench.expire('think');
    expect(bench.expire('host')[1]).toBe(textOf(vector('reply-done')));
  });

  it('takes one cent and the largest amount', () => {
    const bench = createCaisseApBench();
    for (const [id, amount] of [
      ['sale-01', 'CB00201'],
      ['sale-max', 'CB012999999999999'],
    ] as const) {
      bench.tillVector(id);
      bench.expire('think');
      // Above the limit of a contactless card its PIN is typed.
      if (bench.view().state === 'WAITING_FOR_PIN') bench.expire('think');
      expect(bench.expire('host')[1]).toContain(`CD0010${amount}AE00210`);
    }
  });

  it('has no entry code and no application for a magnetic stripe', () => {
    const bench = createCaisseApBench({ cards: [cardOf('visa-magstripe')] });
    expect(bench.pay()[1]).toBe(`${ECHO}CB0041000AE00210AC006611804AA016411111******1111AB0043112CG009100000001`);
  });

  it('prints both receipts on its own paper', () => {
    const bench = createCaisseApBench();
    bench.pay();
    const paper = bench.view().paper.join('\n');
    expect(paper).toContain('MERCHANT COPY');
    expect(paper).toContain('CUSTOMER COPY');
    expect(paper).toContain('************0119'.replace(/(.{4})(?=.)/g, '$1 '));
    expect(paper).not.toContain('47617390');
  });

  it('is paid with a PIN by a person, who may err twice', () => {
    const bench = createCaisseApBench({ isManual: true });
    bench.till(SALE);
    bench.present('visa-chip');
    expect(bench.view().state).toBe('WAITING_FOR_PIN');
    bench.press('9', 'OK', '1', '2', 'CORR', '2', '3', '4', 'OK');
    expect(bench.view()).toMatchObject({ state: 'ASKING_HOST', card: 'visa-chip' });
    expect(bench.expire('host')[1]).toContain('CI0011');
  });

  it('is refused after three wrong PINs, and for a card that cannot be read', () => {
    const bench = createCaisseApBench({ isManual: true });
    bench.till(SALE);
    bench.present('visa-chip');
    expect(bench.press('1', 'OK', '1', 'OK', '1', 'OK')).toEqual(['book DECLINED', failed('04')]);
    bench.take({ type: 'card-removed' });
    bench.till(SALE);
    expect(bench.present('unreadable')).toEqual(['book DECLINED', failed('04')]);
    expect(bench.book().standing.charges.count).toBe(0);
  });

  it('is abandoned by the customer: the reply has no amount', () => {
    const bench = createCaisseApBench({ isManual: true });
    bench.till(SALE);
    expect(bench.press('STOP')).toEqual(['book CANCELLED', textOf(vector('reply-abandoned-no-amount'))]);
    bench.till(SALE);
    bench.present('visa-chip');
    expect(bench.take({ type: 'card-removed' })).toEqual(['book CANCELLED', failed('11', '')]);
  });

  it('ends when nobody presents a card in time', () => {
    const bench = createCaisseApBench({ isManual: true });
    bench.till(SALE);
    expect(bench.delayOf('card')).toBe(60_000);
    expect(bench.expire('card')).toEqual(['book CANCELLED', textOf(vector('reply-failed-08'))]);
  });

  it('is refused by the host, with its reason, and when the card has no money left', () => {
    const bench = createCaisseApBench();
    bench.arm('decline-51');
    expect(bench.pay()).toEqual(['book DECLINED', textOf(vector('reply-failed-04'))]);
    const poor = createCaisseApBench({ cards: [cardOf('prepaid')] });
    expect(poor.pay(SALE.replace('CB0041000', 'CB0045001'))).toEqual(['book DECLINED', failed('04', 'CB0045001')]);
  });

  it('is answered at once where the till wants that, and its end is never told', () => {
    const bench = createCaisseApBench();
    expect(bench.tillVector('sale-at-once')).toEqual([`${ECHO}CB0041010AE00211`]);
    bench.expire('think');
    expect(bench.expire('host')).toEqual(['book AUTHORIZED']);
    expect(bench.book()).toMatchObject({ standing: { charges: { count: 1, sumMinor: 1010 } }, pending: [1] });
  });
});

describe('what else a till can ask for', () => {
  it('a refund', () => {
    const bench = createCaisseApBench();
    bench.tillVector('refund-1000');
    expect(bench.view().display).toEqual(['REFUND', '10.00 EUR', 'Insert or tap card']);
    bench.expire('think');
    expect(bench.expire('host')[1]).toMatch(
      /^CZ0040300CJ012000000000001CA00201CE003978CD0011CB0041000AE00210AC006611804/,
    );
    expect(bench.book().standing).toMatchObject({ charges: { count: 0 }, refunds: { count: 1, sumMinor: 1000 } });
  });

  it('a cheque: no card is asked for, none is told, and the mode comes back', () => {
    const bench = createCaisseApBench();
    bench.tillVector('sale-cheque');
    expect(bench.view().state).toBe('ASKING_HOST');
    expect(bench.expire('host')).toEqual([
      'book AUTHORIZED',
      `${ECHO}CB0045000CC00300CAE00210AC006611804CG009100000001`,
      'book FINAL',
    ]);
    expect(bench.book().standing.charges).toMatchObject({ sumMinor: 5000, byScheme: { CHEQUE: { count: 1 } } });
    expect(bench.view().paper).toEqual([]);
  });

  it.each(['CZ', 'CJ', 'CA', 'CB', 'CD', 'CE'])('nothing without %s: a tag is missing', (tag) => {
    const bench = createCaisseApBench();
    const without = SALE.replace(new RegExp(`${tag}(00[1-4]|012)[0-9]+?(?=[A-Z]|$)`), '');
    expect(without.length).toBeLessThan(SALE.length);
    expect(bench.till(without)).toEqual(['CZ0040300AE00201AF00209']);
    expect(bench.kinds()).toEqual([]);
    expect(bench.view().state).toBe('IDLE');
  });

  it('nothing when the request breaks off', () => {
    expect(createCaisseApBench().till(SALE.slice(0, -2))).toEqual(['CZ0040300AE00201AF00209']);
  });

  it('nothing that this terminal does not do', () => {
    const bench = createCaisseApBench();
    expect(bench.tillVector('cancel-1000')[0]).toBe(
      'CZ0040300CJ012000000000001CA00201CE003978CD0012CB0041000AE00201AF00205',
    );
    expect(bench.tillVector('sale-chf')[0]).toMatch(/CE003756CD0010CB0042050AE00201AF00205$/);
    expect(bench.till(SALE.replace('CB0041000', 'CB00200'))[0]).toMatch(/CB00200AE00201AF00205$/);
    expect(bench.till(SALE.replace('CB0041000', 'CB0041x00'))).toEqual(['CZ0040300AE00201AF00205']);
    expect(bench.till(`${SALE}CC00300D`)[0]).toMatch(/CC00300DAE00201AF00205$/);
    expect(bench.till(`${SALE}BF0011`)).toEqual([failed('05')]);
    expect(bench.kinds()).toEqual([]);
  });

  it('nothing while a customer pays: the payment goes on', () => {
    const bench = createCaisseApBench();
    bench.till(SALE);
    expect(bench.till(SALE.replace('CB0041000', 'CB0042000'))).toEqual([failed('05', 'CB0042000')]);
    bench.expire('think');
    expect(bench.expire('host')[1]).toBe(DONE);
    expect(bench.book().standing.charges).toMatchObject({ count: 1, sumMinor: 1000 });
  });
});

describe('a till that is gone', () => {
  it('leaves a charge that it does not know of, and no later connection hears of it', () => {
    const bench = createCaisseApBench();
    bench.till(SALE);
    bench.take({ type: 'link-down' });
    bench.take({ type: 'link-up' });
    expect(bench.till(SALE)).toEqual([failed('05')]);
    bench.expire('think');
    expect(bench.expire('host')).toEqual(['book AUTHORIZED']);
    expect(bench.book()).toMatchObject({ standing: { charges: { count: 1 } }, pending: [1] });
  });

  it('does not keep the terminal: the next sale is taken', () => {
    const bench = createCaisseApBench();
    bench.till(SALE);
    bench.take({ type: 'link-down' });
    bench.expire('think');
    bench.expire('host');
    bench.take({ type: 'link-up' });
    expect(bench.pay()).toEqual(['book AUTHORIZED', DONE, 'book FINAL']);
  });

  it('a restart changes nothing about what the host approved', () => {
    const bench = createCaisseApBench();
    bench.arm('reboot');
    expect(bench.pay()).toEqual(['book AUTHORIZED', 'outage REBOOT 3000']);
    expect(bench.take({ type: 'boot' })).toEqual([]);
    expect(bench.book()).toMatchObject({ standing: { charges: { count: 1 } }, pending: [1] });
  });

  it('a payment that was waiting for its card is forgotten by a restart, and nothing was charged', () => {
    const bench = createCaisseApBench();
    bench.till(SALE);
    bench.take({ type: 'boot' });
    expect(bench.isRunning('think')).toBe(false);
    expect(bench.view().state).toBe('IDLE');
    expect(bench.kinds()).toEqual([]);
  });
});
