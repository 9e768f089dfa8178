import { findFolded, foldText } from '#contract/thai/fold-text.ts'

/** Shorter ones stand anywhere, longer ones are no sentence. Folded letters. */
const SHORTEST_QUOTATION = 8
const LONGEST_QUOTATION = 800
/** So near to the end of a line, the sentence may go on in the next: a "ไม่" at its beginning must not be lost. */
const NEAR_END = 15
/** Most letters of the lines around it. */
const MOST_AROUND = 300
/** A line that begins a clause: nothing before it belongs to it. */
const BEGINS_CLAUSE = /^\s{0,20}(?:\d|[๐-๙]|[-–•(]|ข้อ)/

export type VerifiedQuotation = {
  readonly quote: string
  readonly excerpt: { readonly text: string; readonly marks: readonly { readonly from: number; readonly to: number }[] }
  /** Where it begins on the page. */
  readonly at: number
}

/**
 * Looks for a claimed sentence on a page. Answers it as it stands there, with the lines around it; undefined when it is not there. Blanks, Thai or Arabic digits and the order of Thai
 * marks make no difference, every other letter does. Linear.
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
    // One character for one: places stay what they are.
    excerpt: {
      text: pageText.slice(begin, end).replace(/\s/g, ' '),
      marks: [{ from: from - begin, to: to - begin }],
    },
  }
}

/** The beginning of the line, or of the one before it when the quotation begins near the beginning of one that begins no clause. */
function beginOf(text: string, from: number): number {
  const line = text.lastIndexOf('\n', from - 1) + 1
  if (from === 0 || line === 0 || from - line > NEAR_END || BEGINS_CLAUSE.test(text.slice(line, line + 30))) return line
  return text.lastIndexOf('\n', line - 2) + 1
}

/** The end of the line, or of the next one when the quotation ends near the end of it and no clause begins there. */
function endOf(text: string, to: number): number {
  const line = lineEnd(text, to)
  if (line === text.length || line - to > NEAR_END || BEGINS_CLAUSE.test(text.slice(line + 1, line + 31))) return line
  return lineEnd(text, line + 1)
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}
