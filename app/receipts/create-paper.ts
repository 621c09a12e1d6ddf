import type { Paper, PaperContent } from '../ports/paper.ts';
import type { SettingsStore } from '../ports/settings.ts';
import { escposOf } from './escpos.ts';
import { type PaperDocument, pair, rule, space, text } from './paper-document.ts';
import { type PaperWords, paperWords } from './paper-words.ts';
import { pdfOf } from './pdf.ts';
import { receiptDocument } from './receipt-document.ts';
import { xReportDocument, zReportDocument } from './report-document.ts';

/** Receipts and reports in the till's language, with the settings of the moment in which they are made. */
export function createPaper(settings: Pick<SettingsStore, 'current'>): Paper {
  function documentOf(content: PaperContent, words: PaperWords): PaperDocument {
    const shop = settings.current();
    switch (content.kind) {
      case 'RECEIPT':
        return receiptDocument(content, shop, words);
      case 'Z_REPORT':
        return zReportDocument(content.report, shop.merchantName, words);
      case 'X_REPORT':
        return xReportDocument(content, shop.merchantName, words);
      case 'TEST':
        return testDocument(content, shop.merchantName, words);
    }
  }
  return {
    bytes: (content, printer) => escposOf(documentOf(content, paperWords(settings.current())), printer),
    pdf(content) {
      const words = paperWords(settings.current());
      return pdfOf(documentOf(content, words), words.texts.report.page);
    },
  };
}

function testDocument(
  { printerName, at }: Extract<PaperContent, { kind: 'TEST' }>,
  merchantName: string,
  { texts, time, money }: PaperWords,
): PaperDocument {
  return {
    title: texts.test.title,
    form: 'RECEIPT',
    lines: [
      text(texts.test.title, { isCentred: true, isBold: true, isLarge: true }),
      space,
      text(merchantName, { isCentred: true, isBold: true }),
      text(printerName, { isCentred: true }),
      ...pair(texts.fact.dateTime, time(at)),
      rule,
      ...pair(texts.fact.total, money(1250, 'EUR'), true),
      rule,
      ...pair(texts.test.letters, 'ÄÖÜ äöüß éèêç ñ àìòù €'),
      space,
      text(texts.test.works, { isCentred: true }),
    ],
  };
}
