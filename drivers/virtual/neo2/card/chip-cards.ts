// The test cards as the virtual reader meets them: those of drivers/virtual/cards.ts with a chip put in, and some for what only a chip does.
import { type CardScheme, TEST_CARDS, type TestCard } from '../../cards.ts';
import type { SchemeName } from './schemes.ts';

/**
 * How the chip decides. ONLINE: it asks its issuer. APPROVES_OFFLINE: it lets the terminal approve. DECLINES_OFFLINE: it refuses at once.
 * REFUSES_AT_THE_END: it asks its issuer, and refuses although the issuer approved (the host must take back).
 */
type ChipHabit = 'ONLINE' | 'APPROVES_OFFLINE' | 'DECLINES_OFFLINE' | 'REFUSES_AT_THE_END';

interface ChipProfile {
  readonly scheme: SchemeName;
  readonly habit: ChipHabit;
  /** without tag 91 it refuses, too; otherwise a missing one is let pass, a wrong one never */
  readonly needsIssuerAnswer: boolean;
  /** two digits (5F34) */
  readonly sequence: string;
  /** ISO 3166 numeric, four digits (5F28) */
  readonly country: string;
  /** name on the card (5F20) */
  readonly holder: string;
  /** application interchange profile (82) */
  readonly interchange: string;
  /** issuer action codes 9F0D, 9F0E, 9F0F: what of the TVR declines without a host, declines at once, goes online */
  readonly actions: { readonly default: string; readonly denial: string; readonly online: string };
}

export interface ChipCard extends TestCard {
  readonly aid: string;
  readonly chip: ChipProfile;
}

/** Whatever is out of the ordinary goes online, and is refused when there is no host; an amount above the floor limit goes online. */
const ORDINARY_ACTIONS = { default: 'FC688C9800', denial: '0000000000', online: 'FC688C9800' } as const;
/** Only what matters to a card that decides by itself: an expired application and a failed verification. */
const OFFLINE_ACTIONS = { default: '0040800000', denial: '0000000000', online: '0040800000' } as const;

const ONLINE_CHIP = {
  habit: 'ONLINE',
  needsIssuerAnswer: false,
  country: '0276',
  holder: 'TEST/CARD',
  // Cardholder verification, terminal risk management and issuer authentication are there; the data are not signed for offline use.
  interchange: '1C00',
  actions: ORDINARY_ACTIONS,
} as const;

const schemeOf: Readonly<Record<CardScheme, SchemeName>> = {
  VISA: 'VISA_CVN18',
  MASTERCARD: 'MASTERCARD_CVN16',
  AMEX: 'AMEX_CVN01',
  GIROCARD: 'COMMON_CORE',
};

/** Chips that differ from ONLINE_CHIP and the scheme of their card. */
const ownChips: Readonly<Record<string, Partial<ChipProfile>>> = {
  'visa-signature': { scheme: 'VISA_CVN10' },
};

interface OwnCard {
  readonly card: TestCard;
  readonly chip: Partial<ChipProfile>;
}

const VISA = {
  scheme: 'VISA',
  label: 'Visa Credit',
  aid: 'A0000000031010',
  sequence: '0001',
  expiry: '3112',
  entry: 'CONTACT',
} as const;
const MASTERCARD = {
  scheme: 'MASTERCARD',
  label: 'Mastercard',
  aid: 'A0000000041010',
  sequence: '0001',
  expiry: '3012',
  entry: 'CONTACT',
} as const;

/** What only a chip does. The numbers are published test numbers of payment providers: no account stands behind them. */
const ownCards: readonly OwnCard[] = [
  {
    card: {
      ...VISA,
      id: 'visa-offline',
      title: 'Visa that approves offline',
      pan: '4012000033330026',
      verification: 'NONE',
    },
    chip: { habit: 'APPROVES_OFFLINE', actions: OFFLINE_ACTIONS },
  },
  {
    card: {
      ...VISA,
      id: 'visa-offline-contactless',
      title: 'Visa that approves offline, contactless',
      pan: '4012000077777777',
      verification: 'NONE',
      entry: 'CONTACTLESS',
    },
    chip: { habit: 'APPROVES_OFFLINE', actions: OFFLINE_ACTIONS },
  },
  {
    card: {
      ...VISA,
      id: 'visa-offline-declined',
      title: 'Visa that declines offline',
      pan: '4005519200000004',
      verification: 'NONE',
    },
    chip: { habit: 'DECLINES_OFFLINE' },
  },
  {
    card: {
      ...VISA,
      id: 'visa-refuses',
      title: 'Visa that refuses after an approval',
      pan: '4009348888881881',
      verification: 'NONE',
    },
    chip: { habit: 'REFUSES_AT_THE_END' },
  },
  {
    card: {
      ...VISA,
      id: 'visa-alone',
      title: 'Visa that approves when no host answers',
      pan: '4500600000000061',
      verification: 'NONE',
    },
    chip: { actions: { ...ORDINARY_ACTIONS, default: '0000000000' } },
  },
  {
    card: {
      ...MASTERCARD,
      id: 'mastercard-strict',
      title: "Mastercard that needs its issuer's answer",
      pan: '5555555555554444',
      verification: 'PIN',
      pin: '1234',
    },
    chip: { needsIssuerAnswer: true },
  },
];

/** Every card with a chip. The first one is what a reader that presents cards by itself takes. */
export const CHIP_CARDS: readonly ChipCard[] = [
  ...TEST_CARDS.filter((card) => card.isUnreadable !== true).flatMap((card) => chipCard(card, ownChips[card.id] ?? {})),
  ...ownCards.flatMap(({ card, chip }) => chipCard(card, chip)),
];

export function findChipCard(id: string): ChipCard | undefined {
  return CHIP_CARDS.find((card) => card.id === id);
}

/** None for a magnetic stripe. */
function chipCard(card: TestCard, own: Partial<ChipProfile>): readonly ChipCard[] {
  const { aid } = card;
  if (aid === undefined) return [];
  const chip = { ...ONLINE_CHIP, scheme: schemeOf[card.scheme], sequence: card.sequence.slice(-2), ...own };
  return [{ ...card, aid, chip }];
}
