/**
 * First characters of text that a spreadsheet executes when it is typed or read from a CSV (R34). Excel also accepts
 * the full-width forms of East Asian keyboards, and in older versions `|` starts a command.
 */
const FORMULA_START_PATTERN = /^[=+\-@|\t\r\n＝＋－＠｜]/

export function looksLikeSpreadsheetFormula(text: string): boolean {
  return FORMULA_START_PATTERN.test(text)
}

/** Prefixes an apostrophe to text that looks like a formula, so that spreadsheets show a CSV cell as text. */
export function escapeSpreadsheetCell(text: string): string {
  return looksLikeSpreadsheetFormula(text) ? `'${text}` : text
}

export function unescapeSpreadsheetCell(cell: string): string {
  return cell.startsWith("'") && looksLikeSpreadsheetFormula(cell.slice(1)) ? cell.slice(1) : cell
}
