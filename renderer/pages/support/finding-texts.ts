import type { TextKey } from '../../i18n/text-key.ts';

const texts: Readonly<Record<string, TextKey>> = {
  CARD_NUMBER: 'support:finding.cardNumber',
  TRACK_1: 'support:finding.track',
  TRACK_2: 'support:finding.track',
  PIN_BLOCK: 'support:finding.pinBlock',
  KEY_SERIAL_NUMBER: 'support:finding.keySerial',
  LABELLED_CARD_DATA: 'support:finding.cardData',
  UNREADABLE: 'support:finding.unreadable',
};

/** What something looks like, in words; keys and tokens of whatever kind are keys. */
export function findingTextOf(kind: string): TextKey {
  return texts[kind] ?? 'support:finding.key';
}
