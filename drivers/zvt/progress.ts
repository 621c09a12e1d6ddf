import type { TerminalProgress } from '../../app/ports/terminal.ts';
import type { IntermediateStatus } from './codec/message-types.ts';
import { progressOf } from './codec/status-tables.ts';

/** 04 FF in the words of the port. What the display says of approval or decline decides nothing and is not passed on. */
export function progressOfStatus(message: IntermediateStatus): TerminalProgress {
  const { kind, meaning } = progressOf(message.status ?? 0x0e);
  switch (kind) {
    case 'waiting-for-amount-confirmation':
    case 'waiting-for-card':
      return { step: 'WAITING_FOR_CARD', message: meaning };
    case 'card-inserted':
      return { step: 'CARD_DETECTED', card: {} };
    case 'enter-pin':
    case 'wrong-pin':
      return { step: 'PIN_REQUIRED' };
    case 'approved-shown':
    case 'declined-shown':
      return { step: 'PROCESSING', message: 'The terminal shows its result' };
    case 'text':
      return { step: 'PROCESSING', message: message.texts?.join(' ').trim() || meaning };
    default:
      return { step: 'PROCESSING', message: meaning };
  }
}
