import { findProcurementRule, formatLawClause, getCurrentProcurementRule } from '../catalogue/procurement-rules.ts'
import { SPECIFIC_PROCUREMENT_METHODS } from '../catalogue/project.ts'
import { normaliseThai } from '../thai/thai-text.ts'
import type { ReportRow } from './report.ts'

/**
 * Who may appeal against a result and until when (ss. 114–119 of the Act), and the effect of a draft hearing. The
 * numbers are in `procurement-rules.ts`.
 */

/**
 * Methods with a public invitation. For any other method no appeal date is shown, because a wrong date would be worse
 * than none.
 */
const OPEN_METHODS: readonly string[] = [
  'e_bidding',
  'e_market',
  'price_enquiry',
  'consultant_open',
  'design_open',
  'design_contest',
]
const SELECTIVE_METHODS: readonly string[] = ['selective', 'consultant_selective', 'design_selective']

/** Matches `มาตรา 56 (1) (ค)`, the clause on urgent selection, in the announcement text. */
const URGENT_SELECTION_PATTERN = /56\s*(?:วรรคหนึ่ง\s*)?\(\s*1\s*\)\s*\(\s*ค\s*\)/

export type AppealFacts = Pick<ReportRow, 'method' | 'name' | 'remark' | 'budget'>

export function isAppealable({ method, name, remark, budget }: AppealFacts): boolean {
  if (budget !== null && budget <= getCurrentProcurementRule('smallSumBaht').value) return false
  if (SELECTIVE_METHODS.includes(method))
    return !URGENT_SELECTION_PATTERN.test(normaliseThai(`${name} ${remark ?? ''}`))
  return OPEN_METHODS.includes(method)
}

export function getAppealNote({ method }: Pick<AppealFacts, 'method'>): string {
  const decision = getCurrentProcurementRule('appealDecisionWorkingDays')
  const report = getCurrentProcurementRule('appealReportWorkingDays')
  const board = getCurrentProcurementRule('appealBoardDays')
  const contract = getCurrentProcurementRule('contractWaitsForAppeal')
  const { days, extensions, extensionDays } = board.value
  const steps = `หน่วยงานวินิจฉัยภายใน ${decision.value} วันทำการ (ม. ${decision.source.clause}) ถ้าไม่เห็นด้วยรายงานคณะกรรมการภายใน ${report.value} วันทำการ คณะกรรมการพิจารณาใน ${days} วัน ขยายได้ ${extensions} ครั้ง ครั้งละ ${extensionDays} วัน (ม. ${board.source.clause}) และลงนามสัญญาได้เมื่อพ้นกำหนดนี้ (ม. ${contract.source.clause})`
  if (method !== 'selective') return steps
  const urgent = getCurrentProcurementRule('urgentSelectionHasNoAppeal')
  return `ผลของการคัดเลือกเร่งด่วนตาม ม. 56 (1) (ค) อุทธรณ์ไม่ได้ (${formatLawClause(urgent.source)}) · ${steps}`
}

/**
 * Returns a Thai warning about the right that a bidder loses by not commenting on the draft; undefined before the
 * regulation took effect and for methods without an appeal.
 */
export function getDraftCommentNote(method: string, endsOn: string | null): string | undefined {
  if (endsOn === null || SPECIFIC_PROCUREMENT_METHODS.includes(method)) return undefined
  const rule = findProcurementRule('hearingForfeitsAppeal', endsOn)
  return rule && `${DRAFT_COMMENT_WARNING} (${formatLawClause(rule.source)})`
}

export const DRAFT_COMMENT_WARNING = 'ถ้าไม่วิจารณ์ภายในกำหนด จะอุทธรณ์เรื่องขอบเขตของงานหรือคุณลักษณะเฉพาะไม่ได้'
