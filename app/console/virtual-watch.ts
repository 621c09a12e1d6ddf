import type { VirtualTerminalView } from '../contract/console/virtual.ts';
import type { VirtualTerminals } from '../ports/virtual-terminal.ts';

/** Follows virtual terminals as long as a window is open that has asked for one. */
export interface VirtualWatch {
  /** From now on every change is told. Does nothing for one that is followed already. */
  follow(terminalId: string): void;
  stop(): void;
}

export function createVirtualWatch(
  virtualTerminals: VirtualTerminals,
  tell: (terminalId: string, view: VirtualTerminalView) => void,
): VirtualWatch {
  const ends = new Map<string, () => void>();
  return {
    follow(terminalId) {
      if (ends.has(terminalId)) return;
      const control = virtualTerminals.controlOf(terminalId);
      if (control === undefined) return;
      // A terminal that is gone is followed again by the next question for it.
      const end = control.watch(
        (view) => tell(terminalId, view),
        () => ends.delete(terminalId),
      );
      ends.set(terminalId, end);
    },
    stop() {
      for (const end of ends.values()) end();
      ends.clear();
    },
  };
}
