import type { Clock } from '../../../app/ports/clock.ts';
import type { ReaderEntry, StoredReaderEntry } from '../../../drivers/virtual/neo2/book/entries.ts';
import { summariseReaderBook } from '../../../drivers/virtual/neo2/book/reader-ledger.ts';
import { createReaderTerminal } from '../../../drivers/virtual/neo2/reader-terminal.ts';
import type { ReaderSettings } from '../../../drivers/virtual/neo2/state.ts';
import { createVirtualHid, type VirtualHidIdentity } from '../../../drivers/virtual/neo2/virtual-hid.ts';
import { createHidReaderWire } from '../../../drivers/virtual/neo2/wire.ts';
import { createSystemClock } from '../../../drivers/virtual/system-clock.ts';
import { READER_SETTINGS } from './reader-bench.ts';

export const HID_IDENTITY = { vendorId: 0x0acd, productId: 0x3810, serialNumber: '123T456789', product: 'VIRTUAL' };

/** A reader that is plugged in within the test: no thinking time, short outages, its book in memory. */
export async function startHidReader(
  settings: Partial<ReaderSettings> = {},
  identity: VirtualHidIdentity = HID_IDENTITY,
  clock: Clock = createSystemClock(),
) {
  const hid = createVirtualHid(identity, clock);
  const entries: StoredReaderEntry[] = [];
  const failures: unknown[] = [];
  const reader = createReaderTerminal({
    settings: { ...READER_SETTINGS, thinkMs: 0, chipMs: 0, slowMs: 100, outageMs: 5, ...settings },
    book: {
      initialEntries: [],
      append(entry: ReaderEntry, at: string) {
        const stored: StoredReaderEntry = { sequence: entries.length + 1, at, ...entry };
        entries.push(stored);
        return stored;
      },
    },
    clock,
    link: hid.link,
    createWire: createHidReaderWire,
    onFatal: (error) => failures.push(error),
  });
  await reader.start();
  return {
    hid,
    reader,
    /** what the reader itself says: approved at the card, left to the issuer, open */
    book: () => summariseReaderBook('memory', entries),
    /** ends it. @throws when it broke on the way */
    async stop() {
      await reader.stop();
      if (failures.length > 0) throw failures[0];
    },
  };
}

export type HidReader = Awaited<ReturnType<typeof startHidReader>>;
