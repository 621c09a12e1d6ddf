import { describe, expect, it } from 'vitest';
import type { TestCard } from '../../drivers/virtual/cards.ts';
import { vectorHex } from '../support/vectors.ts';
import {
  ACK,
  createMachineBench,
  LINE_REGISTRATION,
  saleUntilResult,
  TEST_SETTINGS,
  wholeSale,
} from './support/machine-bench.ts';

/** The card of the captured payments: only its last four digits and its expiry are known. */
const CAPTURED_CARD: TestCard = {
  id: 'captured',
  title: 'card of the captures',
  scheme: 'MASTERCARD',
  label: 'Debit Mastercard',
  pan: '5413330000004771',
  expiry: '2512',
  sequence: '0001',
  aid: 'A0000000041010',
  entry: 'CONTACT',
  verification: 'PIN',
  pin: '1234',
};

describe('registration', () => {
  it('answers like the terminal of the specification: acknowledgement, then status, terminal id and currency', () => {
    const bench = createMachineBench({ settings: { terminalId: '12345678' } });
    bench.take({ type: 'link-up' });
    expect(bench.till(vectorHex('kotlinsim-register-01'))).toEqual([ACK, vectorHex('own-registration-done')]);
    expect(bench.till(ACK)).toEqual([]);
  });

  it('says that initialisation is needed', () => {
    const bench = createMachineBench({ settings: { terminalId: '12345678' } });
    bench.take({ type: 'link-up' });
    bench.take({ type: 'fault', fault: 'needs-initialisation' });
    expect(bench.till('06 00 06 00 00 00 1A 09 78')).toEqual([ACK, vectorHex('own-registration-needs-init')]);
  });

  it('lists text blocks in the TLV container, and leaves out message sequence ids that it does not know', () => {
    const bench = createMachineBench({ settings: { terminalId: '65000028' } });
    bench.take({ type: 'link-up' });
    expect(bench.till(vectorHex('spec-seqid-registration'))).toEqual([ACK, vectorHex('spec-seqid-completion-refused')]);
  });

  it('refuses a foreign currency naming its own', () => {
    const bench = createMachineBench();
    bench.take({ type: 'link-up' });
    expect(bench.till('06 00 06 00 00 00 1A 08 40')).toEqual([vectorHex('spec-registration-wrong-currency')]);
  });

  it('is needed before a payment, and again after a restart and a log-off', () => {
    const bench = createMachineBench();
    bench.take({ type: 'link-up' });
    const sale = vectorHex('kotlin-sale-1250');
    expect(bench.till(sale)).toEqual([vectorHex('own-not-registered')]);
    bench.connect();
    bench.take({ type: 'boot' });
    expect(bench.till(sale)).toEqual([vectorHex('own-not-registered')]);
    bench.connect();
    expect(bench.till(vectorHex('kotlin-logoff'))).toEqual([ACK]);
    expect(bench.till(sale)).toEqual([vectorHex('own-not-registered')]);
  });
});

