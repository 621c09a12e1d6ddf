import type { DayReport } from '../contract/console/day.ts';
import { exponentOf } from '../contract/currencies.ts';
import type { CsvAmount, CsvRow } from './csv.ts';
import type { TableWords } from './table-words/table-words.ts';

export function reportHeader({ column }: TableWords): readonly string[] {
  const { section, name, number, amount, terminalNumber, terminalAmount, currency } = column;
  return [section, name, number, amount, terminalNumber, terminalAmount, currency];
}

/** A Z report as one table: each figure with the section that it stands in. */
export function reportRows(report: DayReport, { section, figure: words }: TableWords): readonly CsvRow[] {
  const { settlement, journalHead, cashCount } = report;
  const { currency } = settlement;
  const amount = (minor: number): CsvAmount => ({ minor, exponent: exponentOf(currency) });
  const fact = (name: string, value: string): CsvRow => [
    ...[section.report, name, value],
    ...[undefined, undefined, undefined, undefined],
  ];
  const figure = (where: string, name: string, count: number | undefined, minor: number): CsvRow => [
    ...[where, name, count, amount(minor), undefined, undefined, currency],
  ];
  return [
    fact(words.zReport, String(report.number)),
    fact(words.businessDay, report.businessDate),
    fact(words.closed, settlement.closedAt),
    fact(words.closedBy, report.closedBy ?? ''),
    fact(words.terminal, settlement.terminalId),
    fact(words.state, settlement.status),
    ...report.byType.map((row) => figure(section.type, row.type, row.count, row.amount)),
    figure(section.total, words.net, undefined, settlement.netAmount),
    figure(section.total, words.tips, undefined, report.tipAmount),
    figure(section.total, words.cashback, undefined, report.cashbackAmount),
    ...report.schemes.map(({ scheme, journal, terminal }): CsvRow => {
      const told = terminal === undefined ? [undefined, undefined] : [terminal.count, amount(terminal.amount)];
      return [section.card, scheme, journal.count, amount(journal.amount), ...told, currency];
    }),
    ...report.byCashier.map((row) => figure(section.cashier, row.actor, row.saleCount, row.netAmount)),
    ...(cashCount === undefined
      ? []
      : [
          figure(section.cash, words.openingFloat, undefined, cashCount.openingFloat),
          figure(section.cash, words.counted, undefined, cashCount.counted),
          figure(section.cash, words.fromCashSales, undefined, cashCount.fromCashSales),
        ]),
    fact(words.journalRow, String(journalHead.sequence)),
    fact(words.journalHash, journalHead.hash),
  ];
}
