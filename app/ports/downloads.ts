/** A file that a procedure made ready for the browser it was asked from. */
export interface OfferedFile {
  /** As the browser saves it; no path. */
  readonly fileName: string;
  /** E.g. `application/pdf`, `text/csv; charset=utf-8`. */
  readonly contentType: string;
  /** Called once, when the browser fetches the file; what fails in it cuts the download short. `signal` ends when the browser went away. */
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** Files that wait to be fetched: each once, by the browser it was made for, and for a short time only. */
export interface Downloads {
  /**
   * @param sessionId browser that may fetch it: `call.sessionId` of the procedure
   * @returns address at the console's own origin, e.g. `/downloads/4fJ…`
   */
  offer(sessionId: string, file: OfferedFile): { readonly url: string };
}
