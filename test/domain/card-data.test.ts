import { inspect } from 'node:util';
import { serialize } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { accountFields, pinFields } from '../../app/domain/account-data.ts';
import { type CardFields, takeCardData } from '../../app/domain/card-data.ts';
import { authorize } from './host-fixture.ts';

const secrets = {
  applicationPan: '4111111111111111',
  track2: '5500005555555559=28121010000012345678',
  pinBlock: '0123456789ABCDEF',
  ksn: 'FFFF9876543210E00002',
  pinBlockFormat: 'ISO_FORMAT_ZERO',
  pinKeyScheme: 'PIN_TDES_DUKPT',
};
const encrypted = {
  panEncrypted: 'A1B2C3D4E5F60718',
  accountDataKsn: 'FFFF9876543210E00001',
  accountDataKeyScheme: 'AES_DUKPT' as const,
};
const tags = { '9f02': '000000001600', '5A': '4111111111111111', '57': '4111111111111111d28121010000012345678f' };
const request = authorize({ ...secrets, ...encrypted, emvTlv: tags, maskedPan: '411111******1111', referenceId: 'R1' });
const everySecret = [
  ...Object.values(secrets),
  ...Object.values(encrypted),
  '4111111111111111D28121010000012345678F',
  '4111111111111111',
];

function expectNothingOf(text: string): void {
  for (const secret of everySecret) expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
}

describe('card data of an authorization', () => {
  const { request: rest, cardData } = takeCardData(request);

  it('is opened by one visible call, for the acquirer', () => {
    const opened: CardFields = cardData.reveal();
    expect(opened).toEqual({
      ...secrets,
      ...encrypted,
      emvTags: {
        '9F02': '000000001600',
        '5A': '4111111111111111',
        '57': '4111111111111111D28121010000012345678F',
      },
    });
  });

  it.each([
    ['JSON', () => JSON.stringify({ cardData, list: [cardData] })],
    ['the inspector', () => inspect({ cardData }, { depth: 10, showHidden: true })],
    ['a template', () => `${cardData}`],
    ['a sum of texts', () => `card: ${String(cardData)}`],
    ['a structured clone', () => inspect(structuredClone({ cardData }), { depth: 10, showHidden: true })],
    ['the serializer of threads', () => serialize({ cardData }).toString('latin1')],
    ['its own keys', () => JSON.stringify([Object.entries(cardData), { ...cardData }, Reflect.ownKeys(cardData)])],
    ['an error', () => inspect(new Error('refused', { cause: { cardData } }), { depth: 10 })],
  ])('gives nothing away through %s', (_, print) => {
    const printed = print();
    expect(printed.length).toBeGreaterThan(0);
    expectNothingOf(printed);
  });

  it('leaves a request behind that may be logged and stored', () => {
    expect(rest).toEqual({
      ...authorize(),
      referenceId: 'R1',
      maskedPan: '411111******1111',
      emvTlv: { '9F02': '000000001600' },
    });
    for (const field of [...accountFields, ...pinFields]) expect(Object.keys(rest)).not.toContain(field);
    expectNothingOf(JSON.stringify(rest).replace('411111******1111', ''));
  });

  it('drops a masked number that shows too much, and a storable tag that holds a card number', () => {
    const left = takeCardData(authorize({ maskedPan: '4111111111111111', emvTlv: { '9F10': '4111111111111111' } }));
    expect(left.request).toEqual(authorize());
    expect(left.cardData.reveal()).toEqual({ emvTags: { '9F10': '4111111111111111' } });
  });

  it('keeps what the chip computed out of the request, too, when it looks like a card number', () => {
    const looks = { cryptogram: '4111111111111111', iad: '5A084111111111111111' };
    const left = takeCardData(authorize({ ...looks, atc: '0001' }));
    expect(left.request).toEqual({ ...authorize(), atc: '0001' });
    expect(left.cardData.reveal()).toEqual({ ...looks, emvTags: {} });
    const usual = { cryptogram: '8E19ED4BCA5C670A', iad: '06011203A00000' };
    expect(takeCardData(authorize(usual)).request).toEqual(authorize(usual));
  });

  it('refuses a tag that is given in two spellings, and a name that is no tag', () => {
    const twice = { '9F02': '000000001600', '9f 02': '000000001700' };
    expect(() => takeCardData(authorize({ emvTlv: twice }))).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', field: 'emvTlv.9F02' }),
    );
    expect(() => takeCardData(authorize({ emvTlv: { amount: '00' } }))).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', field: 'emvTlv' }),
    );
  });

  it('does not change the request it was given', () => {
    const given = authorize({ ...secrets, emvTlv: tags });
    const copy = structuredClone(given);
    takeCardData(given);
    expect(given).toEqual(copy);
  });
});
