import { describe, expect, it } from 'vitest';
import { createLedger } from '../../drivers/virtual/book/ledger.ts';
import type { ByteLink, LinkEvents } from '../../drivers/virtual/link/byte-link.ts';
import { createSystemClock } from '../../drivers/virtual/system-clock.ts';
import { createStreamWire } from '../../drivers/virtual/zvt/wire.ts';
import { createZvtTerminal } from '../../drivers/virtual/zvt/zvt-terminal.ts';
import { bytesOf, hexOf } from '../support/hex.ts';
import { TEST_SETTINGS } from './support/machine-bench.ts';

const ACK = '80 00 00';

/** A wire whose other end is the test. */
function createMemoryLink() {
  const written: string[] = [];
  let events: LinkEvents | undefined;
  const link: ByteLink = {
    start: async (linkEvents) => {
      events = linkEvents;
      events.onUp();
    },
    write: (bytes) => written.push(hexOf(bytes)),
    dropPeer: () => events?.onDown(),
    suspend: async () => events?.onDown(),
    resume: async () => {},
    stop: async () => {},
  };
  return { link, written, send: (hex: string) => events?.onBytes(bytesOf(hex)) };
}

describe('a terminal whose book cannot be written', () => {
  it('tells nobody of an approval that is not on the medium, and gives up', async () => {
    const { link, written, send } = createMemoryLink();
    const failures: unknown[] = [];
    const terminal = createZvtTerminal({
      settings: { ...TEST_SETTINGS, thinkMs: 0, hostMs: 0 },
      ledger: createLedger(),
      clock: createSystemClock(),
      link,
      createWire: createStreamWire,
      onFatal: (error) => failures.push(error),
      book: {
        path: 'x',
        initialEntries: [],
        append: () => {
          throw new Error('no space left on device');
        },
        read: () => [],
        close: () => {},
      },
    });
    await terminal.start();
    send('06 00 06 00 00 00 12 09 78');
    send(ACK);
    send('06 01 0A 04 00 00 00 00 12 34 49 09 78');
    await expect.poll(() => failures).toEqual([new Error('no space left on device')]);
    send('06 20 05 00 00 00 03 03');
    expect(written.filter((apdu) => apdu.startsWith('04 0F'))).toEqual([]);
    expect(written.at(-1)).toBe(ACK);
    await terminal.stop();
  });
});
