import type { KeywordProblemCode } from '#contract/matching/keyword.ts'
import { MAX_KEYWORD_LENGTH } from '#contract/matching/keyword.ts'
import { SEARCH_ERROR_TEXTS } from '#contract/search/search-errors.ts'
import { countText } from '#src/lib/money-text.ts'

const OWN: Readonly<Record<Exclude<KeywordProblemCode, keyof typeof SEARCH_ERROR_TEXTS>, string>> = {
  duplicate: 'มีคำนี้ในรายการแล้ว',
  repeated: 'ซ้ำกับบรรทัดก่อนหน้า',
  blacklisted: 'คำนี้กว้างเกินไป ใช้ไม่ได้',
  limit: 'เกินจำนวนที่แพ็กเกจให้ใช้',
  unknown_department: 'ไม่พบหน่วยงานชื่อนี้ เลือกจากรายชื่อหน่วยงานแทน',
  operator: 'รายการนี้รับคำธรรมดา ไม่รับเครื่องหมาย ## || <<',
  too_long: `ยาวเกินไป ใส่ได้ไม่เกิน ${countText(MAX_KEYWORD_LENGTH)} ตัวอักษร`,
}

/** Client-side message for a refused word; the server sends its own. */
export function problemText(code: KeywordProblemCode): string {
  return code in OWN ? OWN[code as keyof typeof OWN] : SEARCH_ERROR_TEXTS[code as keyof typeof SEARCH_ERROR_TEXTS]
}
