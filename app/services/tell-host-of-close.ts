import type { ReconciliationResponse } from '../contract/settlements.ts';
import type { DayCloseRecord } from '../domain/records.ts';
import { hostDifferenceTexts, otherColumns } from './day-columns.ts';
import { type Deadline, within } from './deadline.ts';
import type { Engine } from './engine.ts';
import { HOST_COLUMN_LEAD_MS, HOST_COLUMN_WAIT_MS } from './engine-limits.ts';
import type { Answer } from './till.ts';

/**
 * Gives the host a moment for its column before the caller is answered. The day is closed whatever it says; what it tells later is read in the report
 * of the day, and an answer that was given stays as it was.
 */
export async function tellHostOfClose(engine: Engine, answer: Answer, deadline: Deadline): Promise<Answer> {
  const { hostBooks, journal, clock, log } = engine.deps;
  const dayCloseId = answer.transactionId;
  const close = journal.findDayClose(dayCloseId);
  const waitMs = Math.min(HOST_COLUMN_WAIT_MS, deadline.remainingMs() - HOST_COLUMN_LEAD_MS);
  if (hostBooks === undefined || close?.host?.state !== 'NOT_YET' || waitMs <= 0) return answer;
  await within(clock, waitMs, hostBooks.report(close.terminalId));
  try {
    const told = journal.findDayClose(dayCloseId);
    if (told?.host === undefined || engine.stopping.aborted) return answer;
    const response = withHostColumn(
      JSON.parse(answer.body) as ReconciliationResponse,
      told,
      otherColumns(journal, told),
    );
    const body = JSON.stringify(response);
    if (body === answer.body) return answer;
    engine.events.commit(told.terminalId, (unit) =>
      unit.saveAnswer(dayCloseId, { statusCode: answer.statusCode, body }),
    );
    return { ...answer, body };
  } catch (error) {
    // The day is closed and its answer is on disk: the column is in the report.
    log.warn('The host’s column could not be written into the answer of a day close.', {
      transactionId: dayCloseId,
      reason: String(error),
    });
    return answer;
  }
}

function withHostColumn(
  response: ReconciliationResponse,
  close: DayCloseRecord,
  others: Pick<ReconciliationResponse, 'columns' | 'namedDifferences'>,
): ReconciliationResponse {
  const { namedDifferences: _before, ...kept } = response;
  const texts = hostDifferenceTexts(close);
  if (texts.length === 0) return { ...kept, ...others };
  const before = response.differences ?? [];
  const message = `The totals of ${before.length === 0 ? 'the host' : 'terminal and host'} differ from the journal.`;
  return { ...kept, ...others, status: 'PARTIAL', differences: [...before, ...texts], message };
}
