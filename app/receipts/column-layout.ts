import type { PaperLine } from './paper-document.ts';
import { printableText } from './printable-text.ts';

/** A line as the printer gets it: never wider than the paper. */
export interface LaidLine {
  readonly text: string;
  readonly isBold: boolean;
  readonly isLarge: boolean;
}

/** Characters between a name and its value. */
const gap = 1;
/** Share of the line that the figures of a table take together. */
const figuresShare = 0.6;

/** Lays a document's lines out for paper of `columns` characters: wraps at words, and cuts words that are wider than the paper. */
export function layOut(lines: readonly PaperLine[], columns: number): readonly LaidLine[] {
  return lines.flatMap((line) => laidLines(line, columns));
}

function laidLines(line: PaperLine, columns: number): readonly LaidLine[] {
  switch (line.kind) {
    case 'RULE':
      return [plain('-'.repeat(columns))];
    case 'SPACE':
      return [plain('')];
    case 'PAIR':
      return pairLines(printableText(line.label), printableText(line.value), columns).map((text) =>
        plain(text, line.isBold),
      );
    case 'ROW':
      return rowLines(line.cells.map(printableText), columns).map((text) => plain(text, line.isBold));
    case 'TEXT': {
      const width = line.isLarge === true ? Math.floor(columns / 2) : columns;
      return wrapped(printableText(line.text), width).map((text) => ({
        text: line.isCentred === true ? centred(text, width) : text,
        isBold: line.isBold === true,
        isLarge: line.isLarge === true,
      }));
    }
  }
}

function plain(text: string, isBold = false): LaidLine {
  return { text, isBold, isLarge: false };
}

function pairLines(label: string, value: string, columns: number): readonly string[] {
  if (label.length + gap + value.length <= columns) return [label + value.padStart(columns - label.length)];
  return [...wrapped(label, columns), ...wrapped(value, columns).map((text) => text.padStart(columns))];
}

function rowLines([first = '', ...figures]: readonly string[], columns: number): readonly string[] {
  const width = figures.length === 0 ? 0 : Math.floor((columns * figuresShare) / figures.length);
  const room = columns - width * figures.length;
  const fits = figures.every((figure) => figure.length < width) && first.length <= room;
  if (fits) return [first.padEnd(room) + figures.map((figure) => figure.padStart(width)).join('')];
  // Narrow paper: the name on a line of its own, then as many figures as fit on each.
  const lines = [...wrapped(first, columns)];
  let rest = '';
  for (const figure of figures) {
    if (rest !== '' && rest.length + 2 + figure.length > columns) {
      lines.push(rest.padStart(columns));
      rest = figure;
    } else rest = rest === '' ? figure : `${rest}  ${figure}`;
  }
  return [...lines, ...wrapped(rest, columns).map((text) => text.padStart(columns))];
}

function centred(text: string, width: number): string {
  return ' '.repeat(Math.floor((width - text.length) / 2)) + text;
}

/** Leading blanks stay: terminals indent with them. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let rest = text.trimEnd();
  while (rest.length > width) {
    const cut = rest.lastIndexOf(' ', width);
    const hasWordBefore = rest.slice(0, Math.max(cut, 0)).trim() !== '';
    const end = cut > 0 && hasWordBefore ? cut : width;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}
