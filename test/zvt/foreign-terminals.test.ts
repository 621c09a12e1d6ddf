import { describe, expect, it } from 'vitest';
import type { TerminalCommand, TerminalOutcome } from '../../app/ports/terminal.ts';
import type { Mark } from '../../drivers/zvt/mark.ts';
import { DONE, OK, payment, type Script } from '../support/zvt-peer.ts';
import { createRig, hooks, never, question, recovered, sale } from '../support/zvt-terminal.ts';

// What terminals and simulators by others were seen to do (docs/reference/interoperability.md).

const mark: Mark = { knowledge: 'RECEIPT', receipt: '0470', trace: '000470', date: '1127', time: '110000' };

describe('a terminal that completes an abort of nothing', () => {
  it('at once: the end belongs to the abort, and recovery goes on on the same link', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 B0', ['80 00 00', '06 0F 00']);
    const before = rig.peer.replies.length;
    const answer = await recovered(rig, question(sale(), mark));
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'FAILED' } });
    expect(rig.peer.connections()).toBe(1);
    expect(rig.peer.replies[before + 1]).toBe('80 00 00');
  });

  it.each(['06 0F 00', '06 1E 01 6C'])(
    'only when the last receipt was asked for already (%s): acknowledged, and taken for nothing',
    async (end) => {
      const rig = createRig();
      await rig.ready();
      rig.peer.on('06 20', [{ raw: end }, '80 00 00', payment({ amount: 1234 }), '06 0F 00']);
      const answer = await recovered(rig, question(sale(), mark));
      expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'APPROVED', chargedMinor: 1234 } });
      expect(rig.peer.connections()).toBe(1);
    },
  );

  it('five seconds later, and swallows what it is asked before: the next abort is given that time', async () => {
    const rig = createRig();
    await rig.ready();
    let isAborting = false;
    const askedWhileAborting: boolean[] = [];
    const endLate = {
      call: () => {
        isAborting = true;
        rig.clock.after(5_000, () => {
          isAborting = false;
          rig.peer.begin('06 0F 00');
        });
      },
    };
    const note = { call: () => void askedWhileAborting.push(isAborting) };
    rig.peer.on('06 B0', ['80 00 00'], ['80 00 00', endLate]);
    rig.peer.on('06 20', [{ raw: '06 0F 00' }], [note, OK, payment({ amount: 1234 }), DONE]);
    expect((await recovered(rig, question(sale(), mark), 10_000)).kind).toBe('ASK_AGAIN');
    const answer = await recovered(rig, question(sale(), mark), 10_000);
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'APPROVED', chargedMinor: 1234 } });
    expect(askedWhileAborting).toEqual([false, false, false]);
    expect(rig.peer.count('06 01')).toBe(0);
  });

  it('before the answer to a status enquiry: the status still comes from its own answer', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('05 01', [{ raw: '06 0F 00' }, '80 00 00', '06 0F 01 00']);
    const prepared = await rig.terminal.prepare(sale(), never);
    prepared.discard();
    expect(rig.peer.connections()).toBe(1);
  });

  it('is not believed to have ended a payment: such an end before the reply to a sale leaves its outcome open', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', [{ raw: '06 0F 00' }, OK, payment({ amount: 1234 }), DONE]);
    const heard = hooks();
    expect((await (await rig.terminal.prepare(sale(), never)).run(heard)).kind).toBe('UNKNOWN');
    expect(heard.provisional).toEqual([]);
    expect(rig.peer.count('06 01')).toBe(1);
  });
});

