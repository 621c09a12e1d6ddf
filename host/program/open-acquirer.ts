import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../app/ports/clock.ts';
import type { Log } from '../../app/ports/log.ts';
import { openKeptProgram } from '../../app/programs/kept-program.ts';
import { startNodeProgram } from '../../app/programs/start-program.ts';
import { createIso8583Acquirer } from '../acquirers/iso8583/iso8583-acquirer.ts';
import { createSimulatorAcquirer } from '../acquirers/simulator-acquirer.ts';
import type { Acquirer } from '../ports/acquirer.ts';
import type { AcquirerOption } from './options.ts';

/** What the acquirer simulator says on its READY line. */
interface SimulatorAddress {
  readonly port: number;
  readonly controlUrl: string;
  readonly book: string;
  readonly pid: number;
}

export interface OpenAcquirer {
  readonly acquirer: Acquirer;
  readonly acquirerName: AcquirerOption['kind'];
  /** The simulator of this data folder; it outlives the host by its lease, as an acquirer does. */
  readonly simulator?: SimulatorAddress;
  /** Lets the simulator go. */
  release(): void;
}

/** The acquirer of this run, not started yet. @throws Error in plain words when the simulator cannot be started */
export async function openAcquirer(
  option: AcquirerOption,
  { dataDir, clock, log }: { readonly dataDir: string; readonly clock: Clock; readonly log: Log },
): Promise<OpenAcquirer> {
  if (option.kind === 'iso8583') {
    const { host, port, acquirerId } = option;
    const acquirer = createIso8583Acquirer({ host, port }, { acquirerId }, { clock, log });
    return { acquirer, acquirerName: 'iso8583', release: () => {} };
  }
  const folder = join(dataDir, 'acquirer-simulator');
  const { address, release } = await openKeptProgram<SimulatorAddress>({
    name: 'The acquirer simulator',
    program: fileURLToPath(new URL('../host/simulator/main.js', import.meta.url)),
    args: ['--port', '0', '--book', join(folder, 'book.jsonl')],
    folder,
    logName: 'acquirer-simulator.log',
    startProgram: startNodeProgram,
  });
  const acquirer = createSimulatorAcquirer({ host: '127.0.0.1', port: address.port }, { clock, log });
  return { acquirer, acquirerName: 'simulator', simulator: address, release };
}
