import { findPhraseInFoldedText, foldDocumentText } from '#contract/thai/fold-document-text.ts'

/**
 * Length limits in folded characters: shorter quotations would match anywhere, longer ones are more than a sentence.
 */
const MIN_QUOTATION_LENGTH = 8
const MAX_QUOTATION_LENGTH = 800
/**
 * A quotation that starts within this distance of a line end may belong to a sentence that spans both lines. Cutting
 * off a leading "ไม่" ("not") would reverse its meaning.
 */
const LINE_END_DISTANCE = 15
const MAX_CONTEXT_LETTERS = 300
const CLAUSE_START = /^\s{0,20}(?:\d|[๐-๙]|[-–•(]|ข้อ)/

export type VerifiedCitation = {
  readonly quote: string
  readonly excerpt: { readonly text: string; readonly marks: readonly { readonly from: number; readonly to: number }[] }
  readonly at: number
}

/**
 * Finds a claimed quotation on a page and returns the original text with its surrounding lines, or undefined. Ignores
 * blanks, Thai versus Arabic digits and the order of Thai marks; every other character must match. Linear time.
 */
export function verifyCitation(pageText: string, claimed: string): VerifiedCitation | undefined {
  const { folded } = foldDocumentText(claimed)
  if (folded.length < MIN_QUOTATION_LENGTH || folded.length > MAX_QUOTATION_LENGTH) return undefined
  const [match] = findPhraseInFoldedText(foldDocumentText(pageText), folded)
  if (!match) return undefined
  const { from, to } = match
  const begin = Math.max(contextStart(pageText, from), from - MAX_CONTEXT_LETTERS)
  const end = Math.min(contextEnd(pageText, to), to + MAX_CONTEXT_LETTERS)
  return {
    quote: pageText.slice(from, to),
    at: from,
    // Folding replaces characters one for one, so offsets stay valid.
    excerpt: {
      text: pageText.slice(begin, end).replace(/\s/g, ' '),
      marks: [{ from: from - begin, to: to - begin }],
    },
  }
}

/**
 * Extends the quotation to the start of its line, or of the previous line when it starts near the line start and the
 * line does not begin a clause.
 */
function contextStart(text: string, from: number): number {
  const lineStart = text.lastIndexOf('\n', from - 1) + 1
  if (
    from === 0 ||
    lineStart === 0 ||
    from - lineStart > LINE_END_DISTANCE ||
    CLAUSE_START.test(text.slice(lineStart, lineStart + 30))
  )
    return lineStart
  return text.lastIndexOf('\n', lineStart - 2) + 1
}

function contextEnd(text: string, to: number): number {
  const endOfLine = lineEnd(text, to)
  if (
    endOfLine === text.length ||
    endOfLine - to > LINE_END_DISTANCE ||
    CLAUSE_START.test(text.slice(endOfLine + 1, endOfLine + 31))
  )
    return endOfLine
  return lineEnd(text, endOfLine + 1)
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}
