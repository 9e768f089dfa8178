import { normaliseThai, toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { loadDefaultTermModel } from '#server/matching/meaning/term-model.ts'
import { stripTitleBoilerplate } from '#server/platform/text/vocabulary-segmenter.ts'

/** A phrase of a title in the form that is shown and stored, by the form that the matching engine compares. */
export type TitlePieces = ReadonlyMap<string, string>

const MAX_UNITS = 4
const MAX_GAP = 1
const MIN_LENGTH = 3
const MAX_LENGTH = 60
/** Starts or ends a phrase without adding meaning: prepositions, classifiers and counts. */
const LOOSE_ENDS = new Set([
  ...['ที่', 'และ', 'หรือ', 'ของ', 'ใน', 'เพื่อ', 'ให้', 'แก่', 'กับ', 'จาก', 'ตาม', 'โดย', 'ด้วย', 'สำหรับ', 'พร้อม', 'จำนวน'],
  ...['รายการ', 'งาน', 'โครงการ', 'ประจำ', 'ปี', 'ประจำปี', 'ปีงบประมาณ', 'งบประมาณ', 'พ.ศ', 'พศ', 'ณ', 'เลขที่', 'หมายเลข', 'ครั้งที่', 'ระหว่าง', 'เดือน', 'วันที่'],
])
const HAS_LETTER = /[a-z\u0e01-\u0e2e]/
const HAS_OPERATOR = /[#|<>"()]/

/**
 * Cuts a title into phrases of one to four units of the learned vocabulary. Numbers may be inside a phrase but neither
 * start nor end it, and the words of the procurement method are left out.
 */
export function listTitlePieces(title: string): TitlePieces {
  const text = stripTitleBoilerplate(normaliseThai(title))
  const units = loadDefaultTermModel().segmenter.segment(text)
  const pieces = new Map<string, string>()
  for (let from = 0; from < units.length; from += 1) {
    if (isLoose(units[from]!.text)) continue
    for (let to = from; to < Math.min(units.length, from + MAX_UNITS); to += 1) {
      if (to > from && units[to]!.start - units[to - 1]!.end > MAX_GAP) break
      if (isLoose(units[to]!.text)) continue
      const shown = text.slice(units[from]!.start, units[to]!.end)
      const form = toNormalisedSearchText(shown)
      if (form.length < MIN_LENGTH || form.length > MAX_LENGTH || HAS_OPERATOR.test(shown)) continue
      if (!pieces.has(form)) pieces.set(form, shown)
    }
  }
  return pieces
}

const isLoose = (unit: string) => LOOSE_ENDS.has(unit) || !HAS_LETTER.test(unit)
