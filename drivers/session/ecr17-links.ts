import type { Clock } from '../../app/ports/clock.ts';
import type { Lrc } from '../framing/ecr17-framing.ts';
import type { TransportFactory } from '../transport/transport.ts';
import { ecr17Machine } from './ecr17.machine.ts';
import type { LinkFactory } from './link.ts';
import { createMachineLink } from './machine-link.ts';

/** Links to an ECR17 terminal over TCP or a serial line; each call of the factory makes a new connection. */
export function ecr17Links(
  createTransport: TransportFactory,
  clock: Clock,
  { line, lrc }: { readonly line: 'TCP' | 'SERIAL'; readonly lrc: Lrc },
): LinkFactory {
  const machine = ecr17Machine({ lrc, repeatsAfterSilence: line === 'SERIAL' });
  return (listeners) => createMachineLink(createTransport, clock, machine, listeners);
}
