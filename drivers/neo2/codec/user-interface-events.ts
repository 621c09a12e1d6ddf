// What a reader in event mode does by itself: entries of four bytes (guide 80139403-002, chapter 3.3.1).
import type { UserInterfaceEvent, UserInterfaceEvents } from './message-types.ts';
import { checked } from './text.ts';

const ENTRY_BYTES = 4;
const LAMP = 0x01;
const BUZZER = 0x02;
const DISPLAY = 0x03;

/** Reads the data of an event frame; undefined when they are no whole entries. */
export function decodeUserInterfaceEvents(data: Uint8Array): UserInterfaceEvents | undefined {
  if (data.length === 0 || data.length % ENTRY_BYTES !== 0) return undefined;
  const entries = Array.from({ length: data.length / ENTRY_BYTES }, (_, index) =>
    data.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES),
  );
  return { type: 'user-interface', events: entries.map(readEntry) };
}

/** @throws RangeError when a value does not fit */
export function packUserInterfaceEvents({ events }: UserInterfaceEvents): Uint8Array {
  return Uint8Array.from(events.flatMap((event) => [...packEntry(event), ...event.extra]));
}

function readEntry(entry: Uint8Array): UserInterfaceEvent {
  const [code = 0, status = 0, third = 0, fourth = 0] = entry;
  const extra = [third, fourth] as const;
  switch (code) {
    case LAMP:
      return { component: 'LAMP', lamp: status >> 4, state: status & 0x0f, extra };
    case BUZZER:
      return { component: 'BUZZER', pattern: status >> 4, value: status & 0x0f, extra };
    case DISPLAY:
      return { component: 'DISPLAY', messageIndex: status, extra };
    default:
      return { component: 'OTHER', code, status, extra };
  }
}

function packEntry(event: UserInterfaceEvent): readonly number[] {
  switch (event.component) {
    case 'LAMP':
      return [LAMP, packNibbles(event.lamp, event.state)];
    case 'BUZZER':
      return [BUZZER, packNibbles(event.pattern, event.value)];
    case 'DISPLAY':
      return [DISPLAY, checked(event.messageIndex, 0, 0xff)];
    case 'OTHER':
      return [checked(event.code, 0, 0xff), checked(event.status, 0, 0xff)];
  }
}

function packNibbles(high: number, low: number): number {
  return checked(high, 0, 0x0f) * 16 + checked(low, 0, 0x0f);
}
