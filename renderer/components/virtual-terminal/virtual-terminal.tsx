import { IconNfc } from '@tabler/icons-react';
import { type DragEvent, type KeyboardEvent, useRef, useState } from 'react';
import type { VirtualKey } from '../../../app/contract/console/virtual.ts';
import { useTexts } from '../../hooks/use-texts.ts';
import type { VirtualTerminal as Virtual } from '../../hooks/use-virtual-terminal.ts';
import { CARD_DRAG_TYPE, CardRack } from './card-rack.tsx';
import styles from './virtual-terminal.module.css';

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9', undefined, '0', undefined] as const;
const commands = [
  { key: 'STOP', sign: '✕', text: 'terminals:virtual.key.STOP' },
  { key: 'CORR', sign: '‹', text: 'terminals:virtual.key.CORR' },
  { key: 'OK', sign: '○', text: 'terminals:virtual.key.OK' },
] as const;

/** Keys of the keyboard while the focus is on the terminal. */
const typed: Readonly<Record<string, VirtualKey>> = { Enter: 'OK', Escape: 'STOP', Backspace: 'CORR' };

/** A virtual terminal that a person can use: what its display shows, its keys, and the cards that can be shown to it. */
export function VirtualTerminal({ terminalId, virtual }: { readonly terminalId: string; readonly virtual: Virtual }) {
  const { t } = useTexts();
  const { view, cards, act } = virtual;
  const [isOver, setIsOver] = useState(false);
  const press = (key: VirtualKey) => act({ kind: 'KEY', key });
  const okKey = useRef<HTMLButtonElement>(null);

  function present(card: string): void {
    act({ kind: 'PRESENT_CARD', card });
    // What follows a card is its PIN: it can be typed at once, and Enter confirms it.
    okKey.current?.focus();
  }

  function type(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isOnButton = event.target instanceof HTMLButtonElement;
    const key = /^[0-9]$/.test(event.key) ? (event.key as VirtualKey) : typed[event.key];
    if (key === undefined || (isOnButton && event.key === 'Enter')) return;
    event.preventDefault();
    event.stopPropagation();
    press(key);
  }

  function drop(event: DragEvent): void {
    event.preventDefault();
    setIsOver(false);
    const card = event.dataTransfer.getData(CARD_DRAG_TYPE);
    if (card !== '') present(card);
  }

  return (
    <div className={styles.place}>
      <section
        className={styles.terminal}
        data-over={isOver}
        aria-label={t('terminals:virtual.label')}
        onKeyDown={type}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        <div
          className={styles.display}
          role="status"
          aria-label={t('terminals:virtual.display')}
          data-testid="terminal-display"
        >
          {view.display.join('\n')}
        </div>
        <div className={styles.reader} data-lit={view.isCardReaderLit}>
          <IconNfc size={32} stroke={1.75} aria-hidden />
          <span className="visually-hidden">{t('terminals:virtual.reader')}</span>
        </div>
        <fieldset className={styles.keys} aria-label={t('terminals:virtual.keys')}>
          {digits.map((digit, index) =>
            digit === undefined ? (
              <span key={index === 9 ? 'left' : 'right'} aria-hidden />
            ) : (
              <button key={digit} type="button" onClick={() => press(digit)}>
                {digit}
              </button>
            ),
          )}
          {commands.map(({ key, sign, text }) => (
            <button
              key={key}
              ref={key === 'OK' ? okKey : undefined}
              type="button"
              data-key={key}
              aria-label={t(text)}
              onClick={() => press(key)}
            >
              {sign}
            </button>
          ))}
        </fieldset>
        <Slot virtual={virtual} />
        <span className={styles.name}>{terminalId}</span>
      </section>
      <CardRack cards={cards} isWanted={view.isCardReaderLit} inSlot={view.card} onPresent={present} />
    </div>
  );
}

/** The slot, and the card that is in it. */
function Slot({ virtual: { view, act } }: { readonly virtual: Virtual }) {
  const { t } = useTexts();
  return (
    <div className={styles.slot} data-full={view.card !== undefined}>
      {view.card === undefined ? (
        <span className="visually-hidden">{t('terminals:virtual.slot')}</span>
      ) : (
        <button type="button" onClick={() => act({ kind: 'REMOVE_CARD' })}>
          {t('terminals:virtual.takeOut')}
        </button>
      )}
    </div>
  );
}
