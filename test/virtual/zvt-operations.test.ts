import { describe, expect, it } from 'vitest';
import { toHex } from '../../drivers/framing/bytes.ts';
import { TEST_CARDS } from '../../drivers/virtual/cards.ts';
import { encodeCommand } from '../../drivers/zvt/codec/commands.ts';
import { vectorHex } from '../support/vectors.ts';
import { ACK, createMachineBench, type MachineBench, saleUntilResult, wholeSale } from './support/machine-bench.ts';

const PRE_AUTH_50 = '06 22 0A 04 00 00 00 00 50 00 49 09 78';
const REPEAT_WITH_STATUS = '06 20 05 00 00 00 03 03';

function connected(): MachineBench {
  const bench = createMachineBench();
  bench.connect();
  return bench;
}

/** A command that needs no card: to its end. */
function withoutCard(bench: MachineBench, hex: string): readonly string[] {
  const first = bench.till(hex);
  bench.acknowledgeAll();
  return bench.isRunning('host') ? [...bench.expire('host'), ...bench.acknowledgeAll()] : first;
}

describe('pre-authorizations', () => {
  it('hold money until they are booked with what was used', () => {
    const bench = connected();
    expect(wholeSale(bench, vectorHex('kotlinsim-preauth-01'))[1]).toMatch(
      /^04 0F .* 27 00 04 00 00 00 00 50 00 .* 87 00 01 /,
    );
    expect(bench.book().standing).toMatchObject({ charges: { count: 0 }, holds: { count: 1, sumMinor: 5000 } });
    const outputs = withoutCard(bench, '06 24 0A 87 00 01 04 00 00 00 00 45 00');
    expect(outputs[1]).toMatch(/^04 0F .* 27 00 04 00 00 00 00 45 00 0B 00 00 02 .* 37 00 00 01 .* 87 00 02 /);
    expect(bench.book().standing).toMatchObject({ charges: { count: 1, sumMinor: 4500 }, holds: { count: 0 } });
  });

  it('are booked by partial reversal with what was not used', () => {
    const bench = connected();
    wholeSale(bench, PRE_AUTH_50);
    withoutCard(bench, '06 23 0A 87 00 01 04 00 00 00 00 05 00');
    expect(bench.book().standing.charges).toMatchObject({ count: 1, sumMinor: 4500 });
  });

  it('are not booked above what is held, nor twice', () => {
    const bench = connected();
    wholeSale(bench, PRE_AUTH_50);
    expect(withoutCard(bench, '06 24 0A 87 00 01 04 00 00 00 00 50 01')).toEqual([ACK, '06 1E 01 B7']);
    withoutCard(bench, '06 24 0A 87 00 01 04 00 00 00 00 50 00');
    expect(withoutCard(bench, '06 24 0A 87 00 01 04 00 00 00 00 50 00')).toEqual([ACK, '06 1E 01 B8']);
  });

  it('are extended by trace and authorization attribute', () => {
    const bench = connected();
    wholeSale(bench, PRE_AUTH_50);
    withoutCard(bench, '06 22 17 04 00 00 00 00 20 00 49 09 78 0B 00 00 01 3B 36 31 31 38 30 34 00 00');
    expect(bench.book().standing.holds).toEqual({ count: 1, sumMinor: 7000 });
    withoutCard(bench, '06 24 0A 87 00 01 04 00 00 00 00 70 00');
    expect(bench.book().standing).toMatchObject({ charges: { sumMinor: 7000 }, holds: { count: 0 } });
  });

  it('are released without a charge', () => {
    const bench = connected();
    wholeSale(bench, PRE_AUTH_50);
    expect(withoutCard(bench, '06 25 03 87 00 01')[0]).toBe('book AUTHORIZED');
    expect(bench.book().standing).toMatchObject({ charges: { count: 0 }, holds: { count: 0 } });
  });

  it('stay open when the release is not acknowledged', () => {
    const bench = connected();
    wholeSale(bench, PRE_AUTH_50);
    bench.till('06 25 03 87 00 01');
    bench.acknowledgeAll();
    bench.expire('host');
    bench.expire('ack');
    bench.acknowledgeAll();
    expect(bench.book().standing.holds).toEqual({ count: 1, sumMinor: 5000 });
    expect(withoutCard(bench, '06 25 03 87 00 01')[0]).toBe('book AUTHORIZED');
  });

  it('are listed: one by its receipt, none as FFFF, several in TLV', () => {
    const bench = connected();
    expect(withoutCard(bench, vectorHex('spec-query-preauth'))).toEqual([ACK, '06 1E 04 B8 87 FF FF']);
    wholeSale(bench, PRE_AUTH_50);
    expect(withoutCard(bench, vectorHex('spec-query-preauth'))).toEqual([
      ACK,
      vectorHex('own-open-preauth-one').replace('00 42', '00 01'),
    ]);
    wholeSale(bench, PRE_AUTH_50);
    bench.till('06 00 08 00 00 00 1A 09 78 06 00');
    bench.till(ACK);
    expect(withoutCard(bench, vectorHex('spec-query-preauth'))).toEqual([
      ACK,
      '06 1E 0D B8 06 0A 23 08 08 02 00 01 08 02 00 02',
    ]);
  });

  it('survive the day close', () => {
    const bench = connected();
    wholeSale(bench, PRE_AUTH_50);
    bench.till('06 50 03 00 00 00');
    bench.acknowledgeAll();
    expect(withoutCard(bench, '06 24 0A 87 00 01 04 00 00 00 00 50 00')[0]).toBe('book AUTHORIZED');
  });
});