describe('a terminal that sends no end after a refusal (CCV A920)', () => {
  const refusal = '04 0F 09 27 05 04 00 00 00 00 10 10';

  async function refused(...more: Script) {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', ['80 00 00', refusal, ...more]);
    const heard = hooks();
    const running = (await rig.terminal.prepare(sale(1010), never)).run(heard);
    let outcome: TerminalOutcome | undefined;
    void running.then((told) => {
      outcome = told;
    });
    return { rig, heard, ended: () => outcome };
  }

  it('has refused all the same: the sale ends with that refusal after ten seconds, not after three minutes', async () => {
    const { rig, heard, ended } = await refused();
    await rig.clock.advance(9_900);
    expect(ended()).toBeUndefined();
    expect(rig.peer.replies.at(-1)).toBe('80 00 00');
    await rig.clock.advance(200);
    expect(ended()).toMatchObject({ kind: 'DECLINED', card: { responseCode: '05' } });
    expect(heard.provisional).toHaveLength(1);
    await rig.clock.advance(2_000);
    // Nothing is open: the next connection does not have to abort anything.
    expect(rig.peer.count('06 B0')).toBe(0);
    expect(rig.terminal.status().state).toBe('IDLE');
  });

  it('and one that waits for the card to be taken out is given its time', async () => {
    const { rig, ended } = await refused('04 FF 01 0B');
    await rig.clock.advance(60_000);
    expect(ended()).toBeUndefined();
    rig.peer.begin('06 1E 01 05');
    await rig.clock.advance(0);
    expect(ended()).toMatchObject({ kind: 'DECLINED', card: { responseCode: '05' } });
    expect(rig.peer.connections()).toBe(1);
  });

  it('an approval without an end is not cut short', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', ['80 00 00', '04 0F 09 27 00 04 00 00 00 00 10 10']);
    const running = (await rig.terminal.prepare(sale(1010), never)).run(hooks());
    await rig.clock.advance(179_000);
    rig.peer.begin('06 0F 00');
    expect((await running).kind).toBe('APPROVED');
  });
});

describe('a terminal that falls silent when it is asked for the totals of its batch', () => {
  const close: TerminalCommand = { transactionId: 'C1', operation: 'DAY_CLOSE', currency: 'EUR' };

  it.each<[string, Script]>([
    ['after 84 00 00, which counts as positive', ['84 00 00']],
    ['at once', []],
  ])('%s: the day can be closed, and it is not asked again', async (_, silence) => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 10', silence);
    rig.peer.on('06 50', ['80 00 00', '06 0F 00']);
    const preparing = rig.terminal.prepare(close, never);
    await rig.clock.advance(25_000);
    const prepared = await preparing;
    expect(prepared.mark).toMatchObject({ knowledge: 'RECEIPT', turnover: 'NOT_TOLD' });
    expect(await prepared.run(hooks())).toMatchObject({ kind: 'APPROVED' });
    await rig.clock.advance(1_000);

    (await rig.terminal.prepare(close, never)).discard();
    expect(rig.peer.count('06 10')).toBe(1);
    expect(rig.peer.count('06 50')).toBe(1);
    expect(rig.peer.connections()).toBe(2);
  });

  it('cannot be asked whether a lost close happened: a person decides', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 10', []);
    const answer = await recovered(rig, question(close, { ...mark, turnover: 'NOT_TOLD' }));
    expect(answer).toMatchObject({ kind: 'UNDECIDED', reason: expect.stringContaining('see there whether it closed') });
    expect(answer.evidence.map(({ question: asked }) => asked.slice(0, 12))).toEqual(['Registration', 'Status (05 0']);
    expect(rig.peer.count('06 10')).toBe(0);
    expect(rig.peer.count('06 50')).toBe(0);
  });
});

