import type { DayReport } from '../contract/console/day.ts';
import type { DayDifference } from '../contract/settlements.ts';
import { type PaperLine, pair, space, text } from './paper-document.ts';
import type { PaperWords } from './paper-words.ts';

/** The host's column of a closed day, and every difference with its cause and who clears it up (decisions: Day close). */
export function hostLines(report: DayReport, words: PaperWords): readonly PaperLine[] {
  return [...columnLines(report, words), ...namedLines(report, words)];
}

function columnLines({ columns, settlement }: DayReport, { texts, money }: PaperWords): readonly PaperLine[] {
  const host = columns?.host;
  if (host === undefined) return [];
  const of = texts.report;
  if (host.totals === undefined) return [space, text(host.state === 'REFUSED' ? of.hostRefused : of.hostWaits)];
  const { saleCount, saleAmount, refundCount, refundAmount, voidCount, voidAmount } = host.totals;
  const amount = (minor: number) => money(minor, settlement.currency);
  const row = (name: string, count: number, minor: number): PaperLine => ({
    kind: 'ROW',
    cells: [name, String(count), amount(minor)],
  });
  return [
    space,
    { kind: 'ROW', cells: [of.hostFigures, of.count, of.amount], isBold: true },
    row(of.sales, saleCount, saleAmount),
    row(of.refunds, refundCount, refundAmount === 0 ? 0 : -refundAmount),
    row(of.voids, voidCount, voidAmount === 0 ? 0 : -voidAmount),
    ...pair(of.net, amount(saleAmount - refundAmount - voidAmount), true),
  ];
}

function namedLines({ namedDifferences, settlement }: DayReport, { texts, money }: PaperWords): readonly PaperLine[] {
  if (namedDifferences.length === 0) return [];
  const of = texts.report;
  const place = ({ side, scheme }: DayDifference) => {
    const name = side === 'HOST' ? of.hostFigures : of.terminalFigures;
    return scheme === undefined || scheme === 'OTHER' ? name : `${name}, ${scheme}`;
  };
  return [
    space,
    text(of.named, { isBold: true }),
    ...namedDifferences.flatMap((difference): PaperLine[] => [
      ...pair(place(difference), money(difference.amount, settlement.currency), true),
      text(`${of.causes[difference.cause]} ${of.owners[difference.owner]}`),
      ...(difference.transactionId === undefined ? [] : [text(difference.transactionId)]),
    ]),
  ];
}
