import type { Terminal, TerminalCommand, TerminalNotice, TerminalOutcome } from '../../app/ports/terminal.ts';
import type { Ecr17Settings } from '../../drivers/ecr17/ecr17-settings.ts';
import { createEcr17Terminal } from '../../drivers/ecr17/ecr17-terminal.ts';
import { createMemoryTransport } from '../../drivers/transport/memory-transport.ts';
import { TransportError } from '../../drivers/transport/transport.ts';
import { createScriptedEcr17, type ScriptedEcr17 } from './ecr17-peer.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { type HeardHooks, hooks, never, silentLog } from './zvt-terminal.ts';

export const ecr17Settings: Ecr17Settings = { lrc: 'STD', currency: 'EUR', receipts: 'TERMINAL', tillId: '00000001' };

export interface Ecr17Rig {
  readonly clock: ManualClock;
  readonly peer: ScriptedEcr17;
  readonly terminal: Terminal;
  readonly notices: TerminalNotice[];
  /** Whether the terminal can be reached. */
  plug(isIn: boolean): void;
  /** Ends the open connection. */
  drop(reason?: string): void;
  /** Connected, and its last result learned. */
  ready(): Promise<void>;
  /** From the prepared command to its end, as long as it takes. */
  run(command: TerminalCommand, heard?: HeardHooks): Promise<TerminalOutcome>;
}

/** Longer than the driver waits for anything. */
const MAX_SECONDS = 600;

/** The driver on a memory line with a scripted terminal and a manual clock. */
export function createEcr17Rig(settings: Partial<Ecr17Settings> = {}, line: 'TCP' | 'SERIAL' = 'TCP'): Ecr17Rig {
  const clock = createManualClock();
  const peer = createScriptedEcr17();
  const notices: TerminalNotice[] = [];
  let isIn = true;
  let drop = (_reason: string): void => undefined;
  const terminal = createEcr17Terminal({
    terminalId: 'till-1',
    clock,
    log: silentLog,
    settings: { ...ecr17Settings, ...settings },
    line,
    createTransport: (listeners) =>
      createMemoryTransport(
        'memory',
        (made) => {
          if (!isIn) throw new TransportError('REFUSED', 'memory refuses the connection.');
          drop = (reason) => made.drop(reason);
          queueMicrotask(() => peer.connected({ send: (bytes) => void made.send(bytes), drop }));
          return { onData: (bytes) => peer.received(bytes), onClose: () => peer.disconnected() };
        },
        listeners,
      ),
  });
  terminal.subscribe((notice) => notices.push(notice));

  async function run(command: TerminalCommand, heard: HeardHooks = hooks()): Promise<TerminalOutcome> {
    const preparing = terminal.prepare(command, never);
    await clock.advance(10);
    const exchange = await preparing;
    let isOver = false;
    const running = exchange.run(heard).finally(() => {
      isOver = true;
    });
    for (let second = 0; !isOver && second < MAX_SECONDS; second++) await clock.advance(second === 0 ? 10 : 1_000);
    return running;
  }

  return {
    clock,
    peer,
    terminal,
    notices,
    plug(next) {
      isIn = next;
    },
    drop: (reason = 'unplugged') => drop(reason),
    async ready() {
      terminal.start();
      await clock.advance(100);
    },
    run,
  };
}
