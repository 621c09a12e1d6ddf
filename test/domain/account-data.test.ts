import { describe, expect, it } from 'vitest';
import { assertAccountData, type CardField } from '../../app/domain/account-data.ts';

/**
 * The truth table by hand. Columns: applicationPan, panEncrypted, accountDataKsn, accountDataKeyScheme, track2; then what is refused by name, or
 * ok. P and E never stand together, nor T and E; K and S go with E and nothing else.
 */
const accountTable = `
. . . . .  ok
P . . . .  ok
. . . . T  ok
P . . . T  ok
. E K S .  ok
. E . . .  accountDataKsn
. E K . .  accountDataKeyScheme
. E . S .  accountDataKsn
. . K . .  accountDataKsn
. . . S .  accountDataKeyScheme
. . K S .  accountDataKsn
P . K . .  accountDataKsn
P . . S .  accountDataKeyScheme
P . K S .  accountDataKsn
. . K . T  accountDataKsn
. . . S T  accountDataKeyScheme
. . K S T  accountDataKsn
P . K . T  accountDataKsn
P . . S T  accountDataKeyScheme
P . K S T  accountDataKsn
P E . . .  applicationPan
P E K . .  applicationPan
P E . S .  applicationPan
P E K S .  applicationPan
P E . . T  applicationPan
P E K . T  applicationPan
P E . S T  applicationPan
P E K S T  applicationPan
. E . . T  track2
. E K . T  track2
. E . S T  track2
. E K S T  track2
`;

/** pinBlock, ksn, pinBlockFormat, pinKeyScheme. */
const pinTable = `
. . . .  ok
B K . .  ok
B K F .  ok
B K . S  ok
B K F S  ok
B . . .  ksn
B . F .  ksn
B . . S  ksn
B . F S  ksn
. K . .  ksn
. K F .  ksn
. K . S  ksn
. K F S  ksn
. . F .  pinBlockFormat
. . F S  pinBlockFormat
. . . S  pinKeyScheme
`;

const accountColumns = ['applicationPan', 'panEncrypted', 'accountDataKsn', 'accountDataKeyScheme', 'track2'] as const;
const pinColumns = ['pinBlock', 'ksn', 'pinBlockFormat', 'pinKeyScheme'] as const;
const values: Readonly<Record<CardField, string>> = {
  applicationPan: '4111111111111111',
  panEncrypted: 'A1B2C3D4E5F60718',
  accountDataKsn: 'FFFF9876543210E00001',
  accountDataKeyScheme: 'TDES_DUKPT',
  track2: '4111111111111111=28121010000012345678',
  pinBlock: '0123456789ABCDEF',
  ksn: 'FFFF9876543210E00002',
  pinBlockFormat: 'ISO_0',
  pinKeyScheme: 'TDES_DUKPT',
};

interface Row {
  readonly name: string;
  readonly request: Partial<Record<CardField, string>>;
  readonly refused: string;
}

function rowsOf(table: string, columns: readonly CardField[]): readonly Row[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const cells = line.split(/\s+/);
      const given = columns.filter((_, index) => cells[index] !== '.');
      return {
        name: given.join('+') || 'nothing',
        request: Object.fromEntries(given.map((field) => [field, values[field]])),
        refused: cells[columns.length] ?? '',
      };
    });
}

const accounts = rowsOf(accountTable, accountColumns);
const pins = rowsOf(pinTable, pinColumns);

function refusalOf(request: Row['request']): string {
  try {
    assertAccountData(request);
    return 'ok';
  } catch (error) {
    const { code, field, message } = Object(error);
    expect(code).toBe('INVALID_REQUEST');
    expect(message).toMatch(new RegExp(`^${field} `));
    for (const value of Object.values(request)) expect(message).not.toContain(value);
    return field;
  }
}

describe('the truth table of account and PIN data', () => {
  it('has every combination once', () => {
    expect(new Set(accounts.map(({ name }) => name)).size).toBe(2 ** accountColumns.length);
    expect(new Set(pins.map(({ name }) => name)).size).toBe(2 ** pinColumns.length);
  });

  it.each(accounts)('$name: $refused', ({ request, refused }) => expect(refusalOf(request)).toBe(refused));

  it.each(pins)('$name: $refused', ({ request, refused }) => expect(refusalOf(request)).toBe(refused));

  it('holds for account and PIN data together, each by its own table: all 512', () => {
    for (const account of accounts) {
      for (const pin of pins) {
        const expected = account.refused === 'ok' ? pin.refused : account.refused;
        expect(refusalOf({ ...account.request, ...pin.request }), `${account.name} with ${pin.name}`).toBe(expected);
      }
    }
  });
});
