import { arabicDigits } from '#contract/thai/thai-letters.ts'
import { fold } from '#server/documents/facts/folded-text.ts'

/** A clause as the document numbers it: one number, one point of a list, or what stands before the first of them. */
export type Clause = {
  /** With Arabic digits: `4.10`, `5.3.4 1)`, `5.3.4 -`; empty before the first. */
  readonly number: string
  /** The heading of the chapter; empty before the first. */
  readonly section: string
  /** As its number stands at the beginning of the first line. */
  readonly mark: string
  readonly lines: readonly Line[]
  /** The lines as one text, without its number. */
  readonly body: string
  /** `body` as it is compared: no blanks, no signs, no tones, Arabic digits. */
  readonly key: string
  /** The same with the number in front. */
  readonly fullKey: string
}
export type Line = { readonly page: number; readonly text: string }

/** Signs that say nothing: blanks, quotes, dashes, leaders of dots. A point or comma between digits is part of a number and was looked at before. */
const SIGNS = /[\s"'“”‘’`´_*•·…–—()[\]{}:;]/g
const LEADERS = /\.{2,}/g
const GROUPED = /(\d),(?=\d{3})/g

/** A text as two documents are compared: what another printer, font or line length changes is left out. Linear. */
export const comparedKey = (text: string): string =>
  fold(text).replace(LEADERS, '').replace(GROUPED, '$1').replace(SIGNS, '')

const PAGE_NUMBER = /^(?:หน้า(?:ที่)?)?[-–/ \d๐-๙]{1,14}$/
/** Lines that stand at the head or foot of so many pages belong to the paper, not to the text. */
const REPEATED_SHARE = 0.5
const LEAST_PAGES = 3
const EDGE = 2

const edgesOf = (lines: readonly string[]) => [...lines.slice(0, EDGE), ...lines.slice(EDGE).slice(-EDGE)]

/** Lets other requests have their turn once it has been a while. */
export type Rest = () => Promise<void>

/** Lines of all pages, without page numbers and what is repeated at the edges of pages. */
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

/** The number that a line begins with, whatever it means. */
function figuresOf(line: string): { mark: string; path: readonly number[] } | undefined {
  const found = DOTTED.exec(line) ?? CHAPTER.exec(line)
  return found ? { mark: found[0], path: arabicDigits(found[1]!).split('.').map(Number) } : undefined
}

/** Numbers may leave out so many: a clause was taken away and the rest kept theirs. */
const MOST_LEFT_OUT = 3

/**
 * Whether a number goes on from the present one: the next beside it, beside one above it, or its first child. A figure alone is a number only then: "3.5 เมตร" at the
 * start of a line is a value. `comesLater` says whether a number begins a line further down: then it is not left out.
 */
function goesOn(path: readonly number[], present: readonly number[], comesLater: (path: string) => boolean): boolean {
  const depth = path.length - 1
  const last = path[depth]!
  const isNext = (beside: number, above: readonly number[]) =>
    last === beside + 1 ||
    (last > beside && last <= beside + MOST_LEFT_OUT && !comesLater([...above, beside + 1].join('.')))
  // A chapter and its first clause may come at once, where the heading has no number of its own.
  if (depth === 1 && path[0] !== present[0]) return last === 1 && goesOn(path.slice(0, 1), present, comesLater)
  const above = path.slice(0, depth)
  return above.every((part, at) => part === present[at]) && isNext(present[depth] ?? 0, above)
}

type Mark = { readonly mark: string; readonly path?: readonly number[] }

/** The number or point that a line begins with. */
function numberOf(line: string, present: readonly number[], comesLater: (path: string) => boolean): Mark | undefined {
  const figures = figuresOf(line)
  if (figures) {
    // No value has two points; "5.5.1" at the start of a line of chapter 17 is the end of a reference.
    const isDeep = figures.path.length > 2 && figures.path[0] === present[0]
    return isDeep || goesOn(figures.path, present, comesLater) ? figures : undefined
  }
  const point = POINT.exec(line)
  return point ? { mark: point[0] } : undefined
}

/** A heading is short. */
const LONGEST_HEADING = 80
/** What is left of a line behind its mark; less is no clause of its own. */
const LEAST_LETTERS = 2

const isThai = (letter: string | undefined) => letter !== undefined && letter >= '\u0e01' && letter <= '\u0e4e'

/** Lines as one text: Thai goes on without a blank where a line ends. */
export function joinLines(lines: readonly string[]): string {
  let text = ''
  for (const line of lines) {
    const next = line.trim()
    text += text === '' || (isThai(text.at(-1)) && isThai(next[0])) ? next : ` ${next}`
  }
  return text
}

/** A clause of these lines. */
export function clauseOf(parts: Pick<Clause, 'number' | 'section' | 'mark' | 'lines'>): Clause {
  const whole = joinLines(parts.lines.map(({ text }) => text))
  const body = whole.slice(parts.mark.length).trim()
  const key = comparedKey(body)
  return { ...parts, body, key, fullKey: comparedKey(parts.mark) + key }
}

const LINES_A_TURN = 50

/** The clauses of a document in its order. Linear in its length. */
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
