import { describe, expect, it } from 'vitest';
import type { TerminalOutcome } from '../../app/ports/terminal.ts';
import { vectorHex } from '../support/vectors.ts';
import { settle } from '../support/zvt-clock.ts';
import { DONE, DROP, OK, payment, type Script } from '../support/zvt-peer.ts';
import { createRig, type HeardHooks, hooks, never, question, type Rig, sale } from '../support/zvt-terminal.ts';

interface Played {
  readonly rig: Rig;
  readonly outcome: TerminalOutcome;
  readonly heard: HeardHooks;
}

/** Plays one sale of 1234 against a script; time passes only when the driver waits for it. */
async function play(script: Script, waitMs = 0, heard = hooks()): Promise<Played> {
  const rig = createRig();
  await rig.ready();
  rig.peer.on('06 01', script);
  const exchange = await rig.terminal.prepare(sale(), never);
  const running = exchange.run(heard);
  await settle();
  if (waitMs > 0) await rig.clock.advance(waitMs);
  const outcome = await running;
  expect(rig.peer.count('06 01')).toBe(1);
  return { rig, outcome, heard };
}

describe('how a sale ends', () => {
  it('is declined with the code of the issuer, which travels as a binary number', async () => {
    const { outcome, heard } = await play([
      OK,
      payment({ result: '33', amount: 1234 }),
      vectorHex('portalum-abort-05'),
    ]);
    expect(outcome).toMatchObject({ kind: 'DECLINED', card: { responseCode: '51' } });
    expect(heard.provisional).toHaveLength(1);
  });

  it('is declined by 06 1E with an issuer code and no result before it', async () => {
    const { outcome } = await play([OK, vectorHex('portalum-abort-05')]);
    expect(outcome).toMatchObject({ kind: 'DECLINED', card: { responseCode: '05' } });
  });

  it('never shows a code of the terminal itself as an issuer code', async () => {
    const { outcome } = await play([OK, payment({ result: '78' }), '06 1E 01 78']);
    expect(outcome).toMatchObject({ kind: 'DECLINED', card: {}, reason: 'The card has expired.' });
    expect(outcome).not.toHaveProperty('card.responseCode');
  });

  it('is cancelled by the cardholder', async () => {
    const { outcome } = await play([OK, vectorHex('portalum-status-abort-key'), '06 1E 01 6C']);
    expect(outcome).toMatchObject({ kind: 'CANCELLED', reason: 'CARDHOLDER' });
  });

  it('is cancelled by a time-out when the terminal was silent for long before', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', [OK, vectorHex('portalum-interim-0a')]);
    const running = (await rig.terminal.prepare(sale(), never)).run(hooks());
    await rig.clock.advance(60_000);
    rig.peer.begin('06 1E 01 6C');
    expect(await running).toMatchObject({ kind: 'CANCELLED', reason: 'TIMEOUT' });
  });

  it('fails for a card that cannot be read, and nothing is charged', async () => {
    const { outcome } = await play([OK, vectorHex('portalum-abort-64')]);
    expect(outcome).toMatchObject({ kind: 'FAILED', errorCode: 'CARD_READ_FAILED' });
  });

  it('fails with the extended error of the terminal in words', async () => {
    const { outcome } = await play([OK, vectorHex('own-abort-tlv')]);
    expect(outcome).toMatchObject({ kind: 'FAILED', errorCode: 'TERMINAL_ERROR' });
    expect(outcome).toHaveProperty('message', expect.stringContaining('Netz weg'));
  });

  it('stays approved when printing fails after the acknowledged approval', async () => {
    const { outcome } = await play([OK, payment({ amount: 1234 }), vectorHex('own-abort-after-approval')]);
    expect(outcome.kind).toBe('APPROVED');
  });

  it('is approved without an amount, because nothing contradicts it', async () => {
    const { outcome } = await play([OK, payment(), DONE]);
    expect(outcome.kind).toBe('APPROVED');
    expect(outcome).not.toHaveProperty('chargedMinor');
  });
});

