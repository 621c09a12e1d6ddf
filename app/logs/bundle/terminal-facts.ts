import { safeText } from './safe-text.ts';

const texts = ['terminalId', 'protocol', 'state', 'serialNumber', 'firmwareVersion', 'lastSeenAt'] as const;
const whole = ['batteryLevel', 'uptime'] as const;

/** What the bundle tells of a terminal as it was: the fields on this list, each of its kind. */
export function terminalFacts(given: unknown): Readonly<Record<string, string | number | boolean>> {
  const terminal: Readonly<Record<string, unknown>> =
    typeof given === 'object' && given !== null ? Object.fromEntries(Object.entries(given)) : {};
  const facts: Record<string, string | number | boolean> = {};
  for (const name of texts) {
    const value = terminal[name];
    if (typeof value === 'string') facts[name] = safeText(value);
  }
  for (const name of whole) {
    const value = terminal[name];
    if (typeof value === 'number') facts[name] = Math.round(value);
  }
  if (typeof terminal.connected === 'boolean') facts.connected = terminal.connected;
  return facts;
}
