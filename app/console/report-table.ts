import type { DayReport } from '../contract/console/day.ts';
import { exponentOf } from '../contract/currencies.ts';
import type { CsvAmount, CsvRow } from './csv.ts';

export const reportHeader = ['Section', 'Name', 'Number', 'Amount', 'Terminal number', 'Terminal amount', 'Currency'];

/** A Z report as one table: each figure with the section that it stands in. */
export function reportRows(report: DayReport): readonly CsvRow[] {
  const { settlement, journalHead, cashCount } = report;
  const { currency } = settlement;
  const amount = (minor: number): CsvAmount => ({ minor, exponent: exponentOf(currency) });
  const fact = (name: string, value: string): CsvRow => [
    'Report',
    name,
    value,
    undefined,
    undefined,
    undefined,
    undefined,
  ];
  const figure = (section: string, name: string, count: number | undefined, minor: number): CsvRow => [
    ...[section, name, count, amount(minor), undefined, undefined, currency],
  ];
  return [
    fact('Z report', String(report.number)),
    fact('Business day', report.businessDate),
    fact('Closed (UTC)', settlement.closedAt),
    fact('Closed by', report.closedBy ?? ''),
    fact('Terminal', settlement.terminalId),
    fact('State', settlement.status),
    ...report.byType.map((row) => figure('Type', row.type, row.count, row.amount)),
    figure('Total', 'Net', undefined, settlement.netAmount),
    figure('Total', 'Tips', undefined, report.tipAmount),
    figure('Total', 'Cash-back', undefined, report.cashbackAmount),
    ...report.schemes.map(({ scheme, journal, terminal }): CsvRow => {
      const told = terminal === undefined ? [undefined, undefined] : [terminal.count, amount(terminal.amount)];
      return ['Card', scheme, journal.count, amount(journal.amount), ...told, currency];
    }),
    ...report.byCashier.map((row) => figure('Cashier', row.actor, row.saleCount, row.netAmount)),
    ...(cashCount === undefined
      ? []
      : [
          figure('Cash', 'Opening float', undefined, cashCount.openingFloat),
          figure('Cash', 'Counted', undefined, cashCount.counted),
          figure('Cash', 'From cash sales', undefined, cashCount.fromCashSales),
        ]),
    fact('Journal row', String(journalHead.sequence)),
    fact('Journal hash', journalHead.hash),
  ];
}
