import type { CustomerConfig, KeywordListCode } from '#contract/account/organisation.ts'
import { KEYWORD_LIST_RULES, type KeywordProblemCode } from '#contract/matching/keyword.ts'
import { MAX_KEYWORD_TERM_LENGTH, MAX_TERMS_PER_KEYWORD } from '#contract/matching/keyword-term.ts'
import { SEARCH_ERROR_TEXTS } from '#contract/search/search-errors.ts'
import { SEARCH_LIMITS } from '#contract/search/search-grammar.ts'

export type KeywordSaveProblemCode = KeywordProblemCode | 'unknown_group' | 'gone' | 'too_broad' | 'finds_nothing'
type DetailedCode = 'limit' | 'blacklisted' | 'too_broad' | 'finds_nothing'

const WORD_PROBLEM_TEXTS: Readonly<
  Record<Exclude<KeywordSaveProblemCode, keyof typeof SEARCH_ERROR_TEXTS | DetailedCode>, string>
> = {
  duplicate: 'มีคำนี้ในรายการแล้ว',
  repeated: 'คำนี้ซ้ำกับอีกบรรทัดที่กำลังเพิ่ม',
  unknown_department: 'ไม่พบหน่วยงานชื่อนี้ เลือกจากรายชื่อหน่วยงาน',
  unknown_group: 'ไม่พบกลุ่มนี้ อาจถูกลบไปแล้ว',
  gone: 'คำนี้ถูกลบไปแล้ว',
  operator: 'รายการนี้ใส่เป็นคำหรือวลีธรรมดา ใช้เครื่องหมาย ## || << ไม่ได้',
  too_long: 'คำนี้ยาวเกินไป',
}

export function getKeywordSaveProblemText(code: Exclude<KeywordSaveProblemCode, DetailedCode>): string {
  return code in SEARCH_ERROR_TEXTS
    ? SEARCH_ERROR_TEXTS[code as keyof typeof SEARCH_ERROR_TEXTS]
    : WORD_PROBLEM_TEXTS[code as keyof typeof WORD_PROBLEM_TEXTS]
}

const unitOf = (list: KeywordListCode) => (list === 'deptsub_include' ? 'หน่วยงาน' : 'คำ')

export function formatKeywordLimitText(list: KeywordListCode, config: CustomerConfig, used: number): string {
  const { th, limit } = KEYWORD_LIST_RULES[list]
  const unit = unitOf(list)
  return `“${th}” ใส่ได้ไม่เกิน ${config[limit].toLocaleString('en-US')} ${unit} ตอนนี้มี ${used.toLocaleString('en-US')} ${unit} ลบที่ไม่ใช้ก่อน หรือติดต่อทีมงานเพื่อเพิ่มจำนวน`
}

export function formatKeywordBlacklistText(terms: readonly string[]): string {
  return `${terms.map((term) => `“${term}”`).join(' ')} อยู่ในชื่อโครงการแทบทุกชื่อ จึงใช้ติดตามไม่ได้ ใช้คำที่เจาะจงกว่านี้`
}

/** `share` is the share of the projects of the last 30 days that the word matches, 0 to 1. */
export function formatKeywordTooBroadText(share: number): string {
  return `คำนี้อยู่ในชื่อโครงการ ${Math.round(share * 100)}% ของ 30 วันล่าสุด เพิ่มได้ แต่จะเริ่มใช้เมื่อทีมงานอนุมัติ`
}

export const formatKeywordNotFoundText = (titles: number): string =>
  `ไม่พบในชื่อโครงการ ${titles.toLocaleString('en-US')} ชื่อของ 30 วันล่าสุด เพิ่มได้ แต่ตรวจตัวสะกดและเครื่องหมายในคำก่อน`

/** `share` is the share of the newest pages of public documents that contain the word, 0 to 1. */
export const formatKeywordOnTooManyPagesText = (share: number): string =>
  `คำนี้อยู่ใน ${Math.round(share * 100)}% ของหน้าเอกสารล่าสุด กว้างเกินไปสำหรับค้นในเอกสาร ใช้คำที่เจาะจงกว่านี้`

export const KEYWORD_LIST_ERROR_TEXTS = {
  nothing_to_remove: 'ยังไม่ได้เลือกคำที่จะลบ',
  not_restorable: 'กู้คืนคำนี้ไม่ได้แล้ว เพิ่มคำใหม่แทน',
  all_off: 'ปิดทั้งสามช่องทางพร้อมกันไม่ได้ เพราะรายงานจะไม่มีโครงการเลย เปิดไว้อย่างน้อย 1 ช่องทาง',
  nothing_watched: 'เพิ่มคำหรือหน่วยงานที่ต้องการติดตามอย่างน้อย 1 รายการก่อน',
  group_gone: getKeywordSaveProblemText('unknown_group'),
  group_taken: (name: string) => `มีกลุ่มชื่อ “${name}” แล้ว`,
  group_nameless: 'ตั้งชื่อกลุ่มก่อน',
  literal_stays: 'ตัวคำเองใช้จับคู่เสมอ ถ้าไม่ต้องการให้ลบคำนี้ออกจากรายการ',
  term_short: `คำใกล้เคียงต้องมี ${SEARCH_LIMITS.termLength} ถึง ${MAX_KEYWORD_TERM_LENGTH} ตัวอักษร`,
  terms_full: `คำใกล้เคียงของคำหนึ่งมีได้ไม่เกิน ${MAX_TERMS_PER_KEYWORD} คำ เอาคำที่ไม่ใช้ออกก่อน`,
} as const
