import { describe, expect, it } from 'vitest';
import { ask, createEcr17Bench, type Ecr17Bench, messagesOf, TERMINAL } from './terminal-bench.ts';

const refusal = (result: string) => result.slice(10, 36).trimEnd();

describe('the reversal of a payment at an ECR17 terminal', () => {
  it('takes the last payment back with its card, and has no amount and no authorization code', () => {
    const bench = createEcr17Bench();
    bench.completed(ask.payment(1010));
    expect(bench.completed(ask.reversal('000001'))).toBe(
      [
        `${TERMINAL}0E00`,
        '000************0119',
        'CLI',
        '000000',
        '2111520',
        '2',
        '100000001  ',
        '000002',
        '500002',
        '000',
        '0000000000',
      ].join(''),
    );
    expect(bench.book().standing.charges.count).toBe(0);
    expect(bench.kinds().filter((kind) => kind === 'AUTHORIZED')).toHaveLength(2);
  });

  it('checks the STAN only where one is given', () => {
    const bench = createEcr17Bench();
    bench.completed(ask.payment(1010));
    expect(refusal(bench.completed(ask.reversal('000009')))).toBe('01OPERAZ. NON TROVATA');
    expect(bench.book().standing.charges.count).toBe(1);
    expect(bench.completed(ask.reversal()).slice(10, 12)).toBe('00');
  });

  it.each<readonly [string, (bench: Ecr17Bench) => void]>([
    ['there was none', () => {}],
    [
      'it was taken back already',
      (bench) => {
        bench.completed(ask.payment(1010));
        bench.completed(ask.reversal());
      },
    ],
    [
      'its session is closed',
      (bench) => {
        bench.completed(ask.payment(1010));
        bench.completed(ask.close());
      },
    ],
    [
      'it is not the last one',
      (bench) => {
        bench.completed(ask.payment(1010));
        bench.completed(ask.payment(500));
        bench.completed(ask.reversal('000002'));
      },
    ],
  ])('is refused when %s', (_, before) => {
    const bench = createEcr17Bench();
    before(bench);
    const sum = bench.book().standing.charges.sumMinor;
    expect(refusal(bench.completed(ask.reversal()))).toBe('01OPERAZ. NON TROVATA');
    expect(bench.book().standing.charges.sumMinor).toBe(sum);
  });

  it('wants the card of the payment, and no other', () => {
    const bench = createEcr17Bench({ settings: { isManual: true } });
    const show = (card: string) => {
      bench.card(card);
      const [result] = messagesOf(bench.expire('host'));
      bench.ack();
      return result ?? '';
    };
    bench.till(ask.payment(1010));
    show('visa-contactless');
    bench.till(ask.reversal());
    expect(refusal(show('amex-contactless'))).toBe('01CARTA DIVERSA');
    expect(bench.book().standing.charges.count).toBe(1);
    bench.till(ask.reversal());
    expect(show('visa-contactless').slice(10, 12)).toBe('00');
    expect(bench.book().standing.charges.count).toBe(0);
  });

  it('gives money back to a prepaid card that is empty', () => {
    const bench = createEcr17Bench({ settings: { isManual: true } });
    bench.till(ask.payment(5000));
    bench.card('prepaid');
    bench.expire('host');
    bench.ack();
    bench.till(ask.reversal());
    bench.card('prepaid');
    expect(messagesOf(bench.expire('host'))[0]?.slice(10, 12)).toBe('00');
  });
});

