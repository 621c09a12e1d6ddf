import type { ConsoleEvent } from '../contract/console/channel.ts';
import type { TransactionEvent } from '../contract/session.ts';

/** An event as the console gets it; undefined for one that it does not get: chip data stay between terminal and POS. */
export function consoleEventOf(event: TransactionEvent): ConsoleEvent | undefined {
  if (event.event === 'online_authorization') return undefined;
  if (event.event !== 'result' && event.event !== 'outcome_resolved') return event;
  const { chipData: _chipData, ...response } = event.response;
  return { ...event, response };
}
