import { describe, expect, it } from 'vitest';
import type { AuthorizeRequest } from '../../app/contract/host/authorize.ts';
import { accountFields, pinFields } from '../../app/domain/account-data.ts';
import { normalisedTag } from '../../app/domain/emv-tags.ts';
import { checkOfflineComplete } from '../../app/domain/offline-complete.ts';
import { holdsCardNumber, storableTags, storableTagsOf } from '../../app/domain/offline-tags.ts';
import { authorize } from './host-fixture.ts';

const refused = (field: string) => expect.objectContaining({ code: 'INVALID_REQUEST', field });
/** The allow-list as the decisions write it (offline-complete). */
const decided =
  '4F 50 82 84 8A 95 9A 9B 9C 5F2A 5F34 9F02 9F03 9F06 9F09 9F10 9F12 9F1A 9F1E 9F21 9F26 9F27 9F33 9F34 9F35 9F36 9F37 9F41 9F53 9F6E'.split(
    ' ',
  );

describe('the tags that may be recorded', () => {
  it('are those of the decisions', () => expect([...storableTags]).toEqual(decided));

  it.each(decided)('%s is taken in any spelling', (tag) => {
    for (const spelling of [tag, tag.toLowerCase(), ` ${tag} `, `0x${tag}`, tag.replace(/(..)(?=.)/g, '$1 ')]) {
      expect([...storableTagsOf({ [spelling]: '00' })]).toEqual([[tag, '00']]);
    }
  });

  it.each(['57', '5A', '5a', ' 5A', '0x57', '5F20', '5F24', '56', '99', '9F1F', '9F20', '9F6B', 'DF01', '9F 6b'])(
    '%s is refused, however it is spelt',
    (spelling) => {
      const tag = normalisedTag(spelling) ?? '';
      expect(() => storableTagsOf({ [spelling]: '00' })).toThrow(refused(`emvTlv.${tag}`));
    },
  );

  it.each(['', 'amount', '9F0', '9F021', '9F02G'])('%j is no tag', (spelling) => {
    expect(() => storableTagsOf({ [spelling]: '00' })).toThrow(refused('emvTlv'));
  });
});

describe('a card number in the value of a tag', () => {
  const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0).toString(16)).join('');

  it.each([
    ['packed', '9F10', '4111111111111111'],
    ['packed, of bytes that are letters too', '9F10', '4242424242424242'],
    ['packed, padded with F', '9F26', '374245455400126F'],
    ['packed, as track 2', '9F53', '5500005555555559d2812101'],
    ['packed, behind a length', '9F6E', '5A084111111111111111'],
    ['packed, behind zeros', '84', '00004111111111111111'],
    ['packed, behind one zero', '9F10', '0374245455400126'],
    ['between other bytes', '9F10', '0110A04111111111111111A0'],
    ['as text', '50', ascii('4111111111111111')],
    ['as text with blanks', '9F12', ascii('VISA 4111 1111 1111 1111')],
    ['as text in a tag of bytes', '9F10', ascii('5500005555555559')],
  ])('is found %s', (_, tag, value) => {
    expect(holdsCardNumber(tag, value.toUpperCase())).toBe(true);
    expect(() => storableTagsOf({ [tag]: value })).toThrow(refused(`emvTlv.${tag}`));
    expect(() => storableTagsOf({ [tag]: value })).toThrow(expect.not.stringContaining(value));
  });

  it.each([
    ['a label', '50', ascii('MASTERCARD')],
    ['a label', '50', ascii('VISA CREDIT')],
    ['a serial number of digits', '9F1E', ascii('45678901')],
    ['an application identifier', '84', 'A0000000041010'],
    ['issuer data of M/Chip', '9F10', '0110A04003220000000000000000000000FF'],
    ['issuer data of Visa', '9F10', '06011203A00000'],
    ['a cryptogram', '9F26', '8E19ED4BCA5C670A'],
    ['an amount', '9F02', '000000001600'],
    ['verification results', '95', '0000008000'],
  ])('is not seen in %s', (_, tag, value) => expect(holdsCardNumber(tag, value)).toBe(false));
});

describe('a record of what a kernel decided', () => {
  const approved = (changes: Partial<AuthorizeRequest> = {}) =>
    authorize({ cid: '40', emvTlv: { '8a': '5931', '9F27': '40' }, ...changes });

  it.each([
    ['a transaction certificate', { cid: '40' }, { decision: 'APPROVED' }],
    ['an authentication cryptogram', { cid: '00' }, { decision: 'DECLINED' }],
    ['tag 9F27', { emvTlv: { '9F27': '40' } }, { decision: 'APPROVED' }],
    ['Y1', { emvTlv: { '8A': '5931' } }, { decision: 'APPROVED', responseCode: 'Y1' }],
    ['Y3', { emvTlv: { '8A': '5933' } }, { decision: 'APPROVED', responseCode: 'Y3' }],
    ['Z1', { emvTlv: { '8A': '5A31' } }, { decision: 'DECLINED', responseCode: 'Z1' }],
    ['Z3', { emvTlv: { '8A': '5a33', '9F27': '00' } }, { decision: 'DECLINED', responseCode: 'Z3' }],
    [
      'Z3 after a request to go online',
      { cid: '80', emvTlv: { '8A': '5A33' } },
      { decision: 'DECLINED', responseCode: 'Z3' },
    ],
  ])('reads the decision from %s', (_, changes, kernel) => {
    expect(checkOfflineComplete(authorize(changes)).kernel).toEqual(kernel);
  });

  it.each([
    ['no decision at all', {}, 'cid'],
    ['a request to go online', { cid: '80' }, 'cid'],
    ['two decisions that differ', { cid: '00', emvTlv: { '8A': '5931' } }, 'cid'],
    ['two kinds of cryptogram', { cid: '00', emvTlv: { '9F27': '40' } }, 'cid'],
    ["an issuer's code", { cid: '40', emvTlv: { '8A': '3030' } }, 'emvTlv.8A'],
    ['a refund', { cid: '40', transactionType: 'refund' as const, originalTransactionId: 'x' }, 'transactionType'],
    ['a pre-authorization', { cid: '40', transactionType: 'pre_auth' as const }, 'transactionType'],
    ['amounts that do not add up', { cid: '40', amount: 1601 }, 'amount'],
    ['a card number for a cryptogram', { cid: '40', cryptogram: '4111111111111111' }, 'cryptogram'],
    ['a card number in the issuer data', { cid: '40', iad: '5A084111111111111111' }, 'iad'],
    ['a sensitive tag', { cid: '40', emvTlv: { '5a': '4111111111111111' } }, 'emvTlv.5A'],
  ])('is refused with %s', (_, changes, field) => {
    expect(() => checkOfflineComplete(authorize(changes))).toThrow(refused(field));
  });

  it.each([...accountFields, ...pinFields])('is refused with %s', (field) => {
    const changes = JSON.parse(JSON.stringify({ [field]: '4111111111111111' }));
    expect(() => checkOfflineComplete(approved(changes))).toThrow(refused(field));
  });

  it('gives the amounts and the tags that may be stored', () => {
    const { amounts, emvTags } = checkOfflineComplete(approved());
    expect(amounts).toEqual({
      amountMinor: 1600,
      baseAmountMinor: 1500,
      tipAmountMinor: 100,
      cashbackAmountMinor: 500,
    });
    expect([...emvTags]).toEqual([
      ['8A', '5931'],
      ['9F27', '40'],
    ]);
  });
});
