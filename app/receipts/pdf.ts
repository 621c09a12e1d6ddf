import type { PaperDocument, PaperLine } from './paper-document.ts';
import { printableText } from './printable-text.ts';

type Pdf = InstanceType<typeof import('pdfkit')>;

/** Points, 72 to the inch. A receipt is a strip of 80 mm; a report is A4. */
const stripWidth = 226.77;
const stripMargin = 14;
const pageWidth = 595.28;
const pageHeight = 841.89;
const pageMargin = 56;
/** Longest strip; what is longer goes on on another. */
const maxStripHeight = 3_000;
const textSize = { RECEIPT: 9, REPORT: 11 } as const;
const largeSize = { RECEIPT: 16, REPORT: 18 } as const;
const leading = 1.35;
/** Part of the width that the first cell of a table has. */
const firstCellShare = 0.5;

/** The document as a PDF, written while it is read. The fonts are those that every reader has, so that nothing is embedded. */
export async function* pdfOf(document: PaperDocument, pageWord: string): AsyncGenerator<Uint8Array> {
  // Loaded with the first PDF: it reads its fonts' metrics from its own folder.
  const { default: PDFDocument } = await import('pdfkit');
  const isStrip = document.form === 'RECEIPT';
  const size: [number, number] = isStrip ? [stripWidth, stripHeight(document)] : [pageWidth, pageHeight];
  const pdf = new PDFDocument({
    size,
    margin: isStrip ? stripMargin : pageMargin,
    bufferPages: true,
    info: { Title: document.title, Producer: 'Till Bridge', Creator: 'Till Bridge' },
  });
  for (const line of document.lines) drawLine(pdf, line, document.form);
  if (!isStrip) numberPages(pdf, document.title, pageWord);
  pdf.end();
  yield* pdf as AsyncIterable<Uint8Array>;
}

/** Every line once, and room for what wraps. */
function stripHeight({ lines }: PaperDocument): number {
  const lineHeight = textSize.RECEIPT * leading;
  const room = lines.reduce((sum, line) => sum + heightInLines(line), 0);
  return Math.min(maxStripHeight, 2 * stripMargin + (room + 2) * lineHeight);
}

function heightInLines(line: PaperLine): number {
  if (line.kind === 'TEXT') {
    const perLine = line.isLarge === true ? 20 : 40;
    return Math.max(1, Math.ceil(line.text.length / perLine)) * (line.isLarge === true ? 2 : 1);
  }
  if (line.kind === 'PAIR') return line.label.length + line.value.length > 40 ? 2 : 1;
  return 1;
}

function drawLine(pdf: Pdf, line: PaperLine, form: PaperDocument['form']): void {
  const size = textSize[form];
  const lineHeight = size * leading;
  const left = pdf.page.margins.left;
  const width = pdf.page.width - left - pdf.page.margins.right;
  if (pdf.y + lineHeight > pdf.page.height - pdf.page.margins.bottom) pdf.addPage();
  const y = pdf.y;
  const font = (isBold: boolean | undefined) =>
    pdf.font(isBold === true ? 'Helvetica-Bold' : 'Helvetica').fontSize(size);
  switch (line.kind) {
    case 'SPACE':
      pdf.y = y + lineHeight;
      return;
    case 'RULE':
      pdf
        .moveTo(left, y + lineHeight / 2)
        .lineTo(left + width, y + lineHeight / 2)
        .lineWidth(0.7)
        .stroke();
      pdf.y = y + lineHeight;
      return;
    case 'TEXT': {
      font(line.isBold);
      if (line.isLarge === true) pdf.fontSize(largeSize[form]);
      const lineGap = pdf.currentLineHeight() * (leading - 1) * 0.5;
      pdf.text(pdfText(line.text) || ' ', left, y, {
        width,
        lineGap,
        align: line.isCentred === true ? 'center' : 'left',
      });
      return;
    }
    case 'PAIR': {
      font(line.isBold);
      const [label, value] = [pdfText(line.label), pdfText(line.value)];
      const fits = pdf.widthOfString(`${label}  ${value}`) <= width;
      pdf.text(label, left, y, { width, lineBreak: !fits });
      const valueY = fits ? y : pdf.y;
      pdf.text(value, left, valueY, { width, align: 'right' });
      pdf.y = valueY + lineHeight;
      return;
    }
    case 'ROW': {
      font(line.isBold);
      const [first = '', ...figures] = line.cells.map(pdfText);
      const firstWidth = width * firstCellShare;
      const cellWidth = (width - firstWidth) / Math.max(1, figures.length);
      pdf.text(first || ' ', left, y, { width: firstWidth, lineBreak: false });
      figures.forEach((figure, index) => {
        pdf.text(figure, left + firstWidth + index * cellWidth, y, {
          width: cellWidth,
          align: 'right',
          lineBreak: true,
        });
      });
      pdf.y = y + lineHeight;
    }
  }
}

/** The foot of each page of a report, where the text does not reach. */
function numberPages(pdf: Pdf, title: string, pageWord: string): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let index = 0; index < count; index += 1) {
    pdf.switchToPage(start + index);
    const { margins, width, height } = pdf.page;
    // Below the margin the library would begin another page.
    const bottom = margins.bottom;
    margins.bottom = 0;
    pdf
      .font('Helvetica')
      .fontSize(9)
      .text(pdfText(`${title} · ${pageWord} ${index + 1} / ${count}`), margins.left, height - bottom / 2, {
        width: width - margins.left - margins.right,
        align: 'center',
        lineBreak: false,
      });
    margins.bottom = bottom;
  }
}

/** The built-in fonts have the letters of Windows-1252; of others they would draw something else. */
function pdfText(text: string): string {
  return printableText(text).replaceAll(/[^\x20-\x7e\u00a1-\u00ff€‚ƒ„†‡ˆ‰Š‹Œ‘’“”–—˜™š›œŸŽž]/g, '?');
}
