import { createDice } from '../server/load-traffic.ts'

/** Rows of a page, everywhere. */
export const PAGE_SIZE = 50

/** What a person asks of a list of projects. Money is baht, both ends included; a province is its Thai name. */
export type Question =
  | { readonly kind: 'page'; readonly page: number }
  | { readonly kind: 'word'; readonly word: string }
  | {
      readonly kind: 'filtered'
      readonly provinces: readonly string[]
      readonly min: number
      readonly max: number
    }
  /** How many projects each province has. */
  | { readonly kind: 'groups'; readonly min: number; readonly max: number }

export const QUESTIONS: Readonly<Record<Question['kind'], string>> = {
  page: 'page of 50 and exact total, newest first',
  word: 'one word in the title',
  filtered: 'two provinces, a budget range, by budget',
  groups: 'projects of each province in a budget range',
}

/** What was found: how many, and for `groups` how many of each province (without those whose province is not known). */
export type Answer = { readonly total: number; readonly groups?: ReadonlyMap<string, number> }

/** One who answers. `ask` resolves with the whole body, so that reading it is part of the time; `read` says what it means. */
export type Asked = {
  readonly name: string
  ask(question: Question): Promise<string>
  read(question: Question, body: string): Answer
}

/** What is common in titles and what is rare; none has blanks or Latin letters, so that every engine finds the same letters. */
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

/** `rounds` of each kind, no two alike as far as there are words: nothing that was kept of an answer helps with the next. */
export function questionsFor(provinces: readonly string[], rounds: number): readonly Question[] {
  const dice = createDice(18)
  const one = <T>(values: readonly T[]) => values[Math.floor(dice() * values.length)]!
  const range = () => {
    const min = 100_000 + Math.floor(dice() * 40) * 25_000
    return { min, max: min * (2 + Math.floor(dice() * 20)) }
  }
  return Array.from({ length: rounds }, (_, round): Question[] => {
    const first = one(provinces)
    return [
      { kind: 'page', page: round + 1 },
      { kind: 'word', word: WORDS[round % WORDS.length]! },
      { kind: 'filtered', provinces: [first, one(provinces.filter((name) => name !== first))], ...range() },
      { kind: 'groups', ...range() },
    ]
  }).flat()
}

/** Whether two say the same of one question. */
export function isSame(a: Answer, b: Answer): boolean {
  if (a.groups === undefined || b.groups === undefined) return a.total === b.total
  return (
    a.groups.size === b.groups.size && [...a.groups].every(([province, count]) => b.groups!.get(province) === count)
  )
}

/** The text of an answer of 200; rejects otherwise. */
export async function fetched(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const answer = await fetch(url, { headers })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text.slice(0, 500)}`)
  return text
}
