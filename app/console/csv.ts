import { stringify } from 'csv-stringify/sync';
import type { CsvFormat } from '../contract/console/exports.ts';
import { formatMinor } from '../domain/money.ts';
import { spreadsheetText } from '../domain/spreadsheet-text.ts';

/** An amount; written as a number with the places of its currency. */
export interface CsvAmount {
  readonly minor: number;
  readonly exponent: number;
}

type CsvField = string | number | CsvAmount | undefined;

/** A row of one table; every row has the same fields. */
export type CsvRow = readonly CsvField[];

/** One row as it stands in the file, its end of line included. Text never becomes a formula; numbers stay numbers, negative ones too. */
export function csvLine(row: CsvRow, format: CsvFormat): string {
  const isAmount = row.map((field) => typeof field === 'object');
  const fields = row.map((field) => (typeof field === 'object' ? amountText(field, format) : field));
  return stringify([fields], {
    delimiter: format.delimiter,
    record_delimiter: 'windows',
    cast: {
      string: (value, { index }) => (isAmount[index] === true ? value : spreadsheetText(value)),
    },
  });
}

/** Decimal text, never a float. */
function amountText({ minor, exponent }: CsvAmount, { decimal }: CsvFormat): string {
  return formatMinor(minor, exponent).replace('.', decimal);
}

/**
 * A table as bytes, row by row, with the byte order mark by which spreadsheets know UTF-8. Between the rows of one page and the next the till does
 * its other work.
 */
export async function* csvBytes(
  header: readonly string[],
  pages: Iterable<readonly CsvRow[]>,
  format: CsvFormat,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(`\uFEFF${csvLine(header, format)}`);
  for (const page of pages) {
    if (signal.aborted) return;
    yield encoder.encode(page.map((row) => csvLine(row, format)).join(''));
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}
