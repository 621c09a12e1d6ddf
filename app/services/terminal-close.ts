import type { JsonObject } from '../domain/json-value.ts';
import type { DayCloseRecord } from '../domain/records.ts';
import type { TerminalBatchTotals } from '../ports/terminal.ts';
import { dayCloseBlockers } from './day-close-blockers.ts';
import { isOpenClose, nextClose, reportedBatchOf } from './day-close-recovery.ts';
import { endDayClose } from './end-day-close.ts';
import { type Engine, nowIso } from './engine.ts';
import type { Lane } from './lane.ts';

const BY_TERMINAL = 'system: the terminal closed by itself';

/**
 * Records that the terminal has closed its own batch without being asked (decisions: Day close; ZVT automatic end of day). While something of the
 * batch is open the close waits, with the figures on disk, and nothing new is taken: it would be in neither batch.
 */
export function recordTerminalClose(engine: Engine, lane: Lane, batch: TerminalBatchTotals): void {
  const { clock, ids, journal, settings } = engine.deps;
  const { terminalId } = lane;
  // A close that we asked for and lost the answer of is this one: its recovery asks the terminal.
  if (journal.openDayCloses().some((close) => close.terminalId === terminalId)) return;
  const at = nowIso(engine);
  const batchNumber = journal.openBatchNumber(terminalId);
  const record: DayCloseRecord = {
    dayCloseId: ids.next(),
    terminalId,
    merchantId: settings.merchantId,
    actor: 'system',
    clientId: 'system',
    state: 'INTENT',
    revision: 1,
    batchNumber,
    businessDate: engine.businessDay(clock.nowMs()),
    createdAt: at,
    updatedAt: at,
    recoveryMark: { reported: asJson(batch) },
    totals: journal.totals(terminalId, batchNumber, lane.attached.currency),
    differences: [],
    startedByTerminal: true,
    evidence: [
      {
        ...{ at, question: 'None: the terminal acted by itself.', answer: 'It has closed its batch.' },
        ...{ questionCode: 'NONE', answerCode: 'CLOSED' },
      },
    ],
  };
  engine.events.commit(terminalId, (unit) => unit.saveDayClose(record));
  settleTerminalCloses(engine, lane);
}

/** Settles closes that the terminal began, once nothing of their batch is open any more. */
export function settleTerminalCloses(engine: Engine, lane: Lane): void {
  const { journal } = engine.deps;
  const { terminalId } = lane;
  const waiting = journal
    .openDayCloses()
    .filter((close) => close.terminalId === terminalId && close.startedByTerminal && isOpenClose(close));
  if (waiting.length === 0 || lane.work !== undefined || dayCloseBlockers(journal, terminalId).length > 0) return;
  for (const close of waiting) {
    const totals = journal.totals(terminalId, close.batchNumber, close.totals.currency);
    const message = 'The terminal closed its batch by itself.';
    const end = { kind: 'CLOSED', batch: reportedBatchOf(close), message, evidence: [] } as const;
    endDayClose(engine, { ...nextClose(close), totals }, end, BY_TERMINAL);
  }
}

function asJson(batch: TerminalBatchTotals): JsonObject {
  return {
    schemes: batch.schemes.map((row) => ({ ...row })),
    ...(batch.totalMinor === undefined ? {} : { totalMinor: batch.totalMinor }),
    ...(batch.batchReference === undefined ? {} : { batchReference: batch.batchReference }),
  };
}
