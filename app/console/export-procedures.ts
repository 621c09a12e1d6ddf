import type { CsvFormat } from '../contract/console/exports.ts';
import { exponentOf } from '../contract/currencies.ts';
import { MAX_PAGE_ITEMS } from '../contract/limits.ts';
import type { Settlement } from '../contract/settlements.ts';
import { totalMinor } from '../domain/money.ts';
import type { ActivityEntry, Page } from '../ports/journal.ts';
import type { ConsoleCall, Handlers } from './call.ts';
import type { ConsoleDeps } from './console-deps.ts';
import { type CsvAmount, type CsvRow, csvBytes } from './csv.ts';
import { reportOf } from './day-figures.ts';
import { offerExport } from './offer-export.ts';
import { reportHeader, reportRows } from './report-table.ts';
import type { TableWords } from './table-words/table-words.ts';
import { tableWords } from './table-words/words-of.ts';

type ExportHandlers = Pick<Handlers, 'exports.transactions' | 'exports.settlements' | 'exports.report'>;

interface Table {
  readonly fileName: string;
  readonly header: readonly string[];
  readonly pages: Iterable<readonly CsvRow[]>;
  readonly format: CsvFormat;
}

/** Tables for the spreadsheet: read page by page from the journal while the browser fetches them. */
export function createExportHandlers(deps: ConsoleDeps): ExportHandlers {
  const { journal } = deps;
  function offer(call: ConsoleCall, { fileName, header, pages, format }: Table) {
    return offerExport(deps, call, {
      fileName,
      contentType: 'text/csv; charset=utf-8',
      open: (signal) => csvBytes(header, pages, format, signal),
    });
  }

  return {
    'exports.transactions'(call, { from, to, format }) {
      const words = tableWords(format.language);
      const read = (cursor: string | undefined) =>
        journal.searchTransactions({ from, to, limit: MAX_PAGE_ITEMS, ...(cursor === undefined ? {} : { cursor }) });
      const pages = pagesOf(read, transactionRow);
      return offer(call, {
        fileName: `payments${rangeName(from, to)}.csv`,
        header: transactionHeader(words),
        pages,
        format,
      });
    },
    'exports.settlements'(call, { from, to, format }) {
      const words = tableWords(format.language);
      const read = (cursor: string | undefined) =>
        journal.listSettlements({ from, to, limit: MAX_PAGE_ITEMS, ...(cursor === undefined ? {} : { cursor }) });
      const pages = pagesOf(read, settlementRow);
      return offer(call, {
        fileName: `closes${rangeName(from, to)}.csv`,
        header: settlementHeader(words),
        pages,
        format,
      });
    },
    'exports.report'(call, { settlementId, format }) {
      const words = tableWords(format.language);
      const report = reportOf(journal, settlementId);
      const fileName = `z-report-${report.settlement.terminalId}-${report.number}.csv`.replaceAll(/[^\w.-]/g, '_');
      return offer(call, { fileName, header: reportHeader(words), pages: [reportRows(report, words)], format });
    },
  };
}

function* pagesOf<Row>(
  read: (cursor: string | undefined) => Page<Row>,
  rowOf: (row: Row) => CsvRow,
): Iterable<readonly CsvRow[]> {
  let page = read(undefined);
  yield page.rows.map(rowOf);
  while (page.nextCursor !== null) {
    page = read(page.nextCursor);
    yield page.rows.map(rowOf);
  }
}

function rangeName(from: string, to: string): string {
  return `-${from.slice(0, 10)}-${to.slice(0, 10)}`;
}

function transactionHeader({ column: of }: TableWords): readonly string[] {
  return [
    ...[of.time, of.businessDay, of.terminal, of.type, of.state, of.charged, of.amount, of.tip, of.cashback, of.total],
    ...[of.currency, of.card, of.cardNumber, of.authorization, of.rrn, of.reference, of.original, of.startedBy],
    ...[of.via, of.close, of.id],
  ];
}

function transactionRow({ record, startedBy }: ActivityEntry): CsvRow {
  const { card, currency } = record;
  const amount = (minor: number): CsvAmount => ({ minor, exponent: exponentOf(currency) });
  // console:Anna → Anna, and console in a column of its own.
  const name = startedBy.slice(startedBy.indexOf(':') + 1);
  const [via] = startedBy.split(':');
  return [
    ...[record.createdAt, record.businessDate, record.terminalId, record.type, record.state, record.outcome.charged],
    amount(record.amountMinor),
    amount(record.tipAmountMinor),
    amount(record.cashbackAmountMinor),
    amount(totalMinor(record)),
    ...[currency, card.cardScheme, card.maskedPan, card.authorizationCode, card.rrn, record.referenceId],
    ...[record.originalTransactionId, name, via, record.batchNumber, record.transactionId],
  ];
}

function settlementHeader({ column: of }: TableWords): readonly string[] {
  return [
    ...[of.closed, of.terminal, of.state, of.sales, of.salesAmount, of.refunds, of.refundsAmount, of.voids],
    ...[of.voidsAmount, of.net, of.currency, of.merchant, of.id],
  ];
}

function settlementRow(row: Settlement): CsvRow {
  const amount = (minor: number): CsvAmount => ({ minor, exponent: exponentOf(row.currency) });
  return [
    ...[row.closedAt, row.terminalId, row.status, row.saleCount, amount(row.saleAmount), row.refundCount],
    ...[amount(row.refundAmount), row.voidCount, amount(row.voidAmount), amount(row.netAmount), row.currency],
    ...[row.merchantId, row.id],
  ];
}
