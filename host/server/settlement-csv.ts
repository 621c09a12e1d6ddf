import { stringify } from 'csv-stringify/sync';
import {
  type SettlementExport,
  type SettlementExportRow,
  settlementExportColumns,
} from '../../app/contract/host/settlement-export.ts';
import { spreadsheetText } from '../../app/domain/spreadsheet-text.ts';

/** The payments of a settlement as RFC 4180 text, a header line first. Amounts are minor units; metadata is one column of JSON. */
export function settlementCsv({ payments }: SettlementExport): string {
  const rows = payments.map((row) => settlementExportColumns.map((column) => cellOf(row[column])));
  return stringify([settlementExportColumns, ...rows], {
    record_delimiter: 'windows',
    cast: { string: (text) => spreadsheetText(text) },
  });
}

function cellOf(value: SettlementExportRow[keyof SettlementExportRow]): string | number | undefined {
  return typeof value === 'object' ? JSON.stringify(value) : value;
}
