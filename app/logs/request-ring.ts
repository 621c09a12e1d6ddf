import { MAX_LISTED_REQUESTS } from '../contract/console/console-limits.ts';
import type { Clock } from '../ports/clock.ts';
import type { RequestEntry, RequestLog } from '../ports/request-log.ts';

const maxTextCharacters = 120;

// A UUID stands first, so that its digits are not taken for a number. A number is hidden whatever parts its digits: a caller may choose the id of a
// request, and a list for people needs no long number.
const uuidOrNumber =
  /(?<uuid>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})|[0-9](?:[^0-9a-z]{0,2}[0-9]){11,}/gi;

function shown(text: string): string {
  return text.slice(0, maxTextCharacters).replace(uuidOrNumber, (_, uuid: string | undefined) => uuid ?? '[hidden]');
}

/** Keeps the last requests; the oldest goes when another comes. Whatever a caller can choose (ids, names, origins) loses what looks like a card number. */
export function createRequestRing(clock: Pick<Clock, 'nowMs'>, maxEntries = MAX_LISTED_REQUESTS): RequestLog {
  let entries: RequestEntry[] = [];
  let sequence = 0;
  return {
    record(entry) {
      sequence += 1;
      const kept = { ...allowed(entry), sequence, at: new Date(clock.nowMs()).toISOString() };
      entries = [...entries.slice(1 - maxEntries), kept];
    },
    after: (given) => entries.filter((entry) => entry.sequence > given),
  };
}

/** Field by field, so that a field which somebody adds elsewhere does not come in by itself. */
function allowed(entry: Omit<RequestEntry, 'sequence' | 'at'>): Omit<RequestEntry, 'sequence' | 'at'> {
  const { method, path, clientName, statusCode, errorCode, durationMs, requestId, origin } = entry;
  return {
    method,
    statusCode,
    durationMs,
    requestId: shown(requestId),
    ...(path === undefined ? {} : { path }),
    ...(clientName === undefined ? {} : { clientName: shown(clientName) }),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(origin === undefined ? {} : { origin: shown(origin) }),
  };
}
