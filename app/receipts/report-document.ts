import type { BatchDifference, DayPreview, DayReport, XReport } from '../contract/console/day.ts';
import type { JournalHead } from '../domain/records.ts';
import { hostLines } from './host-lines.ts';
import { type PaperDocument, type PaperLine, pair, rule, space, text } from './paper-document.ts';
import type { PaperWords } from './paper-words.ts';
import type { PaperTexts } from './texts/paper-texts.ts';

interface Figures {
  readonly saleCount: number;
  readonly saleAmount: number;
  readonly refundCount: number;
  readonly refundAmount: number;
  readonly voidCount: number;
  readonly voidAmount: number;
  readonly currency: string;
}

interface SchemeRow {
  readonly scheme: string;
  readonly journal: { readonly count: number; readonly amount: number };
  readonly terminal?: { readonly count: number; readonly amount: number };
}

/** A closed day as an accountant keeps it: numbered, dated, totals ruled, every difference named, the journal's hash at the foot. */
export function zReportDocument(report: DayReport, merchantName: string, words: PaperWords): PaperDocument {
  const { texts, time, day } = words;
  const { settlement, number, businessDate, closedBy, journalHead, preAuthCount } = report;
  const of = texts.report;
  const title = `${of.z} ${number}`;
  return {
    title,
    form: 'REPORT',
    lines: [
      heading(title),
      ...pair(of.shop, merchantName),
      ...pair(of.merchantId, settlement.merchantId),
      ...pair(of.terminal, settlement.terminalId),
      ...pair(of.businessDay, day(businessDate)),
      ...pair(of.closedAt, time(settlement.closedAt)),
      ...pair(of.closedBy, closedBy === undefined ? undefined : nameOf(closedBy)),
      ...pair(of.holds, preAuthCount === 0 ? undefined : String(preAuthCount)),
      space,
      ...totalsLines(settlement, settlement.netAmount, words),
      ...partLines(report, settlement.currency, words),
      ...schemeLines(report.schemes, settlement.currency, words),
      ...comparisonLines(report, words),
      ...hostLines(report, words),
      ...journalLines(journalHead, texts),
      text(settlement.id),
    ],
  };
}

/** The day so far, by the same calculation as its close. */
export function xReportDocument(
  { preview, report }: { readonly preview: DayPreview; readonly report: XReport },
  merchantName: string,
  words: PaperWords,
): PaperDocument {
  const { texts, time, money } = words;
  const { blockers } = preview;
  const { totals, terminalId, timestamp, netAmount, schemes } = report;
  const of = texts.report;
  return {
    title: of.x,
    form: 'REPORT',
    lines: [
      heading(of.x),
      ...pair(of.shop, merchantName),
      ...pair(of.terminal, terminalId),
      ...pair(of.asOf, time(timestamp)),
      text(of.notClosed),
      space,
      ...totalsLines(totals, netAmount, words),
      ...(totals.preAuthCount === 0
        ? []
        : pair(`${of.holds} (${totals.preAuthCount})`, money(totals.preAuthAmount, totals.currency))),
      ...partLines(report, totals.currency, words),
      ...schemeLines(schemes, totals.currency, words),
      ...(blockers.length === 0 ? [] : [space, text(of.open, { isBold: true })]),
      ...blockers.map(({ reason, transactionId }) => text(`${of.blockers[reason]}: ${transactionId}`)),
      ...journalLines(report.journalHead, texts),
    ],
  };
}

function heading(title: string): PaperLine {
  return text(title, { isCentred: true, isBold: true, isLarge: true });
}

function totalsLines(figures: Figures, netAmount: number, { texts, money }: PaperWords): readonly PaperLine[] {
  const of = texts.report;
  const row = (name: string, count: number, amount: number): PaperLine => ({
    kind: 'ROW',
    cells: [name, String(count), money(amount, figures.currency)],
  });
  return [
    rule,
    { kind: 'ROW', cells: ['', of.count, of.amount], isBold: true },
    row(of.sales, figures.saleCount, figures.saleAmount),
    row(of.refunds, figures.refundCount, -figures.refundAmount),
    row(of.voids, figures.voidCount, -figures.voidAmount),
    rule,
    ...pair(of.net, money(netAmount, figures.currency), true),
    rule,
  ];
}

/** What of it is tips and cash handed out, and what each person and POS took. */
function partLines(
  { tipAmount, cashbackAmount, byCashier }: Pick<XReport, 'tipAmount' | 'cashbackAmount' | 'byCashier'>,
  currency: string,
  { texts, money }: PaperWords,
): readonly PaperLine[] {
  const of = texts.report;
  const sum = (name: string, amount: number) => (amount === 0 ? [] : pair(name, money(amount, currency)));
  return [
    ...sum(of.tips, tipAmount),
    ...sum(of.cashback, cashbackAmount),
    ...(byCashier.length === 0 ? [] : [space, text(of.byCashier, { isBold: true })]),
    ...byCashier.map(
      ({ actor, saleCount, netAmount }): PaperLine => ({
        kind: 'ROW',
        cells: [nameOf(actor), String(saleCount), money(netAmount, currency)],
      }),
    ),
  ];
}

function schemeLines(
  schemes: readonly SchemeRow[],
  currency: string,
  { texts, money }: PaperWords,
): readonly PaperLine[] {
  if (schemes.length === 0) return [];
  const of = texts.report;
  return [
    space,
    text(of.byScheme, { isBold: true }),
    { kind: 'ROW', cells: ['', of.count, of.journal], isBold: true },
    ...schemes.map(
      ({ scheme, journal }): PaperLine => ({
        kind: 'ROW',
        cells: [schemeName(scheme, texts), String(journal.count), money(journal.amount, currency)],
      }),
    ),
  ];
}

const kindNames = { SALE: 'sales', REFUND: 'refunds', VOID: 'voids', PRE_AUTH: 'holds' } as const;

/** Whether the terminal's own figures agree, and every one that does not. */
function comparisonLines(report: DayReport, { texts, money }: PaperWords): readonly PaperLine[] {
  const of = texts.report;
  const { differences, settlement, schemes, terminalTotal } = report;
  const isCompared = terminalTotal !== undefined || schemes.some(({ terminal }) => terminal !== undefined);
  if (!isCompared) return [space, text(of.notCompared)];
  if (differences.length === 0) return [space, text(of.agrees)];
  return [
    space,
    text(of.differences, { isBold: true }),
    { kind: 'ROW', cells: ['', of.journal, of.terminalFigures], isBold: true },
    ...differences.map(({ scheme, operation, journal, terminal }): PaperLine => {
      const kind = operation === undefined ? of.totalDifference : of[kindNames[operation]];
      const name = scheme === undefined ? kind : schemeName(scheme, texts);
      const value = (side: BatchDifference['journal']) => {
        const amount = money(side.amount, settlement.currency);
        return side.count === undefined ? amount : `${side.count}: ${amount}`;
      };
      return { kind: 'ROW', cells: [name, value(journal), value(terminal)] };
    }),
  ];
}

function journalLines({ sequence, hash }: JournalHead, { report }: PaperTexts): readonly PaperLine[] {
  return [space, rule, text(`${report.journalHash}, ${report.row} ${sequence}:`), text(hash)];
}

function schemeName(scheme: string, { report }: PaperTexts): string {
  return scheme === '' || scheme === 'OTHER' ? report.otherCards : scheme;
}

/** Without the kind of caller before the name: `console:Anna` → `Anna`. */
function nameOf(actor: string): string {
  return actor.slice(actor.indexOf(':') + 1);
}
