import type { DayReport } from '../contract/console/day.ts';
import { BridgeError } from '../contract/errors.ts';
import type { SettlementRecord } from '../domain/records.ts';
import { compareBatch, netAmountOf, type ReportedBatch, type SchemeTotals } from '../domain/totals.ts';
import type { JournalReader } from '../ports/journal.ts';
import { defined } from '../services/response.ts';
import { contextOf, type Handlers } from './call.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { pickTerminal } from './pick-terminal.ts';

type DayHandlers = Pick<Handlers, 'day.preview' | 'day.close' | 'day.settlements' | 'day.report'>;

/** The open day, its close, and the closed ones. */
export function createDayHandlers({ till, journal }: ConsoleDeps): DayHandlers {
  return {
    'day.preview'(call, request) {
      const { terminalId, currency } = pickTerminal(till, request.terminalId);
      const { totals, timestamp, blockers, openPreAuths } = till.totals(contextOf(call, 'day.preview', { terminalId }));
      const schemes = journal.schemeTotals(terminalId, journal.openBatchNumber(terminalId), currency);
      return {
        terminalId,
        totals,
        netAmount: netAmountOf(totals),
        timestamp,
        blockers: blockers ?? [],
        openPreAuths: openPreAuths ?? [],
        byScheme: schemes.map(({ scheme, count, amountMinor }) => ({ scheme, count, amount: amountMinor })),
      };
    },
    async 'day.close'(call, { terminalId, idempotencyKey }) {
      const context = contextOf(call, 'day.close', { terminalId, idempotencyKey });
      const answer = await till.reconcile(context, { closeDay: true });
      return JSON.parse(answer.body);
    },
    'day.settlements': (call, query) => till.settlements(contextOf(call, 'day.settlements'), query),
    'day.report'(_call, { settlementId }) {
      const record = journal.findSettlement(settlementId);
      if (record === undefined) throw new BridgeError('NOT_FOUND', 'there is no settlement with this id');
      return reportOf(record, journal);
    },
  };
}

/** The report of a closed batch, by the same calculation as at its close. */
function reportOf(record: SettlementRecord, journal: JournalReader): DayReport {
  const { settlement, batchNumber, businessDate, journalHead, preAuthCount, preAuthAmount } = record;
  const { terminalId, currency } = settlement;
  const close = journal.findDayCloseOfBatch(terminalId, batchNumber);
  const schemes = journal.schemeTotals(terminalId, batchNumber, currency);
  const reported = close?.reported;
  const totals = { ...settlement, preAuthCount, preAuthAmount };
  const differences = reported === undefined ? [] : compareBatch(totals, schemes, reported);
  return defined({
    settlement,
    number: batchNumber,
    businessDate,
    closedBy: close?.actor,
    journalHead: { ...journalHead },
    schemes: schemeFigures(schemes, reported),
    terminalTotal: reported?.totalMinor,
    differences: differences.map(({ field, ours, theirs }) => ({ field, journal: ours, terminal: theirs })),
    preAuthCount,
  });
}

const nothing = { count: 0, amount: 0 };

function schemeFigures(ours: readonly SchemeTotals[], reported: ReportedBatch | undefined): DayReport['schemes'] {
  const theirs = reported?.schemes ?? [];
  const names = [...new Set([...ours, ...theirs].map(({ scheme }) => scheme))].sort();
  return names.map((scheme) => {
    const figureIn = (rows: ReportedBatch['schemes']) => {
      const row = rows.find((one) => one.scheme === scheme);
      return row === undefined ? { ...nothing } : { count: row.count, amount: row.amountMinor };
    };
    return { scheme, journal: figureIn(ours), ...(theirs.length === 0 ? {} : { terminal: figureIn(theirs) }) };
  });
}
