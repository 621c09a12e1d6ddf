// What another program that plays a terminal was recorded to answer (docs/reference/interoperability.md), played to the driver.
import { describe, expect, it } from 'vitest';
import { createRig, sale } from './support/rig.ts';

const ECHO = 'CZ0040300CJ012012345678901CA00201CE003978BA0010CD0010';

describe('akretion/caisse-ap-ip', () => {
  it('sends the request back with its answer, hides card numbers with #, and has private data', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([
      `${ECHO}CB00511245AE00210CC003001CI0011AC006814351AA016524962######8632AI021A00000000416455239247AB0042704CF0101010000000CG006424242`,
    ]);
    expect(await rig.pay(sale(11_245))).toEqual({
      kind: 'APPROVED',
      card: {
        authorizationCode: '814351',
        cardScheme: 'MASTERCARD',
        maskedPan: '524962******8632',
        entryMode: 'CONTACT',
        aid: 'A00000000416455239247',
      },
      chargedMinor: 11_245,
      reference: { amountMinor: 11_245, authorizationCode: '814351', contract: '424242' },
      receipts: [],
    });
  });

  it('tells of a cheque nothing but that it is done', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([`${ECHO}CB0045000CC00300CAE00210`]);
    expect(await rig.pay(sale(5_000, { caisseApMeans: 'CHEQUE' }))).toMatchObject({ kind: 'APPROVED', card: {} });
  });

  it('says "refused" of a cheque that was abandoned or put in the wrong way round', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([`${ECHO}CB0041000CC00300CAE00201AF00204`]);
    expect((await rig.pay(sale(1_000, { caisseApMeans: 'CHEQUE' }))).kind).toBe('DECLINED');
  });
});
