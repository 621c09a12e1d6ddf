import type { PossibleDuplicate } from '../contract/console/attention.ts';
import { MAX_LISTED_DUPLICATES } from '../contract/console/console-limits.ts';
import { POSSIBLE_DUPLICATE_WINDOW_HOURS } from '../contract/limits.ts';
import { totalMinor } from '../domain/money.ts';
import type { DuplicateSale } from '../ports/journal.ts';
import { contextOf, type Handlers } from './call.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { scheduledCloses } from './day-schedule-procedures.ts';
import { hostTroublesOf } from './host-procedures.ts';
import { lateOfflineSalesOf } from './offline-sales.ts';
import { printerTroublesOf } from './printing-procedures.ts';
import type { TerminalTroubles } from './terminal-troubles.ts';

const hourMs = 3_600_000;

type AttentionHandlers = Pick<Handlers, 'attention.list' | 'attention.resolve'>;

/** What needs a person. */
export function createAttentionHandlers(deps: ConsoleDeps, terminalTroubles: TerminalTroubles): AttentionHandlers {
  const { till, journal, clock } = deps;

  function viewsOf({ transactionId, earlierTransactionId }: DuplicateSale): readonly PossibleDuplicate[] {
    const record = journal.findTransaction(transactionId);
    if (record === undefined) return [];
    const { terminalId, currency, referenceId = '', createdAt } = record;
    const amount = totalMinor(record);
    return [{ transactionId, earlierTransactionId, terminalId, amount, currency, referenceId, createdAt }];
  }

  return {
    'attention.list'(call) {
      const since = new Date(clock.nowMs() - POSSIBLE_DUPLICATE_WINDOW_HOURS * hourMs).toISOString();
      return {
        tasks: till.recoveryTasks(contextOf(call, 'attention.list')).data,
        possibleDuplicates: journal.duplicateSales(since, MAX_LISTED_DUPLICATES).flatMap(viewsOf),
        blockedCloses: scheduledCloses(deps).filter(({ state }) => state === 'BLOCKED'),
        terminalTroubles: terminalTroubles.current(),
        printerTroubles: printerTroublesOf(deps),
        hostTroubles: hostTroublesOf(deps),
        lateOfflineSales: lateOfflineSalesOf(deps),
      };
    },
    'attention.resolve': (call, { transactionId, charged, evidence }) =>
      till.resolve(contextOf(call, 'attention.resolve'), transactionId, { charged, evidence }),
  };
}
