import { isGeneric } from './keyword-sides.ts'
import type { TermModel } from './term-model.ts'

/** A part of the keyword in so many times its titles is a wider notion: `รถบรรทุก` of `รถบรรทุกเทท้าย`, `ป้าย` of `ป้ายประชาสัมพันธ์`. */
const PART = 2.5
/** One that leaves out nothing that tells is the thing itself: `คอมพิวเตอร์` of `เครื่องคอมพิวเตอร์`. */
const TELLING_PART = 12
/** Any other unit. Common spellings of a rare one are found below it. */
const OTHER = 10

/** What begins so says of which kind, where or whose a thing is, and is no thing: it never acts alone. */
const MODIFIERS = [
  ...['แบบ', 'ชนิด', 'ประเภท', 'ขนาด', 'ระดับ', 'รุ่น', 'ยี่ห้อ', 'การ', 'ด้าน', 'พร้อม', 'ภายใน', 'ภายนอก'],
  ...['สาธารณะ', 'ส่วนกลาง', 'อัตโนมัติ', 'ทั่วไป'],
] as const

/** What nine of ten titles end with says how a thing is bought: `ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)`. */
const PROCEDURES = ['อิเล็กทรอนิกส์', 'ประกวดราคา', 'สอบราคา', 'เฉพาะเจาะจง', 'คัดเลือก', 'bidding', 'e-market']

/** Whether a term is of the procedure, and the keyword is not about that word: such a term finds every title. */
export const isProcedure = (keyword: string, term: string): boolean =>
  PROCEDURES.some((word) => (word.includes(term) || term === `e-${word}`) && !keyword.includes(term))

/** Whether a term says only how, where or whose. One that begins as the keyword does is what was asked for. */
export function isModifier(keyword: string, term: string): boolean {
  return MODIFIERS.some((word) => term.startsWith(word) && !keyword.startsWith(word))
}

/**
 * Whether a term stands for more than the keyword does: the user decides. `titles`: of the keyword; `count`: of the term, both of the
 * titles that the model learned from.
 */
export function isWiderNotion(model: TermModel, keyword: string, titles: number, term: string, count: number): boolean {
  if (!keyword.includes(term)) return count > titles * OTHER
  return count > titles * (leavesGeneric(model, keyword, term) ? TELLING_PART : PART)
}

/** Whether what the keyword has besides this part of it says nothing of what is bought. */
export function leavesGeneric(model: TermModel, keyword: string, part: string): boolean {
  const units = model.segmenter.segment(keyword.replace(part, ' '))
  return units.length > 0 && units.every(({ id, text }) => text.length < 2 || (id >= 0 && isGeneric(model, id)))
}

const segmenter = new Intl.Segmenter('th', { granularity: 'word' })

/** A part of the keyword with the rest of the words that it begins or ends in (`พิวเตอร์` → `คอมพิวเตอร์`); any other term as it is. */
export function wholeWords(keyword: string, term: string): string {
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
