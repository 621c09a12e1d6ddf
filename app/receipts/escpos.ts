import type { Codepage, PrinterSetting } from '../contract/printers.ts';
import { layOut } from './column-layout.ts';
import { createPageChoice, pageCandidates } from './page-choice.ts';
import type { PaperDocument } from './paper-document.ts';

/** Lines that bring the last one of the text above the blade. */
const feedBeforeCut = 4;

const codepages = {
  CP437: 'cp437',
  CP850: 'cp850',
  CP858: 'cp858',
  WINDOWS1252: 'windows1252',
} as const satisfies Record<Exclude<Codepage, 'AUTO'>, string>;

/** The document as ESC/POS, from `ESC @` to the cut. */
export async function escposOf(
  document: PaperDocument,
  { columns, codepage, cut }: Pick<PrinterSetting, 'columns' | 'codepage' | 'cut'>,
): Promise<Uint8Array> {
  // Loaded with the first print: a till without a printer starts without it.
  const { default: ReceiptPrinterEncoder } = await import('@point-of-sale/receipt-printer-encoder');
  const encoder = new ReceiptPrinterEncoder({
    language: 'esc-pos',
    columns,
    feedBeforeCut,
    newline: '\n',
    // The places where Epson's printers and those that follow them keep each code page.
    codepageMapping: 'epson',
    codepageCandidates: [...pageCandidates],
  });
  const pageOf = codepage === 'AUTO' ? createPageChoice() : () => codepages[codepage];
  encoder.initialize();
  for (const { text, isBold, isLarge } of layOut(document.lines, columns)) {
    if (isLarge) encoder.size(2, 2);
    encoder.codepage(pageOf(text)).bold(isBold).line(text).bold(false);
    if (isLarge) encoder.size(1, 1);
  }
  if (cut === 'NONE') encoder.newline(feedBeforeCut);
  else encoder.cut(cut === 'FULL' ? 'full' : 'partial');
  return encoder.encode();
}