describe('reversals and refunds', () => {
  it('void a sale once, by receipt, and tell its trace', () => {
    const bench = connected();
    wholeSale(bench);
    const outputs = withoutCard(bench, vectorHex('kotlinsim-reversal-01'));
    expect(outputs[1]).toMatch(/^04 0F .* 27 00 04 00 00 00 00 12 34 0B 00 00 02 .* 37 00 00 01 .* 87 00 02 /);
    expect(bench.book().standing.charges.count).toBe(0);
    expect(withoutCard(bench, vectorHex('kotlinsim-reversal-01'))).toEqual([ACK, '06 1E 01 B4']);
  });

  it('are refused for another amount, an unknown receipt, and after the day close', () => {
    const bench = connected();
    wholeSale(bench);
    expect(withoutCard(bench, '06 30 0D 00 00 00 87 00 01 04 00 00 00 00 12 35')).toEqual([ACK, '06 1E 01 B5']);
    expect(withoutCard(bench, '06 30 06 00 00 00 87 00 09')).toEqual([ACK, '06 1E 01 B5']);
    bench.till('06 50 03 00 00 00');
    bench.acknowledgeAll();
    expect(withoutCard(bench, '06 30 06 00 00 00 87 00 01')).toEqual([ACK, '06 1E 01 B5']);
  });

  it('leave the sale standing when the till does not acknowledge the void', () => {
    const bench = connected();
    wholeSale(bench);
    bench.till(vectorHex('kotlinsim-reversal-01'));
    bench.acknowledgeAll();
    bench.expire('host');
    bench.expire('ack');
    expect(bench.book().standing.charges).toMatchObject({ count: 1, sumMinor: 1234 });
  });

  it('give money back on a card', () => {
    const bench = connected();
    expect(wholeSale(bench, vectorHex('kotlin-refund-500'))[0]).toBe('book AUTHORIZED');
    expect(bench.book().standing.refunds).toEqual({ count: 1, sumMinor: 500 });
  });
});

