import type { ActivityDetail, ActivityRow } from '../contract/console/activity.ts';
import type { ConsoleEvent } from '../contract/console/channel.ts';
import { MAX_LISTED_STARTERS, MAX_TIMELINE_EVENTS } from '../contract/console/console-limits.ts';
import { BridgeError } from '../contract/errors.ts';
import { actedOn, refundableMinor, type Target } from '../domain/ceilings.ts';
import { giveBackOf } from '../domain/give-back.ts';
import { lastFourOf } from '../domain/mask.ts';
import { totalMinor } from '../domain/money.ts';
import { posStatusOf, statesOfPosStatus } from '../domain/transaction.machine.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { ActivityEntry } from '../ports/journal.ts';
import { targetOf } from '../services/operations/originals.ts';
import { defined } from '../services/response.ts';
import { type ConsoleCall, contextOf, type Handlers } from './call.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { consoleEventOf } from './console-events.ts';
import { giveBackMeansOf } from './give-back-means.ts';
import { matchOf } from './search-match.ts';

type ActivityHandlers = Pick<Handlers, 'activity.search' | 'activity.starters' | 'activity.detail'>;

/** Looking for transactions, and everything known about one. */
export function createActivityHandlers({ till, journal }: ConsoleDeps): ActivityHandlers {
  /** What happened when it ran, and when its end became known, if that was later. */
  function timelineOf(call: ConsoleCall, record: TransactionRecord): readonly ConsoleEvent[] {
    const context = contextOf(call, 'activity.detail', { terminalId: record.terminalId });
    const events = [record.createdAt, record.updatedAt].flatMap((at) =>
      till.eventsAfter(context, journal.lastEventBefore(record.terminalId, at)),
    );
    const own = new Map<number, ConsoleEvent>();
    for (const event of events) {
      const shown = consoleEventOf(event);
      if (shown !== undefined && transactionOf(shown) === record.transactionId) own.set(shown.sequence, shown);
    }
    return [...own.values()].sort((a, b) => a.sequence - b.sequence).slice(0, MAX_TIMELINE_EVENTS);
  }

  function detailOf(call: ConsoleCall, record: TransactionRecord): ActivityDetail {
    const { transactionId } = record;
    const named = targetOf(journal, record);
    const acted = actedOn(record, named.dependents);
    const target: Target = acted === record ? named : targetOf(journal, acted);
    const means = giveBackMeansOf(till, acted);
    const isTerminalKnown = till.terminals().some(({ terminalId }) => terminalId === record.terminalId);
    return defined({
      transaction: till.transaction(contextOf(call, 'activity.detail'), transactionId),
      terminalId: record.terminalId,
      startedBy: journal.startedBy(transactionId) ?? record.actor,
      createdAt: record.createdAt,
      events: isTerminalKnown ? [...timelineOf(call, record)] : [],
      evidence: record.evidence.map((entry) => ({ ...entry })),
      receipts: record.receipts.map(({ kind, lines }) => ({ kind, lines: lines.map((line) => ({ ...line })) })),
      refundedMinor: target.dependents.refundedMinor,
      refundableMinor: means.canRefund && canBeRefunded(target) ? refundableMinor(target) : 0,
      giveBack: giveBackOf(target, means),
      voidedBy: target.dependents.voidedBy?.transactionId,
      completedBy: named.dependents.completedBy?.transactionId,
    });
  }

  return {
    'activity.search'(_call, { query, status, ...filter }) {
      const currencies = till.terminals().map(({ currency }) => currency);
      const text = query?.trim() ?? '';
      const page = journal.searchTransactions({
        ...filter,
        ...(status === undefined ? {} : { states: statesOfPosStatus(status) }),
        ...(text === '' ? {} : { match: matchOf(text, currencies) }),
      });
      return { rows: page.rows.map(rowOf), nextCursor: page.nextCursor };
    },
    'activity.starters': () => ({ starters: [...journal.starters(MAX_LISTED_STARTERS)] }),
    'activity.detail'(call, { transactionId }) {
      const record = journal.findTransaction(transactionId);
      if (record === undefined) throw new BridgeError('NOT_FOUND', 'there is no transaction with this id');
      return detailOf(call, record);
    },
  };
}

function rowOf({ record, startedBy }: ActivityEntry): ActivityRow {
  return defined({
    transactionId: record.transactionId,
    terminalId: record.terminalId,
    type: record.type,
    status: posStatusOf(record.state),
    amount: record.amountMinor,
    totalAmount: totalMinor(record),
    currency: record.currency,
    charged: record.outcome.charged,
    deferredAuthorization: record.deferred,
    cardScheme: record.card.cardScheme,
    lastFour: lastFourOf(record.card.maskedPan ?? ''),
    referenceId: record.referenceId,
    startedBy,
    createdAt: record.createdAt,
    possibleDuplicate: record.possibleDuplicateOf === undefined ? undefined : true,
  });
}

/** Whether a refund of it is possible at all, now or before its void. */
function canBeRefunded({ record, dependents }: Target): boolean {
  const isPayment = record.type === 'SALE' || record.type === 'PRE_AUTH_COMPLETE';
  return (
    isPayment && record.mode === 'ORCHESTRATED' && record.state === 'APPROVED' && dependents.voidedBy === undefined
  );
}

function transactionOf(event: ConsoleEvent): string | undefined {
  if (event.event === 'result') return event.response.transactionId;
  return 'transactionId' in event ? event.transactionId : undefined;
}
