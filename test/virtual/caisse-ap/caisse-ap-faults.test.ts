import { describe, expect, it } from 'vitest';
import { CAISSE_AP_FAULTS, CAISSE_AP_RULES, type Rule } from '../../../drivers/virtual/rules.ts';
import { vector } from '../../support/vectors.ts';
import { createCaisseApBench, DONE, ECHO, SALE, textOf } from './caisse-ap-bench.ts';

const FORBIDDEN = `${ECHO}CB0041000AE00201AF00205`;

/** A terminal that meets a rule with its next payment. */
function armed(rule: Rule) {
  const bench = createCaisseApBench();
  bench.arm(rule);
  return bench;
}

describe('a fault armed for the next payment', () => {
  it.each(['no-answer', 'busy'] as const)('%s: nothing is charged, and the next request is taken', (rule) => {
    const bench = armed(rule);
    expect(bench.till(SALE)).toEqual(rule === 'busy' ? [FORBIDDEN] : []);
    expect(bench.kinds()).toEqual([]);
    expect(bench.pay()[1]).toBe(DONE);
  });

  it('slow: the host takes its time', () => {
    const bench = armed('slow');
    bench.till(SALE);
    bench.expire('think');
    expect(bench.delayOf('host')).toBe(3000);
    expect(bench.expire('host')[1]).toBe(DONE);
  });

  it('drop-before-host: the line is lost and nothing is charged', () => {
    const bench = armed('drop-before-host');
    bench.till(SALE);
    expect(bench.expire('think')).toEqual(['drop-link', 'book CANCELLED']);
    expect(bench.view().state).toBe('IDLE');
  });

  it.each([
    ['drop-after-host', 'drop-link'],
    ['unplug', 'outage UNPLUG 3000'],
    ['reboot', 'outage REBOOT 3000'],
    ['half-frame', `${DONE} HALF`],
  ] as const)('%s: charged, and the till does not get to know', (rule, end) => {
    const bench = armed(rule);
    expect(bench.pay()).toEqual(['book AUTHORIZED', end]);
    expect(bench.book()).toMatchObject({ standing: { charges: { count: 1, sumMinor: 1000 } }, pending: [1] });
  });

  it('drop-after-final: the line is lost after the reply', () => {
    expect(armed('drop-after-final').pay()).toEqual(['book AUTHORIZED', DONE, 'book FINAL', 'drop-link']);
  });

  it('duplicate-reply: told twice, charged once', () => {
    const bench = armed('duplicate-reply');
    expect(bench.pay()).toEqual(['book AUTHORIZED', DONE, DONE, 'book FINAL']);
    expect(bench.book().standing.charges.count).toBe(1);
  });

  it('noise: foreign bytes come before the reply', () => {
    expect(armed('noise').pay()).toEqual(['book AUTHORIZED', `${DONE} NOISE`, 'book FINAL']);
  });

  it('reply-in-pieces: part after part, final with the last one', () => {
    const bench = armed('reply-in-pieces');
    const [authorized, ...pieces] = [...bench.pay()];
    expect(authorized).toBe('book AUTHORIZED');
    expect(bench.view().state).toBe('TELLING_RESULT');
    expect(bench.till(SALE)).toEqual([FORBIDDEN]);
    while (bench.isRunning('piece')) pieces.push(...bench.expire('piece'));
    expect(pieces.pop()).toBe('book FINAL');
    expect(pieces.length).toBeGreaterThan(5);
    expect(pieces.join('')).toBe(DONE);
    expect(bench.view().state).toBe('IDLE');
  });

  it('reply-in-pieces: a till that goes meanwhile has not been told', () => {
    const bench = armed('reply-in-pieces');
    bench.pay();
    bench.take({ type: 'link-down' });
    expect(bench.isRunning('piece')).toBe(false);
    expect(bench.view().state).toBe('IDLE');
    expect(bench.book()).toMatchObject({ standing: { charges: { count: 1 } }, pending: [1] });
  });

  it('cardholder-cancel: the customer presses stop, and the reply has no amount', () => {
    const bench = armed('cardholder-cancel');
    bench.till(SALE);
    expect(bench.expire('think')).toEqual(['book CANCELLED', textOf(vector('reply-abandoned-no-amount'))]);
  });

  it('wrong-amount: another amount is charged and told', () => {
    const bench = armed('wrong-amount');
    expect(bench.pay()[1]).toContain('CD0010CB0041100AE00210');
    expect(bench.book().standing.charges.sumMinor).toBe(1100);
  });

  it('is met by every payment that it is armed for, and then by none', () => {
    const bench = createCaisseApBench();
    bench.take({ type: 'arm', rule: 'busy', times: 2 });
    expect([bench.till(SALE), bench.till(SALE)]).toEqual([[FORBIDDEN], [FORBIDDEN]]);
    expect(bench.pay()[1]).toBe(DONE);
  });

  it.each(CAISSE_AP_RULES)('%s: the terminal is idle in the end and charges once at most', (rule) => {
    const bench = armed(rule);
    bench.till(SALE);
    for (const name of ['think', 'host'] as const) if (bench.isRunning(name)) bench.expire(name);
    while (bench.isRunning('piece')) bench.expire('piece');
    expect(bench.view().state).toBe('IDLE');
    expect(bench.book().standing.charges.count).toBeLessThanOrEqual(1);
    expect(bench.pay()[1]).toBe(DONE);
  });
});

describe('a fault that happens now', () => {
  it.each(CAISSE_AP_FAULTS)('%s', (fault) => {
    const done = { drop: 'drop-link', unplug: 'outage UNPLUG 3000', reboot: 'outage REBOOT 3000', noise: 'send-noise' };
    expect(createCaisseApBench().take({ type: 'fault', fault })).toEqual([done[fault]]);
  });
});