describe('repeat receipt', () => {
  it('tells the last final payment again, as it was', () => {
    const bench = connected();
    const told = wholeSale(bench)[1];
    expect(bench.till(REPEAT_WITH_STATUS)).toEqual([ACK, told]);
    expect(bench.till(ACK)).toEqual(['06 0F 00']);
  });

  it('does not tell what was declined or taken back: the old receipt comes', () => {
    const bench = connected();
    const told = wholeSale(bench)[1];
    bench.take({ type: 'arm', rule: 'decline-05', times: 1 });
    wholeSale(bench);
    saleUntilResult(bench);
    bench.expire('ack');
    bench.acknowledgeAll();
    expect(bench.till(REPEAT_WITH_STATUS)).toEqual([ACK, told]);
  });

  it('prints only, without the service byte', () => {
    const bench = connected();
    wholeSale(bench);
    expect(bench.till('06 20 03 00 00 00')).toEqual([ACK, '06 0F 00']);
  });
});

describe('day close and totals', () => {
  it('tells total, count and sum per scheme, and closes the batch', () => {
    const bench = connected();
    wholeSale(bench);
    wholeSale(bench, vectorHex('kotlin-sale-1250'));
    wholeSale(bench);
    withoutCard(bench, '06 30 06 00 00 00 87 00 03');
    const outputs = [...bench.till('06 50 03 00 00 00'), ...bench.acknowledgeAll()];
    expect(outputs.slice(0, 3)).toEqual([ACK, '04 FF 01 0E', 'book CLOSED']);
    // Two Visa sales of 24.84 together; the voided third is in no sum. Receipts 0001 to 0004.
    expect(outputs[3]).toContain('27 00 04 00 00 00 00 24 84 ');
    expect(outputs[3]).toContain(
      `60 F0 F5 F3 00 01 00 04 ${'00 00 00 00 00 00 00 '.repeat(4)}02 00 00 00 00 24 84 ${'00 '.repeat(14).trim()}`,
    );
    expect(outputs.at(-1)).toBe('06 0F 00');
    expect(bench.till('06 10 03 00 00 00')[1]).toContain('27 00 04 00 00 00 00 00 00 ');
  });

  it('starts by itself, and the till is told', () => {
    const bench = connected();
    wholeSale(bench);
    expect(bench.take({ type: 'auto-close' })).toEqual(['04 FF 01 0F', 'book CLOSED']);
    expect(bench.till(ACK)[0]).toMatch(/^04 0F .* 27 00 04 00 00 00 00 12 34 /);
    expect(bench.entries().at(-1)).toMatchObject({
      kind: 'CLOSED',
      startedBy: 'TERMINAL',
      totals: { count: 1, sumMinor: 1234 },
    });
  });

  it('happens without a till too', () => {
    const bench = createMachineBench();
    expect(bench.take({ type: 'auto-close' })).toEqual(['book CLOSED']);
    expect(bench.view().state).toBe('IDLE');
  });
});

describe('status and service', () => {
  it('tells its status alone, and with a password its software version like the captured terminals', () => {
    const bench = createMachineBench({ settings: { softwareVersion: '061022a M IC_ Std' } });
    bench.take({ type: 'link-up' });
    expect(bench.till(vectorHex('kotlin-status-enquiry'))).toEqual([ACK, vectorHex('own-terminal-status-00')]);
    bench.till(ACK);
    expect(bench.till(vectorHex('issue-ecrterm2-status-enquiry'))).toEqual([
      ACK,
      vectorHex('issue-ecrterm2-status-reply'),
    ]);
  });

  it('names what it needs, and the matching command ends it', () => {
    const bench = connected();
    bench.take({ type: 'fault', fault: 'needs-initialisation' });
    expect(withoutCard(bench, '05 01 00')).toEqual([ACK, vectorHex('own-terminal-status-51')]);
    expect(bench.till('06 01 07 04 00 00 00 00 01 00')[1]).toBe('book DECLINED');
    expect(bench.acknowledgeAll()).toEqual(['06 1E 01 DF']);
    withoutCard(bench, '06 93 03 00 00 00');
    bench.take({ type: 'fault', fault: 'day-close-needed' });
    expect(withoutCard(bench, '05 01 00')).toEqual([ACK, vectorHex('own-terminal-status-f0')]);
    withoutCard(bench, '06 50 03 00 00 00');
    expect(withoutCard(bench, '05 01 00')).toEqual([ACK, vectorHex('own-terminal-status-00')]);
  });

  it('diagnoses itself', () => {
    const bench = connected();
    expect([...bench.till(vectorHex('kotlin-diagnosis')), ...bench.acknowledgeAll()]).toEqual([
      ACK,
      '04 FF 01 0E',
      '06 0F 00',
    ]);
  });

  it('refuses what it does not know', () => {
    const bench = connected();
    expect(bench.till('06 E7 00')).toEqual([vectorHex('portalum-negative-83')]);
    expect(bench.till('06 C6 00')).toEqual([vectorHex('portalum-negative-83')]);
    expect(bench.till('0F 80 00')).toEqual([vectorHex('portalum-negative-83')]);
  });
});

