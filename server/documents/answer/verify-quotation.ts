import { findFolded, foldText } from '#contract/thai/fold-text.ts'

/** In folded characters: shorter quotations match anywhere, longer ones are not a sentence. */
const SHORTEST_QUOTATION = 8
const LONGEST_QUOTATION = 800
/**
 * Within this distance of a line end the sentence may continue on the next line: a leading "ไม่" ("not") must not be
 * cut off.
 */
const NEAR_END = 15
const MOST_AROUND = 300
/** A line that starts a clause, so the line before it does not belong to the sentence. */
const BEGINS_CLAUSE = /^\s{0,20}(?:\d|[๐-๙]|[-–•(]|ข้อ)/

export type VerifiedQuotation = {
  readonly quote: string
  readonly excerpt: { readonly text: string; readonly marks: readonly { readonly from: number; readonly to: number }[] }
  readonly at: number
}

/**
 * Finds a claimed quotation on a page and returns the original text with its surrounding lines, or undefined. Ignores
 * blanks, Thai versus Arabic digits and the order of Thai marks; every other character must match. Linear time.
 */
export function verifyQuotation(pageText: string, claimed: string): VerifiedQuotation | undefined {
  const { folded } = foldText(claimed)
  if (folded.length < SHORTEST_QUOTATION || folded.length > LONGEST_QUOTATION) return undefined
  const [found] = findFolded(foldText(pageText), folded)
  if (!found) return undefined
  const { from, to } = found
  const begin = Math.max(beginOf(pageText, from), from - MOST_AROUND)
  const end = Math.min(endOf(pageText, to), to + MOST_AROUND)
  return {
    quote: pageText.slice(from, to),
    at: from,
    // Replaced one for one, so offsets stay valid.
    excerpt: {
      text: pageText.slice(begin, end).replace(/\s/g, ' '),
      marks: [{ from: from - begin, to: to - begin }],
    },
  }
}

/**
 * Returns the start of the line, or of the previous line when the quotation starts near the start of a line that does
 * not begin a clause.
 */
function beginOf(text: string, from: number): number {
  const line = text.lastIndexOf('\n', from - 1) + 1
  if (from === 0 || line === 0 || from - line > NEAR_END || BEGINS_CLAUSE.test(text.slice(line, line + 30))) return line
  return text.lastIndexOf('\n', line - 2) + 1
}

/**
 * Returns the end of the line, or of the next line when the quotation ends near the line end and the next line does
 * not begin a clause.
 */
function endOf(text: string, to: number): number {
  const line = lineEnd(text, to)
  if (line === text.length || line - to > NEAR_END || BEGINS_CLAUSE.test(text.slice(line + 1, line + 31))) return line
  return lineEnd(text, line + 1)
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}
