import { normaliseThai } from '../thai/thai-text.ts'
import type { ReportRow } from './report.ts'

/**
 * Who may appeal against a result and until when, and the effect of a draft hearing. Sources, read on 28 Nov 2026:
 * - Public Procurement Act B.E. 2560, Gazette 134/24 ก, in force 23 Aug 2017: ss. 66, 114–119.
 * - Ministerial regulation on matters that cannot be appealed B.E. 2568, Gazette 142/28 ก, 18 Apr 2025, in force the
 *   day after.
 * - Ministerial regulation on the limits of the specific method B.E. 2560, Gazette 134/86 ก: a small sum is 100,000
 *   baht (cl. 4).
 */

export type LawClause = {
  readonly law: 'act_2560' | 'regulation_2560' | 'no_appeal_2568'
  readonly clause: string
}

const LAW_NAMES: Readonly<Record<LawClause['law'], string>> = {
  act_2560: 'พ.ร.บ. การจัดซื้อจัดจ้างฯ พ.ศ. 2560 ม.',
  regulation_2560: 'ระเบียบกระทรวงการคลังฯ พ.ศ. 2560 ข้อ',
  no_appeal_2568: 'กฎกระทรวงกำหนดเรื่องที่อุทธรณ์ไม่ได้ พ.ศ. 2568 ข้อ',
}

export const formatLawClause = ({ law, clause }: LawClause): string => `${LAW_NAMES[law]} ${clause}`

/** Working days for an appeal, counted from publication of the result. */
export const APPEAL_WORKING_DAYS = 7
export const APPEAL_CLAUSE: LawClause = { law: 'act_2560', clause: '117' }

const MISSED_HEARING_CLAUSE: LawClause = { law: 'no_appeal_2568', clause: '3 (2)' }
const URGENT_SELECTION_CLAUSE: LawClause = { law: 'no_appeal_2568', clause: '3 (4)' }
const NO_APPEAL_VALID_FROM = '2025-04-19'

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
const SPECIFIC_METHODS: readonly string[] = ['specific', 'consultant_specific', 'design_specific']

/** In baht. Up to this amount a contract can be signed without waiting for appeals (s. 66 with s. 96 paragraph two). */
const MAX_SMALL_SUM_BAHT = 100_000

/** Matches `มาตรา 56 (1) (ค)`, the clause on urgent selection, in the announcement text. */
const URGENT_SELECTION_PATTERN = /56\s*(?:วรรคหนึ่ง\s*)?\(\s*1\s*\)\s*\(\s*ค\s*\)/

export type AppealFacts = Pick<ReportRow, 'method' | 'name' | 'remark' | 'budget'>

export function isAppealable({ method, name, remark, budget }: AppealFacts): boolean {
  if (budget !== null && budget <= MAX_SMALL_SUM_BAHT) return false
  if (SELECTIVE_METHODS.includes(method))
    return !URGENT_SELECTION_PATTERN.test(normaliseThai(`${name} ${remark ?? ''}`))
  return OPEN_METHODS.includes(method)
}

export function getAppealNote({ method }: Pick<AppealFacts, 'method'>): string {
  const steps =
    'หน่วยงานวินิจฉัยภายใน 7 วันทำการ (ม. 118) ถ้าไม่เห็นด้วยรายงานคณะกรรมการภายใน 3 วันทำการ คณะกรรมการพิจารณาใน 30 วัน ขยายได้ 2 ครั้ง ครั้งละ 15 วัน (ม. 119) และลงนามสัญญาได้เมื่อพ้นกำหนดนี้ (ม. 66)'
  if (method !== 'selective') return steps
  return `ผลของการคัดเลือกเร่งด่วนตาม ม. 56 (1) (ค) อุทธรณ์ไม่ได้ (${formatLawClause(URGENT_SELECTION_CLAUSE)}) · ${steps}`
}

/**
 * Returns a Thai warning about the right that a bidder loses by not commenting on the draft; undefined before the
 * regulation took effect and for methods without an appeal.
 */
export function getDraftHearingNote(method: string, endsOn: string | null): string | undefined {
  if (endsOn === null || endsOn < NO_APPEAL_VALID_FROM || SPECIFIC_METHODS.includes(method)) return undefined
  return `${DRAFT_HEARING_WARNING} (${formatLawClause(MISSED_HEARING_CLAUSE)})`
}

export const DRAFT_HEARING_WARNING = 'ถ้าไม่วิจารณ์ภายในกำหนด จะอุทธรณ์เรื่องขอบเขตของงานหรือคุณลักษณะเฉพาะไม่ได้'