describe('a terminal that does something else than it was asked', () => {
  it('is not acknowledged, and what it told is in the message and in the evidence of the unknown outcome', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 31', ['80 00 00', '04 0F 09 27 00 04 00 00 00 00 10 10', '06 0F 00']);
    const refund: TerminalCommand = {
      transactionId: 'T3',
      operation: 'REFUND',
      amountMinor: 300,
      currency: 'EUR',
      original: { transactionId: 'T1', kind: 'SALE', amountMinor: 1010, reference: {} },
    };
    const before = rig.peer.replies.length;
    const exchange = await rig.terminal.prepare(refund, never);
    const acknowledged = rig.peer.replies.length;
    const outcome = await exchange.run(hooks());
    const words = 'The terminal approved 1010 minor units, but 300 were asked.';
    expect(outcome).toMatchObject({
      kind: 'UNKNOWN',
      message: words,
      evidence: [
        {
          question: 'Refund of 300 minor units EUR (06 31 0D •• •• •• 04 00 00 00 00 03 00 49 09 78)',
          answer: `${words} (the acknowledgement was withheld)`,
        },
      ],
    });
    expect(rig.peer.replies.length).toBe(acknowledged);
    expect(before).toBeLessThan(acknowledged);
  });
});

describe('a terminal that gives a reversal the receipt number of what it reverses', () => {
  const original = { transactionId: 'T0', amountMinor: 1100, reference: { receipt: '0455', trace: '000455' } } as const;
  const voiding: TerminalCommand = {
    transactionId: 'T2',
    operation: 'VOID',
    amountMinor: 1100,
    currency: 'EUR',
    original: { ...original, kind: 'SALE' },
  };
  const completing: TerminalCommand = {
    transactionId: 'T2',
    operation: 'PRE_AUTH_COMPLETE',
    amountMinor: 1100,
    currency: 'EUR',
    original: { ...original, kind: 'PRE_AUTH' },
  };
  // 27 00, 04 11.00, 49 0978, 0C 12:00:00, 0D 11-27, 0B trace, 87 receipt.
  const told = (trace: string, receipt: string): string =>
    `04 0F 1A 27 00 04 00 00 00 00 11 00 49 09 78 0C 12 00 00 0D 11 27 0B ${trace} 87 ${receipt}`;

  async function asked(command: TerminalCommand, status: string) {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 20', ['80 00 00', status, '06 0F 00']);
    return recovered(rig, question(command, mark));
  }

  it.each([['void', voiding] as const, ['completion', completing] as const])(
    'the %s of an older payment is known by its newer trace',
    async (_, command) => {
      expect(await asked(command, told('00 04 71', '04 55'))).toMatchObject({
        kind: 'SETTLED',
        outcome: { kind: 'APPROVED', reference: { receipt: '0455', trace: '000471' } },
      });
    },
  );

  it('the original itself, with its own old trace, is no void', async () => {
    expect((await asked(voiding, told('00 04 55', '04 55'))).kind).toBe('UNDECIDED');
  });

  it('the receipt number of a third payment proves nothing', async () => {
    expect((await asked(voiding, told('00 04 71', '04 56'))).kind).toBe('UNDECIDED');
  });

  it('a sale has no original: an older receipt number under a newer trace stays unclear', async () => {
    expect((await asked(sale(1100), told('00 04 71', '04 55'))).kind).toBe('UNDECIDED');
  });
});

describe('a terminal that names itself in a status information of the registration', () => {
  it('is known by that name, and its message is no last payment', async () => {
    const rig = createRig();
    rig.peer.on('06 00', ['80 00 00', '04 0F 07 27 00 29 52 00 05 00', '06 0F 00']);
    await rig.ready();
    expect(rig.terminal.status()).toMatchObject({ state: 'IDLE', serialNumber: '52000500' });
    const prepared = await rig.terminal.prepare(sale(), never);
    expect(prepared.mark).toMatchObject({ receipt: '0470' });
    prepared.discard();
  });
});

describe('a terminal that reads cards with 84 00 00 and then nothing', () => {
  it('is given the time for a card and a little more, not three minutes', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 C0', ['84 00 00']);
    const reading = (
      await rig.terminal.prepare({ transactionId: 'T4', operation: 'CARD_READ', entryMode: 'AUTO' }, never)
    ).run(hooks());
    await rig.clock.advance(76_000);
    expect(await reading).toMatchObject({ kind: 'FAILED', errorCode: 'TERMINAL_ERROR' });
  });
});