describe('what proves nothing ends unknown and is not acknowledged', () => {
  const acknowledgementsOf = ({ rig }: Played): number => rig.peer.replies.length;

  it.each([
    ['a result without BMP 27', vectorHex('own-no-result-code')],
    ['another amount', payment({ amount: 1235 })],
    ['another currency', payment({ amount: 1234 }).replace('49 09 78', '49 07 56')],
    ['a broken message', vectorHex('own-bmp-beyond-end')],
    ['the receipt of the payment before', payment({ amount: 1234, receipt: '0470', trace: '000470', time: '110000' })],
  ])('%s', async (_, status) => {
    const before = await play([OK, vectorHex('portalum-abort-64')]);
    const played = await play([OK, status, DONE]);
    expect(played.outcome.kind).toBe('UNKNOWN');
    expect(played.heard.provisional).toEqual([]);
    // The one acknowledgement of the aborted sale is missing here.
    expect(acknowledgementsOf(played)).toBe(acknowledgementsOf(before) - 1);
    expect(played.rig.terminal.status().connected).toBe(false);
  });

  it('names both amounts when they differ', async () => {
    const { outcome } = await play([OK, payment({ amount: 9900 }), DONE]);
    expect(outcome).toHaveProperty('message', 'The terminal approved 9900 minor units, but 1234 were asked.');
  });

  it('a result that could not be stored', async () => {
    const { outcome, rig } = await play(
      [OK, payment({ amount: 1234 }), DONE],
      0,
      hooks(async () => {
        throw new Error('disk full');
      }),
    );
    expect(outcome.kind).toBe('UNKNOWN');
    expect(rig.terminal.status().connected).toBe(false);
  });

  it('two different results', async () => {
    const { outcome, heard } = await play([OK, payment({ result: '05' }), payment({ amount: 1234 }), DONE]);
    expect(outcome.kind).toBe('UNKNOWN');
    expect(heard.provisional).toHaveLength(1);
  });

  it('a completion without any result', async () => {
    const { outcome } = await play([OK, vectorHex('kotlin-completion-27-00')]);
    expect(outcome).toMatchObject({ kind: 'UNKNOWN' });
  });

  it('a reversal that the terminal begins after the acknowledged approval', async () => {
    const { outcome } = await play([OK, payment({ amount: 1234 }), vectorHex('own-interim-05'), DONE]);
    expect(outcome.kind).toBe('UNKNOWN');
  });

  it.each([
    ['nothing but 1C (take the goods)', [OK, vectorHex('own-interim-1c'), DONE]],
    ['nothing but 1D (declined)', [OK, vectorHex('own-interim-1d'), DONE]],
  ])('%s: display texts never decide', async (_, script) => {
    expect((await play(script)).outcome.kind).toBe('UNKNOWN');
  });

  it('no reply within T3', async () => {
    const { outcome, rig } = await play([], 5_000);
    expect(outcome).toMatchObject({ kind: 'UNKNOWN', message: expect.stringContaining('T3') });
    expect(outcome).toHaveProperty(
      'evidence.0.question',
      'Sale of 1234 minor units EUR (06 01 0A 04 00 00 00 00 12 34 49 09 78)',
    );
    expect(rig.terminal.status().connected).toBe(false);
  });

  it('no end within T4', async () => {
    const { outcome } = await play([OK], 180_000);
    expect(outcome).toMatchObject({ kind: 'UNKNOWN', message: expect.stringContaining('T4') });
  });

  it('the link lost while the result is being stored', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', [OK, payment({ amount: 1234 }), DONE]);
    let store = (): void => undefined;
    const stored = new Promise<void>((resolve) => {
      store = resolve;
    });
    const running = (await rig.terminal.prepare(sale(), never)).run(hooks(() => stored));
    await settle();
    rig.drop();
    await settle();
    store();
    expect(await running).toMatchObject({ kind: 'UNKNOWN' });
  });

  it('the link lost after the acknowledgement', async () => {
    const { outcome, heard } = await play([OK, payment({ amount: 1234 }), DROP]);
    expect(outcome.kind).toBe('UNKNOWN');
    expect(heard.provisional).toHaveLength(1);
  });

  it('the result of something else before the reply', async () => {
    const { outcome, heard } = await play([payment({ amount: 1234 })]);
    expect(outcome.kind).toBe('UNKNOWN');
    expect(heard.provisional).toEqual([]);
  });
});

describe('a refusal before anything began', () => {
  it.each([
    ['84 9C 00', 'TERMINAL_BUSY'],
    ['84 83 00', 'OPERATION_NOT_SUPPORTED'],
    ['84 6B 00', 'TERMINAL_NOT_READY'],
    ['84 F0 00', 'TERMINAL_NOT_READY'],
    ['84 DF 00', 'TERMINAL_NOT_READY'],
  ])('%s gives NOT_STARTED %s', async (reply, errorCode) => {
    expect((await play([reply])).outcome).toMatchObject({ kind: 'NOT_STARTED', errorCode });
  });

  it('takes the cause out of the data of 84 1E', async () => {
    const { outcome } = await play([vectorHex('issue-49-im30-84-1e')]);
    expect(outcome).toMatchObject({
      kind: 'FAILED',
      errorCode: 'TERMINAL_ERROR',
      message: expect.stringContaining('host'),
    });
  });

  it('tells the operator to close the day', async () => {
    expect((await play(['84 F0 00'])).outcome).toHaveProperty('message', expect.stringContaining('Close the day'));
  });

  it('is said when the link is gone before the command could leave', async () => {
    const rig = createRig();
    await rig.ready();
    const exchange = await rig.terminal.prepare(sale(), never);
    rig.drop();
    await settle();
    expect(await exchange.run(hooks())).toMatchObject({ kind: 'NOT_STARTED', errorCode: 'TERMINAL_UNREACHABLE' });
    expect(rig.peer.count('06 01')).toBe(0);
  });
});

