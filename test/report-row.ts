import { getProjectFact, REPORT_FACT_NAMES, type ReportFactName } from '../contract/catalogue/project-facts.ts'
import type { ReportRow } from '../contract/report/report.ts'

/** All facts unknown, so that a new fact of the catalogue is in every row of a test. */
const UNKNOWN_FACTS = Object.fromEntries(
  REPORT_FACT_NAMES.map((name) => [name, getProjectFact(name).unknown ?? null]),
) as Pick<ReportRow, ReportFactName>

const ROW: ReportRow = {
  ...UNKNOWN_FACTS,
  project_id: '69119000001',
  change_status: 'updated',
  changes: [],
  name: 'ซื้อกล้องวงจรปิด',
  matched_words: ['กล้อง'],
  matched_by: ['name'],
  match_reasons: [{ list: 'include', word: 'กล้อง', group: null, terms: [] }],
  rescued_from: null,
  deep: null,
  dept_name: 'เทศบาลนครตัวอย่าง',
  dept_sub_name: 'กองช่าง',
  dept_region: 'ภาคกลาง',
  dept_province: 'นนทบุรี',
  project_region: 'ภาคกลาง',
  project_province: 'นนทบุรี',
  budget: 10_000_000,
  estimate_budget: 9_500_000,
  criteria: 'price',
  movement: 'invited',
  movement_date: '2026-11-20',
  bidding_invite_date: '2026-11-20',
  submission_end_date: '2026-11-28',
  submission_time: '09:00-12:00',
  status: 'in_progress',
  method: 'e_bidding',
  method_type: 'buy',
  attachments: [],
  pursuit: null,
}

export function reportRow(change: Partial<ReportRow> = {}): ReportRow {
  return { ...ROW, ...change }
}
