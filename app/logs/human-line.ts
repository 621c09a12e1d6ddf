/** Control characters, line separators and the escape that colours a terminal: a line stays one line and does nothing to the screen. */
const unsafe = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;

const shownFirst = [
  'code',
  'statusCode',
  'method',
  'route',
  'transactionId',
  'terminalId',
  'reason',
  'durationMs',
] as const;

/** `12:03:04.567 WARN  the terminal does not answer (terminalId=T1 reason=…)`: local reading, short; the file has everything. */
export function humanLine(
  nowMs: number,
  level: string,
  message: string,
  fields: Readonly<Record<string, string | number>>,
): string {
  const time = new Date(nowMs).toISOString().slice(11, 23);
  const shown = shownFirst.filter((name) => fields[name] !== undefined).map((name) => `${name}=${fields[name]}`);
  const detail = shown.length === 0 ? '' : ` (${shown.join(' ')})`;
  return `${time} ${level.toUpperCase().padEnd(5)} ${message}${detail}`.replace(unsafe, ' ');
}
