import { TEST_CARDS, type TestCard } from '../cards.ts';
import { CHIP_CARDS } from './card/chip-cards.ts';

/** Every card that can be held against the reader: those with a chip, then stripes and what cannot be read. */
export const READER_CARDS: readonly TestCard[] = [
  ...CHIP_CARDS,
  ...TEST_CARDS.filter(({ aid, isUnreadable }) => aid === undefined || isUnreadable === true),
];
