/**
 * First characters of a text that a spreadsheet computes or runs when the text is typed in or read from a CSV (R34). Excel also takes the
 * full-width signs, which an East Asian keyboard writes, and `|` begins a command of older versions.
 */
const FORMULA_START = /^[=+\-@|\t\r\n＝＋－＠｜]/

export function looksLikeFormula(text: string): boolean {
  return FORMULA_START.test(text)
}

/** The text as a CSV may hold it: an apostrophe stands before what looks like a formula, and the spreadsheet shows it as text. */
export function guardedCell(text: string): string {
  return looksLikeFormula(text) ? `'${text}` : text
}

/** What `guardedCell` was given. */
export function unguardedCell(cell: string): string {
  return cell.startsWith("'") && looksLikeFormula(cell.slice(1)) ? cell.slice(1) : cell
}
