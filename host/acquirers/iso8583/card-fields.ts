import type { CardFields } from '../../../app/domain/card-data.ts';
import { accountTags } from '../../../app/domain/emv-tags.ts';
import { Secret } from '../../../app/domain/secret.ts';
import type { AuthorizeMessage } from '../../ports/acquirer.ts';
import { encodeTlv } from './emv-tlv.ts';
import { DE } from './fields.ts';

/** What of the chip never goes into DE 55: the account (it has elements of its own), the cardholder's name, discretionary and PIN data. */
const keptOutOfChipData: ReadonlySet<string> = new Set([
  ...accountTags,
  '5F20',
  '9F0B',
  '9F1F',
  '9F20',
  '99',
  '5F24',
  '5F34',
]);

const entryModes: Readonly<Record<string, string>> = {
  MANUAL: '011',
  MAGSTRIPE: '021',
  CONTACT: '051',
  CONTACTLESS: '071',
  FALLBACK: '801',
};
/** Unspecified way of reading, on a terminal that can take PINs. */
const OTHER_ENTRY_MODE = '001';

/** DE 22. */
export function entryModeCode(entryMode: string): string {
  return entryModes[entryMode] ?? OTHER_ENTRY_MODE;
}

type SecretField = readonly [number: number, value: Secret<string>];

/**
 * The elements that hold card data, each still a secret. Called while a message is being sent; what it returns lives no longer than the message.
 */
export function cardFields({ cardData, chipTags }: Pick<AuthorizeMessage, 'cardData' | 'chipTags'>): {
  readonly secrets: readonly SecretField[];
  /** DE 23: no secret. */
  readonly cardSequence?: string;
} {
  const card = cardData?.reveal();
  const tags = { ...chipTags, ...card?.emvTags };
  const secrets: SecretField[] = [];
  const add = (number: number, value: string | undefined) => {
    if (value !== undefined && value !== '') secrets.push([number, new Secret(value)]);
  };
  add(DE.pan, card?.applicationPan ?? withoutPadding(tags['5A']));
  add(DE.expiry, tags['5F24']?.slice(0, 4));
  add(DE.track2, track2Of(card, tags));
  add(DE.pinBlock, card?.pinBlock?.toUpperCase());
  add(DE.chip, encodeTlv(Object.entries(tags).filter(([tag]) => !keptOutOfChipData.has(tag))));
  if (card?.ksn !== undefined) add(DE.pinKey, [card.pinKeyScheme ?? '', card.ksn, card.pinBlockFormat ?? ''].join(':'));
  if (card?.panEncrypted !== undefined) {
    add(DE.accountKey, [card.accountDataKeyScheme ?? '', card.accountDataKsn ?? ''].join(':'));
    add(DE.encryptedPan, card.panEncrypted.toUpperCase());
  }
  const sequence = tags['5F34'];
  return { secrets, ...(sequence === undefined ? {} : { cardSequence: sequence.padStart(3, '0') }) };
}

/** Track 2 as the stripe has it, or the chip's equivalent; the separator is written as `=`. */
function track2Of(card: CardFields | undefined, tags: Readonly<Record<string, string>>): string | undefined {
  return withoutPadding(card?.track2 ?? tags['57'])
    ?.toUpperCase()
    .replace('D', '=');
}

/** A number of digits that was filled up to whole bytes. */
function withoutPadding(text: string | undefined): string | undefined {
  return text?.replace(/[Ff]$/, '');
}
