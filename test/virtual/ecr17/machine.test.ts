import { describe, expect, it } from 'vitest';
import { ask, createEcr17Bench, messagesOf, TERMINAL } from './terminal-bench.ts';

/** Result of X as the specification lays it out: 10.10 with the contactless Visa at 15:20 on the 30th of July. */
const X_PAID = [
  `${TERMINAL}0E00`,
  '000************0119',
  'CLI',
  'A1B2C3',
  '2111520',
  '2',
  '100000001  ',
  '000001',
  '500001',
  '000',
  '00001010',
  '0000000000',
].join('');

describe('a payment at an ECR17 terminal', () => {
  it('is acknowledged, tells how far it is, and ends with a result that has the amount', () => {
    const bench = createEcr17Bench();
    expect(bench.till(ask.payment(1010))).toEqual(['ACK', '… INSERIRE CARTA']);
    expect(bench.expire('think')).toEqual(['… COLLEGAMENTO HOST']);
    expect(bench.expire('host')).toEqual(['book AUTHORIZED', 'book TOLD', 'book FINAL', X_PAID]);
    expect(bench.ack()).toEqual([]);
    expect(bench.view().state).toBe('IDLE');
    expect(bench.book().standing.charges).toMatchObject({ count: 1, sumMinor: 1010 });
  });

  it('ends with a result without amount and action code when it was asked for with P', () => {
    const bench = createEcr17Bench();
    expect(bench.completed(ask.payment(1010, 'P'))).toBe(X_PAID.slice(0, 71));
  });

  it('stands in the book before the till hears of it, and whether it acknowledges or not', () => {
    const bench = createEcr17Bench();
    const [, , , result] = bench.procedure(ask.payment(1010)).slice(-4);
    expect(result).toBe(X_PAID);
    expect(bench.expire('ack')).toEqual([X_PAID]);
    expect(bench.expire('ack')).toEqual([X_PAID]);
    expect(bench.expire('ack')).toEqual([]);
    expect(bench.isRunning('ack')).toBe(false);
    expect(bench.view().state).toBe('IDLE');
    expect(bench.kinds()).toEqual(['AUTHORIZED', 'TOLD', 'FINAL']);
    expect(bench.book().standing.charges.sumMinor).toBe(1010);
  });

  it('repeats its result at a NAK, three times at most', () => {
    const bench = createEcr17Bench();
    bench.procedure(ask.payment(1010));
    expect(bench.nak()).toEqual([X_PAID]);
    expect(bench.nak()).toEqual([X_PAID]);
    expect(bench.nak()).toEqual([]);
    expect(bench.nak()).toEqual([]);
  });

  it('gives each dialogue with the host a STAN of its own, refusals too', () => {
    const bench = createEcr17Bench();
    const stanOf = (result: string) => result.slice(59, 65);
    const stans = [stanOf(bench.completed(ask.payment(100)))];
    bench.take({ type: 'arm', rule: 'decline-51', times: 1 });
    stans.push(stanOf(bench.completed(ask.payment(200))));
    stans.push(stanOf(bench.completed(ask.verification())));
    stans.push(stanOf(bench.completed(ask.payment(300))));
    bench.completed(ask.close());
    stans.push(stanOf(bench.completed(ask.payment(400))));
    expect(stans).toEqual(['000001', '000002', '000003', '000004', '000006']);
  });

  it('is refused with the words and the action code of the host', () => {
    const bench = createEcr17Bench();
    bench.take({ type: 'arm', rule: 'decline-51', times: 1 });
    const text = 'FONDI INSUFFICIENTI'.padEnd(24);
    expect(bench.procedure(ask.payment(1010)).slice(-3)).toEqual([
      'book DECLINED',
      'book TOLD',
      `${TERMINAL}0E01${text}000000000002100000001  000001500001116000010100000000000`,
    ]);
    expect(bench.book().standing.charges.count).toBe(0);
  });

  it('can be stopped by the customer only, and has no STAN then', () => {
    const bench = createEcr17Bench({ settings: { isManual: true } });
    bench.till(ask.payment(1010, 'P'));
    const text = 'OPERAZIONE ANNULLATA'.padEnd(24);
    expect(bench.take({ type: 'key', key: 'STOP' })).toEqual([
      'book CANCELLED',
      'book TOLD',
      `${TERMINAL}0E01${text}00000000000 ${' '.repeat(11)}000000000000`,
    ]);
  });

  it('asks for the PIN of a chip card, and takes the right one only', () => {
    const bench = createEcr17Bench({ settings: { isManual: true } });
    bench.till(ask.payment(1010));
    expect(bench.card('visa-chip')).toEqual(['… DIGITARE PIN']);
    const type = (pin: string) => [...pin].map((key) => bench.take({ type: 'key', key: key as '1' }));
    type('9999');
    expect(bench.take({ type: 'key', key: 'OK' })).toEqual(['… PIN ERRATO']);
    type('1234');
    expect(bench.take({ type: 'key', key: 'OK' })).toEqual(['… COLLEGAMENTO HOST']);
    expect(messagesOf(bench.expire('host'))[0]?.slice(31, 34)).toBe('ICC');
  });

  it('does not begin without a card where one has to be in the slot already', () => {
    const bench = createEcr17Bench({ settings: { isManual: true } });
    const withCard = `${ask.payment(1010).slice(0, 21)}1${ask.payment(1010).slice(22)}`;
    expect(messagesOf(bench.till(withCard))[0]?.slice(0, 30)).toBe(`${TERMINAL}0E05CARTA NON PRESENTE`);
  });

  it('of nothing is refused before a card is asked for', () => {
    const bench = createEcr17Bench();
    expect(messagesOf(bench.till(ask.payment(0)))[0]?.slice(0, 30)).toBe(`${TERMINAL}0E01IMPORTO NON VALIDO`);
    expect(bench.isRunning('card')).toBe(false);
  });
});