describe('a sale', () => {
  it('tells its result byte for byte like the captured terminal', () => {
    const bench = createMachineBench({
      settings: { terminalId: '28004869', vuNumber: '100461763', cards: [CAPTURED_CARD] },
      first: { receipt: 470, trace: 470 },
      at: new Date(2021, 9, 6, 22, 39, 53),
    });
    bench.connect();
    // The captured terminal calls this card type 2E (Maestro); ours is 06 (Mastercard).
    const captured = vectorHex('portalum-status-paid-1').replace('8A 2E', '8A 06');
    bench.till('06 01 0A 04 00 00 00 00 20 40 49 09 78');
    bench.acknowledgeAll();
    bench.expire('think');
    bench.acknowledgeAll();
    bench.expire('think');
    bench.acknowledgeAll();
    expect(bench.expire('host')).toEqual(['book AUTHORIZED', captured]);
  });

  it('shows its steps and ends with a completion', () => {
    const bench = createMachineBench();
    bench.connect();
    expect(bench.till(vectorHex('kotlinsim-auth-01'))).toEqual([ACK, vectorHex('portalum-interim-0a')]);
    expect(bench.view()).toMatchObject({
      state: 'WAITING_FOR_CARD',
      isCardReaderLit: true,
      display: ['VERKAUF', '12,34 EUR', 'Karte einstecken/vorhalten'],
    });
    expect(bench.till(ACK)).toEqual([]);
    expect(bench.expire('think')).toEqual(['04 FF 01 04']);
    expect(bench.till(ACK)).toEqual([]);
    const result = bench.expire('host');
    expect(result[0]).toBe('book AUTHORIZED');
    expect(result[1]).toMatch(/^04 0F .* 27 00 04 00 00 00 00 12 34 0B 00 00 01 /);
    expect(bench.till(ACK)).toEqual(['book FINAL', '06 0F 00']);
    expect(bench.view().state).toBe('ENDING');
    expect(bench.till(ACK)).toEqual([]);
    expect(bench.view().state).toBe('IDLE');
    expect(bench.book().standing.charges).toMatchObject({ count: 1, sumMinor: 1234 });
  });

  it('sends no intermediate status to a till that did not ask for them', () => {
    const bench = createMachineBench();
    bench.connect('06 00 06 00 00 00 12 09 78');
    expect(bench.till(vectorHex('kotlinsim-auth-01'))).toEqual([ACK]);
    expect(bench.expire('think')).toEqual([]);
    expect(bench.expire('host')[1]).toMatch(/^04 0F/);
  });

  it('waits with each message for the acknowledgement of the one before', () => {
    const bench = createMachineBench();
    bench.connect();
    bench.till(vectorHex('kotlinsim-auth-01'));
    expect(bench.expire('think')).toEqual([]);
    expect(bench.expire('host')).toEqual(['book AUTHORIZED']);
    expect(bench.till(ACK)).toEqual(['04 FF 01 04']);
    expect(bench.till(ACK)[0]).toMatch(/^04 0F/);
  });

  it('is declined with the issuer code as a binary number and ends with an abort', () => {
    const bench = createMachineBench({ settings: { terminalId: '29000274' } });
    bench.connect('06 00 08 00 00 00 1A 09 78 06 00');
    bench.take({ type: 'arm', rule: 'decline-05', times: 1 });
    const [booked, status] = saleUntilResult(bench);
    expect(booked).toBe('book DECLINED');
    // The captured card is a Mastercard (8A 06), ours a Visa (8A 0A).
    expect(status).toBe(vectorHex('portalum-status-declined-05').replace('8A 06', '8A 0A'));
    expect(bench.till(ACK)).toEqual([vectorHex('portalum-abort-05')]);
    bench.take({ type: 'arm', rule: 'decline-51', times: 1 });
    expect(saleUntilResult(bench)[1]).toMatch(/^04 0F .. 27 33 /);
    expect(bench.book().standing.charges.count).toBe(0);
  });

  it('takes its own authorization back when the till does not acknowledge, and the book says so', () => {
    const bench = createMachineBench();
    bench.connect();
    saleUntilResult(bench);
    expect(bench.delayOf('ack')).toBe(5000);
    expect(bench.expire('ack')).toEqual(['book REVERSED', '04 FF 01 05']);
    expect(bench.till(ACK)).toEqual(['06 1E 01 6C']);
    expect(bench.book().transactions).toMatchObject([{ stands: false, isFinal: false, reversedBy: 'TERMINAL' }]);
    expect(bench.book().standing.charges.count).toBe(0);
  });

  it('takes its authorization back when the till refuses the result', () => {
    const bench = createMachineBench();
    bench.connect();
    saleUntilResult(bench);
    expect(bench.till(vectorHex('spec-cc-silent-abort'))[0]).toBe('book REVERSED');
    expect(bench.book().standing.charges.count).toBe(0);
  });

  it('takes its authorization back when the line is lost before the acknowledgement', () => {
    const bench = createMachineBench();
    bench.connect();
    saleUntilResult(bench);
    expect(bench.take({ type: 'link-down' })).toEqual(['book REVERSED']);
  });

  it('takes back what the host approved after the till was gone', () => {
    const bench = createMachineBench();
    bench.connect();
    bench.till(vectorHex('kotlinsim-auth-01'));
    bench.acknowledgeAll();
    bench.expire('think');
    bench.take({ type: 'link-down' });
    bench.take({ type: 'link-up' });
    expect(bench.till('06 20 05 00 00 00 03 03')).toEqual([vectorHex('own-busy')]);
    expect(bench.expire('host')).toEqual(['book AUTHORIZED', 'book REVERSED']);
    expect(bench.till('06 20 05 00 00 00 03 03')).toEqual([ACK, '06 1E 01 83']);
  });

  it('is final once acknowledged, whatever happens afterwards', () => {
    const bench = createMachineBench();
    bench.connect();
    saleUntilResult(bench);
    bench.till(ACK);
    bench.take({ type: 'link-down' });
    bench.take({ type: 'boot' });
    expect(bench.kinds()).toEqual(['AUTHORIZED', 'FINAL']);
    expect(bench.book().standing.charges.count).toBe(1);
  });

  it('is taken back at the next start when the power went before the acknowledgement', () => {
    const bench = createMachineBench();
    bench.connect();
    saleUntilResult(bench);
    expect(bench.take({ type: 'boot' })).toEqual(['book REVERSED']);
  });

  it('is refused in a foreign currency and without an amount', () => {
    const bench = createMachineBench();
    bench.connect();
    expect(bench.till(vectorHex('portalum-old-sale-usd'))).toEqual(['84 1E 03 6F 09 78']);
    expect(bench.till('06 01 00')).toEqual(['84 9A 00']);
    expect(bench.till('06 01 07 04 00 00 00 00 00 00')).toEqual([ACK, '06 1E 01 C8']);
  });

  it('answers a second command while it runs as busy', () => {
    const bench = createMachineBench();
    bench.connect();
    bench.till(vectorHex('kotlinsim-auth-01'));
    expect(bench.till('06 01 0A 04 00 00 00 00 99 99 49 09 78')).toEqual([vectorHex('own-busy')]);
    expect(bench.till('06 00 06 00 00 00 1A 09 78')).toEqual([vectorHex('own-busy')]);
  });

  it('ends when nobody shows a card for a minute', () => {
    const bench = createMachineBench({ settings: { isManual: true, terminalId: '28004869' } });
    bench.connect();
    bench.till(vectorHex('kotlinsim-auth-01'));
    bench.acknowledgeAll();
    expect(bench.delayOf('card')).toBe(60_000);
    const [booked, status] = bench.expire('card');
    expect(booked).toBe('book CANCELLED');
    expect(status).toMatch(/^04 0F .. 27 6C 29 28 00 48 69 3C /);
    expect(bench.till(ACK)).toEqual(['06 1E 01 6C']);
  });
});