describe('cards', () => {
  it('ask for their PIN, take corrections, and are refused after the third wrong one', () => {
    const bench = createMachineBench({ settings: { isManual: true } });
    bench.connect();
    const chip = { type: 'card', card: cardNamed('visa-chip') } as const;
    bench.till(vectorHex('kotlinsim-auth-01'));
    bench.acknowledgeAll();
    expect(bench.take(chip)).toEqual(['04 FF 01 01']);
    bench.acknowledgeAll();
    for (const key of ['9', 'CORR', '1', '2', '3'] as const) bench.take({ type: 'key', key });
    expect(bench.view()).toMatchObject({
      state: 'WAITING_FOR_PIN',
      card: 'visa-chip',
      display: ['VERKAUF', '12,34 EUR', 'Geheimzahl eingeben', '***'],
    });
    expect(bench.take({ type: 'key', key: 'OK' })).toEqual(['04 FF 01 15']);
    bench.acknowledgeAll();
    for (const key of ['1', '2', '3', '4'] as const) bench.take({ type: 'key', key });
    expect(bench.take({ type: 'key', key: 'OK' })).toEqual(['04 FF 01 04']);
    bench.acknowledgeAll();
    bench.expire('host');
    expect(bench.acknowledgeAll()).toEqual(['book FINAL', '04 FF 01 0B']);
    expect(bench.view()).toMatchObject({ state: 'WAITING_FOR_CARD_REMOVAL' });
    expect(bench.take({ type: 'card-removed' })).toEqual(['06 0F 00']);
    bench.acknowledgeAll();

    bench.till(vectorHex('kotlinsim-auth-01'));
    bench.acknowledgeAll();
    bench.take(chip);
    bench.acknowledgeAll();
    bench.take({ type: 'key', key: 'OK' });
    bench.acknowledgeAll();
    bench.take({ type: 'key', key: 'OK' });
    bench.acknowledgeAll();
    expect(bench.take({ type: 'key', key: 'OK' })).toEqual(['04 FF 01 15', 'book DECLINED']);
    expect(bench.till(ACK)[0]).toMatch(/^04 0F .. 27 4B /);
  });

  it('can be taken out, or the customer presses stop, before the host is asked', () => {
    for (const input of [{ type: 'card-removed' }, { type: 'key', key: 'STOP' }] as const) {
      const bench = createMachineBench({ settings: { isManual: true } });
      bench.connect();
      bench.till(vectorHex('kotlinsim-auth-01'));
      bench.take({ type: 'card', card: cardNamed('visa-chip') });
      expect(bench.take(input)).toEqual(['book CANCELLED']);
      expect(bench.acknowledgeAll().at(-1)).toBe('06 1E 01 6C');
    }
  });

  it('contactless ask for a PIN above the limit only', () => {
    const bench = connected();
    bench.till('06 01 07 04 00 00 00 00 50 00');
    bench.acknowledgeAll();
    expect(bench.expire('think')).toEqual(['04 FF 01 04']);
    bench.acknowledgeAll();
    bench.expire('host');
    bench.acknowledgeAll();
    bench.till('06 01 07 04 00 00 00 00 50 01');
    bench.acknowledgeAll();
    expect(bench.expire('think')).toEqual(['04 FF 01 01']);
  });

  it('prepaid pay until they are empty, and tell their balance', () => {
    const bench = createMachineBench({ settings: { cards: [cardNamed('prepaid')] } });
    bench.connect();
    wholeSale(bench, '06 01 07 04 00 00 00 00 40 00');
    bench.till(vectorHex('own-balance'));
    bench.acknowledgeAll();
    bench.expire('think');
    bench.acknowledgeAll();
    expect(bench.expire('host')[0]).toMatch(/^04 0F .. 27 00 04 00 00 00 00 10 00 /);
    bench.acknowledgeAll();
    expect(saleUntilResult(bench, '06 01 07 04 00 00 00 00 10 01')[1]).toMatch(/^04 0F .. 27 33 /);
  });

  it('without money on them have no balance', () => {
    const bench = connected();
    bench.till(vectorHex('own-balance'));
    bench.acknowledgeAll();
    bench.expire('think');
    bench.acknowledgeAll();
    expect(bench.expire('host')[1]).toMatch(/^04 0F .. 27 68 /);
  });

  it('that cannot be read end with 64', () => {
    const bench = createMachineBench({ settings: { cards: [cardNamed('unreadable')] } });
    bench.connect();
    bench.till(vectorHex('kotlinsim-auth-01'));
    bench.acknowledgeAll();
    expect(bench.expire('think')).toEqual(['04 FF 01 0C', 'book DECLINED']);
    expect(bench.acknowledgeAll().at(-1)).toBe('06 1E 01 64');
  });
});

