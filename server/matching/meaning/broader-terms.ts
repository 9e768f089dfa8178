import type { ConceptDictionary } from './concept-dictionary.ts'
import { isGenericVocabularyUnit } from './keyword-sides.ts'
import type { TermModel } from './term-model.ts'

/**
 * A part of the keyword is a broader term if it occurs in at least this many times as many titles as the keyword:
 * `รถบรรทุก` of `รถบรรทุกเทท้าย`, `ป้าย` of `ป้ายประชาสัมพันธ์`.
 */
const WIDER_PART_RATIO = 2.5
/**
 * Higher ratio for a part of the keyword if the remainder is generic, so that the part means the same as the whole:
 * `คอมพิวเตอร์` of `เครื่องคอมพิวเตอร์`.
 */
const WIDER_SAME_MEANING_RATIO = 12
/** Ratio for any other unit. The common spelling of a rare unit stays below this ratio. */
const WIDER_OTHER_RATIO = 10

/**
 * Prefixes that describe kind, place or owner rather than a thing; terms that begin with one are never active alone.
 */
const MODIFIERS = [
  ...['แบบ', 'ชนิด', 'ประเภท', 'ขนาด', 'ระดับ', 'รุ่น', 'ยี่ห้อ', 'การ', 'ด้าน', 'พร้อม', 'ภายใน', 'ภายนอก'],
  ...['สาธารณะ', 'ส่วนกลาง', 'อัตโนมัติ', 'ทั่วไป'],
] as const

/**
 * Words that name the procurement method, with which nine of ten titles end: `ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์
 * (e-bidding)`.
 */
const PROCEDURES = ['อิเล็กทรอนิกส์', 'ประกวดราคา', 'สอบราคา', 'เฉพาะเจาะจง', 'คัดเลือก', 'bidding', 'e-market']

export const isProcurementProcedureTerm = (keyword: string, term: string): boolean =>
  PROCEDURES.some((word) => (word.includes(term) || term === `e-${word}`) && !keyword.includes(term))

export function isModifierTerm(keyword: string, term: string): boolean {
  return MODIFIERS.some((word) => term.startsWith(word) && !keyword.startsWith(word))
}

type BroaderTermQuestion = {
  readonly keyword: string
  readonly titles: number
  readonly term: string
  readonly count: number
}

/**
 * True if a term is broader than the keyword, so the user has to decide about it. `titles` and `count` are the numbers
 * of training titles that contain the keyword and the term.
 */
export function isBroaderTerm(
  model: TermModel,
  concepts: ConceptDictionary,
  { keyword, titles, term, count }: BroaderTermQuestion,
): boolean {
  if (!keyword.includes(term)) return count > titles * WIDER_OTHER_RATIO
  if (!isKeywordRemainderGeneric(model, keyword, term)) return count > titles * WIDER_PART_RATIO
  // Without `เครื่อง`, a verb is another notion (`สูบน้ำ`), unlike a thing that the dictionary lists (`คอมพิวเตอร์`).
  return concepts.conceptsOf(term).length === 0 || count > titles * WIDER_SAME_MEANING_RATIO
}

export function isKeywordRemainderGeneric(model: TermModel, keyword: string, part: string): boolean {
  const units = model.segmenter.segment(keyword.replace(part, ' '))
  return (
    units.length > 0 &&
    units.every(({ id, text }) => text.length < 2 || (id >= 0 && isGenericVocabularyUnit(model, id)))
  )
}

const segmenter = new Intl.Segmenter('th', { granularity: 'word' })

/** Extends a part of the keyword to whole words (`พิวเตอร์` → `คอมพิวเตอร์`); returns any other term unchanged. */
export function extendToWholeWords(keyword: string, term: string): string {
  const at = keyword.indexOf(term)
  if (at < 0) return term
  let from = 0
  let to = 0
  for (const { index, segment } of segmenter.segment(keyword)) {
    if (index <= at) from = index
    to = index + segment.length
    if (to >= at + term.length) break
  }
  return keyword.slice(from, to)
}
