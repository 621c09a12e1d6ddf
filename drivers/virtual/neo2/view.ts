import type { TerminalView } from '../terminal-view.ts';
import type { Activity, ReaderState } from './state.ts';

const ACTIVITY_NAMES: Readonly<Record<Activity['kind'], string>> = {
  IDLE: 'IDLE',
  WAIT_CARD: 'WAITING_FOR_CARD',
  STARTED: 'WAITING_FOR_TILL',
  READING: 'READING_CARD',
  ONLINE: 'WAITING_FOR_ISSUER',
  APPLYING: 'TELLING_CARD',
  CARD_GONE: 'CARD_GONE',
};
const ENTRY_NAMES = { PIN: 'WAITING_FOR_PIN', KEY: 'WAITING_FOR_KEY', AMOUNT: 'WAITING_FOR_NUMBER' } as const;

/** What a person in front of the reader sees. It has no printer. */
export function viewOf({
  activity,
  entry,
  display,
  card,
  link,
  isConfigured,
  armed,
  isInHand,
}: ReaderState): TerminalView {
  return {
    state: entry === null ? ACTIVITY_NAMES[activity.kind] : ENTRY_NAMES[entry.kind],
    display,
    card: card?.id ?? null,
    isCardReaderLit: activity.kind === 'WAIT_CARD',
    link,
    isRegistered: isConfigured,
    armed,
    isInHand,
    conditions: {
      isOutOfPaper: false,
      isDayCloseNeeded: false,
      isInitialisationNeeded: false,
      isIdleAbortCompleted: false,
    },
    paper: [],
  };
}
