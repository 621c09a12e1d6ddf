import type { TerminalBatchTotals } from '../../app/ports/terminal.ts';
import { schemeTotalsOf } from './card.ts';
import type { StatusInformation, ZvtMessage } from './codec/message-types.ts';
import { progressOf } from './codec/status-tables.ts';
import { type Answer, UNSUPPORTED_ANSWER } from './connection.ts';
import { type Mark, markOf, receiptOf, relateToMark, traceOf, UNKNOWN_MARK } from './mark.ts';

/** Takes what the terminal sends without having been asked. */
export interface UnaskedMessages {
  serve(message: ZvtMessage): Answer;
  linkLost(): void;
}

export interface UnaskedDeps {
  /** The terminal closed its batch by itself (04 FF 0F … 06 0F). */
  onBatchClosed(batch: TerminalBatchTotals): void;
  /** The last payment that is known. */
  mark(): Mark;
  onMark(mark: Mark): void;
}

/**
 * Every command of the terminal is answered: acknowledged, or refused where the till cannot do it (dial-up, input). Except an approval: it is of a
 * payment that was lost or that belongs to nobody, and has no place on disk. Without an acknowledgement the terminal takes it back by itself
 * (digest: "When is a payment final"), as it does where it notices that the till has gone.
 */
export function createUnaskedMessages(deps: UnaskedDeps): UnaskedMessages {
  let isClosing = false;
  let totals: StatusInformation | undefined;

  function reset(): void {
    isClosing = false;
    totals = undefined;
  }

  function closed(): void {
    const batch = totals === undefined ? { schemes: [] } : batchOf(totals);
    deps.onBatchClosed(batch);
    reset();
  }

  function result(message: StatusInformation): Answer {
    // Told again: it was stored before it was acknowledged, or is what the terminal had told as its last receipt.
    if (relateToMark(deps.mark(), message) === 'SAME') return 'ACKNOWLEDGE';
    if (tellsOfMoney(message)) {
      // Whether it has taken the payment back is asked before the next one.
      deps.onMark(UNKNOWN_MARK);
      return 'WITHHOLD';
    }
    const mark = markOf(message);
    if (mark !== undefined) deps.onMark(mark);
    return 'ACKNOWLEDGE';
  }

  return {
    serve(message) {
      switch (message.type) {
        case 'dial-up':
        case 'input-request':
          return UNSUPPORTED_ANSWER;
        case 'intermediate-status':
          if (message.status !== undefined && progressOf(message.status).kind === 'end-of-day') isClosing = true;
          return 'ACKNOWLEDGE';
        case 'status-information': {
          if (message.totals !== undefined || isClosing) {
            isClosing = true;
            totals = message;
            return 'ACKNOWLEDGE';
          }
          return result(message);
        }
        case 'completion':
          if (isClosing && (totals?.resultCode ?? 0) === 0) closed();
          else reset();
          return 'ACKNOWLEDGE';
        case 'abort':
          reset();
          return 'ACKNOWLEDGE';
        default:
          return 'ACKNOWLEDGE';
      }
    },
    linkLost() {
      // The totals were told: the batch is closed, whatever was still to be printed.
      const isClosed = isClosing && totals?.totals !== undefined && (totals.resultCode ?? 0) === 0;
      try {
        if (isClosed) closed();
      } catch {
        // Whoever records it has failed twice; the totals of the next day close will show it.
      }
      reset();
    },
  };
}

/** Approved, or not refused at least; some status information names only the terminal. */
function tellsOfMoney(message: StatusInformation): boolean {
  const isOfPayment =
    message.amountMinor !== undefined || receiptOf(message) !== undefined || traceOf(message) !== undefined;
  return isOfPayment && (message.resultCode ?? 0) === 0;
}

function batchOf(totals: StatusInformation): TerminalBatchTotals {
  const reference = traceOf(totals);
  return {
    ...(totals.amountMinor === undefined ? {} : { totalMinor: totals.amountMinor }),
    schemes: totals.totals === undefined ? [] : schemeTotalsOf(totals.totals),
    ...(reference === undefined ? {} : { batchReference: reference }),
  };
}
