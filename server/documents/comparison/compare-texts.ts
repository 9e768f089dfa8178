import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { ChangeTopic, ComparedPiece, Difference } from '#contract/documents/document-comparison.ts'
import { type Clause, clausesOf, comparedKey, type Rest } from './clauses.ts'
import { mergeSplit, pairClauses } from './pair-clauses.ts'
import { compareWords, directionOf, shortened } from './words.ts'

export type ComparedTexts = {
  readonly outcome: 'compared' | 'different'
  readonly clauses: number
  readonly differences: Difference[]
}

const QUALIFICATION = ['ผลงาน', 'ทุนจดทะเบียน', 'ใบอนุญาต', 'มาตรฐานiso', 'แต่งตั้งให้เป็นตัวแทน'].map(comparedKey)
const COST = ['ค่าปรับ', 'หลักประกัน', 'รับประกัน', 'งวด', 'ร้อยละ', 'ราคา', 'วงเงิน', 'บาท'].map(comparedKey)
const TIME = ['ส่งมอบ', 'ระยะเวลา', 'แล้วเสร็จ'].map(comparedKey)
const PERIOD = /\d(?:วัน|เดือน|ปี|ชัวโมง)/
const QUALIFIED = comparedKey('คุณสมบัติ')

/** Classifies a change by the words around it; the first match wins. */
function topicOf(section: string, beside: string): ChangeTopic {
  const key = comparedKey(beside)
  const has = (words: readonly string[]) => words.some((word) => key.includes(word))
  if (comparedKey(section).includes(QUALIFIED) || has(QUALIFICATION)) return 'qualification'
  return has(COST) ? 'cost' : has(TIME) || PERIOD.test(key) ? 'time' : 'other'
}

const LONGEST_QUOTE = 500

function placeOf({ lines, body }: Clause, at = 0): { page: number; sentence: string } {
  // The body joins the lines with other blanks, so the line is estimated proportionally.
  const total = lines.reduce((sum, { text }) => sum + text.length, 0)
  let left = Math.floor((at / Math.max(1, body.length)) * total)
  let first = 0
  while (first < lines.length - 1 && left >= lines[first]!.text.length) {
    left -= lines[first]!.text.length
    first += 1
  }
  const { page } = lines[first]!
  const own = lines.filter((line, index) => line.page === page && index >= first - 1)
  let sentence = ''
  for (const { text } of own) {
    if (sentence !== '' && sentence.length + text.length > LONGEST_QUOTE) break
    sentence += sentence === '' ? text : `\n${text}`
  }
  return { page, sentence }
}

const TURN_MS = 10

export function restNowAndThen(): Rest {
  let turn = performance.now()
  return async () => {
    if (performance.now() - turn < TURN_MS) return
    await yieldToEventLoop()
    turn = performance.now()
  }
}

/** About 500 full pages. */
const MOST_LETTERS = 800_000
/** A text without any numbering is one clause; beyond this length, skip the word diff. */
const LONGEST_CLAUSE = 60_000

/**
 * Pairs the clauses of both documents, then diffs their words, so line breaks and pages make no difference. Yields to
 * other requests. Not for OCR text, whose characters are unreliable.
 * @param before pages of the older document, in order
 */
export async function compareTexts(before: readonly string[], after: readonly string[]): Promise<ComparedTexts> {
  const lettersOf = (pages: readonly string[]) => pages.reduce((sum, page) => sum + page.length, 0)
  if (lettersOf(before) > MOST_LETTERS || lettersOf(after) > MOST_LETTERS)
    return { outcome: 'different', clauses: 0, differences: [] }
  const rest = restNowAndThen()
  const [old, now] = [await clausesOf(before, rest), await clausesOf(after, rest)]
  const merged = mergeSplit(old, now)
  const pairs = await pairClauses(merged.old, merged.now, rest)
  const isTooLong = pairs?.changed.some(
    ([from, to]) => Math.max(merged.old[from]!.body.length, merged.now[to]!.body.length) > LONGEST_CLAUSE,
  )
  if (pairs === undefined || isTooLong) return { outcome: 'different', clauses: now.length, differences: [] }
  const common = ({ number, section }: Clause, pieces: readonly ComparedPiece[]) => ({
    number,
    section,
    topic: topicOf(section, pieces.map(({ text }) => text).join('')),
    pieces: [...pieces],
  })
  const differences: Difference[] = []
  for (const [from, to] of pairs.changed) {
    await rest()
    const [was, is] = [merged.old[from]!, merged.now[to]!]
    const pieces = compareWords(was.body, is.body)
    if (pieces.every(({ kind }) => kind === 'same')) continue
    const first = pieces.findIndex(({ kind }) => kind !== 'same')
    const lead = pieces.slice(0, first).reduce((sum, { text }) => sum + text.length, 0)
    const direction = directionOf(pieces)
    const places = { before: placeOf(was, lead), after: placeOf(is, lead) }
    differences.push({ kind: 'changed', ...common(is, shortened(pieces)), ...(direction && { direction }), ...places })
  }
  for (const [from, to] of pairs.moved) {
    const [was, is] = [merged.old[from]!, merged.now[to]!]
    const moved = common(is, [{ kind: 'same', text: is.body }])
    differences.push({ kind: 'moved', ...moved, before: placeOf(was), after: placeOf(is) })
  }
  for (const at of pairs.added) {
    const is = merged.now[at]!
    differences.push({ kind: 'new', ...common(is, [{ kind: 'new', text: is.body }]), after: placeOf(is) })
  }
  for (const at of pairs.gone) {
    const was = merged.old[at]!
    differences.push({ kind: 'gone', ...common(was, [{ kind: 'gone', text: was.body }]), before: placeOf(was) })
  }
  return { outcome: 'compared', clauses: now.length, differences }
}