describe('what comes twice, late or damaged at an ECR17 terminal', () => {
  it('is acknowledged again when the till repeats its command, and done once', () => {
    const bench = createEcr17Bench();
    const command = ask.payment(1010);
    bench.till(command);
    expect(bench.till(command)).toEqual(['ACK']);
    bench.expire('think');
    expect(bench.till(command)).toEqual(['ACK']);
    bench.expire('host');
    expect(bench.till(command)).toEqual(['ACK']);
    bench.ack();
    expect(bench.book().standing.charges.count).toBe(1);
  });

  it('is a new payment once the result of the same command was acknowledged', () => {
    const bench = createEcr17Bench();
    bench.completed(ask.payment(1010));
    bench.completed(ask.payment(1010));
    expect(bench.book().standing.charges).toMatchObject({ count: 2, sumMinor: 2020 });
  });

  it('is not heard while a customer pays', () => {
    const bench = createEcr17Bench();
    bench.till(ask.payment(1010));
    for (const text of [ask.status(), ask.lastResult(), ask.payment(500), ask.reversal()]) {
      expect(bench.till(text)).toEqual([]);
    }
    bench.expire('think');
    expect(bench.expire('host').at(-1)).toBe(X_PAID);
  });

  it('ends the repeats of a result when the till asks something else', () => {
    const bench = createEcr17Bench();
    bench.procedure(ask.payment(1010));
    expect(bench.till(ask.status())[0]).toBe('ACK');
    bench.ack();
    expect(bench.isRunning('ack')).toBe(false);
    expect(bench.view().state).toBe('IDLE');
  });

  it('gets NAK when it is damaged, unknown, or meant for another terminal', () => {
    const bench = createEcr17Bench();
    expect(bench.take({ type: 'damaged' })).toEqual(['NAK']);
    expect(bench.till(`${TERMINAL}0Z`)).toEqual(['NAK']);
    expect(bench.till('876543210s')).toEqual(['NAK']);
    expect(bench.till(ask.payment(1010).slice(0, 40))).toEqual(['NAK']);
    expect(bench.till(`${TERMINAL}0K8765432100000004<x/>`)).toEqual(['NAK']);
    expect(bench.till('000000000s')[0]).toBe('ACK');
  });

  it('goes on in front of the terminal when the line is lost, tells nobody, and G tells it later', () => {
    const bench = createEcr17Bench();
    bench.till(ask.payment(1010));
    bench.take({ type: 'link-down' });
    bench.take({ type: 'link-up' });
    expect(bench.expire('think')).toEqual(['… COLLEGAMENTO HOST']);
    expect(bench.expire('host')).toEqual(['book AUTHORIZED', 'book TOLD', 'book FINAL']);
    expect(bench.till(ask.lastResult())).toEqual(['ACK', X_PAID]);
  });
});

describe('the last result of an ECR17 terminal', () => {
  it('is told in the layout of the procedure it came from, whichever that was', () => {
    const bench = createEcr17Bench();
    const last = () => {
      const [, text] = bench.till(ask.lastResult());
      bench.ack();
      return text;
    };
    for (const text of [ask.payment(1010), ask.payment(1010, 'P'), ask.payment(5000, 'p'), ask.verification()]) {
      expect(bench.completed(text)).toBe(last());
    }
    expect(bench.completed(ask.close())).toBe(last());
    bench.take({ type: 'arm', rule: 'decline-05', times: 1 });
    expect(bench.completed(ask.payment(700))).toBe(last());
  });

  it('stays what it was when somebody asks for status and totals', () => {
    const bench = createEcr17Bench();
    const paid = bench.completed(ask.payment(1010));
    bench.completed(ask.status());
    bench.completed(ask.totals());
    bench.completed(ask.lastResult());
    expect(bench.completed(ask.lastResult())).toBe(paid);
  });

  it('of a new terminal approves nothing', () => {
    const text = 'NESSUNA OPERAZIONE'.padEnd(24);
    expect(createEcr17Bench().completed(ask.lastResult())).toBe(
      `${TERMINAL}0E01${text}00000000000 ${' '.repeat(11)}000000000000`,
    );
  });

  it('outlives a restart', () => {
    const bench = createEcr17Bench();
    const paid = bench.completed(ask.payment(1010));
    bench.take({ type: 'boot' });
    bench.take({ type: 'link-up' });
    expect(bench.completed(ask.lastResult())).toBe(paid);
  });
});