describe('a pre-authorization at an ECR17 terminal', () => {
  const codeOf = (result: string) => result.slice(48, 57);

  it('is held, raised and charged by its code, without the card', () => {
    const bench = createEcr17Bench({ settings: { isManual: true } });
    bench.till(ask.payment(50000, 'p'));
    bench.card('mastercard-phone');
    const [held = ''] = messagesOf(bench.expire('host'));
    bench.ack();
    expect(held.slice(0, 12)).toBe(`${TERMINAL}0e00`);
    expect(held.slice(40, 48)).toBe('00050000');
    const code = codeOf(held);
    expect(code).toMatch(/^[0-9]{9}$/);
    expect(bench.book().standing.holds).toEqual({ count: 1, sumMinor: 50000 });

    const raised = bench.completed(ask.onPreAuthorization('i', 10000, code));
    expect(raised.slice(0, 12)).toBe(`${TERMINAL}0i00`);
    expect(raised.slice(51, 57)).toBe('000002');
    expect(bench.book().standing.holds).toEqual({ count: 1, sumMinor: 60000 });

    const charged = bench.completed(ask.onPreAuthorization('c', 55000, code));
    expect(charged).toBe(`${TERMINAL}0c00000************0029CLIA1B2C321115201100000001  000003500003000`);
    expect(bench.book().standing).toMatchObject({
      charges: { count: 1, sumMinor: 55000 },
      holds: { count: 0, sumMinor: 0 },
    });
  });

  it('outlives the close of a session', () => {
    const bench = createEcr17Bench();
    const code = codeOf(bench.completed(ask.payment(50000, 'p')));
    bench.completed(ask.close());
    expect(bench.completed(ask.onPreAuthorization('c', 50000, code)).slice(10, 12)).toBe('00');
  });

  it('is not charged above what is held, not twice, and not by another code', () => {
    const bench = createEcr17Bench();
    const code = codeOf(bench.completed(ask.payment(50000, 'p')));
    expect(refusal(bench.completed(ask.onPreAuthorization('c', 50001, code)))).toBe('01IMPORTO NON VALIDO');
    expect(refusal(bench.completed(ask.onPreAuthorization('c', 100, '000001008')))).toBe('01OPERAZ. NON TROVATA');
    expect(bench.completed(ask.onPreAuthorization('c', 100, code)).slice(10, 12)).toBe('00');
    expect(refusal(bench.completed(ask.onPreAuthorization('c', 100, code)))).toBe('01OPERAZ. NON TROVATA');
    expect(refusal(bench.completed(ask.onPreAuthorization('i', 100, code)))).toBe('01OPERAZ. NON TROVATA');
    expect(bench.book().standing.charges.sumMinor).toBe(100);
  });
});

describe('what an ECR17 terminal answers without a card', () => {
  it('is its status with its clock and its version, in parts of eight characters', () => {
    const bench = createEcr17Bench();
    expect(bench.till(ask.status())).toEqual([
      'ACK',
      `${TERMINAL}0s00000000003007261520` + `2${'VIRTUAL 1.0 CTL 40123'.padEnd(24)}`,
    ]);
  });

  it('is the total of the session, and both totals when it closes it', () => {
    const bench = createEcr17Bench();
    bench.completed(ask.payment(1010));
    bench.completed(ask.payment(2000));
    bench.completed(ask.reversal());
    expect(bench.completed(ask.totals())).toBe(`${TERMINAL}0T000000000000001010000000`);
    expect(bench.completed(ask.close())).toBe(`${TERMINAL}0C0000000000000010100000000000001010`);
    expect(bench.completed(ask.totals())).toBe(`${TERMINAL}0T000000000000000000000000`);
    expect(bench.book().closes).toBe(1);
  });

  it('is a close that it began itself, for those who ask for the last result', () => {
    const bench = createEcr17Bench();
    bench.completed(ask.payment(1010));
    expect(bench.take({ type: 'auto-close' })).toEqual(['book CLOSED', 'book TOLD']);
    expect(bench.completed(ask.lastResult()).slice(8, 12)).toBe('0C00');
  });

  it('is nothing to data for the host that nobody uses', () => {
    const bench = createEcr17Bench();
    expect(bench.till(`${TERMINAL}0U00000062DF8D01  0000000000X\u001b`)).toEqual(['ACK']);
    expect(bench.view().state).toBe('IDLE');
  });
});

