import { describe, expect, it } from 'vitest';
import { createRig, hooks, message, refund, sale } from './support/rig.ts';

describe('a sale', () => {
  it('is approved by AE 10 with its amount, and asked for once', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([message('reply-done')]);
    expect(await rig.pay()).toEqual({
      kind: 'APPROVED',
      card: {
        authorizationCode: 'A1B2C3',
        cardScheme: 'VISA',
        maskedPan: '411111******1111',
        entryMode: 'CONTACT',
        aid: 'A0000000031010',
      },
      chargedMinor: 1_000,
      reference: { amountMinor: 1_000, authorizationCode: 'A1B2C3', contract: '0000001' },
      receipts: [],
    });
    expect(rig.requests).toEqual([message('sale-1000')]);
  });

  it.each([
    [1, 'sale-01'],
    [10, 'sale-10'],
    [999_999_999_999, 'sale-max'],
  ])('of %i minor units is asked for with at least two digits', async (amountMinor, id) => {
    const rig = createRig();
    await rig.ready();
    rig.answers([message('reply-abandoned-no-amount')]);
    await rig.pay(sale(amountMinor));
    expect(rig.requests).toEqual([message(id)]);
  });

  it('in another currency, at another till, names both', async () => {
    const rig = createRig({ currency: 'CHF', currencyNumeric: '756', tillNumber: '02' });
    await rig.ready();
    rig.answers([message('reply-abandoned-no-amount')]);
    await rig.pay({ ...sale(2_050), currency: 'CHF' } as ReturnType<typeof sale>);
    expect(rig.requests).toEqual([message('sale-chf')]);
  });

  it('tapped says so', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([message('reply-done-contactless')]);
    expect(await rig.pay(sale(1_010))).toMatchObject({
      kind: 'APPROVED',
      card: { entryMode: 'CONTACTLESS', cardScheme: 'MASTERCARD', maskedPan: '541333******0001' },
    });
  });

  it('by a card that has no AID tells its scheme by CC, and no number that is not masked enough', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers(['CZ0040300CB0041000AE00210CC00300DAA0041111CI0012']);
    const outcome = await rig.pay();
    expect(outcome).toMatchObject({ kind: 'APPROVED', card: { cardScheme: 'AMEX', entryMode: 'CONTACTLESS' } });
    expect(JSON.stringify(outcome)).not.toContain('1111');
  });

  it('by cheque is asked for with CC 00C', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([message('reply-abandoned-no-amount')]);
    await rig.pay(sale(5_000, { caisseApMeans: 'CHEQUE' }));
    expect(rig.requests).toEqual([message('sale-cheque')]);
  });

  it('tells that the terminal was asked, and nothing more', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([message('reply-done')]);
    const heard = hooks();
    const running = (await rig.prepared()).run(heard);
    await rig.clock.advance(2_000);
    await running;
    expect(heard.progress.map(({ step }) => step)).toEqual(['WAITING_FOR_CARD']);
  });

  it('has four minutes, and the next one works', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([240_000, message('reply-done')], [message('reply-done')]);
    expect((await rig.pay(sale(), 250_000)).kind).toBe('APPROVED');
    expect((await rig.pay()).kind).toBe('APPROVED');
  });
});

describe('a refund', () => {
  it('is asked for with CD 1 and approved by AE 10', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([message('reply-refund')]);
    expect(await rig.pay(refund())).toMatchObject({ kind: 'APPROVED', chargedMinor: 1_000 });
    expect(rig.requests).toEqual([message('refund-1000')]);
  });

  it('that is answered as a sale is unknown', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([message('reply-done')]);
    expect(await rig.pay(refund())).toMatchObject({ kind: 'UNKNOWN', reasonCode: 'RESULT_DIFFERS' });
  });
});

describe('what is refused before a byte is sent', () => {
  it.each([
    ['another currency', { ...sale(), currency: 'USD' } as ReturnType<typeof sale>, 'UNSUPPORTED_CURRENCY'],
    ['thirteen digits', sale(1_000_000_000_000), 'AMOUNT_TOO_LARGE'],
    ['nothing', sale(0), 'INVALID_REQUEST'],
    ['half a cent', sale(10.5), 'INVALID_REQUEST'],
    ['cash-back', { ...sale(), cashbackAmountMinor: 100 } as ReturnType<typeof sale>, 'OPERATION_NOT_SUPPORTED'],
    ['a means of payment that is misspelt', sale(1_000, { caisseApMeans: 'cheque' }), 'INVALID_REQUEST'],
    [
      'a refund to a cheque',
      { ...refund(), metadata: { caisseApMeans: 'CHEQUE' } } as ReturnType<typeof sale>,
      'OPERATION_NOT_SUPPORTED',
    ],
    ['a void', { ...refund(), operation: 'VOID' } as ReturnType<typeof sale>, 'OPERATION_NOT_SUPPORTED'],
    [
      'a day close',
      { transactionId: 'T3', operation: 'DAY_CLOSE', currency: 'EUR' } as const,
      'OPERATION_NOT_SUPPORTED',
    ],
  ])('%s', async (_what, command, code) => {
    const rig = createRig();
    await rig.ready();
    const before = rig.connections();
    await expect(rig.prepared(command)).rejects.toMatchObject({ code });
    expect([rig.requests.length, rig.connections()]).toEqual([0, before]);
  });

  it('display, input and print', async () => {
    const rig = createRig();
    await rig.ready();
    const { signal } = new AbortController();
    const refused = { code: 'OPERATION_NOT_SUPPORTED' };
    await expect(rig.terminal.display({ lines: ['Hello'] }, signal)).rejects.toMatchObject(refused);
    await expect(rig.terminal.input({ prompt: 'Sure?', inputType: 'CONFIRM' }, signal)).rejects.toMatchObject(refused);
    await expect(rig.terminal.print(['Hello'], signal)).rejects.toMatchObject(refused);
  });
});

describe('an abort', () => {
  it('before the request leaves sends nothing', async () => {
    const rig = createRig();
    await rig.ready();
    const exchange = await rig.prepared();
    expect(await exchange.requestAbort()).toBe('REQUESTED');
    expect(await exchange.run(hooks())).toMatchObject({ kind: 'CANCELLED', reason: 'POS_REQUEST' });
    expect(rig.requests).toEqual([]);
  });

  it('after it is too late: the terminal cannot be told, and its end is the end', async () => {
    const rig = createRig();
    await rig.ready();
    rig.answers([3_000, message('reply-done')]);
    const exchange = await rig.prepared();
    const running = exchange.run(hooks());
    await rig.clock.advance(1_000);
    expect(await exchange.requestAbort()).toBe('TOO_LATE');
    await rig.clock.advance(5_000);
    expect((await running).kind).toBe('APPROVED');
    expect(await exchange.requestAbort()).toBe('TOO_LATE');
    expect(rig.requests).toHaveLength(1);
  });
});
