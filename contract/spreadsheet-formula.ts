/**
 * First characters of text that a spreadsheet executes when it is typed or read from a CSV (R34). Excel also accepts
 * the full-width characters of East Asian keyboards, and `|` starts a command in older versions.
 */
const FORMULA_START = /^[=+\-@|\t\r\n＝＋－＠｜]/

export function looksLikeFormula(text: string): boolean {
  return FORMULA_START.test(text)
}

/** Prefixes an apostrophe to text that looks like a formula, so that spreadsheets show a CSV cell as text. */
export function guardedCell(text: string): string {
  return looksLikeFormula(text) ? `'${text}` : text
}

export function unguardedCell(cell: string): string {
  return cell.startsWith("'") && looksLikeFormula(cell.slice(1)) ? cell.slice(1) : cell
}