describe('receipts of an ECR17 terminal', () => {
  /** What came after the result, each message acknowledged. */
  const receiptsAfter = (bench: Ecr17Bench) => {
    const parts: string[] = [];
    for (let more = messagesOf(bench.ack()); more.length > 0; more = messagesOf(bench.ack())) parts.push(...more);
    return parts;
  };

  it('go to its own paper until the till asks for them', () => {
    const bench = createEcr17Bench();
    bench.procedure(ask.payment(1010));
    expect(receiptsAfter(bench)).toEqual([]);
    expect(bench.view().paper.join('\n')).toContain('MERCHANT COPY');
  });

  it('go to the till after the result of one procedure, and then to its paper again', () => {
    const bench = createEcr17Bench();
    expect(bench.till(ask.receiptsTo('TILL'))).toEqual(['ACK']);
    bench.procedure(ask.payment(1010));
    const parts = receiptsAfter(bench);
    expect(parts.every((part) => part.startsWith(`${TERMINAL}0S`) && part.length <= 210)).toBe(true);
    expect(parts.filter((part) => part.endsWith('}}}}}}\u001b'))).toHaveLength(2);
    const text = parts.map((part) => part.slice(10)).join('');
    expect(text).toContain('\u007fTOTAL:  EUR        10.10');
    expect(text.indexOf('MERCHANT COPY')).toBeLessThan(text.indexOf('CUSTOMER COPY'));
    expect(bench.view().paper).toEqual([]);
    bench.procedure(ask.payment(1010));
    expect(receiptsAfter(bench)).toEqual([]);
    expect(bench.view().paper).not.toEqual([]);
  });

  it('go to its own paper again after a refusal, too', () => {
    const bench = createEcr17Bench();
    bench.till(ask.receiptsTo('TILL'));
    bench.take({ type: 'arm', rule: 'decline-51', times: 1 });
    bench.completed(ask.payment(1010));
    bench.procedure(ask.payment(1010));
    expect(receiptsAfter(bench)).toEqual([]);
  });

  it('are repeated message by message when the till does not acknowledge, and given up at the third', () => {
    const bench = createEcr17Bench();
    bench.till(ask.receiptsTo('TILL'));
    bench.procedure(ask.payment(1010));
    const [first] = messagesOf(bench.ack());
    expect(bench.expire('ack')).toEqual([first]);
    expect(bench.expire('ack')).toEqual([first]);
    expect(bench.expire('ack')).toEqual([]);
    expect(bench.view().state).toBe('IDLE');
    expect(bench.book().standing.charges.count).toBe(1);
  });

  it('are printed again on demand, here or there', () => {
    const bench = createEcr17Bench();
    bench.completed(ask.payment(1010));
    const paper = bench.view().paper;
    expect(bench.till(ask.reprint('TERMINAL'))).toEqual(['ACK']);
    expect(bench.view().paper).toEqual([...paper, ...paper]);
    const [acknowledged, first = ''] = bench.till(ask.reprint('TILL'));
    expect(acknowledged).toBe('ACK');
    expect(first.slice(0, 10)).toBe(`${TERMINAL}0S`);
    expect(receiptsAfter(bench).at(-1)?.slice(-7)).toBe('}}}}}}\u001b');
  });

  it('end with the text of the till', () => {
    const bench = createEcr17Bench();
    const command = ask.payment(1010);
    bench.procedure(`${command.slice(0, 31)}${'CONTRATTO 4711'.padStart(128)}${command.slice(159)}`);
    expect(bench.view().paper.filter((line) => line === 'CONTRATTO 4711')).toHaveLength(2);
  });
});

describe('the book of an ECR17 terminal', () => {
  it('makes final at the next start what the power left between the host and the result', () => {
    const bench = createEcr17Bench();
    const paid = bench.completed(ask.payment(1010));
    const [authorized] = bench.entries();
    const other = createEcr17Bench();
    if (authorized?.kind === 'AUTHORIZED') other.restore(authorized);
    expect(other.take({ type: 'boot' })).toEqual(['book TOLD', 'book FINAL']);
    other.take({ type: 'link-up' });
    expect(other.completed(ask.lastResult())).toBe(paid);
    expect(other.book()).toMatchObject({ pending: [], standing: { charges: { count: 1, sumMinor: 1010 } } });
  });
});
