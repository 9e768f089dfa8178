import { keywordKey } from '#contract/keyword.ts'
import type { ReportRow } from '#contract/report.ts'

/** How it is bought, where and how much: in every other title, so excluding one would empty the report. */
const EVERYWHERE =
  /^(ประกวด|ราคา|ซื้อ|จ้าง|เช่า|เหมา|โครงการ|จำนวน|พร้อม|ติดตั้ง|ด้วย|โดย|วิธี|เฉพาะ|เจาะจง|คัดเลือก|อิเล็กทรอนิกส์|สำหรับ|ของ|ใน|และ|ที่|ตาม|ภายใน|ผ่าน|หรือ|แบบ|เดิม|ขนาด|ชนิด|ณ|ประจำ|ปี|งบประมาณ|พ\.ศ\.|หมู่|ตำบล|อำเภอ|จังหวัด|เทศบาล|องค์การ|บริหาร|ส่วน|งาน|ชุด|ตัว|เครื่อง|คัน|รายการ|ระบบ|การ)$/
const MOST = 8

/** Words of a project's name to exclude by: not those that are in every name, nor those that let it in. */
export function wordsToOffer({ name, matched_words: matched }: Pick<ReportRow, 'name' | 'matched_words'>): string[] {
  const known = new Set(matched.map(keywordKey))
  const segmenter = new Intl.Segmenter('th', { granularity: 'word' })
  const words = [...segmenter.segment(name)].flatMap(({ segment, isWordLike }) => {
    const word = segment.trim()
    const fits = isWordLike === true && word.length >= 3 && !/^[\d๐-๙.,]+$/.test(word) && !EVERYWHERE.test(word)
    return fits && !known.has(keywordKey(word)) ? [word] : []
  })
  return [...new Set(words)].slice(0, MOST)
}
