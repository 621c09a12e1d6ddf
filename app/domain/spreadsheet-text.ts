/**
 * What a spreadsheet might run as a formula: also after white space and control characters, and in the full-width forms that some of them take
 * for the plain ones.
 */
const formula = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]/u;

/** A text as it stands in a cell of a table that people open with a spreadsheet: never a formula. */
export function spreadsheetText(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}
