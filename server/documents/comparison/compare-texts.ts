import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { ClauseChange, ClauseChangeTopic, ComparedClause } from '#contract/documents/document-comparison.ts'
import { type DocumentClause, type EventLoopYielder, parseDocumentClauses, toClauseComparisonKey } from './clauses.ts'
import { diffClauseWords, getClauseChangeDirection, shortenUnchangedClausePieces } from './diff-clause-words.ts'
import { mergeSplitClauses, pairDocumentClauses } from './pair-clauses.ts'

export type ComparedDocumentTexts = {
  readonly outcome: 'compared' | 'different'
  readonly clauses: number
  readonly differences: ClauseChange[]
}

const QUALIFICATION = ['ผลงาน', 'ทุนจดทะเบียน', 'ใบอนุญาต', 'มาตรฐานiso', 'แต่งตั้งให้เป็นตัวแทน'].map(toClauseComparisonKey)
const COST = ['ค่าปรับ', 'หลักประกัน', 'รับประกัน', 'งวด', 'ร้อยละ', 'ราคา', 'วงเงิน', 'บาท'].map(toClauseComparisonKey)
const TIME = ['ส่งมอบ', 'ระยะเวลา', 'แล้วเสร็จ'].map(toClauseComparisonKey)
const PERIOD = /\d(?:วัน|เดือน|ปี|ชัวโมง)/
const QUALIFICATION_SECTION = toClauseComparisonKey('คุณสมบัติ')

function topicOf(section: string, nearbyText: string): ClauseChangeTopic {
  const key = toClauseComparisonKey(nearbyText)
  const has = (words: readonly string[]) => words.some((word) => key.includes(word))
  if (toClauseComparisonKey(section).includes(QUALIFICATION_SECTION) || has(QUALIFICATION)) return 'qualification'
  return has(COST) ? 'cost' : has(TIME) || PERIOD.test(key) ? 'time' : 'other'
}

const MAX_QUOTE_LENGTH = 500

function locationOf({ lines, body }: DocumentClause, at = 0): { page: number; sentence: string } {
  // The clause's body joins its lines with different spacing, so estimate the line proportionally.
  const total = lines.reduce((sum, { text }) => sum + text.length, 0)
  let remaining = Math.floor((at / Math.max(1, body.length)) * total)
  let lineIndex = 0
  while (lineIndex < lines.length - 1 && remaining >= lines[lineIndex]!.text.length) {
    remaining -= lines[lineIndex]!.text.length
    lineIndex += 1
  }
  const { page } = lines[lineIndex]!
  const pageLines = lines.filter((line, index) => line.page === page && index >= lineIndex - 1)
  let sentence = ''
  for (const { text } of pageLines) {
    if (sentence !== '' && sentence.length + text.length > MAX_QUOTE_LENGTH) break
    sentence += sentence === '' ? text : `\n${text}`
  }
  return { page, sentence }
}

const YIELD_INTERVAL_MS = 10

export function createEventLoopYielder(): EventLoopYielder {
  let lastYieldAt = performance.now()
  return async () => {
    if (performance.now() - lastYieldAt < YIELD_INTERVAL_MS) return
    await yieldToEventLoop()
    lastYieldAt = performance.now()
  }
}

const MAX_LETTERS = 800_000
/**
 * Maximum clause length for the word diff. A text without any numbering is a single clause, which may be too long to
 * diff.
 */
const MAX_CLAUSE_LENGTH = 60_000

/**
 * Pairs the clauses of both documents, then diffs their words, so line breaks and pages make no difference. Yields to
 * other requests. Not for OCR text, whose characters are unreliable.
 * @param before pages of the older document, in order
 */
export async function compareDocumentTexts(
  before: readonly string[],
  after: readonly string[],
): Promise<ComparedDocumentTexts> {
  const lettersOf = (pages: readonly string[]) => pages.reduce((sum, page) => sum + page.length, 0)
  if (lettersOf(before) > MAX_LETTERS || lettersOf(after) > MAX_LETTERS)
    return { outcome: 'different', clauses: 0, differences: [] }
  const yieldIfDue = createEventLoopYielder()
  const [oldClauses, newClauses] = [
    await parseDocumentClauses(before, yieldIfDue),
    await parseDocumentClauses(after, yieldIfDue),
  ]
  const merged = mergeSplitClauses(oldClauses, newClauses)
  const pairs = await pairDocumentClauses(merged.old, merged.now, yieldIfDue)
  const isTooLong = pairs?.changed.some(
    ([from, to]) => Math.max(merged.old[from]!.body.length, merged.now[to]!.body.length) > MAX_CLAUSE_LENGTH,
  )
  if (pairs === undefined || isTooLong) return { outcome: 'different', clauses: newClauses.length, differences: [] }
  const common = ({ number, section }: DocumentClause, pieces: readonly ComparedClause[]) => ({
    number,
    section,
    topic: topicOf(section, pieces.map(({ text }) => text).join('')),
    pieces: [...pieces],
  })
  const differences: ClauseChange[] = []
  for (const [from, to] of pairs.changed) {
    await yieldIfDue()
    const [oldClause, newClause] = [merged.old[from]!, merged.now[to]!]
    const pieces = diffClauseWords(oldClause.body, newClause.body)
    if (pieces.every(({ kind }) => kind === 'same')) continue
    const firstChange = pieces.findIndex(({ kind }) => kind !== 'same')
    const lead = pieces.slice(0, firstChange).reduce((sum, { text }) => sum + text.length, 0)
    const direction = getClauseChangeDirection(pieces)
    const locations = { before: locationOf(oldClause, lead), after: locationOf(newClause, lead) }
    differences.push({
      kind: 'changed',
      ...common(newClause, shortenUnchangedClausePieces(pieces)),
      ...(direction && { direction }),
      ...locations,
    })
  }
  for (const [from, to] of pairs.moved) {
    const [oldClause, newClause] = [merged.old[from]!, merged.now[to]!]
    const movedClause = common(newClause, [{ kind: 'same', text: newClause.body }])
    differences.push({ kind: 'moved', ...movedClause, before: locationOf(oldClause), after: locationOf(newClause) })
  }
  for (const at of pairs.added) {
    const newClause = merged.now[at]!
    differences.push({
      kind: 'new',
      ...common(newClause, [{ kind: 'new', text: newClause.body }]),
      after: locationOf(newClause),
    })
  }
  for (const at of pairs.gone) {
    const oldClause = merged.old[at]!
    differences.push({
      kind: 'gone',
      ...common(oldClause, [{ kind: 'gone', text: oldClause.body }]),
      before: locationOf(oldClause),
    })
  }
  return { outcome: 'compared', clauses: newClauses.length, differences }
}
