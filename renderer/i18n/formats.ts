/**
 * Formats of one locale, each made once: making one costs more than writing a hundred texts with it, and a list writes two in every row.
 */
export interface Formats {
  number(options: Intl.NumberFormatOptions): Intl.NumberFormat;
  dateTime(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat;
}

export function createFormats(locale: string): Formats {
  return {
    number: madeOnce((options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options)),
    dateTime: madeOnce((options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options)),
  };
}

function madeOnce<Options, Format>(make: (options: Options) => Format): (options: Options) => Format {
  const made = new Map<string, Format>();
  return (options) => {
    const key = JSON.stringify(options);
    const known = made.get(key);
    if (known !== undefined) return known;
    const format = make(options);
    made.set(key, format);
    return format;
  };
}
