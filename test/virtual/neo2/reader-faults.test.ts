import { describe, expect, it } from 'vitest';
import { fromHex, toHex } from '../../../drivers/framing/bytes.ts';
import { clearTag, clearValue } from '../../../drivers/neo2/codec/tlv.ts';
import { findChipCard } from '../../../drivers/virtual/neo2/card/chip-cards.ts';
import { answerOfIssuer } from '../../../drivers/virtual/neo2/card/test-issuer.ts';
import { ISSUER_KEY } from '../../../drivers/virtual/neo2/crypto/test-keys.ts';
import { NEO2_RULES, type Rule } from '../../../drivers/virtual/rules.ts';
import { vector } from '../../support/vectors.ts';
import {
  activateCommand,
  answerOf,
  cardData,
  createReaderBench,
  type ReaderBench,
  startCommand,
  tap,
  told,
  untilCryptogram,
} from './reader-bench.ts';

function armed(rule: Rule): ReaderBench {
  const bench = createReaderBench();
  bench.arm(rule);
  return bench;
}

/** The issuer approves, with its own answer to the cryptogram of the card. */
function approve(bench: ReaderBench, cryptogram: ReturnType<typeof untilCryptogram>, id = 'visa-chip') {
  const card = findChipCard(id);
  if (card === undefined) throw new Error(`There is no ${id}`);
  const tags = new Map(
    cardData(cryptogram)
      .list.filter(({ form }) => form === 'CLEAR')
      .map(({ tag, value }) => [tag, value]),
  );
  const answer = answerOfIssuer(card, ISSUER_KEY, tags, '00');
  return bench.till({
    type: 'apply-response',
    isHostReached: true,
    tags: [clearTag('8A', fromHex('3030')), clearTag('91', answer)],
  });
}

/** Name of a rule → what it does to an inserted card, and what the book says after it. */
const cases: Readonly<Record<(typeof NEO2_RULES)[number], () => void>> = {
  slow() {
    const bench = armed('slow');
    bench.till(startCommand());
    bench.present('visa-chip');
    bench.till({ type: 'authenticate', flags: 0, timeoutSeconds: 60, tags: [] });
    expect(bench.delayOf('chip')).toBe(3000);
  },
  'no-answer'() {
    const bench = armed('no-answer');
    expect(told(bench.till(startCommand()))).toEqual([]);
    expect(bench.view().state).toBe('IDLE');
    expect(told(bench.till(startCommand()))).toEqual(['6063']);
  },
  busy() {
    const bench = armed('busy');
    expect(told(bench.till(activateCommand()))).toEqual(['020B']);
    expect(told(bench.till(activateCommand()))).toEqual(['0263']);
  },
  'drop-before-host'() {
    const bench = armed('drop-before-host');
    expect(told(untilCryptogram(bench))).toEqual(['drop-link']);
    expect(bench.book()).toMatchObject({ open: [], steps: [{ end: 'ABANDONED' }] });
    const tapped = armed('drop-before-host');
    expect(told(tap(tapped))).toEqual(['drop-link']);
  },
  'drop-before-chip'() {
    const bench = armed('drop-before-chip');
    expect(told(approve(bench, untilCryptogram(bench)))).toEqual(['drop-link']);
    expect(bench.book()).toMatchObject({ open: [], steps: [{ end: 'ABANDONED' }] });
  },
  'drop-after-host'() {
    const bench = armed('drop-after-host');
    approve(bench, untilCryptogram(bench));
    expect(told(bench.expire('chip'))).toEqual(['drop-link']);
    expect(bench.book().approved.charges).toEqual({ count: 1, sumMinor: 1234 });
    const tapped = armed('drop-after-host');
    expect(told(tap(tapped))).toEqual(['0223 0009', 'drop-link']);
  },
  'duplicate-reply'() {
    const bench = armed('duplicate-reply');
    const cryptogram = untilCryptogram(bench);
    expect(told(cryptogram)).toEqual(['6000 0004', '6000 0004']);
    approve(bench, cryptogram);
    expect(told(bench.expire('chip'))).toEqual(['6000 0002', '6000 0002']);
    expect(bench.book().approved.charges.count).toBe(1);
  },
  'late-approval-after-abort'() {
    const bench = armed('late-approval-after-abort');
    approve(bench, untilCryptogram(bench));
    expect(bench.delayOf('chip')).toBe(3000);
    expect(told(bench.till({ type: 'cancel' }))).toEqual(['0500']);
    expect(told(bench.expire('chip'))).toEqual(['6000 0002']);
    expect(bench.book().approved.charges.count).toBe(1);
    const tapped = armed('late-approval-after-abort');
    tapped.till(activateCommand());
    tapped.present('visa-contactless');
    expect(told(tapped.till({ type: 'cancel' }))).toEqual(['0500']);
    expect(told(tapped.expire('chip'))).toEqual(['0223 0009']);
  },
  'half-frame'() {
    const bench = armed('half-frame');
    approve(bench, untilCryptogram(bench));
    expect(told(bench.expire('chip'))).toEqual(['6000 0002 HALF']);
    expect(bench.book().approved.charges.count).toBe(1);
  },
  noise() {
    const bench = armed('noise');
    approve(bench, untilCryptogram(bench));
    expect(told(bench.expire('chip'))).toEqual(['6000 0002 NOISE']);
  },
  unplug() {
    const bench = armed('unplug');
    expect(told(approve(bench, untilCryptogram(bench)))).toEqual(['outage']);
    expect(bench.book()).toMatchObject({ open: [], steps: [{ end: 'ABANDONED' }] });
    expect(told(tap(armed('unplug')))).toEqual(['outage']);
  },
  reboot() {
    const bench = armed('reboot');
    expect(told(approve(bench, untilCryptogram(bench)))).toEqual(['outage']);
    bench.take({ type: 'boot' });
    expect(bench.view()).toMatchObject({ state: 'IDLE', isRegistered: false });
    expect(bench.book().approved.charges.count).toBe(0);
  },
  'cardholder-cancel'() {
    const bench = armed('cardholder-cancel');
    bench.till(startCommand());
    expect(told(bench.expire('think'))).toEqual(['6000 0012']);
    expect(bench.entries()).toEqual([]);
  },
  'wrong-amount'() {
    const bench = armed('wrong-amount');
    const { list } = cardData(untilCryptogram(bench));
    expect(toHex(clearValue(list, '9F02') ?? new Uint8Array(0))).toBe('000000001334');
    expect(bench.book().steps).toMatchObject([{ order: { amountMinor: 1334 } }]);
  },
  'chip-refuses-after-approval'() {
    const bench = armed('chip-refuses-after-approval');
    approve(bench, untilCryptogram(bench));
    expect(told(bench.expire('chip'))).toEqual(['6000 0003']);
    expect(bench.book().steps).toMatchObject([{ end: 'DECLINED', told: { responseCode: '00', check: 'PASSED' } }]);
  },
  'card-removed'() {
    const bench = armed('card-removed');
    const cryptogram = untilCryptogram(bench);
    expect(told(cryptogram)).toEqual(['6000 0004']);
    expect(told(approve(bench, cryptogram))).toEqual(['6000 3005']);
    expect(bench.book().steps).toMatchObject([{ end: 'ABANDONED', reason: 'the card was taken out' }]);
  },
  'offline-approval'() {
    const bench = armed('offline-approval');
    const answer = untilCryptogram(bench);
    expect(told(answer)).toEqual(['6000 0000']);
    expect(cardData(answer).cryptogram).toBe('TC');
    expect(bench.book().approved.charges.count).toBe(1);
  },
  'clear-card-data'() {
    const bench = armed('clear-card-data');
    expect(answerOf(untilCryptogram(bench), 'authenticate')).toMatchObject({
      type: 'refused',
      reason: 'CLEAR_CARD_DATA',
      tag: '57',
    });
  },
};

