// The answer to 62-01.
import type { PinBlock } from './card-reading.ts';
import { ENTRY_STATES } from './codec/entries.ts';
import type { CommandEnd } from './connection.ts';
import { cancelled, type Ended, failed, refused, unanswered } from './step-ends.ts';

/** The PIN block, or why there is none. The card still waits then: it is told to stop. */
export function readPinStep(end: CommandEnd): { readonly kind: 'PIN'; readonly pin: PinBlock } | Ended {
  if (end.kind !== 'ANSWERED') return unanswered(end.kind);
  const { message } = end;
  if (message.type !== 'pin') return { ...refused(message), isAtRest: false };
  if (message.pin !== undefined) return { kind: 'PIN', pin: message.pin };
  const state = ENTRY_STATES.get(message.state);
  switch (state?.name) {
    case 'CANCELLED_AT_READER':
      return cancelled('CARDHOLDER', false);
    case 'CANCELLED_BY_HOST':
      return cancelled('POS_REQUEST', false);
    default:
      return failed(`The reader gave no PIN: ${state?.meaning ?? 'it names no reason.'}`);
  }
}
