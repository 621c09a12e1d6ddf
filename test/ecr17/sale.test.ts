import { describe, expect, it } from 'vitest';
import { DROP, frame, NOT_SHOWN, operative, paid, receipt, refusal, type Script } from '../support/ecr17-peer.ts';
import { createEcr17Rig } from '../support/ecr17-terminal.ts';
import { hooks, never, sale } from '../support/zvt-terminal.ts';

const PAID = paid({ amount: 1234 });

async function sold(...scripts: Script[]) {
  const rig = createEcr17Rig();
  rig.peer.on('X', ...scripts);
  await rig.ready();
  const heard = hooks();
  const outcome = await rig.run(sale(), heard);
  return { ...rig, heard, outcome };
}

describe('a sale', () => {
  it('asks status and last result, sends the extended payment once, and tells the result', async () => {
    const { outcome, peer, heard } = await sold([{ progress: 'INSERIRE CARTA' }, { progress: 'DIGITARE PIN' }, PAID]);
    expect(outcome).toMatchObject({
      kind: 'APPROVED',
      chargedMinor: 1234,
      card: {
        authorizationCode: 'A1B2C3',
        responseCode: '00',
        maskedPan: '411111******1111',
        entryMode: 'CONTACTLESS',
      },
      reference: { stan: '000101', onlineId: '000202', hostTime: '3321200', amountMinor: 1234 },
    });
    expect(peer.commands.slice(-3).map((text) => text.charAt(9))).toEqual(['s', 'G', 'X']);
    expect(peer.commands.at(-1)).toBe(`000000000X00000001${'0'.repeat(5)}00001234${' '.repeat(128)}00000000`);
    expect(heard.provisional).toHaveLength(1);
    expect(heard.progress).toEqual([
      { step: 'WAITING_FOR_CARD', message: 'The terminal waits for the card' },
      { step: 'WAITING_FOR_CARD', message: 'INSERIRE CARTA' },
      { step: 'PIN_REQUIRED' },
    ]);
  });

  it('is acknowledged only after the result is on disk', async () => {
    const { peer, run, ready } = createEcr17Rig();
    peer.on('X', [PAID]);
    await ready();
    let before = -1;
    const outcome = await run(
      sale(),
      hooks(async () => {
        before = peer.acknowledgements();
      }),
    );
    expect(outcome.kind).toBe('APPROVED');
    expect(peer.acknowledgements()).toBe(before + 1);
  });

  it('whose result cannot be stored is not acknowledged, and is unknown', async () => {
    const { peer, run, ready } = createEcr17Rig();
    peer.on('X', [PAID, { call: () => expect.unreachable('it was acknowledged') }]);
    await ready();
    const outcome = await run(
      sale(),
      hooks(async () => {
        throw new Error('disk full');
      }),
    );
    expect(outcome).toMatchObject({ kind: 'UNKNOWN', reasonCode: 'ANSWER_LOST' });
    expect(peer.count('X')).toBe(1);
  });

  it('falls back to the plain payment where the extended one is refused, and remembers that when it happens again', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('P', [paid()], [paid({ stan: '000102' })], [paid({ stan: '000103' })]);
    await rig.ready();
    const first = await rig.run(sale());
    expect(first).toMatchObject({ kind: 'APPROVED', reference: { stan: '000101' } });
    expect(first).not.toHaveProperty('chargedMinor');
    expect(rig.peer.count('X')).toBe(3);
    rig.peer.on('G', [paid()]);
    await expect(rig.run(sale())).resolves.toMatchObject({ kind: 'APPROVED', reference: { stan: '000102' } });
    expect(rig.peer.count('X')).toBe(6);
    rig.peer.on('G', [paid({ stan: '000102' })]);
    await expect(rig.run(sale())).resolves.toMatchObject({ kind: 'APPROVED', reference: { stan: '000103' } });
    expect(rig.peer.count('X')).toBe(6);
    expect(rig.peer.count('P')).toBe(3);
  });

  it('that the terminal refuses in both ways has not started, and the extended one is tried again', async () => {
    const rig = createEcr17Rig();
    await rig.ready();
    await expect(rig.run(sale())).resolves.toMatchObject({ kind: 'NOT_STARTED', errorCode: 'TERMINAL_NOT_READY' });
    await rig.run(sale());
    expect(rig.peer.count('X')).toBe(6);
  });

  it('refused by the host is declined, with the issuer’s code where there is one and the terminal’s words else', async () => {
    expect((await sold([refusal()])).outcome).toMatchObject({
      kind: 'DECLINED',
      card: { responseCode: '51' },
      reason: 'TRANSAZIONE NEGATA',
    });
    const { outcome } = await sold([refusal({ action: '000', text: 'EMITTENTE NON DISPON.' })]);
    expect(outcome).toMatchObject({ kind: 'DECLINED', reason: 'EMITTENTE NON DISPON.' });
    expect(outcome).not.toHaveProperty('card.responseCode');
  });

  it.each([
    ['OPERAZIONE ANNULLATA', { kind: 'CANCELLED', reason: 'CARDHOLDER' }],
    ['TEMPO SCADUTO', { kind: 'CANCELLED', reason: 'TIMEOUT' }],
    ['CARTA NON LEGGIBILE', { kind: 'FAILED', errorCode: 'CARD_READ_FAILED' }],
    ['OPERAZIONE NON AMMESSA', { kind: 'DECLINED', reason: 'OPERAZIONE NON AMMESSA' }],
  ])('that the terminal ended before it asked its host: %s', async (text, end) => {
    const { outcome } = await sold([refusal({ action: '000', stan: '000000', online: '000000', text })]);
    expect(outcome).toMatchObject(end);
  });

  it('without a card shown, or with data that the terminal does not know, has failed', async () => {
    expect((await sold([NOT_SHOWN])).outcome).toMatchObject({
      kind: 'FAILED',
      errorCode: 'CARD_READ_FAILED',
      message: 'The card was not presented: CARTA NON PRESENTE.',
    });
    expect((await sold([refusal({ result: '09', text: '' })])).outcome).toMatchObject({ kind: 'FAILED' });
  });

  it('concludes nothing from a result that ECR17 does not know', async () => {
    const { outcome, heard } = await sold([refusal({ result: '07' })]);
    expect(outcome).toMatchObject({ kind: 'UNKNOWN', reasonCode: 'RECEIPT_UNCLEAR' });
    expect(heard.provisional).toEqual([]);
  });

  it('approved with another amount is unknown and not acknowledged', async () => {
    const { outcome, heard } = await sold([paid({ amount: 123400 })]);
    expect(outcome).toMatchObject({ kind: 'UNKNOWN', reasonCode: 'RESULT_DIFFERS' });
    expect(heard.provisional).toEqual([]);
  });

  it('is unknown when the answer is lost, and is not sent again', async () => {
    for (const script of [[DROP], ['SILENCE'], 'SILENCE', [{ progress: 'ATTENDERE PREGO' }]] as const) {
      const { outcome, peer } = await sold(
        typeof script === 'string' ? script : script[0] === 'SILENCE' ? [] : [script[0]],
      );
      expect(outcome).toMatchObject({ kind: 'UNKNOWN', reasonCode: 'ANSWER_LOST' });
      expect(peer.count('X')).toBe(1);
      expect(peer.count('P')).toBe(0);
    }
  });

  it('counts the result as the acknowledgement that got lost', async () => {
    const { outcome, peer } = await sold({ withoutAck: [PAID] });
    expect(outcome.kind).toBe('APPROVED');
    expect(peer.count('X')).toBe(1);
  });

  it('takes one result that the terminal repeats', async () => {
    const { outcome, heard } = await sold([{ raw: frame(PAID) }, { raw: frame(PAID) }]);
    expect(outcome.kind).toBe('APPROVED');
    expect(heard.provisional).toHaveLength(1);
  });

  it('has more time with each progress text', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('X', []);
    await rig.ready();
    const preparing = rig.terminal.prepare(sale(), never);
    await rig.clock.advance(10);
    const running = (await preparing).run(hooks());
    for (let minute = 0; minute < 10; minute++) {
      await rig.clock.advance(120_000);
      rig.peer.say({ progress: 'ELABORAZIONE...' });
    }
    rig.peer.say(PAID);
    await rig.clock.advance(10);
    await expect(running).resolves.toMatchObject({ kind: 'APPROVED' });
  });

  it('does not take the result of the payment before for its own', async () => {
    const { outcome, heard } = await sold([paid({ stan: '000100', amount: 500, time: '3321100' }), PAID]);
    expect(outcome).toMatchObject({ kind: 'APPROVED', reference: { stan: '000101' } });
    expect(heard.provisional).toHaveLength(1);
  });

  it('may be refused twice in the same words, and cannot tell that from an old refusal before the terminal has taken it', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('G', [NOT_SHOWN]);
    rig.peer.on('X', [{ progress: 'INSERIRE CARTA' }, NOT_SHOWN], { withoutAck: [NOT_SHOWN] });
    await rig.ready();
    await expect(rig.run(sale())).resolves.toMatchObject({ kind: 'FAILED', errorCode: 'CARD_READ_FAILED' });
    await expect(rig.run(sale())).resolves.toMatchObject({ kind: 'UNKNOWN' });
  });
});

