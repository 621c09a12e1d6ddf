/** A moment as a terminal's clock shows it. */
export interface LocalTime {
  readonly atMs: number;
  /** UTC, for the book */
  readonly iso: string;
  /** YYYYMMDD */
  readonly date: string;
  /** HHMMSS */
  readonly time: string;
}

/** The local date and time of a moment. */
export function localTimeOf(atMs: number): LocalTime {
  const moment = new Date(atMs);
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    atMs,
    iso: moment.toISOString(),
    date: `${moment.getFullYear()}${two(moment.getMonth() + 1)}${two(moment.getDate())}`,
    time: `${two(moment.getHours())}${two(moment.getMinutes())}${two(moment.getSeconds())}`,
  };
}