describe('abort by the till', () => {
  it('is possible until the host is asked', () => {
    const bench = createMachineBench();
    bench.connect();
    bench.till(vectorHex('kotlinsim-auth-01'));
    bench.acknowledgeAll();
    const outputs = bench.till(vectorHex('kotlin-abort'));
    expect(outputs.slice(0, 2)).toEqual([ACK, 'book CANCELLED']);
    expect(outputs[2]).toMatch(/^04 0F .. 27 6C /);
    expect(bench.till(ACK)).toEqual(['06 1E 01 6C']);
  });

  it('is refused once the host is asked, and the payment goes on', () => {
    const bench = createMachineBench();
    bench.connect();
    bench.till(vectorHex('kotlinsim-auth-01'));
    bench.acknowledgeAll();
    bench.expire('think');
    expect(bench.till(vectorHex('kotlin-abort'))).toEqual([vectorHex('portalum-negative-83')]);
    bench.acknowledgeAll();
    expect(bench.expire('host')[0]).toBe('book AUTHORIZED');
    expect(bench.till(vectorHex('kotlin-abort'))).toEqual([vectorHex('portalum-negative-83')]);
  });

  it('is acknowledged and changes nothing when nothing runs', () => {
    const bench = createMachineBench();
    bench.connect();
    expect(bench.till(vectorHex('kotlin-abort'))).toEqual([ACK]);
    expect(bench.view().state).toBe('IDLE');
  });
});