describe('receipts', () => {
  const MERCHANT = receipt('NEGOZIO TEST}\u007fIMPORTO EUR 12,34}');

  it('are asked for before each payment, and gathered before or after the result', async () => {
    for (const script of [
      [MERCHANT, PAID],
      [PAID, MERCHANT],
    ]) {
      const rig = createEcr17Rig({ receipts: 'TILL' });
      rig.peer.on('X', script);
      await rig.ready();
      const outcome = await rig.run(sale());
      expect(outcome).toMatchObject({
        kind: 'APPROVED',
        receipts: [
          { kind: 'MERCHANT', lines: [{ text: 'NEGOZIO TEST' }, { text: 'IMPORTO EUR 12,34', doubleHeight: true }] },
        ],
      });
      expect(rig.peer.commands.slice(-2).map((text) => text.slice(9, 11))).toEqual(['E1', 'X0']);
    }
  });

  it('that do not come do not change the result', async () => {
    const rig = createEcr17Rig({ receipts: 'TILL' });
    rig.peer.on('X', [PAID]);
    await rig.ready();
    await expect(rig.run(sale())).resolves.toMatchObject({ kind: 'APPROVED', receipts: [] });
  });

  it('are printed by a terminal that does not know the request', async () => {
    const rig = createEcr17Rig({ receipts: 'TILL' });
    rig.peer.on('E', 'NAK');
    rig.peer.on('X', [PAID]);
    await rig.ready();
    await expect(rig.run(sale())).resolves.toMatchObject({ kind: 'APPROVED', receipts: [] });
  });

  it('lost with the line before the payment leaves: nothing was charged', async () => {
    const rig = createEcr17Rig({ receipts: 'TILL' });
    rig.peer.on('E', { withoutAck: [DROP] });
    await rig.ready();
    await expect(rig.run(sale())).resolves.toMatchObject({ kind: 'NOT_STARTED', errorCode: 'TERMINAL_UNREACHABLE' });
    expect(rig.peer.count('X')).toBe(0);
  });
});

