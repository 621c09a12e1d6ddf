/**
 * One request to the POS API, or one action of a session, as people may see it. These fields and no others: no body, no header, no query, no path with
 * its ids.
 */
export interface RequestEntry {
  /** Rises by one with each entry. */
  readonly sequence: number;
  /** When it was answered, ISO 8601 UTC. */
  readonly at: string;
  /** Of HTTP; `WS` for an action of a session. */
  readonly method: string;
  /** The endpoint's path with its parameters' names, `/v1/transactions/{id}`, or the action's name; absent for what is none of ours. */
  readonly path?: string;
  readonly clientName?: string;
  /** Of an action: what the same call answers over HTTP. */
  readonly statusCode: number;
  /** Code of the error catalogue, of a refused request. */
  readonly errorCode?: string;
  readonly durationMs: number;
  readonly requestId: string;
  /** The web page that called, as its browser names it; absent for programs. */
  readonly origin?: string;
}

/** The last requests to the POS API, in memory only. */
export interface RequestLog {
  record(entry: Omit<RequestEntry, 'sequence' | 'at'>): void;
  /** What is still kept after a sequence, oldest first. */
  after(sequence: number): readonly RequestEntry[];
}