describe('reading a card', () => {
  it('tells the masked number and no completion', () => {
    const bench = connected();
    bench.till(vectorHex('own-read-card-chip'));
    bench.acknowledgeAll();
    expect(bench.expire('think')[0]).toMatch(/^04 0F .. 22 F0 F8 47 61 73 EE EE EE 01 19 8A 0A /);
    expect(bench.till(ACK)).toEqual([]);
    expect(bench.view().state).toBe('IDLE');
  });

  it('ends with an abort when no card comes in the time the till gave', () => {
    const bench = createMachineBench({ settings: { isManual: true } });
    bench.connect();
    bench.till(vectorHex('own-read-card-mag'));
    bench.acknowledgeAll();
    expect(bench.delayOf('card')).toBe(30_000);
    expect(bench.expire('card')).toEqual(['06 1E 01 6C']);
  });

  it('tells 64 for a card that cannot be read', () => {
    const bench = createMachineBench({ settings: { isManual: true } });
    bench.connect();
    bench.till(vectorHex('own-read-card-mag'));
    bench.acknowledgeAll();
    expect(bench.take({ type: 'card', card: cardNamed('unreadable') })).toEqual([vectorHex('own-card-error')]);
  });
});

describe('text, keys and printing for the till', () => {
  it('shows text for the time the till asks for', () => {
    const bench = connected();
    expect(bench.till(vectorHex('own-display'))).toEqual([ACK]);
    expect(bench.view().display).toEqual(['Guten Tag', 'Bitte 1 ']);
    expect(bench.delayOf('display')).toBe(5000);
    bench.expire('display');
    expect(bench.view().display).toEqual(['Virtuelles Terminal', 'Kein echtes Geld']);
  });

  it('answers with the key that is pressed', () => {
    const cases = [
      ['OK', 'own-key-0d'],
      ['CORR', 'own-key-18'],
      ['STOP', 'own-key-1b'],
      ['F1', 'own-key-31'],
      ['F2', 'own-key-32'],
      ['F3', 'own-key-33'],
      ['F4', 'own-key-34'],
    ] as const;
    for (const [key, answer] of cases) {
      const bench = createMachineBench({ settings: { isManual: true } });
      bench.connect();
      expect(bench.till(vectorHex('own-display-key'))).toEqual([]);
      expect(bench.take({ type: 'key', key })).toEqual([vectorHex(answer)]);
    }
  });

  it('has its simulated customer take the first choice of a menu, and say yes to anything else', () => {
    const answerTo = (...lines: readonly string[]) => {
      const bench = createMachineBench();
      bench.connect();
      bench.till(toHex(encodeCommand({ type: 'display-key', durationSeconds: 30, lines })));
      return bench.expire('think');
    };
    expect(answerTo('Tip?', 'F1 5 %', 'F2 none')).toEqual([vectorHex('own-key-31')]);
    expect(answerTo('Do you want a bag?')).toEqual([vectorHex('own-key-0d')]);
  });

  it('answers 6C when nobody presses a key', () => {
    const bench = createMachineBench({ settings: { isManual: true } });
    bench.connect();
    bench.till(vectorHex('own-display-key'));
    expect(bench.delayOf('input')).toBe(30_000);
    expect(bench.expire('input')).toEqual([vectorHex('own-key-6c')]);
  });

  it('reads a number of the length that the till wants', () => {
    const bench = createMachineBench({ settings: { isManual: true } });
    bench.connect();
    expect(bench.till(vectorHex('spec-cc-numeric-input'))).toEqual([]);
    for (const key of ['1', '2', '7', 'CORR', '3', '4', '5'] as const) bench.take({ type: 'key', key });
    expect(bench.view().display.at(-1)).toBe('1234');
    expect(bench.take({ type: 'key', key: 'OK' })).toEqual([vectorHex('own-numeric-reply')]);
  });

  it('refuses a number input whose text has no MAC', () => {
    const bench = connected();
    expect(bench.till('06 E2 08 F0 1E F1 F0 F1 41 FB 01')).toEqual(['84 75 00']);
  });

  it('prints a line of the till', () => {
    const bench = connected();
    expect(bench.till(vectorHex('own-print-on-pt'))[0]).toBe(ACK);
    expect(bench.view().paper.at(-1)?.trim()).toBe('HALLO');
    bench.acknowledgeAll();
    bench.take({ type: 'fault', fault: 'out-of-paper' });
    expect(bench.till(vectorHex('own-print-on-pt'))).toEqual([vectorHex('spec-printer-not-ready')]);
  });
});

