import { arabicDigits } from '#contract/thai/thai-letters.ts'
import { fold } from '#server/documents/facts/folded-text.ts'

/** A numbered clause, one item of a list, or the text before the first number. */
export type Clause = {
  /** In Arabic digits: `4.10`, `5.3.4 1)`, `5.3.4 -`; empty before the first number. */
  readonly number: string
  readonly section: string
  /** The number exactly as printed at the start of the first line. */
  readonly mark: string
  readonly lines: readonly Line[]
  readonly body: string
  /** `body` normalised for comparison: no blanks, signs or tone marks; Arabic digits. */
  readonly key: string
  readonly fullKey: string
}
export type Line = { readonly page: number; readonly text: string }

/**
 * Signs ignored in comparisons: blanks, quotes, dashes, dot leaders. Points and commas between digits belong to a
 * number and are handled before.
 */
const SIGNS = /[\s"'“”‘’`´_*•·…–—()[\]{}:;]/g
const LEADERS = /\.{2,}/g
const GROUPED = /(\d),(?=\d{3})/g

/** Normalises text so that printer, font and line length make no difference. Linear time. */
export const comparedKey = (text: string): string =>
  fold(text).replace(LEADERS, '').replace(GROUPED, '$1').replace(SIGNS, '')

const PAGE_NUMBER = /^(?:หน้า(?:ที่)?)?[-–/ \d๐-๙]{1,14}$/
/** Lines repeated at the top or bottom of this share of pages are headers or footers. */
const REPEATED_SHARE = 0.5
const LEAST_PAGES = 3
const EDGE = 2

const edgesOf = (lines: readonly string[]) => [...lines.slice(0, EDGE), ...lines.slice(EDGE).slice(-EDGE)]

export type Rest = () => Promise<void>

function linesOf(pages: readonly string[]): Line[] {
  const all = pages.map((page) => page.split('\n').filter((line) => line.trim() !== ''))
  const counts = new Map<string, number>()
  const withoutDigits = (line: string) => comparedKey(line).replace(/\d/g, '')
  for (const lines of all)
    for (const key of new Set(edgesOf(lines).map(withoutDigits))) counts.set(key, (counts.get(key) ?? 0) + 1)
  const least = Math.max(LEAST_PAGES, pages.length * REPEATED_SHARE)
  return all.flatMap((lines, at) => {
    const repeated = new Set(edgesOf(lines).filter((line) => (counts.get(withoutDigits(line)) ?? 0) >= least))
    const isEdge = (index: number) => index < EDGE || index >= lines.length - EDGE
    return lines.flatMap((text, index) =>
      isEdge(index) && (repeated.has(text) || PAGE_NUMBER.test(text.trim())) ? [] : [{ page: at + 1, text }],
    )
  })
}

const DOTTED = /^(?:ข้อ\s?)?([\d๐-๙]{1,3}(?:\.[\d๐-๙]{1,3}){1,5})\.?(?=[\s\u0e00-\u0e4f(])/
const CHAPTER = /^(?:ข้อ\s?)?([\d๐-๙]{1,2})\.(?=\s?[^\d๐-๙\s.])/
const POINT = /^(?:\(?[\d๐-๙]{1,2}\)|\(?[ก-ฮ]\)|[-•●▪]|งวดที่\s?[\d๐-๙]{1,2})(?=.)/

function figuresOf(line: string): { mark: string; path: readonly number[] } | undefined {
  const found = DOTTED.exec(line) ?? CHAPTER.exec(line)
  return found ? { mark: found[0], path: arabicDigits(found[1]!).split('.').map(Number) } : undefined
}

/** Gaps up to this size are accepted: a clause was deleted without renumbering the rest. */
const MOST_LEFT_OUT = 3

/**
 * True if a number continues the current one: its next sibling, the next sibling of an ancestor, or its first child.
 * Otherwise a leading figure such as "3.5 เมตร" is a value. `comesLater` reports whether a number starts a later line,
 * in which case it is not skipped.
 */
function goesOn(path: readonly number[], present: readonly number[], comesLater: (path: string) => boolean): boolean {
  const depth = path.length - 1
  const last = path[depth]!
  const isNext = (beside: number, above: readonly number[]) =>
    last === beside + 1 ||
    (last > beside && last <= beside + MOST_LEFT_OUT && !comesLater([...above, beside + 1].join('.')))
  // A chapter whose heading is unnumbered: its number and that of its first clause appear at once.
  if (depth === 1 && path[0] !== present[0]) return last === 1 && goesOn(path.slice(0, 1), present, comesLater)
  const above = path.slice(0, depth)
  return above.every((part, at) => part === present[at]) && isNext(present[depth] ?? 0, above)
}

type Mark = { readonly mark: string; readonly path?: readonly number[] }

function numberOf(line: string, present: readonly number[], comesLater: (path: string) => boolean): Mark | undefined {
  const figures = figuresOf(line)
  if (figures) {
    // No value has two points; "5.5.1" at the start of a line in chapter 17 is the end of a cross-reference.
    const isDeep = figures.path.length > 2 && figures.path[0] === present[0]
    return isDeep || goesOn(figures.path, present, comesLater) ? figures : undefined
  }
  const point = POINT.exec(line)
  return point ? { mark: point[0] } : undefined
}

const LONGEST_HEADING = 80
const LEAST_LETTERS = 2

const isThai = (letter: string | undefined) => letter !== undefined && letter >= '\u0e01' && letter <= '\u0e4e'

/** Joins lines: Thai continues without a blank across a line break. */
export function joinLines(lines: readonly string[]): string {
  let text = ''
  for (const line of lines) {
    const next = line.trim()
    text += text === '' || (isThai(text.at(-1)) && isThai(next[0])) ? next : ` ${next}`
  }
  return text
}

export function clauseOf(parts: Pick<Clause, 'number' | 'section' | 'mark' | 'lines'>): Clause {
  const whole = joinLines(parts.lines.map(({ text }) => text))
  const body = whole.slice(parts.mark.length).trim()
  const key = comparedKey(body)
  return { ...parts, body, key, fullKey: comparedKey(parts.mark) + key }
}

const LINES_A_TURN = 50

export async function clausesOf(pages: readonly string[], rest: Rest): Promise<Clause[]> {
  const clauses: Clause[] = []
  let present: readonly number[] = []
  let section = ''
  let open: Pick<Clause, 'number' | 'section' | 'mark'> & { lines: Line[] } = {
    number: '',
    mark: '',
    section,
    lines: [],
  }
  const close = () => {
    const clause = clauseOf(open)
    if (clause.key !== '') clauses.push(clause)
  }
  const lines = linesOf(pages)
  const lastAt = new Map(lines.map(({ text }, at) => [figuresOf(text.trim())?.path.join('.') ?? '', at]))
  for (const [at, { page, text }] of lines.entries()) {
    if (at % LINES_A_TURN === 0) await rest()
    const line = text.trim()
    const found = numberOf(line, present, (path) => (lastAt.get(path) ?? 0) > at)
    const words = found ? line.slice(found.mark.length).trim() : line
    if (!found || comparedKey(words).length < LEAST_LETTERS) {
      open.lines.push({ page, text: line })
      continue
    }
    close()
    if (found.path) {
      present = found.path
      if (present.length === 1) section = words.length <= LONGEST_HEADING ? words : ''
    }
    const inner = found.path ? '' : ` ${arabicDigits(found.mark)}`
    open = { number: `${present.join('.')}${inner}`.trim(), mark: found.mark, section, lines: [{ page, text: line }] }
  }
  close()
  return clauses
}
