import { normaliseThai, toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { loadDefaultTermModel } from '#server/matching/meaning/term-model.ts'
import { findWordBoundaries } from '#server/matching/meaning/word-borders.ts'
import { stripTitleBoilerplate } from '#server/platform/text/vocabulary-segmenter.ts'

/** A phrase of a title in the form that is shown and stored, by the form that the matching engine compares. */
export type TitlePieces = ReadonlyMap<string, string>

const MAX_UNITS = 4
const MAX_GAP = 1
/** Shorter Thai words occur inside unrelated words; `cctv` and `led` do not. */
const MIN_THAI_LENGTH = 6
const MIN_LATIN_LENGTH = 3
const MAX_LENGTH = 60
/** Prepositions, counters and words for the year, which add nothing at either end of a phrase. */
const LOOSE = [
  ...[
    'ที่',
    'และ',
    'หรือ',
    'ของ',
    'ใน',
    'เพื่อ',
    'เพื่อใช้',
    'ให้',
    'แก่',
    'กับ',
    'จาก',
    'ตาม',
    'โดย',
    'ด้วย',
    'สำหรับ',
    'พร้อม',
    'จำนวน',
    'ซึ่ง',
  ],
  ...[
    'รายการ',
    'งาน',
    'โครงการ',
    'ประจำ',
    'ปี',
    'ประจำปี',
    'ปีงบประมาณ',
    'งบประมาณ',
    'พ.ศ',
    'พศ',
    'ณ',
    'ครั้ง',
    'ครั้งที่',
    'ระหว่าง',
  ],
  ...[
    'เลขที่',
    'หมายเลข',
    'เดือน',
    'วันที่',
    'นาย',
    'นาง',
    'นางสาว',
    'การ',
    'ตัว',
    'ชุด',
    'แห่ง',
    'and',
    'the',
    'for',
    'of',
    'with',
    'หมู่',
    'หมู่ที่',
    'ม',
  ],
]
/** Verbs for buying. They add nothing at the start of a phrase, because what is bought describes the work of a company. */
const LOOSE_STARTS = new Set([
  ...LOOSE,
  ...[
    'ซื้อ',
    'จ้าง',
    'จ้างเหมา',
    'เช่า',
    'จัดซื้อ',
    'จัดจ้าง',
    'จัดหา',
    'ประกวดราคา',
    'ประกวดราคาซื้อ',
    'ประกวดราคาจ้าง',
    'ประกวดราคาเช่า',
  ],
  ...['ประกวดราคาจ้างก่อสร้าง', 'จ้างก่อสร้าง', 'สอบราคา'],
])
const LOOSE_ENDS = new Set([...LOOSE, 'ตำบล', 'อำเภอ', 'จังหวัด', 'บ้าน', 'ซอย', 'ถนนสาย', 'สาย', 'บริเวณ', 'ทะเบียน'])
const HAS_LETTER = /[a-z\u0e01-\u0e2e]/
const HAS_THAI = /[\u0e01-\u0e2e]/
const HAS_OPERATOR = /[#|<>"()]/

/**
 * Cuts a title into phrases of one to four units of the learned vocabulary. A phrase begins and ends at words, because
 * units that cover only part of a name (`ท่าบุ` of ท่าบุญมี) mean nothing to the reader. Numbers may be inside a phrase
 * but neither start nor end it, and the words of the procurement method are left out.
 */
export function listTitlePieces(title: string): TitlePieces {
  const text = stripTitleBoilerplate(normaliseThai(title))
  const borders = findWordBoundaries(text)
  const units = loadDefaultTermModel().segmenter.segment(text)
  const pieces = new Map<string, string>()
  for (let from = 0; from < units.length; from += 1) {
    const { start, text: first } = units[from]!
    if (LOOSE_STARTS.has(first) || !HAS_LETTER.test(first) || borders[start] !== 1) continue
    for (let to = from; to < Math.min(units.length, from + MAX_UNITS); to += 1) {
      if (to > from && units[to]!.start - units[to - 1]!.end > MAX_GAP) break
      const { end, text: last } = units[to]!
      if (LOOSE_ENDS.has(last) || !HAS_LETTER.test(last) || borders[end] !== 1) continue
      const phrase = text.slice(start, end)
      const form = toNormalisedSearchText(phrase)
      if (form.length < (HAS_THAI.test(form) ? MIN_THAI_LENGTH : MIN_LATIN_LENGTH) || form.length > MAX_LENGTH) continue
      if (!HAS_OPERATOR.test(phrase) && !pieces.has(form)) pieces.set(form, phrase)
    }
  }
  return pieces
}
