import { createSeededRandom } from '../../test/world/seeded.ts'

export const PAGE_SIZE = 50

/** A query over the project list. Money is in baht, both bounds inclusive; a province is its Thai name. */
export type Question =
  | { readonly kind: 'page'; readonly page: number }
  | { readonly kind: 'word'; readonly word: string }
  | {
      readonly kind: 'filtered'
      readonly provinces: readonly string[]
      readonly min: number
      readonly max: number
    }
  /** Counts the projects of each province. */
  | { readonly kind: 'groups'; readonly min: number; readonly max: number }

export const QUESTIONS: Readonly<Record<Question['kind'], string>> = {
  page: 'page of 50 and exact total, newest first',
  word: 'one word in the title',
  filtered: 'two provinces, a budget range, by budget',
  groups: 'projects of each province in a budget range',
}

/** `total`: number of matches. `groups`: matches per province, excluding unknown provinces. */
export type Answer = { readonly total: number; readonly groups?: ReadonlyMap<string, number> }

/** A measured system. `ask` resolves with the whole body, so that reading it is timed; `read` interprets it. */
export type Contender = {
  readonly name: string
  ask(question: Question): Promise<string>
  read(question: Question, body: string): Answer
}

/** Frequent and rare title words, without spaces or Latin letters, so that every engine matches the same titles. */
const WORDS = [
  'กล้อง',
  'คอมพิวเตอร์',
  'ถนน',
  'คอนกรีต',
  'เครื่องปรับอากาศ',
  'ครุภัณฑ์',
  'โรงพยาบาล',
  'ประปา',
  'ลิฟต์',
  'รถบรรทุก',
  'เอกซเรย์',
  'อาหารกลางวัน',
  'สะพาน',
  'ระบบ',
  'ยา',
  'วัสดุสำนักงาน',
  'ซ่อมแซม',
  'เทศบาล',
  'อาคาร',
  'ไฟฟ้า',
]

/**
 * Returns `rounds` queries of each kind, without repeats while the words last, so that no cached response helps a later
 * query.
 */
export function generateQuestions(provinces: readonly string[], rounds: number): readonly Question[] {
  const dice = createSeededRandom(18)
  const pick = <T>(values: readonly T[]) => values[Math.floor(dice() * values.length)]!
  const range = () => {
    const min = 100_000 + Math.floor(dice() * 40) * 25_000
    return { min, max: min * (2 + Math.floor(dice() * 20)) }
  }
  return Array.from({ length: rounds }, (_, round): Question[] => {
    const first = pick(provinces)
    return [
      { kind: 'page', page: round + 1 },
      { kind: 'word', word: WORDS[round % WORDS.length]! },
      { kind: 'filtered', provinces: [first, pick(provinces.filter((name) => name !== first))], ...range() },
      { kind: 'groups', ...range() },
    ]
  }).flat()
}

export function isSameAnswer(a: Answer, b: Answer): boolean {
  if (a.groups === undefined || b.groups === undefined) return a.total === b.total
  return (
    a.groups.size === b.groups.size && [...a.groups].every(([province, count]) => b.groups!.get(province) === count)
  )
}

export async function fetchText(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const answer = await fetch(url, { headers })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text.slice(0, 500)}`)
  return text
}
