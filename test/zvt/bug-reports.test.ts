// What users of other terminal drivers reported; the number is that of the list of public threads the scenario comes from.
import { describe, expect, it } from 'vitest';
import { vectorHex } from '../support/vectors.ts';
import { settle } from '../support/zvt-clock.ts';
import { DONE, DROP, digits, OK, payment, READY } from '../support/zvt-peer.ts';
import { createRig, hooks, never, question, recovered, sale } from '../support/zvt-terminal.ts';

describe('bug reports', () => {
  it('1 (Portalum 59): the terminal approves and the till never hears it: unknown, then found by asking, never "declined"', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', [OK, vectorHex('portalum-interim-0a')]);
    const exchange = await rig.terminal.prepare(sale(), never);
    const running = exchange.run(hooks());
    await rig.clock.advance(180_000);
    expect((await running).kind).toBe('UNKNOWN');
    rig.peer.on('06 20', [OK, payment({ amount: 1234 }), DONE]);
    await rig.clock.advance(1_000);
    const answer = await recovered(rig, question(sale(), exchange.mark));
    expect(answer).toMatchObject({ kind: 'SETTLED', outcome: { kind: 'APPROVED', chargedMinor: 1234 } });
    expect(rig.peer.count('06 01')).toBe(1);
  });

  it('3 (Portalum 10): reply and completion in one segment are two messages', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('05 01', [{ raw: `${OK} ${READY}` }]);
    (await rig.terminal.prepare(sale(), never)).discard();
  });

  it('6 (Portalum 26): the last receipt is asked for with service byte 03, and "nothing" is no proof', async () => {
    const rig = createRig();
    rig.peer.on('06 20', [OK, DONE]);
    await rig.ready();
    expect(rig.peer.commands).toContain('06 20 05 00 00 00 03 03');
    const exchange = await rig.terminal.prepare(sale(), never);
    expect(exchange.mark).toMatchObject({ knowledge: 'UNKNOWN' });
    exchange.discard();
  });

  it('8 (Portalum 40): declined, failed before the card and a lost link are three different ends', async () => {
    const ends: string[] = [];
    for (const script of [
      [OK, payment({ result: '05' }), '06 1E 01 05'],
      [OK, '06 1E 01 64'],
      [OK, DROP],
    ]) {
      const rig = createRig();
      await rig.ready();
      rig.peer.on('06 01', script);
      ends.push((await (await rig.terminal.prepare(sale(), never)).run(hooks())).kind);
    }
    expect(ends).toEqual(['DECLINED', 'FAILED', 'UNKNOWN']);
  });

  it('11 (ecrterm 2): no answer to the status enquiry after a cancelled payment: refused, link kept, works later', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', [OK, '06 1E 01 6C']);
    expect((await (await rig.terminal.prepare(sale(), never)).run(hooks())).kind).toBe('CANCELLED');
    rig.peer.on('05 01', [], [OK, READY]);
    const refused = rig.terminal.prepare(sale(), never).catch((error: unknown) => error);
    await rig.clock.advance(5_000);
    expect(await refused).toMatchObject({ code: 'TERMINAL_UNREACHABLE' });
    expect(rig.peer.connections()).toBe(1);
    const prepared = rig.terminal.prepare(sale(), never);
    await rig.clock.advance(1_000);
    (await prepared).discard();
  });

  it('12 (ecrterm 7): status 51 is not ignored: initialisation first, and no payment when it stays', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('05 01', [OK, vectorHex('own-terminal-status-51')]);
    rig.peer.on('06 93', [OK, DONE]);
    await expect(rig.terminal.prepare(sale(), never)).rejects.toMatchObject({ code: 'TERMINAL_NOT_READY' });
    expect(rig.peer.count('06 93')).toBe(1);
    expect(rig.peer.count('06 01')).toBe(0);
  });

  it('13 (ecrterm 9): a long 06 D3 with the length form FF is one message', async () => {
    const rig = createRig();
    await rig.ready();
    const text = Array.from({ length: 290 }, () => '41').join(' ');
    // 07 82 01 22 <290 characters>, 09 01 81, in 25, after 1F07 = merchant.
    const block = `1F 07 01 01 25 82 01 29 07 82 01 22 ${text} 09 01 81`;
    const data = `06 82 ${digits('0131', 4)} ${block}`;
    const length = data.split(' ').length;
    rig.peer.on('06 01', [
      OK,
      payment({ amount: 1234 }),
      `06 D3 FF ${(length & 0xff).toString(16).padStart(2, '0')} ${(length >> 8).toString(16).padStart(2, '0')} ${data}`,
      DONE,
    ]);
    const outcome = await (await rig.terminal.prepare(sale(), never)).run(hooks());
    expect(outcome).toHaveProperty('receipts.0.lines.0.text', 'A'.repeat(290));
  });

  it('15 (OCA 372): a silent terminal does not stay "connecting"', async () => {
    const rig = createRig();
    rig.peer.on('06 00', []);
    await rig.ready();
    expect(rig.terminal.status().state).toBe('CONNECTING');
    await rig.clock.advance(5_000);
    expect(rig.terminal.status().state).toBe('DISCONNECTED');
  });

  it('10 (Portalum 28): what keeps the till from connecting is said in words', async () => {
    const rig = createRig();
    rig.plug(false);
    await rig.ready();
    await expect(rig.terminal.prepare(sale(), never)).rejects.toMatchObject({
      code: 'TERMINAL_UNREACHABLE',
      message: 'memory refuses the connection.',
    });
  });

  it('16 (OCA 550): the earlier sale still waits at the terminal: refused as busy, the new amount is not lost in it', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('05 01', ['84 9C 00']);
    const refused = rig.terminal.prepare(sale(), never).catch((error: unknown) => error);
    await rig.clock.advance(20_000);
    expect(await refused).toMatchObject({ code: 'TERMINAL_BUSY' });
    expect(rig.peer.count('06 01')).toBe(0);
  });

  it('21 (odoo 56459): 4.60 € stays 460 minor units, to the byte', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', [OK, payment({ amount: 460 }), DONE]);
    expect(await (await rig.terminal.prepare(sale(460), never)).run(hooks())).toMatchObject({
      kind: 'APPROVED',
      chargedMinor: 460,
    });
    expect(rig.peer.commands.at(-1)).toBe('06 01 0A 04 00 00 00 00 04 60 49 09 78');
  });

  it('28 (Adyen 644): after its own time-out the till aborts and asks', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', []);
    const exchange = await rig.terminal.prepare(sale(), never);
    const running = exchange.run(hooks());
    await rig.clock.advance(5_000);
    expect((await running).kind).toBe('UNKNOWN');
    const before = rig.peer.commands.length;
    await rig.clock.advance(1_000);
    const commands = rig.peer.commands.slice(before).map((sent) => sent.slice(0, 5));
    expect(commands).toEqual(['06 00', '06 B0', '05 01', '06 20']);
    const answer = await recovered(rig, question(sale(), exchange.mark));
    expect(answer.kind).toBe('SETTLED');
    expect(rig.peer.count('06 01')).toBe(1);
  });

  it('29, 37 (serialport 2043, stripe 586): a link that is dead without a word is noticed by the keep-alive and replaced', async () => {
    let isDead = false;
    const rig = createRig({ outgoing: (bytes, deliver) => (isDead ? undefined : deliver(bytes)) });
    await rig.ready();
    isDead = true;
    await rig.clock.advance(60_000);
    isDead = false;
    await rig.clock.advance(10_000);
    expect(rig.peer.connections()).toBe(2);
    expect(rig.terminal.status().state).toBe('IDLE');
  });

  it('35 (stripe 370): a result that arrives after the reconnection belongs to no running sale', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', [OK, DROP]);
    const first = await rig.terminal.prepare(sale(), never);
    expect((await first.run(hooks())).kind).toBe('UNKNOWN');
    await rig.clock.advance(1_000);
    rig.peer.on('06 01', [payment({ amount: 1234 })]);
    const second = await rig.terminal.prepare(sale(), never);
    const heard = hooks();
    const running = second.run(heard);
    await settle();
    expect((await running).kind).toBe('UNKNOWN');
    expect(heard.provisional).toEqual([]);
  });
});
