/** One line of a document, before it is known how wide the paper is. */
export type PaperLine =
  | {
      readonly kind: 'TEXT';
      readonly text: string;
      readonly isCentred?: boolean;
      readonly isBold?: boolean;
      /** Twice as wide and high. */
      readonly isLarge?: boolean;
    }
  /** A name and its value, at the two edges. */
  | { readonly kind: 'PAIR'; readonly label: string; readonly value: string; readonly isBold?: boolean }
  /** A line of a table: the first cell is text, the others are figures. */
  | { readonly kind: 'ROW'; readonly cells: readonly string[]; readonly isBold?: boolean }
  | { readonly kind: 'RULE' }
  | { readonly kind: 'SPACE' };

/** What stands on one piece of paper. */
export interface PaperDocument {
  /** For the properties of a file. */
  readonly title: string;
  /** RECEIPT: a strip. REPORT: pages, with a foot on each. */
  readonly form: 'RECEIPT' | 'REPORT';
  readonly lines: readonly PaperLine[];
}

export function text(
  line: string,
  style: { isCentred?: boolean; isBold?: boolean; isLarge?: boolean } = {},
): PaperLine {
  return { kind: 'TEXT', text: line, ...style };
}

/** Nothing where there is no value. */
export function pair(label: string, value: string | undefined, isBold = false): readonly PaperLine[] {
  return value === undefined || value === '' ? [] : [{ kind: 'PAIR', label, value, isBold }];
}

export const rule: PaperLine = { kind: 'RULE' };
export const space: PaperLine = { kind: 'SPACE' };
