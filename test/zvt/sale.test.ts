import { describe, expect, it } from 'vitest';
import { vectorHex } from '../support/vectors.ts';
import { settle } from '../support/zvt-clock.ts';
import { CARD_PART, DONE, OK, payment } from '../support/zvt-peer.ts';
import { createRig, hooks, never, sale } from '../support/zvt-terminal.ts';

describe('a sale', () => {
  it('is approved with every fact that the terminal told', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', [OK, vectorHex('portalum-interim-0a'), payment({ amount: 1234, more: CARD_PART }), DONE]);
    const exchange = await rig.terminal.prepare(sale(), never);
    const heard = hooks();
    const outcome = await exchange.run(heard);
    expect(outcome).toMatchObject({
      kind: 'APPROVED',
      chargedMinor: 1234,
      reference: { receipt: '0471', authorizationCode: '123456' },
      card: {
        responseCode: '00',
        authorizationCode: '123456',
        cardScheme: 'MASTERCARD',
        maskedPan: '************4771',
        entryMode: 'CONTACTLESS',
        cvmResult: 'NO_CVM',
        aid: 'A0000000041010',
        applicationLabel: 'Debit Mastercard',
      },
    });
    expect(heard.progress.map((step) => step.step)).toEqual(['WAITING_FOR_CARD', 'WAITING_FOR_CARD']);
    expect(rig.peer.commands.filter((sent) => sent.startsWith('06 01'))).toEqual([
      '06 01 0A 04 00 00 00 00 12 34 49 09 78',
    ]);
    expect(rig.terminal.status().state).toBe('IDLE');
  });

  it('stores the result before it acknowledges it', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', [OK, payment({ amount: 1234 }), DONE]);
    const exchange = await rig.terminal.prepare(sale(), never);
    let store = (): void => undefined;
    const stored = new Promise<void>((resolve) => {
      store = resolve;
    });
    const before = rig.peer.replies.length;
    const outcome = exchange.run(hooks(() => stored));
    await settle();
    expect(rig.peer.replies.length).toBe(before);
    store();
    expect((await outcome).kind).toBe('APPROVED');
    expect(rig.peer.replies.length).toBe(before + 2);
  });

  it('takes a reply and what follows out of one segment (own-two-in-one, own-status-and-completion)', async () => {
    const rig = createRig();
    await rig.ready();
    rig.peer.on('06 01', [{ raw: vectorHex('own-two-in-one') }, { raw: `${payment({ amount: 1234 })} ${DONE}` }]);
    const heard = hooks();
    const outcome = await (await rig.terminal.prepare(sale(), never)).run(heard);
    expect(outcome.kind).toBe('APPROVED');
    expect(heard.provisional).toHaveLength(1);
  });
});