describe('the fault script of a virtual reader', () => {
  for (const rule of NEO2_RULES) it(`knows ${rule}`, cases[rule]);

  it('takes a decline, which is for the issuer behind the till, and meets nothing by it', () => {
    const bench = armed('decline-51');
    approve(bench, untilCryptogram(bench));
    expect(told(bench.expire('chip'))).toEqual(['6000 0002']);
    expect(bench.view().armed).toBeNull();
  });

  it('forgets a rule that is disarmed', () => {
    const bench = armed('busy');
    bench.take({ type: 'disarm' });
    expect(told(bench.till(startCommand()))).toEqual(['6063']);
  });

  it('drops the line, disturbs it, and loses its power at once', () => {
    const bench = createReaderBench();
    expect(told(bench.take({ type: 'fault', fault: 'drop' }))).toEqual(['drop-link']);
    expect(told(bench.take({ type: 'fault', fault: 'noise' }))).toEqual(['send-noise']);
    expect(told(bench.take({ type: 'fault', fault: 'unplug' }))).toEqual(['outage']);
    expect(told(bench.take({ type: 'fault', fault: 'reboot' }))).toEqual(['outage']);
  });

  it('goes on after a lost line: the next till cancels, or its time runs out', () => {
    const bench = createReaderBench();
    untilCryptogram(bench);
    bench.take({ type: 'link-down' });
    bench.take({ type: 'link-up' });
    expect(bench.view().state).toBe('WAITING_FOR_ISSUER');
    bench.bytes(vector('cancel'));
    expect(bench.book()).toMatchObject({ open: [], approved: { charges: { count: 0 } } });
  });

  it("runs the issuer's scripts, and tells what became of them", () => {
    const bench = createReaderBench();
    const cryptogram = untilCryptogram(bench);
    const card = findChipCard('visa-chip');
    if (card === undefined) throw new Error('There is no visa-chip');
    const tags = new Map(cardData(cryptogram).list.map(({ tag, value }) => [tag, value]));
    bench.till({
      type: 'apply-response',
      isHostReached: true,
      tags: [
        clearTag('8A', fromHex('3030')),
        clearTag('91', answerOfIssuer(card, ISSUER_KEY, tags, '00')),
        clearTag('71', fromHex('9F1804000000018609842400000411223344')),
      ],
    });
    const end = bench.expire('chip');
    expect(toHex(clearValue(cardData(end).list, '9F5B') ?? new Uint8Array(0))).toBe('2000000001');
    expect(bench.book().steps).toMatchObject([{ end: 'APPROVED', told: { check: 'PASSED', scriptCount: 1 } }]);
  });
});