function cardNamed(id: string) {
  const card = TEST_CARDS.find((known) => known.id === id);
  if (card === undefined) throw new Error(`There is no card ${id}`);
  return card;
}

describe('the status enquiry', () => {
  it('is answered without the software version where service byte 02 says so, as a captured terminal does', () => {
    const bench = connected();
    expect(bench.till('05 01 05 00 00 00 03 07')).toEqual([ACK, '06 0F 01 00']);
    bench.acknowledgeAll();
    expect(bench.till('05 01 05 00 00 00 03 05')[1]).toMatch(/^06 0F .* 56 49 52 54 55 41 4C .* 00$/);
  });
});

describe('service commands', () => {
  it('give a day close a trace number of its own', () => {
    const bench = connected();
    wholeSale(bench);
    expect(bench.till('06 50 03 00 00 00').join()).not.toContain('06 0F');
    const close = bench.acknowledgeAll().find((line) => line.startsWith('04 0F')) ?? '';
    bench.acknowledgeAll();
    const sale = wholeSale(bench).find((line) => line.startsWith('04 0F')) ?? '';
    expect(close).toContain(' 0B 00 00 02 ');
    expect(sale).toContain(' 0B 00 00 03 ');
    expect(sale).toContain(' 87 00 02 ');
  });
});

describe('an abort of nothing', () => {
  it('is acknowledged, and completed too where the terminal is told to be such a one', () => {
    const bench = connected();
    expect(bench.till('06 B0 00')).toEqual([ACK]);
    bench.take({ type: 'fault', fault: 'idle-abort-completed' });
    expect(bench.till('06 B0 00')).toEqual([ACK, '06 0F 00']);
    bench.till(ACK);
    bench.take({ type: 'fault', fault: 'idle-abort-acknowledged' });
    expect(bench.till('06 B0 00')).toEqual([ACK]);
  });
});
