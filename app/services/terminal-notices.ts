import type { TerminalStatus } from '../ports/terminal.ts';
import type { Engine } from './engine.ts';
import { holderOf, type Lane } from './lane.ts';
import { recordTerminalClose } from './terminal-close.ts';

/** Follows what a terminal tells by itself: state changes, and a batch that it closed. Returns the end of the subscription. */
export function watchTerminal(engine: Engine, lane: Lane): () => void {
  const { journal, log } = engine.deps;
  let known: Pick<TerminalStatus, 'state' | 'connected'> = lane.terminal.status();

  function onStatus(status: TerminalStatus): void {
    const { state, connected } = status;
    if (state === known.state && connected === known.connected) return;
    const becameIdle = state === 'IDLE' && known.state !== 'IDLE';
    known = { state, connected };
    const holder = holderOf(lane, journal);
    const current = holder === undefined ? {} : { currentTransactionId: holder };
    engine.events.emit(lane.terminalId, { event: 'status_changed', state, connected, ...current });
    if (becameIdle) engine.recoverLater(lane);
  }

  return lane.terminal.subscribe((notice) => {
    try {
      if (notice.kind === 'STATUS') return onStatus(notice.status);
      const { batch } = notice;
      if (lane.work === undefined) recordTerminalClose(engine, lane, batch);
      else void lane.work.ended.then(() => recordLater(batch));
    } catch (error) {
      log.error('A notice of the terminal could not be taken.', { terminalId: lane.terminalId, reason: String(error) });
    }
  });

  function recordLater(batch: Parameters<typeof recordTerminalClose>[2]): void {
    try {
      recordTerminalClose(engine, lane, batch);
    } catch (error) {
      log.error('A close by the terminal could not be recorded.', {
        terminalId: lane.terminalId,
        reason: String(error),
      });
    }
  }
}
