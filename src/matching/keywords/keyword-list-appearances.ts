import type { KeywordListCode, Organisation } from '#contract/account/organisation.ts'
import { KEYWORD_LIST_RULES } from '#contract/matching/keyword.ts'

const DOTS = [
  'bg-sky-500',
  'bg-violet-500',
  'bg-amber-500',
  'bg-emerald-500',
  'bg-pink-500',
  'bg-indigo-500',
  'bg-lime-600',
  'bg-orange-500',
  'bg-rose-500',
  'bg-cyan-600',
  'bg-fuchsia-600',
  'bg-yellow-500',
  'bg-blue-700',
] as const
const NO_GROUP_DOT = 'bg-slate-400'

/** Depends only on the group's id, so that other groups do not change it. */
export function getKeywordGroupDotClass(groupId: number | null): string {
  return groupId === null ? NO_GROUP_DOT : DOTS[Math.abs(groupId) % DOTS.length]!
}

type KeywordListAppearance = {
  readonly list: KeywordListCode
  readonly code: Exclude<KeywordListCode, 'deptsub_include'> | 'deptsub'
  readonly name: string
  readonly short: string
  readonly hint: string
  readonly dot: string
  readonly isExclusion: boolean
  /** True for AI lists: the user enters plain words, and each word is shown with its terms. */
  readonly isAi: boolean
}

const look = (
  list: KeywordListCode,
  code: KeywordListAppearance['code'],
  short: string,
  hint: string,
  dot: string,
): KeywordListAppearance => ({
  list,
  code,
  name: KEYWORD_LIST_RULES[list].th,
  short,
  hint,
  dot,
  isExclusion: list === 'exclude' || list === 'ai_exclude',
  isAi: list === 'ai_include' || list === 'ai_exclude',
})

export const KEYWORD_LIST_APPEARANCES: readonly KeywordListAppearance[] = [
  look('include', 'include', 'ในชื่อโครงการ', 'อยู่ในชื่อโครงการตรงตัว ไม่สนช่องว่างและเลขไทย', 'bg-teal-600'),
  look('exclude', 'exclude', 'ไม่รวม', 'ตัดออกเสมอ แม้ตรงกับคำหรือหน่วยงานอื่น', 'bg-rose-500'),
  look('ai_include', 'ai_include', 'ใกล้เคียง (AI)', 'ระบบเรียนรู้จากชื่อโครงการ e-GP ตรวจและเลือกได้ทุกคำ', 'bg-violet-500'),
  look('ai_exclude', 'ai_exclude', 'ไม่รวมใกล้เคียง (AI)', 'ตัดออกเฉพาะคำที่พิมพ์หรือติ๊กไว้เท่านั้น', 'bg-fuchsia-500'),
  look('deptsub_include', 'deptsub', 'หน่วยงาน', 'ทุกโครงการของหน่วยงานที่เลือก ไม่ดูชื่อโครงการ', 'bg-sky-500'),
]

export const getKeywordListAppearance = (list: KeywordListCode): KeywordListAppearance =>
  KEYWORD_LIST_APPEARANCES.find((entry) => entry.list === list)!

export const findKeywordListByCode = (code: string | undefined): KeywordListCode | undefined =>
  KEYWORD_LIST_APPEARANCES.find((entry) => entry.code === code)?.list

export const getKeywordListItemNoun = (list: KeywordListCode): string => (list === 'deptsub_include' ? 'หน่วยงาน' : 'คำ')

export function getKeywordListUsage(
  organisation: Organisation,
  list: KeywordListCode,
): { used: number; limit: number; left: number } {
  const used = organisation[list].length
  const limit = organisation.customer_config[KEYWORD_LIST_RULES[list].limit]
  return { used, limit, left: Math.max(0, limit - used) }
}
