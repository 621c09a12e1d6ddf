import { BridgeError } from '../../app/contract/errors.ts';

/** The database does not answer, or cannot write: 503, and nothing was sent. It works again without a restart when the database is back. */
export class StoreUnavailable extends BridgeError {
  /** The end of a commit was not heard: it may have been made, and must be looked up. */
  readonly mayHaveCommitted: boolean;

  constructor(reason: string, options: { readonly cause?: unknown; readonly mayHaveCommitted?: boolean } = {}) {
    super('JOURNAL_UNAVAILABLE', `the database of the host does not answer: ${reason}`, { cause: options.cause });
    this.mayHaveCommitted = options.mayHaveCommitted ?? false;
  }
}
