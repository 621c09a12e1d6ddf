import { Button } from '@mantine/core';
import { IconCreditCard } from '@tabler/icons-react';
import { useState } from 'react';
import type { VirtualCard } from '../../../app/contract/console/virtual.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import { cardText, presentTexts } from './card-words.ts';
import styles from './virtual-terminal.module.css';

/** What a dragged card carries: its name. */
export const CARD_DRAG_TYPE = 'application/x-test-card';

/** The cards that lie ready; the others are one press away. */
const FIRST_CARDS = 4;
/** One of each way to pay first. */
const first: readonly string[] = ['visa-contactless', 'visa-chip', 'girocard-chip', 'visa-magstripe'];

export interface CardRackProps {
  readonly cards: readonly VirtualCard[];
  /** A card may come now. */
  readonly isWanted: boolean;
  readonly inSlot: string | undefined;
  readonly onPresent: (card: string) => void;
}

/** Test cards to press or to drag onto the terminal; each says what it is, how it is shown, and its PIN. */
export function CardRack({ cards, isWanted, inSlot, onPresent }: CardRackProps) {
  const { t } = useTexts();
  const [areAllShown, setAreAllShown] = useState(false);
  const rank = ({ id }: VirtualCard) => (first.includes(id) ? first.indexOf(id) : first.length);
  const ordered = [...cards].sort((a, b) => rank(a) - rank(b));
  const shown = areAllShown ? ordered : ordered.slice(0, FIRST_CARDS);
  return (
    <div>
      <ul className={styles.cards} aria-label={t('terminals:virtual.cards')} data-wanted={isWanted}>
        {shown.map((card) => {
          const text = cardText(card);
          return (
            <li key={card.id}>
              <button
                type="button"
                className={styles.card}
                data-scheme={card.scheme}
                aria-disabled={inSlot !== undefined}
                draggable={inSlot === undefined}
                onDragStart={(event) => event.dataTransfer.setData(CARD_DRAG_TYPE, card.id)}
                onClick={() => inSlot === undefined && onPresent(card.id)}
              >
                <IconCreditCard size={20} aria-hidden />
                <span className={styles.title}>{text === undefined ? card.title : t(text)}</span>
                <span className={styles.facts}>
                  {[
                    t(presentTexts[card.entry]),
                    `••• ${card.lastFour}`,
                    ...(card.pin === undefined ? [] : [t('terminals:virtual.pin', { pin: card.pin })]),
                  ].join(' · ')}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      <Button variant="subtle" fullWidth aria-expanded={areAllShown} onClick={() => setAreAllShown(!areAllShown)}>
        {t(areAllShown ? 'terminals:virtual.fewerCards' : 'terminals:virtual.moreCards')}
      </Button>
    </div>
  );
}
