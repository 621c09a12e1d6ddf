import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../app/domain/secret.ts';
import { fromHex, toHex } from '../../drivers/framing/bytes.ts';
import { CHIP_CARDS, type ChipCard } from '../../drivers/virtual/neo2/card/chip-cards.ts';
import { completeByChip } from '../../drivers/virtual/neo2/card/chip-payment.ts';
import {
  answerCodeOfMethod1,
  answerCodeOfMethod2,
  cardKey,
  macOf,
  sessionKey,
} from '../../host/simulator/issuer/chip-keys.ts';
import { answerOfIssuer } from '../../host/simulator/issuer/test-issuer.ts';
import { ChipTags } from '../../host/simulator/protocol.ts';
import { answerTo, cardOf, paymentWith } from '../virtual/neo2/support.ts';
import { patient, purchase } from './support/acquirer-messages.ts';
import { openSimulatorBench, type SimulatorBench } from './support/simulator-bench.ts';

const bytes = (hex: string) => Buffer.from(hex, 'hex');
const hex = (buffer: Buffer) => buffer.toString('hex').toUpperCase();

// Values of a hardware security module (knovichikhin/pyemv, tests/test_cvn_hsm.py, MIT), as in test/virtual/neo2/schemes.test.ts.
const issuerKey = bytes('0123456789ABCDEFFEDCBA9876543210');
const publishedKey = cardKey(issuerKey, '1234567890123456', '00');
const visaData =
  '000000004000' + '000000000000' + '0124' + '8000048000' + '0124' + '191105' + '01' + '52BF4585' + '1800' + '001C';
const mastercardData =
  '000000009999' + '000000000000' + '0124' + '8000000000' + '0124' + '209906' + '00' + 'ABCDEF12' + '1800' + '001C';

describe('the issuer computes what a security module does', () => {
  it('for Visa cryptogram version 10', () => {
    const cryptogram = macOf(publishedKey, bytes(`${visaData}03A06010`), 'ZEROS');
    expect(hex(cryptogram)).toBe('29CCA15AE665FA2E');
    expect(hex(answerCodeOfMethod1(publishedKey, cryptogram, Buffer.from('00')))).toBe('28993816AFAE4AEB');
  });

  it('for Visa cryptogram version 18', () => {
    const key = sessionKey(publishedKey, bytes('001C'));
    const cryptogram = macOf(key, bytes(`${visaData}06011203A0B800`), 'MARKED');
    expect(hex(cryptogram)).toBe('7A788EA6B8A3E733');
    expect(hex(answerCodeOfMethod2(key, cryptogram, bytes('00000000')))).toBe('9AF514C1');
  });

  it('for Mastercard cryptogram version 16', () => {
    const key = sessionKey(publishedKey, bytes('001C0000ABCDEF12'));
    const cryptogram = macOf(key, bytes(`${mastercardData}A00003220000`), 'MARKED');
    expect(hex(cryptogram)).toBe('24CCF3DEE3158C70');
    expect(hex(answerCodeOfMethod1(publishedKey, cryptogram, bytes('0010')))).toBe('73F6BBF389A6586C');
  });
});

/** What the host is told of a chip, as the simulator's line has it. */
function signedBy(card: ChipCard, counter = 28) {
  const { input, authorization } = paymentWith(card, { counter });
  const names = Object.keys(ChipTags.properties) as readonly (keyof ChipTags)[];
  const told = names.map((name) => [name, toHex(authorization.tags.get(name) ?? new Uint8Array())]);
  return { input, authorization, tags: Object.fromEntries(told) as ChipTags };
}

const asking = CHIP_CARDS.filter(({ chip }) => chip.habit !== 'APPROVES_OFFLINE' && chip.habit !== 'DECLINES_OFFLINE');

describe('the issuer', () => {
  it.each(CHIP_CARDS)('knows $id, and answers what its chip takes', (card) => {
    const { authorization, tags } = signedBy(card);
    for (const code of ['00', '05'])
      expect(answerOfIssuer(tags, code)).toBe(toHex(answerTo(card, authorization, code)));
  });

  it.each(asking)('answers no cryptogram of $id over another amount', (card) => {
    expect(answerOfIssuer({ ...signedBy(card).tags, '9F02': '000000009999' }, '00')).toBeUndefined();
  });

  it('answers no cryptogram that is none of his cards', () => {
    expect(answerOfIssuer({ ...signedBy(cardOf('visa-chip')).tags, '9F26': '0102030405060708' }, '00')).toBeUndefined();
    expect(answerOfIssuer({ ...signedBy(cardOf('visa-chip')).tags, '9F10': '00' }, '00')).toBeUndefined();
  });
});

describe('an authorization by the simulator', () => {
  let bench: SimulatorBench;
  beforeEach(async () => {
    bench = await openSimulatorBench();
  });
  afterEach(() => bench.stop());

  async function authorize(card: ChipCard) {
    const { input, authorization, tags } = signedBy(card);
    // With what a reader tells besides, the account among it.
    const emvTags = { ...tags, '5A': card.pan, '5F34': '01' };
    const cardData = new Secret({ panEncrypted: 'C0FFEE1122334455', emvTags });
    const reply = await bench.acquirer.authorize(
      purchase(bench.trace(), { cardData, entryMode: 'CONTACT' }),
      patient(),
    );
    if (reply.kind !== 'ANSWERED') throw new Error(`no answer: ${JSON.stringify(reply)}`);
    const { issuerAuthData, responseCode } = reply.answer;
    const answer = issuerAuthData === undefined ? {} : { answer: fromHex(issuerAuthData) };
    const end = completeByChip(input, authorization, { kind: 'ANSWERED', responseCode, ...answer });
    return { answer: reply.answer, decision: end.decision };
  }

  it('satisfies a card that insists on its issuer', async () => {
    const { answer, decision } = await authorize(cardOf('mastercard-strict'));
    expect(answer.responseCode).toBe('00');
    expect(decision).toBe('APPROVED');
  });

  it('is refused by any chip when the answer to it is a wrong one', async () => {
    await bench.control.next({ rule: 'wrong-issuer-data', times: 2 });
    for (const id of ['mastercard-strict', 'visa-chip']) {
      const { answer, decision } = await authorize(cardOf(id));
      expect(answer).toMatchObject({ responseCode: '00', simulatedRule: 'wrong-issuer-data' });
      expect(decision).toBe('DECLINED');
    }
    expect((await authorize(cardOf('visa-chip'))).decision).toBe('APPROVED');
  });

  it('brings scripts for the chip when it is told to', async () => {
    await bench.control.next({ rule: 'issuer-scripts' });
    const { answer } = await authorize(cardOf('visa-chip'));
    expect(answer.issuerScript71).toMatch(/^9F1804[0-9A-F]+$/);
    expect(answer.issuerScript72).toMatch(/^9F1804[0-9A-F]+$/);
    expect(answer.issuerScript72).not.toBe(answer.issuerScript71);
  });

  it('goes without the account: neither line nor book has it', async () => {
    const card = cardOf('visa-chip');
    await authorize(card);
    const book = readFileSync(bench.simulator.ready.book, 'utf8');
    expect(book).toContain('"9F26"');
    for (const secret of [card.pan, 'C0FFEE1122334455']) expect(book).not.toContain(secret);
  });
});
