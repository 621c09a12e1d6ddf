import type { Clock } from '../../app/ports/clock.ts';
import type { HidLine, SerialLine } from '../line-address.ts';
import type { LoadHidLibrary } from '../transport/load-hid-library.ts';
import { createTransportFactory } from '../transport/transport-factory.ts';
import type { LinkFactory } from './link.ts';
import { frameLinks, reportLinks } from './vivotech2-link.ts';

/** Links to a NEO 2 reader; each call of the factory makes a new connection. A serial reader speaks 8N1 (guide 80139403-002). */
export async function createNeo2Links(
  line: HidLine | SerialLine,
  clock: Clock,
  loadHidLibrary?: LoadHidLibrary,
): Promise<LinkFactory> {
  const createTransport = await createTransportFactory(line, clock, {
    stopBits: 1,
    ...(loadHidLibrary === undefined ? {} : { loadHidLibrary }),
  });
  return line.kind === 'HID' ? reportLinks(createTransport, clock) : frameLinks(createTransport, clock);
}
