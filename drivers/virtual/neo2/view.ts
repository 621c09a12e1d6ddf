import { commonView, NO_CONDITIONS } from '../machine-view.ts';
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
export function viewOf(state: ReaderState): TerminalView {
  const { activity, entry, isConfigured } = state;
  return {
    state: entry === null ? ACTIVITY_NAMES[activity.kind] : ENTRY_NAMES[entry.kind],
    ...commonView(state),
    isCardReaderLit: activity.kind === 'WAIT_CARD',
    isRegistered: isConfigured,
    conditions: NO_CONDITIONS,
    paper: [],
  };
}
