import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import type { Terminal } from '../../app/ports/terminal.ts';
import type { TransportFactory } from '../transport/transport.ts';
import type { ZvtSettings } from './zvt-settings.ts';

export interface ZvtTerminalDeps {
  readonly terminalId: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: ZvtSettings;
  readonly line: 'TCP' | 'SERIAL';
  readonly createTransport: TransportFactory;
}

export function createZvtTerminal(deps: ZvtTerminalDeps): Terminal {
  throw new Error(`the ZVT driver of ${deps.terminalId} is being written`);
}
