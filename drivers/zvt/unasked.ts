import type { TerminalBatchTotals } from '../../app/ports/terminal.ts';
import { schemeTotalsOf } from './card.ts';
import type { StatusInformation, ZvtMessage } from './codec/message-types.ts';
import { progressOf } from './codec/status-tables.ts';
import { type Answer, UNSUPPORTED_ANSWER } from './connection.ts';
import { type Mark, markOf, traceOf } from './mark.ts';

/** Takes what the terminal sends without having been asked. */
export interface UnaskedMessages {
  serve(message: ZvtMessage): Answer;
  linkLost(): void;
}

export interface UnaskedDeps {
  /** The terminal closed its batch by itself (04 FF 0F … 06 0F). */
  onBatchClosed(batch: TerminalBatchTotals): void;
  onMark(mark: Mark): void;
}

/** Every command of the terminal is answered: acknowledged, or refused where the till cannot do it (dial-up, input). */
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
          const mark = markOf(message);
          if (mark !== undefined) deps.onMark(mark);
          return 'ACKNOWLEDGE';
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

function batchOf(totals: StatusInformation): TerminalBatchTotals {
  const reference = traceOf(totals);
  return {
    ...(totals.amountMinor === undefined ? {} : { totalMinor: totals.amountMinor }),
    schemes: totals.totals === undefined ? [] : schemeTotalsOf(totals.totals),
    ...(reference === undefined ? {} : { batchReference: reference }),
  };
}
