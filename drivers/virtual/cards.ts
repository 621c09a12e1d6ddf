/** How a test card is read. */
export type CardEntry = 'CONTACT' | 'CONTACTLESS' | 'MAGSTRIPE';

/** How a test card wants its holder verified. DEVICE is a telephone that has checked its owner itself. */
type CardVerification = 'PIN' | 'PIN_ABOVE_LIMIT' | 'SIGNATURE' | 'DEVICE' | 'NONE';

export type CardScheme = 'VISA' | 'MASTERCARD' | 'AMEX' | 'GIROCARD';

/** A card that can be held against a virtual terminal. All numbers are published test numbers: no account stands behind them. */
export interface TestCard {
  readonly id: string;
  readonly title: string;
  readonly scheme: CardScheme;
  /** name of the application as the terminal reports and prints it */
  readonly label: string;
  readonly pan: string;
  /** YYMM */
  readonly expiry: string;
  /** four digits */
  readonly sequence: string;
  /** EMV application id; absent on a magnetic stripe */
  readonly aid?: string;
  readonly entry: CardEntry;
  readonly verification: CardVerification;
  readonly pin?: string;
  /** money on a prepaid card, in minor units, full again after each day close */
  readonly balanceMinor?: number;
  /** the terminal cannot read it */
  readonly isUnreadable?: true;
}

/** Above this amount a contactless card with PIN_ABOVE_LIMIT asks for its PIN. */
const CONTACTLESS_LIMIT_MINOR = 5000;
/** Wrong PIN entries after which a card is refused. */
export const MAX_PIN_TRIES = 3;

const VISA = { scheme: 'VISA', label: 'Visa Credit', aid: 'A0000000031010', sequence: '0001', expiry: '3112' } as const;
const MASTERCARD = {
  scheme: 'MASTERCARD',
  label: 'Debit Mastercard',
  aid: 'A0000000041010',
  sequence: '0001',
  expiry: '3012',
} as const;
const AMEX = {
  scheme: 'AMEX',
  label: 'American Express',
  aid: 'A00000002501',
  sequence: '0000',
  expiry: '3006',
} as const;
const GIROCARD = {
  scheme: 'GIROCARD',
  label: 'girocard',
  aid: 'A0000003591010028001',
  sequence: '0001',
  expiry: '3112',
  pin: '1234',
} as const;

/** One card per behaviour. The first one is what a terminal that presents cards by itself takes. */
export const TEST_CARDS: readonly TestCard[] = [
  {
    ...VISA,
    id: 'visa-contactless',
    title: 'Visa, contactless',
    pan: '4761739001010119',
    entry: 'CONTACTLESS',
    verification: 'PIN_ABOVE_LIMIT',
    pin: '1234',
  },
  {
    ...VISA,
    id: 'visa-chip',
    title: 'Visa, chip and PIN',
    pan: '4761739001010010',
    entry: 'CONTACT',
    verification: 'PIN',
    pin: '1234',
  },
  {
    ...VISA,
    id: 'visa-signature',
    title: 'Visa, chip and signature',
    pan: '4012888888881881',
    entry: 'CONTACT',
    verification: 'SIGNATURE',
  },
  {
    scheme: 'VISA',
    label: 'Visa Credit',
    sequence: '0000',
    expiry: '3112',
    id: 'visa-magstripe',
    title: 'Visa, magnetic stripe',
    pan: '4111111111111111',
    entry: 'MAGSTRIPE',
    verification: 'SIGNATURE',
  },
  {
    ...MASTERCARD,
    id: 'mastercard-chip',
    title: 'Debit Mastercard, chip and PIN',
    pan: '5413330089010640',
    entry: 'CONTACT',
    verification: 'PIN',
    pin: '1234',
  },
  {
    ...MASTERCARD,
    id: 'mastercard-phone',
    title: 'Debit Mastercard in a telephone',
    pan: '5413330089020029',
    entry: 'CONTACTLESS',
    verification: 'DEVICE',
  },
  {
    ...MASTERCARD,
    id: 'prepaid',
    title: 'Prepaid Mastercard with 50.00',
    label: 'Prepaid Mastercard',
    pan: '5577000055770004',
    entry: 'CONTACTLESS',
    verification: 'NONE',
    balanceMinor: 5000,
  },
  {
    ...AMEX,
    id: 'amex-chip',
    title: 'American Express, chip and signature',
    pan: '378282246310005',
    entry: 'CONTACT',
    verification: 'SIGNATURE',
  },
  {
    ...AMEX,
    id: 'amex-contactless',
    title: 'American Express, contactless',
    pan: '371449635398431',
    entry: 'CONTACTLESS',
    verification: 'NONE',
  },
  {
    ...GIROCARD,
    id: 'girocard-chip',
    title: 'girocard, chip and PIN',
    pan: '6771798021000008',
    entry: 'CONTACT',
    verification: 'PIN',
  },
  {
    ...GIROCARD,
    id: 'girocard-contactless',
    title: 'girocard, contactless',
    pan: '6771830999991239',
    entry: 'CONTACTLESS',
    verification: 'PIN_ABOVE_LIMIT',
  },
  {
    ...VISA,
    id: 'unreadable',
    title: 'Damaged card',
    pan: '4000000000000002',
    entry: 'CONTACT',
    verification: 'NONE',
    isUnreadable: true,
  },
];

export function findCard(cards: readonly TestCard[], id: string): TestCard | undefined {
  return cards.find((card) => card.id === id);
}

/** True when this card, for this amount, is used with its PIN. */
export function asksForPin(card: TestCard, amountMinor: number): boolean {
  if (card.verification === 'PIN') return true;
  return card.verification === 'PIN_ABOVE_LIMIT' && amountMinor > CONTACTLESS_LIMIT_MINOR;
}

/** The number as a till may be told it: the first six and the last four digits. */
export function firstSixAndLastFour(pan: string): string {
  return `${pan.slice(0, 6)}${'*'.repeat(pan.length - 10)}${pan.slice(-4)}`;
}

/** The number as a receipt shows it: only the last four digits. */
export function lastFourOnly(pan: string): string {
  return pan.slice(-4).padStart(pan.length, '*');
}
