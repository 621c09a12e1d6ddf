import { BridgeError } from '../contract/errors.ts';
import type { Engine } from './engine.ts';
import { createLane, holderOf, type Lane } from './lane.ts';
import type { Recovery } from './recover.ts';
import { watchTerminal } from './terminal-notices.ts';
import type { AttachedTerminal } from './till-deps.ts';

/** RESULT_UNKNOWN: a recovery task is open. NOT_CLOSED: payments since its last day close, which can still be made, since it answers. */
export type OpenOnTerminal = 'AT_WORK' | 'RESULT_UNKNOWN' | 'HAS_HOLDS' | 'NOT_CLOSED';

/** The terminals of a till that runs: each comes and goes by itself, and what is journaled of it stays. */
export interface Attachments {
  /** Starts every terminal that is there; those added later start at once. */
  start(): void;
  attach(attached: AttachedTerminal): void;
  detach(terminalId: string): Promise<void>;
  /** What keeps a terminal from being taken away; undefined when nothing does, or when there is no such terminal. */
  openOn(terminalId: string): OpenOnTerminal | undefined;
  /** Ends the subscriptions. */
  stop(): void;
}

/** @param lanes the engine's own map: what is added or taken away here is so for every call from then on */
export function createAttachments(engine: Engine, lanes: Map<string, Lane>, recovery: Recovery): Attachments {
  const closers = new Map<Lane, () => void>();
  let isStarted = false;

  function begin(lane: Lane): void {
    closers.set(lane, watchTerminal(engine, lane));
    recovery.begin(lane);
    lane.terminal.start();
  }

  return {
    start() {
      isStarted = true;
      for (const lane of lanes.values()) begin(lane);
    },

    attach(attached) {
      const lane = createLane(attached);
      if (lanes.has(lane.terminalId))
        throw new BridgeError('ILLEGAL_STATE', 'there is a terminal with this id already');
      if (engine.stopping.aborted) throw new BridgeError('TERMINAL_NOT_READY', 'the till is ending');
      lanes.set(lane.terminalId, lane);
      if (isStarted) begin(lane);
    },

    async detach(terminalId) {
      const lane = lanes.get(terminalId);
      if (lane === undefined) throw new BridgeError('NOT_FOUND', 'there is no terminal with this id');
      const open = openOn(engine, lane);
      if (open !== undefined) throw new BridgeError('ILLEGAL_STATE', `something is open on this terminal: ${open}`);
      // From here on no call finds it; nothing was waited for since it was seen to be free.
      lanes.delete(terminalId);
      lane.isDetached = true;
      recovery.forget(lane);
      closers.get(lane)?.();
      closers.delete(lane);
      await lane.recovering;
      await lane.terminal.stop();
      engine.events.emit(terminalId, { event: 'status_changed', state: 'DISCONNECTED', connected: false });
    },

    openOn(terminalId) {
      const lane = lanes.get(terminalId);
      return lane === undefined ? undefined : openOn(engine, lane);
    },

    stop() {
      for (const close of closers.values()) close();
      closers.clear();
    },
  };
}

function openOn(engine: Engine, lane: Lane): OpenOnTerminal | undefined {
  const { journal } = engine.deps;
  const { terminalId, terminal, attached } = lane;
  if (holderOf(lane, journal) !== undefined || lane.deviceJob !== undefined) return 'AT_WORK';
  if (journal.openTasks(terminalId).length > 0) return 'RESULT_UNKNOWN';
  if (journal.openPreAuths(terminalId).length > 0) return 'HAS_HOLDS';
  const totals = journal.totals(terminalId, journal.openBatchNumber(terminalId), attached.currency);
  const isEmpty = totals.saleCount + totals.refundCount + totals.voidCount === 0;
  // A terminal that is broken cannot be closed any more: its payments stay in the journal.
  return isEmpty || !terminal.status().connected ? undefined : 'NOT_CLOSED';
}