describe('the time that a terminal may take', () => {
  async function letPass(script: Script, ...gapsMs: readonly number[]): Promise<Rig & { ended: boolean }> {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', script);
    const state = { ended: false };
    void (await rig.terminal.prepare(sale(), never)).run(hooks()).then(() => {
      state.ended = true;
    });
    await settle();
    for (const gapMs of gapsMs) {
      await rig.clock.advance(gapMs);
      rig.peer.begin(vectorHex('issue-11-valina-interim-0e'));
    }
    await settle();
    return { ...rig, ended: state.ended };
  }

  it('starts anew with every intermediate status (T4): four minutes with the customer are no loss', async () => {
    expect((await letPass([OK], 120_000, 120_000, 179_000)).ended).toBe(false);
  });

  it('is over 180 s after the last sign', async () => {
    const rig = await letPass([OK], 120_000);
    await rig.clock.advance(180_000);
    expect(rig.terminal.status().connected).toBe(false);
  });

  it('is what the terminal asks for in 04 FF', async () => {
    // 10 minutes (BCD) are asked for.
    const rig = await letPass([OK, vectorHex('portalum-old-interim-text')]);
    await rig.clock.advance(599_000);
    expect(rig.terminal.status().state).toBe('BUSY');
    await rig.clock.advance(1_001);
    expect(rig.terminal.status().state).not.toBe('BUSY');
  });
});

describe('receipts that the till prints', () => {
  it('are kept exactly, each for whom it is', async () => {
    const merchant = ['portalum-line-b01', 'portalum-line-b05', 'portalum-line-b24', 'portalum-line-b34'].map(
      vectorHex,
    );
    const customer = ['portalum-line-b35', 'portalum-line-b61', 'portalum-line-b67'].map(vectorHex);
    const { outcome } = await play([OK, payment({ amount: 1234 }), ...merchant, ...customer, DONE]);
    expect(outcome).toHaveProperty('receipts', [
      {
        kind: 'MERCHANT',
        lines: [
          { text: '** HÄNDLERBELEG **', centred: true },
          { text: '', centred: true },
          { text: 'BETRAG:  EUR        2,00' },
          { text: '' },
        ],
      },
      {
        kind: 'CUSTOMER',
        lines: [{ text: '** KUNDENBELEG **', centred: true }, { text: 'VIELEN DANK', centred: true }, { text: '' }],
      },
    ]);
  });

  it('come as text blocks with their own character set', async () => {
    const { outcome } = await play([
      OK,
      payment({ amount: 1234 }),
      vectorHex('own-block-utf8'),
      vectorHex('own-block-double-height'),
      DONE,
    ]);
    expect(outcome).toHaveProperty('receipts.0', { kind: 'CUSTOMER', lines: [{ text: 'Grüße, 10 €' }, { text: '' }] });
    expect(outcome).toHaveProperty('receipts.1.kind', 'MERCHANT');
    expect(outcome).toHaveProperty('receipts.1.lines.0', { text: 'SUMME 10,10', centred: true, doubleHeight: true });
  });

  it('keep line feeds and indents', async () => {
    const { outcome } = await play([
      OK,
      payment({ amount: 1234 }),
      vectorHex('own-line-feed-3'),
      vectorHex('own-line-indent-5'),
      DONE,
    ]);
    expect(outcome).toHaveProperty('receipts.0.lines', [
      { text: '' },
      { text: '' },
      { text: '' },
      { text: '     eins' },
    ]);
  });
});

describe('right after a result was not acknowledged', () => {
  it('recovery waits for the new connection instead of asking on the old one', async () => {
    const { rig } = await play([OK, payment({ amount: 9900 }), DONE]);
    const mark = { knowledge: 'RECEIPT', receipt: '0470', trace: '000470' } as const;
    const asked = rig.terminal.recover(question(sale(), mark), never);
    await rig.clock.advance(1_000);
    expect((await asked).kind).toBe('SETTLED');
    expect(rig.peer.connections()).toBe(2);
  });
});
