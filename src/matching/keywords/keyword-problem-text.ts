import type { KeywordProblemCode } from '#contract/matching/keyword.ts'
import { MAX_KEYWORD_LENGTH } from '#contract/matching/keyword.ts'
import { SEARCH_ERROR_TEXTS } from '#contract/search/search-errors.ts'
import { formatCount } from '#contract/thai/thai-number.ts'

const CLIENT_TEXTS: Readonly<Record<Exclude<KeywordProblemCode, keyof typeof SEARCH_ERROR_TEXTS>, string>> = {
  duplicate: 'มีคำนี้ในรายการแล้ว',
  repeated: 'ซ้ำกับบรรทัดก่อนหน้า',
  blacklisted: 'คำนี้กว้างเกินไป ใช้ไม่ได้',
  limit: 'เกินจำนวนที่แพ็กเกจให้ใช้',
  unknown_department: 'ไม่พบหน่วยงานชื่อนี้ เลือกจากรายชื่อหน่วยงานแทน',
  operator: 'รายการนี้รับคำธรรมดา ไม่รับเครื่องหมาย ## || <<',
  too_long: `ยาวเกินไป ใส่ได้ไม่เกิน ${formatCount(MAX_KEYWORD_LENGTH)} ตัวอักษร`,
}

export function getKeywordProblemText(code: KeywordProblemCode): string {
  return code in CLIENT_TEXTS
    ? CLIENT_TEXTS[code as keyof typeof CLIENT_TEXTS]
    : SEARCH_ERROR_TEXTS[code as keyof typeof SEARCH_ERROR_TEXTS]
}
