/** An instant as the interfaces write it: ISO 8601, UTC, milliseconds. @param ms milliseconds since the Unix epoch */
export function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
