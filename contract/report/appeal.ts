import { findProcurementRule, formatLawClause, getCurrentProcurementRule } from '../catalogue/procurement-rules.ts'
import {
  OPEN_PROCUREMENT_METHODS,
  SELECTIVE_PROCUREMENT_METHODS,
  SPECIFIC_PROCUREMENT_METHODS,
} from '../catalogue/project.ts'
import { formatThaiDateShortOrOriginal } from '../thai/thai-date.ts'
import { normaliseThai } from '../thai/thai-text.ts'
import type { ReportRow } from './report.ts'

/**
 * Who may appeal against a result and until when (ss. 114–119 of the Act), and the effect of a draft hearing. The
 * numbers are in `procurement-rules.ts`.
 */

/** Matches `มาตรา 56 (1) (ค)`, the clause on urgent selection, in the announcement text. */
const URGENT_SELECTION_PATTERN = /56\s*(?:วรรคหนึ่ง\s*)?\(\s*1\s*\)\s*\(\s*ค\s*\)/

export type AppealFacts = Pick<ReportRow, 'method' | 'name' | 'remark' | 'budget'>

/** False for unknown methods too, because a wrong date would be worse than none. */
export function isAppealable({ method, name, remark, budget }: AppealFacts): boolean {
  if (budget !== null && budget <= getCurrentProcurementRule('smallSumBaht').value) return false
  if (SELECTIVE_PROCUREMENT_METHODS.includes(method))
    return !URGENT_SELECTION_PATTERN.test(normaliseThai(`${name} ${remark ?? ''}`))
  return OPEN_PROCUREMENT_METHODS.includes(method)
}

export function getAppealNote({ method }: Pick<AppealFacts, 'method'>): string {
  const contract = getCurrentProcurementRule('contractWaitsForAppeal')
  const effect = `อุทธรณ์ได้เฉพาะผู้ที่ยื่นข้อเสนอ เมื่อมีผู้อุทธรณ์ หน่วยงานลงนามสัญญาได้หลังทราบผลวินิจฉัย (ม. ${contract.source.clause})`
  if (method !== 'selective') return effect
  const urgent = getCurrentProcurementRule('urgentSelectionHasNoAppeal')
  return `ผลของการคัดเลือกเร่งด่วนตาม ม. 56 (1) (ค) อุทธรณ์ไม่ได้ (${formatLawClause(urgent.source)}) · ${effect}`
}

/**
 * Returns a Thai note on the right to object to the scope of work: the day until which a bidder must comment on the
 * draft to retain it, or the day on which the organisation did. Undefined before the regulation took effect and for
 * methods without an appeal.
 */
export function getDraftCommentNote(
  method: string,
  endsOn: string | null,
  commentedOn: string | null = null,
): string | undefined {
  if (endsOn === null || SPECIFIC_PROCUREMENT_METHODS.includes(method)) return undefined
  const rule = findProcurementRule('hearingForfeitsAppeal', endsOn)
  if (!rule) return undefined
  const source = formatLawClause(rule.source)
  const lastDay = formatThaiDateShortOrOriginal(endsOn)
  if (commentedOn === null) return `วิจารณ์ภายใน ${lastDay} มิฉะนั้นอุทธรณ์เรื่องขอบเขตงานไม่ได้ (${source})`
  const commented = `วิจารณ์แล้วเมื่อ ${formatThaiDateShortOrOriginal(commentedOn)}`
  return commentedOn <= endsOn
    ? `${commented} ยังมีสิทธิอุทธรณ์เรื่องขอบเขตงาน (${source})`
    : `${commented} หลังวันสุดท้าย ${lastDay} อาจอุทธรณ์เรื่องขอบเขตงานไม่ได้ (${source})`
}
