// What users of other terminal drivers reported; the number is that of the list of public threads the scenario comes from.
import { describe, expect, it } from 'vitest';
import { DROP, frame, NOT_SHOWN, operative, paid, receipt, refusal, type Script } from '../support/ecr17-peer.ts';
import { createEcr17Rig } from '../support/ecr17-terminal.ts';
import { hooks, never, question, sale } from '../support/zvt-terminal.ts';

const PAID = paid({ amount: 1234 });
const join = (...parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
const ACK = Uint8Array.of(0x06, 0x03, 0x79);

describe('bug reports', () => {
  it('1 (Portalum 59): the terminal approves and the till never hears it: unknown, then found by asking, never "declined"', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('X', [{ progress: 'COLLEGAMENTO HOST' }]);
    await rig.ready();
    const preparing = rig.terminal.prepare(sale(), never);
    await rig.clock.advance(10);
    const exchange = await preparing;
    const running = exchange.run(hooks());
    await rig.clock.advance(200_000);
    expect((await running).kind).toBe('UNKNOWN');
    rig.peer.on('G', [PAID]);
    const asking = rig.terminal.recover(question(sale(), exchange.mark), never);
    await rig.clock.advance(5_000);
    expect(await asking).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'APPROVED', chargedMinor: 1234 } });
    expect(rig.peer.count('X')).toBe(1);
  });

  it('2 (Portalum 14): a customer who takes his time is waited for as long as the terminal shows that it works', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('X', [{ progress: 'DIGITARE PIN' }]);
    await rig.ready();
    const preparing = rig.terminal.prepare(sale(), never);
    await rig.clock.advance(10);
    const running = (await preparing).run(hooks());
    await rig.clock.advance(170_000);
    rig.peer.say({ progress: 'DIGITARE PIN' });
    await rig.clock.advance(170_000);
    rig.peer.say(PAID);
    await rig.clock.advance(10);
    expect((await running).kind).toBe('APPROVED');
  });

  it('3, 19 (Portalum 10, OCA 798): acknowledgement, progress and result in one read are three things; cut in two they are the same', async () => {
    const whole = join(
      ACK,
      Uint8Array.of(0x01, ...new TextEncoder().encode('ATTENDERE PREGO     '), 0x04),
      frame(PAID),
    );
    for (const cut of [whole.length, 2, 20, whole.length - 1]) {
      const rig = createEcr17Rig();
      rig.peer.on('X', { withoutAck: [{ raw: whole.slice(0, cut) }, { raw: whole.slice(cut) }] });
      await rig.ready();
      expect((await rig.run(sale())).kind).toBe('APPROVED');
      expect(rig.peer.count('X')).toBe(1);
    }
  });

  it('8 (Portalum 40): declined, failed before the card and a lost link are three different ends', async () => {
    const ends: string[] = [];
    const scripts: readonly Script[] = [[refusal()], [NOT_SHOWN], [DROP]];
    for (const script of scripts) {
      const rig = createEcr17Rig();
      rig.peer.on('X', script);
      await rig.ready();
      ends.push((await rig.run(sale())).kind);
    }
    expect(ends).toEqual(['DECLINED', 'FAILED', 'UNKNOWN']);
  });

  it('10 (Portalum 28): what keeps the till from connecting is said in words', async () => {
    const rig = createEcr17Rig({}, 'SERIAL');
    rig.plug(false);
    await rig.ready();
    await expect(rig.terminal.prepare(sale(), never)).rejects.toMatchObject({
      code: 'TERMINAL_UNREACHABLE',
      message: 'memory refuses the connection.',
    });
  });

  it('12 (ecrterm 7): a status that says "not operative" is not ignored', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('s', [operative('4')]);
    await rig.ready();
    const preparing = rig.terminal.prepare(sale(), never);
    await expect(Promise.all([preparing, rig.clock.advance(10)])).rejects.toMatchObject({
      code: 'TERMINAL_NOT_READY',
      message: 'The terminal reports state 4: key damaged: a first download is needed.',
    });
  });

  it('15 (OCA 372): a silent terminal does not stay "connecting"', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('s', 'SILENCE');
    await rig.ready();
    expect(rig.terminal.status().state).toBe('CONNECTING');
    await rig.clock.advance(3_000);
    expect(rig.terminal.status().state).toBe('DISCONNECTED');
  });

  it('16 (OCA 550): the earlier sale still waits at the terminal: refused, the new amount is not lost in it', async () => {
    const rig = createEcr17Rig();
    await rig.ready();
    rig.peer.on('s', 'NAK');
    const preparing = rig.terminal.prepare(sale(), never);
    await expect(Promise.all([preparing, rig.clock.advance(20_000)])).rejects.toMatchObject({ code: 'TERMINAL_BUSY' });
    expect(rig.peer.count('X')).toBe(0);
  });

  it('17, 23 (OCA 741, odoo 63546): an abort that the terminal cannot take is said to be too late, and the end is the terminal’s', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('X', [{ progress: 'INSERIRE CARTA' }]);
    await rig.ready();
    const preparing = rig.terminal.prepare(sale(), never);
    await rig.clock.advance(10);
    const exchange = await preparing;
    const running = exchange.run(hooks());
    await rig.clock.advance(10);
    expect(await exchange.requestAbort()).toBe('TOO_LATE');
    rig.peer.say(refusal({ action: '000', stan: '000000', online: '000000', text: 'OPERAZIONE ANNULLATA' }));
    await rig.clock.advance(10);
    expect(await running).toMatchObject({ kind: 'CANCELLED', reason: 'CARDHOLDER' });
  });

  it('21 (odoo 56459): 4.60 € stays 460 minor units, to the digit', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('X', [paid({ amount: 460 })]);
    await rig.ready();
    expect(await rig.run(sale(460))).toMatchObject({ kind: 'APPROVED', chargedMinor: 460 });
    expect(rig.peer.commands.at(-1)).toContain('X000000010000000000460 ');
  });

  it('26 (globalpayments 68, 69): a NAK is answered by the same message, three transmissions at most', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('X', 'NAK', 'NAK', [PAID]);
    await rig.ready();
    expect((await rig.run(sale())).kind).toBe('APPROVED');
    expect(new Set(rig.peer.commands.filter((text) => text.charAt(9) === 'X')).size).toBe(1);
    expect(rig.peer.count('X')).toBe(3);
    expect(rig.peer.count('P')).toBe(0);
  });

  it('29, 37 (serialport 2043, stripe 586): a link that is dead without a word is noticed by the keep-alive and replaced', async () => {
    const rig = createEcr17Rig({}, 'SERIAL');
    await rig.ready();
    rig.peer.on('s', 'SILENCE', 'SILENCE', 'SILENCE', [operative()]);
    await rig.clock.advance(70_000);
    expect(rig.peer.connections()).toBe(2);
    expect(rig.terminal.status().state).toBe('IDLE');
  });

  it('35 (stripe 370): a result that arrives after the reconnection belongs to no running sale', async () => {
    const rig = createEcr17Rig();
    rig.peer.on('X', [DROP]);
    await rig.ready();
    expect((await rig.run(sale())).kind).toBe('UNKNOWN');
    // The terminal has ended that sale; asked for its last result, it tells it.
    rig.peer.on('G', [PAID]);
    await rig.clock.advance(2_000);
    rig.peer.on('X', [{ raw: frame(PAID) }, paid({ stan: '000102', amount: 1234, time: '3321205' })]);
    const heard = hooks();
    expect(await rig.run(sale(), heard)).toMatchObject({ kind: 'APPROVED', reference: { stan: '000102' } });
    expect(heard.provisional).toHaveLength(1);
  });

  it('a receipt that the terminal had the till print without its end does not keep the next sale waiting', async () => {
    const rig = createEcr17Rig({ receipts: 'TILL' });
    rig.peer.on('X', [PAID, '123456780SNEGOZIO}'], [paid({ stan: '000102', amount: 1234 }), receipt('B}')]);
    await rig.ready();
    expect(await rig.run(sale())).toMatchObject({ kind: 'APPROVED', receipts: [{ lines: [{ text: 'NEGOZIO' }] }] });
    rig.peer.on('G', [PAID]);
    expect(await rig.run(sale())).toMatchObject({ kind: 'APPROVED', receipts: [{ lines: [{ text: 'B' }] }] });
  });
});
