import { keepMaskedPan } from '../domain/mask.ts';
import type { CardFacts, TransactionRecord } from '../domain/transaction.ts';
import type { TerminalOutcome, TerminalProgress } from '../ports/terminal.ts';
import type { EventBody } from './event-log.ts';

/** What of the order of events a transaction has reached. */
type Stage = 'NOTHING' | 'WAITING' | 'CARD' | 'PROCESSING';
const order: readonly Stage[] = ['NOTHING', 'WAITING', 'CARD', 'PROCESSING'];

const waitingText = 'Present the card.';
const processingText = 'The payment is being processed.';

/**
 * The events of one transaction in the specified order (specification: Events, sequences), whatever the terminal skips or repeats:
 * waiting_for_card, card_detected, processing; pin_required follows card_detected and may repeat.
 */
export interface ProgressEvents {
  onProgress(progress: TerminalProgress): void;
  /** Before the result: what an approved or declined payment must have shown and the terminal has not told. */
  beforeResult(outcome: TerminalOutcome): void;
}

export function createProgressEvents(record: TransactionRecord, emit: (body: EventBody) => void): ProgressEvents {
  const { transactionId } = record;
  let stage: Stage = 'NOTHING';

  function isPast(other: Stage): boolean {
    return order.indexOf(stage) >= order.indexOf(other);
  }

  function waiting(message: string): void {
    if (isPast('WAITING')) return;
    stage = 'WAITING';
    emit({ event: 'waiting_for_card', transactionId, message });
  }

  function cardDetected(card: CardFacts): void {
    if (isPast('CARD')) return;
    waiting(waitingText);
    stage = 'CARD';
    const maskedPan = card.maskedPan === undefined ? undefined : keepMaskedPan(card.maskedPan);
    emit({
      event: 'card_detected',
      transactionId,
      entryMode: card.entryMode ?? 'UNKNOWN',
      ...(card.cardScheme === undefined ? {} : { cardScheme: card.cardScheme, scheme: card.cardScheme }),
      ...(maskedPan === undefined ? {} : { maskedPan }),
    });
  }

  function processing(message: string): void {
    if (isPast('PROCESSING')) return;
    if (takesCard(record)) cardDetected({});
    stage = 'PROCESSING';
    emit({ event: 'processing', transactionId, message });
  }

  return {
    onProgress(progress) {
      switch (progress.step) {
        case 'WAITING_FOR_CARD':
          return waiting(progress.message);
        case 'CARD_DETECTED':
          return cardDetected(progress.card);
        case 'PIN_REQUIRED':
          cardDetected({});
          return emit({ event: 'pin_required', transactionId });
        case 'PROCESSING':
          return processing(progress.message);
      }
    },
    beforeResult(outcome) {
      if (!takesCard(record)) return;
      if (outcome.kind === 'APPROVED' || outcome.kind === 'DECLINED' || outcome.kind === 'PENDING_ONLINE') {
        cardDetected(outcome.card);
      }
      const isCharge = record.mode === 'ORCHESTRATED' && record.type !== 'CARD_READ';
      if (isCharge && (outcome.kind === 'APPROVED' || outcome.kind === 'DECLINED')) processing(processingText);
    },
  };
}

/** Operations for which a card is presented; a void or a completion needs none. */
function takesCard(record: TransactionRecord): boolean {
  return record.type !== 'VOID' && record.type !== 'PRE_AUTH_COMPLETE' && record.type !== 'REFUND';
}
