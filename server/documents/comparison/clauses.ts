import { toArabicDigits } from '#contract/thai/thai-letters.ts'
import { foldThaiText } from '#server/documents/facts/folded-document.ts'

/** A numbered clause, one item of a list, or the text before the first number. */
export type DocumentClause = {
  /** Number in Arabic digits, for example `4.10`, `5.3.4 1)`, `5.3.4 -`; empty before the first number. */
  readonly number: string
  readonly section: string
  readonly mark: string
  readonly lines: readonly DocumentClauseLine[]
  readonly body: string
  /** `body` normalised for comparison: without spaces, signs or tone marks, and with Arabic digits. */
  readonly key: string
  readonly fullKey: string
}
export type DocumentClauseLine = { readonly page: number; readonly text: string }

/**
 * Characters ignored in comparisons: spaces, quotes, dashes, dot leaders. Dots and commas between digits belong to a
 * number and are handled first.
 */
const SIGNS = /[\s"'“”‘’`´_*•·…–—()[\]{}:;]/g
const DOT_LEADERS = /\.{2,}/g
const DIGIT_GROUPS = /(\d),(?=\d{3})/g

export const toClauseComparisonKey = (text: string): string =>
  foldThaiText(text).replace(DOT_LEADERS, '').replace(DIGIT_GROUPS, '$1').replace(SIGNS, '')

const PAGE_NUMBER = /^(?:หน้า(?:ที่)?)?[-–/ \d๐-๙]{1,14}$/
const REPEATED_SHARE = 0.5
const MIN_PAGES = 3
const EDGE_LINES = 2

const edgesOf = (lines: readonly string[]) => [
  ...lines.slice(0, EDGE_LINES),
  ...lines.slice(EDGE_LINES).slice(-EDGE_LINES),
]

export type EventLoopYielder = () => Promise<void>

function linesOf(pages: readonly string[]): DocumentClauseLine[] {
  const linesByPage = pages.map((page) => page.split('\n').filter((line) => line.trim() !== ''))
  const counts = new Map<string, number>()
  const withoutDigits = (line: string) => toClauseComparisonKey(line).replace(/\d/g, '')
  for (const lines of linesByPage)
    for (const key of new Set(edgesOf(lines).map(withoutDigits))) counts.set(key, (counts.get(key) ?? 0) + 1)
  const least = Math.max(MIN_PAGES, pages.length * REPEATED_SHARE)
  return linesByPage.flatMap((lines, at) => {
    const repeated = new Set(edgesOf(lines).filter((line) => (counts.get(withoutDigits(line)) ?? 0) >= least))
    const isEdge = (index: number) => index < EDGE_LINES || index >= lines.length - EDGE_LINES
    return lines.flatMap((text, index) =>
      isEdge(index) && (repeated.has(text) || PAGE_NUMBER.test(text.trim())) ? [] : [{ page: at + 1, text }],
    )
  })
}

const DOTTED = /^(?:ข้อ\s?)?([\d๐-๙]{1,3}(?:\.[\d๐-๙]{1,3}){1,5})\.?(?=[\s\u0e00-\u0e4f(])/
const CHAPTER = /^(?:ข้อ\s?)?([\d๐-๙]{1,2})\.(?=\s?[^\d๐-๙\s.])/
const POINT = /^(?:\(?[\d๐-๙]{1,2}\)|\(?[ก-ฮ]\)|[-•●▪]|งวดที่\s?[\d๐-๙]{1,2})(?=.)/

function leadingNumberOf(line: string): { mark: string; path: readonly number[] } | undefined {
  const match = DOTTED.exec(line) ?? CHAPTER.exec(line)
  return match ? { mark: match[0], path: toArabicDigits(match[1]!).split('.').map(Number) } : undefined
}

/** Maximum gap in the numbering. Authors delete clauses without renumbering the rest. */
const MAX_NUMBER_GAP = 3

/**
 * True if a number continues the current one: its next sibling, the next sibling of an ancestor, or its first child.
 * Otherwise a leading figure such as "3.5 เมตร" is a value. `appearsLater` reports whether a later line starts with a
 * number; such a number cannot have been skipped.
 */
function continuesNumbering(
  path: readonly number[],
  present: readonly number[],
  appearsLater: (path: string) => boolean,
): boolean {
  const depth = path.length - 1
  const last = path[depth]!
  const isNext = (sibling: number, above: readonly number[]) =>
    last === sibling + 1 ||
    (last > sibling && last <= sibling + MAX_NUMBER_GAP && !appearsLater([...above, sibling + 1].join('.')))
  // In a chapter without a numbered heading, the chapter number first appears on its first clause.
  if (depth === 1 && path[0] !== present[0])
    return last === 1 && continuesNumbering(path.slice(0, 1), present, appearsLater)
  const above = path.slice(0, depth)
  return above.every((part, at) => part === present[at]) && isNext(present[depth] ?? 0, above)
}

type Mark = { readonly mark: string; readonly path?: readonly number[] }

function markOf(line: string, present: readonly number[], appearsLater: (path: string) => boolean): Mark | undefined {
  const figures = leadingNumberOf(line)
  if (figures) {
    // Values never have two dots. A "5.5.1" at the start of a line in chapter 17 is the end of a cross-reference.
    const isDeep = figures.path.length > 2 && figures.path[0] === present[0]
    return isDeep || continuesNumbering(figures.path, present, appearsLater) ? figures : undefined
  }
  const point = POINT.exec(line)
  return point ? { mark: point[0] } : undefined
}

const MAX_HEADING_LENGTH = 80
const MIN_CLAUSE_LETTERS = 2

const isThai = (letter: string | undefined) => letter !== undefined && letter >= '\u0e01' && letter <= '\u0e4e'

/** Joins lines. Thai text continues across a line break without a space. */
function joinClauseLines(lines: readonly string[]): string {
  let text = ''
  for (const line of lines) {
    const next = line.trim()
    text += text === '' || (isThai(text.at(-1)) && isThai(next[0])) ? next : ` ${next}`
  }
  return text
}

export function createDocumentClause(
  parts: Pick<DocumentClause, 'number' | 'section' | 'mark' | 'lines'>,
): DocumentClause {
  const fullText = joinClauseLines(parts.lines.map(({ text }) => text))
  const body = fullText.slice(parts.mark.length).trim()
  const key = toClauseComparisonKey(body)
  return { ...parts, body, key, fullKey: toClauseComparisonKey(parts.mark) + key }
}

const LINES_PER_YIELD = 50

export async function parseDocumentClauses(
  pages: readonly string[],
  yieldIfDue: EventLoopYielder,
): Promise<DocumentClause[]> {
  const clauses: DocumentClause[] = []
  let present: readonly number[] = []
  let section = ''
  let openClause: Pick<DocumentClause, 'number' | 'section' | 'mark'> & { lines: DocumentClauseLine[] } = {
    number: '',
    mark: '',
    section,
    lines: [],
  }
  const close = () => {
    const clause = createDocumentClause(openClause)
    if (clause.key !== '') clauses.push(clause)
  }
  const lines = linesOf(pages)
  const lastAt = new Map(lines.map(({ text }, at) => [leadingNumberOf(text.trim())?.path.join('.') ?? '', at]))
  for (const [at, { page, text }] of lines.entries()) {
    if (at % LINES_PER_YIELD === 0) await yieldIfDue()
    const line = text.trim()
    const mark = markOf(line, present, (path) => (lastAt.get(path) ?? 0) > at)
    const words = mark ? line.slice(mark.mark.length).trim() : line
    if (!mark || toClauseComparisonKey(words).length < MIN_CLAUSE_LETTERS) {
      openClause.lines.push({ page, text: line })
      continue
    }
    close()
    if (mark.path) {
      present = mark.path
      if (present.length === 1) section = words.length <= MAX_HEADING_LENGTH ? words : ''
    }
    const inner = mark.path ? '' : ` ${toArabicDigits(mark.mark)}`
    openClause = {
      number: `${present.join('.')}${inner}`.trim(),
      mark: mark.mark,
      section,
      lines: [{ page, text: line }],
    }
  }
  close()
  return clauses
}
