import { describe, expect, it } from 'vitest';
import { Secret } from '../../app/domain/secret.ts';
import type { TerminalCommand, TerminalOriginal } from '../../app/ports/terminal.ts';
import type { ZvtSettings } from '../../drivers/zvt/zvt-settings.ts';
import { vectorHex } from '../support/vectors.ts';
import { DONE, OK, payment, type Script } from '../support/zvt-peer.ts';
import { createRig, hooks, never } from '../support/zvt-terminal.ts';

const sold: TerminalOriginal = {
  transactionId: 'T0',
  kind: 'SALE',
  amountMinor: 2000,
  reference: { receipt: '0042', trace: '000042' },
};
const held: TerminalOriginal = {
  transactionId: 'T0',
  kind: 'PRE_AUTH',
  amountMinor: 10_000,
  reference: { receipt: '0042', trace: '000042', authorizationAttribute: '3132333435360000' },
};
const partial: Partial<ZvtSettings> = { completion: 'PARTIAL_REVERSAL' };
const common = { transactionId: 'T1', currency: 'EUR' } as const;
const paid = { tipAmountMinor: 0, cashbackAmountMinor: 0, entryMode: 'AUTO' } as const;

async function run(command: TerminalCommand, answer: Script, settings: Partial<ZvtSettings> = {}) {
  const rig = createRig({ settings });
  await rig.ready();
  const before = rig.peer.commands.length;
  for (const name of ['06 01', '06 22', '06 24', '06 23', '06 25', '06 30', '06 31', '06 C0', '06 03', '06 50'])
    rig.peer.on(name, answer);
  const heard = hooks();
  const outcome = await (await rig.terminal.prepare(command, never)).run(heard);
  return { outcome, heard, sent: rig.peer.commands.slice(before).filter((hex) => !hex.startsWith('05 01')), rig };
}

