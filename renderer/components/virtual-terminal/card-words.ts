import type { VirtualCard } from '../../../app/contract/console/virtual.ts';
import type { TextKey } from '../../i18n/text-key.ts';

/** The test cards in words; one that is not here is called by its own title. */
const cardTexts: Readonly<Record<string, TextKey>> = {
  'visa-contactless': 'terminals:virtual.card.visaContactless',
  'visa-chip': 'terminals:virtual.card.visaChip',
  'visa-signature': 'terminals:virtual.card.visaSignature',
  'visa-magstripe': 'terminals:virtual.card.visaMagstripe',
  'mastercard-chip': 'terminals:virtual.card.mastercardChip',
  'mastercard-phone': 'terminals:virtual.card.mastercardPhone',
  prepaid: 'terminals:virtual.card.prepaid',
  'amex-chip': 'terminals:virtual.card.amexChip',
  'amex-contactless': 'terminals:virtual.card.amexContactless',
  'girocard-chip': 'terminals:virtual.card.girocardChip',
  'girocard-contactless': 'terminals:virtual.card.girocardContactless',
  unreadable: 'terminals:virtual.card.unreadable',
};

export function cardText({ id }: VirtualCard): TextKey | undefined {
  return cardTexts[id];
}

/** What a hand does with a card, by how it is read. */
export const presentTexts = {
  CONTACT: 'terminals:virtual.insert',
  CONTACTLESS: 'terminals:virtual.tap',
  MAGSTRIPE: 'terminals:virtual.swipe',
} as const satisfies Record<VirtualCard['entry'], TextKey>;