describe('the gate before a command', () => {
  it('does not pay with a terminal that is not operative', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('s', [operative('3')]);
    await rig.ready();
    expect(rig.terminal.status()).toMatchObject({ connected: true, state: 'ERROR' });
    const preparing = rig.terminal.prepare(sale(), never);
    await expect(Promise.all([preparing, rig.clock.advance(10)])).rejects.toMatchObject({ code: 'TERMINAL_NOT_READY' });
    expect(rig.peer.count('X')).toBe(0);
  });

  it('waits for a terminal that is in the middle of something, and calls it busy in the end', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('s', 'NAK');
    await rig.ready();
    expect(rig.terminal.status().state).toBe('BUSY');
    const preparing = rig.terminal.prepare(sale(), never);
    await expect(Promise.all([preparing, rig.clock.advance(60_000)])).rejects.toMatchObject({
      code: 'TERMINAL_BUSY',
      message: expect.stringContaining('check byte'),
    });
    expect(rig.terminal.status().state).toBe('ERROR');
    rig.peer.on('s', [operative()]);
    await rig.clock.advance(60_000);
    expect(rig.terminal.status().state).toBe('IDLE');
  });

  it('opens the connection that the terminal has closed since the last operation', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('X', [PAID]);
    await rig.ready();
    rig.drop('closed by the terminal');
    await rig.clock.advance(10);
    expect(rig.terminal.status()).toMatchObject({ connected: true, state: 'IDLE' });
    await expect(rig.run(sale())).resolves.toMatchObject({ kind: 'APPROVED' });
    expect(rig.peer.connections()).toBe(2);
  });

  it('probes a connection that only seems to be open, and sells over a new one', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('X', [PAID]);
    await rig.ready();
    rig.peer.on('s', 'SILENCE', [operative()]);
    const preparing = rig.terminal.prepare(sale(), never);
    await rig.clock.advance(10_000);
    const running = (await preparing).run(hooks());
    await rig.clock.advance(10);
    await expect(running).resolves.toMatchObject({ kind: 'APPROVED' });
    expect(rig.peer.connections()).toBe(2);
  });

  it('sells on a terminal that closes the connection after each answer', async () => {
    const rig = createEcr17Rig();
    const closes = { drop: 'closed by the terminal' } as const;
    rig.peer.on('s', [operative(), closes]);
    rig.peer.on('G', [paid({ stan: '000100', amount: 500, time: '3321100' }), closes]);
    rig.peer.on('X', [PAID, closes]);
    await rig.ready();
    const preparing = rig.terminal.prepare(sale(), never);
    await rig.clock.advance(1_000);
    const running = (await preparing).run(hooks());
    await rig.clock.advance(10);
    await expect(running).resolves.toMatchObject({ kind: 'APPROVED' });
    expect(rig.peer.count('X')).toBe(1);
    expect(rig.terminal.status().state).toBe('IDLE');
  });

  it('sells on a terminal that falls silent at the question for its last result, and asks it once', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('G', []);
    rig.peer.on('X', [PAID]);
    await rig.ready();
    await rig.clock.advance(20_000);
    await expect(rig.run(sale())).resolves.toMatchObject({ kind: 'APPROVED' });
    expect(rig.peer.count('G')).toBe(1);
  });

  it('says so at once when there is no link', async () => {
    const rig = createEcr17Rig({}, 'SERIAL');
    rig.plug(false);
    await rig.ready();
    await expect(rig.terminal.prepare(sale(), never)).rejects.toMatchObject({ code: 'TERMINAL_UNREACHABLE' });
  });
});

describe('an abort', () => {
  it('before the command leaves sends nothing', async () => {
    const rig = createEcr17Rig();
    await rig.ready();
    const preparing = rig.terminal.prepare(sale(), never);
    await rig.clock.advance(10);
    const exchange = await preparing;
    await expect(exchange.requestAbort()).resolves.toBe('REQUESTED');
    await expect(exchange.run(hooks())).resolves.toMatchObject({ kind: 'CANCELLED', reason: 'POS_REQUEST' });
    expect(rig.peer.count('X')).toBe(0);
  });

  it('comes too late after that: only the person at the terminal can cancel', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('X', []);
    await rig.ready();
    const preparing = rig.terminal.prepare(sale(), never);
    await rig.clock.advance(10);
    const exchange = await preparing;
    const running = exchange.run(hooks());
    await rig.clock.advance(10);
    await expect(exchange.requestAbort()).resolves.toBe('TOO_LATE');
    rig.peer.say(PAID);
    await rig.clock.advance(10);
    await expect(running).resolves.toMatchObject({ kind: 'APPROVED' });
  });
});