describe('the command of each operation', () => {
  it.each<[string, TerminalCommand, string, Partial<ZvtSettings>]>([
    [
      'pre-authorization',
      { ...common, ...paid, operation: 'PRE_AUTH', amountMinor: 10_000 },
      '06 22 0A 04 00 00 00 01 00 00 49 09 78',
      {},
    ],
    [
      'refund',
      { ...common, operation: 'REFUND', amountMinor: 500, original: sold },
      '06 31 0D 00 00 00 04 00 00 00 00 05 00 49 09 78',
      {},
    ],
    [
      'void of a sale',
      { ...common, operation: 'VOID', amountMinor: 0, original: sold },
      '06 30 10 00 00 00 87 00 42 04 00 00 00 00 20 00 49 09 78',
      {},
    ],
    [
      'void of an open pre-authorization',
      { ...common, operation: 'VOID', amountMinor: 10_000, original: held },
      '06 25 0D 87 00 42 04 00 00 00 01 00 00 49 09 78',
      {},
    ],
    [
      'void of an open pre-authorization by partial reversal',
      { ...common, operation: 'VOID', amountMinor: 10_000, original: held },
      '06 23 0D 87 00 42 04 00 00 00 01 00 00 49 09 78',
      partial,
    ],
    [
      'completion by partial reversal, which carries what is NOT used',
      { ...common, operation: 'PRE_AUTH_COMPLETE', amountMinor: 4_000, original: held },
      '06 23 0D 87 00 42 04 00 00 00 00 60 00 49 09 78',
      partial,
    ],
  ])('%s', async (_, command, hex, settings) => {
    const { sent } = await run(command, ['84 9C 00'], settings);
    expect(sent).toEqual([hex]);
  });

  it('completion by book total carries what IS used, and the reservation', async () => {
    const command: TerminalCommand = { ...common, operation: 'PRE_AUTH_COMPLETE', amountMinor: 4_000, original: held };
    const { sent } = await run(command, ['84 9C 00']);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatch(/^06 24 /);
    for (const field of ['87 00 42', '04 00 00 00 00 40 00', '0B 00 00 42', '3B 31 32 33 34 35 36 00 00', '49 09 78'])
      expect(sent[0]).toContain(field);
  });

  it('uses the password of the settings', async () => {
    const command: TerminalCommand = { ...common, operation: 'DAY_CLOSE' };
    const { sent } = await run(command, ['84 9C 00'], { password: new Secret('123456') });
    expect(sent.at(-1)).toBe('06 50 03 12 34 56');
  });

  it('refuses a void of something without a receipt number before a byte is sent', async () => {
    const command: TerminalCommand = {
      ...common,
      operation: 'VOID',
      amountMinor: 0,
      original: { ...sold, reference: {} },
    };
    await expect(run(command, [])).rejects.toMatchObject({ code: 'OPERATION_NOT_SUPPORTED' });
  });

  it('refuses a completion above the hold before a byte is sent', async () => {
    const command: TerminalCommand = { ...common, operation: 'PRE_AUTH_COMPLETE', amountMinor: 10_001, original: held };
    await expect(run(command, [], partial)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});

describe('the answers', () => {
  it('a pre-authorization gives what its completion needs', async () => {
    const status = payment({ amount: 10_000, more: '3B 31 32 33 34 35 36 00 00' });
    const { outcome } = await run({ ...common, ...paid, operation: 'PRE_AUTH', amountMinor: 10_000 }, [
      OK,
      status,
      DONE,
    ]);
    expect(outcome).toMatchObject({
      kind: 'APPROVED',
      reference: { receipt: '0471', trace: '000471', authorizationAttribute: '3132333435360000' },
    });
  });

  it('a completion by partial reversal is approved although the terminal names the rest', async () => {
    const command: TerminalCommand = { ...common, operation: 'PRE_AUTH_COMPLETE', amountMinor: 4_000, original: held };
    const { outcome } = await run(command, [OK, payment({ amount: 6_000 }), DONE], partial);
    expect(outcome.kind).toBe('APPROVED');
    expect(outcome).not.toHaveProperty('chargedMinor');
  });

  it.each([
    ['REFUND', { ...common, operation: 'REFUND', amountMinor: 500, original: sold }, 500],
    ['VOID', { ...common, operation: 'VOID', amountMinor: 2_000, original: sold }, 2_000],
  ] as const)('%s stores its result before the acknowledgement', async (_, command, amount) => {
    const { outcome, heard } = await run(command, [OK, payment({ amount }), DONE]);
    expect(outcome.kind).toBe('APPROVED');
    expect(heard.provisional).toHaveLength(1);
  });

  it('issuer codes in BCD are read so where the settings say so', async () => {
    const command: TerminalCommand = { ...common, ...paid, operation: 'SALE', amountMinor: 100 };
    const { outcome } = await run(command, [OK, payment({ result: '51' }), DONE], { issuerCodes: 'BCD' });
    expect(outcome).toMatchObject({ kind: 'DECLINED', card: { responseCode: '51' } });
  });
});

describe('reading a card', () => {
  const command: TerminalCommand = { transactionId: 'T1', operation: 'CARD_READ', entryMode: 'AUTO' };

  it('ends with the status information and shows a masked number only', async () => {
    const { outcome, heard, sent } = await run(command, [OK, vectorHex('own-card-mag')]);
    expect(outcome).toMatchObject({ kind: 'APPROVED', card: { maskedPan: '411111******1111', cardScheme: 'VISA' } });
    expect(JSON.stringify(outcome)).not.toContain('4111111111111111');
    expect(heard.provisional).toEqual([]);
    expect(sent[0]).toMatch(/^06 C0 /);
  });

  it('that fails says so', async () => {
    expect((await run(command, [OK, vectorHex('own-card-error')])).outcome).toMatchObject({
      kind: 'FAILED',
      errorCode: 'CARD_READ_FAILED',
    });
  });
});

describe('a balance', () => {
  const command: TerminalCommand = { ...common, operation: 'BALANCE_INQUIRY', entryMode: 'AUTO' };

  it('is what the terminal names as amount', async () => {
    const { outcome } = await run(command, [OK, payment({ amount: 1_550 }), DONE]);
    expect(outcome).toMatchObject({ kind: 'APPROVED', balanceMinor: 1_550 });
  });

  it('that only the cardholder sees is no balance', async () => {
    expect((await run(command, [OK, payment(), DONE])).outcome).toMatchObject({ kind: 'FAILED' });
  });
});
