import { BridgeError } from '../contract/errors.ts';
import type { ChipData } from '../contract/transactions.ts';
import type { TransactionRecord } from '../domain/transaction.ts';
import type { JournalReader } from '../ports/journal.ts';
import type { PreparedExchange, Terminal } from '../ports/terminal.ts';
import type { AttachedTerminal } from './till-deps.ts';

/** What holds a terminal. One at a time (specification: Limits, concurrency). */
export interface Work {
  readonly kind: 'TRANSACTION' | 'DAY_CLOSE';
  readonly id: string;
  /** Ends with the preparation; aborted when nothing must be started any more. */
  readonly preparation: AbortController;
  /** Resolves when the terminal is free again and everything is on disk, or left to recovery; never rejects. */
  readonly ended: Promise<void>;
  exchange?: PreparedExchange;
  /** The newest committed revision; absent before the intent. */
  record?: TransactionRecord;
  /** The command has ended without an answer, and the terminal is being asked: a person may know first. */
  isAsking?: boolean;
  /** Who wants no payment any more. */
  abortedBy?: 'POS' | 'DEADLINE' | 'CARDHOLDER';
  /** The cardholder is being asked before anything is journaled; aborted, the question ends. */
  question?: AbortController;
  /** The virtual terminal holds a sandbox rule for this work, and has not begun to play it. */
  isArmed?: boolean;
  /** Granular: what the card gave, until the POS completes. */
  chipData?: ChipData;
  /** Events of this work echo it (WebSocket `requestId`). */
  readonly eventRequestId?: string | undefined;
  readonly finish: () => void;
}

/** One terminal and what happens on it now. */
export interface Lane {
  readonly terminalId: string;
  readonly attached: AttachedTerminal;
  readonly terminal: Terminal;
  work: Work | undefined;
  /** A display, input or print job that the terminal does. */
  deviceJob: Promise<unknown> | undefined;
  /** A recovery question that the terminal is being asked outside of any call. */
  recovering: Promise<void> | undefined;
  /** Taken away from this till while it runs: nothing more is asked of it. */
  isDetached: boolean;
}

export function createLane(attached: AttachedTerminal): Lane {
  const { terminal } = attached;
  return {
    terminalId: terminal.terminalId,
    attached,
    terminal,
    work: undefined,
    deviceJob: undefined,
    recovering: undefined,
    isDetached: false,
  };
}

/**
 * Takes the terminal for one transaction or day close. The caller ends it with `releaseLane`.
 * @throws BridgeError TRANSACTION_IN_PROGRESS naming what runs, or what a crash left open and is still being asked for
 */
export function takeLane(lane: Lane, reader: JournalReader, work: Pick<Work, 'kind' | 'id' | 'eventRequestId'>): Work {
  const holder = holderOf(lane, reader);
  if (holder !== undefined) throw inProgress(holder);
  let finish: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  lane.work = { ...work, preparation: new AbortController(), ended, finish };
  return lane.work;
}

/** The transaction or day close that keeps the terminal from taking another. */
export function holderOf(lane: Lane, reader: JournalReader): string | undefined {
  if (lane.work !== undefined) return lane.work.id;
  const open = reader.currentTransaction(lane.terminalId);
  if (open !== undefined) return open.transactionId;
  // What is sold while it is open whether the batch was closed would be in neither batch.
  return reader.openDayCloses().find((close) => close.terminalId === lane.terminalId)?.dayCloseId;
}

export function inProgress(transactionId: string): BridgeError {
  return new BridgeError('TRANSACTION_IN_PROGRESS', `transaction ${transactionId} is in progress on this terminal`, {
    details: { transactionId },
  });
}

/** Frees the terminal; only the work that holds it can. */
export function releaseLane(lane: Lane, work: Work): void {
  if (lane.work === work) lane.work = undefined;
  work.finish();
}