describe('receipts', () => {
  it('go to the till line by line, and the payment is final after the last one', () => {
    const bench = createMachineBench();
    bench.connect(LINE_REGISTRATION);
    saleUntilResult(bench);
    const outputs = bench.acknowledgeAll();
    const lines = outputs.filter((line) => line.startsWith('06 D1'));
    expect(outputs).toEqual([...lines, 'book FINAL', '06 0F 00']);
    expect(lines.filter((line) => line === vectorHex('portalum-line-a41'))).toHaveLength(2);
    expect(lines).toContain(vectorHex('portalum-line-a02'));
  });

  it('carry whose copy they are when the till uses TLV, like the captured lines', () => {
    const bench = createMachineBench({
      settings: {
        terminalId: '28004869',
        vuNumber: '100461763',
        cards: [{ ...CAPTURED_CARD, pan: '5413330000004821', verification: 'NONE' }],
        authorizationCode: () => '979572',
      },
      first: { receipt: 502, trace: 1044 },
      at: new Date(2021, 10, 2, 8, 35, 32),
    });
    bench.connect('06 00 08 00 00 00 8E 09 78 06 00');
    saleUntilResult(bench, '06 01 0A 04 00 00 00 00 02 00 49 09 78');
    const lines = bench.acknowledgeAll();
    const captured = [
      '01',
      '02',
      '04',
      '05',
      '08',
      '09',
      '10',
      '11',
      '13',
      '15',
      '16',
      '18',
      '19',
      '22',
      '23',
      '24',
      '25',
      '34',
      '35',
      '38',
      '48',
      '49',
      '51',
      '60',
      '61',
    ];
    for (const number of captured) expect(lines, `line b${number}`).toContain(vectorHex(`portalum-line-b${number}`));
  });

  it('go to the till as text blocks when it allows them', () => {
    const bench = createMachineBench();
    bench.connect(vectorHex('spec-cc-registration'));
    saleUntilResult(bench);
    const outputs = bench.acknowledgeAll();
    expect(outputs).toHaveLength(4);
    expect(outputs[0]).toMatch(/^06 D3 FF .. .. 06 82 .. .. 1F 07 01 01 25 82 .* 09 01 81$/);
    expect(outputs[1]).toMatch(/^06 D3 FF .. .. 06 82 .. .. 1F 07 01 02 25 82 .* 09 01 81$/);
    expect(outputs.slice(2)).toEqual(['book FINAL', '06 0F 00']);
  });

  it('are lines again when a block is longer than the till takes', () => {
    const bench = createMachineBench();
    bench.connect('06 00 12 00 00 00 8E 09 78 06 0A 1A 02 00 FF 26 04 0A 02 06 D3');
    saleUntilResult(bench);
    expect(bench.acknowledgeAll()[0]).toMatch(/^06 D1/);
  });

  it('that the till cannot print take the payment back', () => {
    const bench = createMachineBench();
    bench.connect(LINE_REGISTRATION);
    saleUntilResult(bench);
    bench.till(ACK);
    expect(bench.till(vectorHex('spec-printer-not-ready'))).toEqual(['book REVERSED', '04 FF 01 05']);
  });

  it('that are not acknowledged take the payment back', () => {
    const bench = createMachineBench();
    bench.connect(LINE_REGISTRATION);
    saleUntilResult(bench);
    bench.till(ACK);
    bench.till(ACK);
    expect(bench.expire('ack')[0]).toBe('book REVERSED');
  });

  it('are printed on the own paper of a terminal whose till does not print', () => {
    const bench = createMachineBench();
    bench.connect('06 00 06 00 00 00 08 09 78');
    wholeSale(bench);
    expect(bench.view().paper.join('\n')).toContain('BETRAG:  EUR       12,34');
  });

  it('show no more of a card number than the last four digits', () => {
    const bench = createMachineBench();
    bench.connect('06 00 06 00 00 00 08 09 78');
    wholeSale(bench);
    const [card] = TEST_SETTINGS.cards;
    expect(JSON.stringify([bench.view(), bench.entries()])).not.toContain(card?.pan.slice(0, 6));
    expect(bench.view().paper.join('\n')).toContain('**** **** **** 0119');
  });
});
