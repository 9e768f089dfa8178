import type { ReportRow } from '../contract/report/report.ts'

const ROW: ReportRow = {
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
  draft_published_date: null,
  draft_discussion_end_date: null,
  bidding_invite_date: '2026-11-20',
  submission_end_date: '2026-11-28',
  submission_time: '09:00-12:00',
  status: 'in_progress',
  winner_name: null,
  winner_count: 0,
  winner_budget: null,
  method: 'e_bidding',
  method_type: 'buy',
  remark: null,
  winner_announce_date: null,
  attachments: [],
  is_archived: false,
  is_sme: false,
  pursuit: null,
}

/** A row of the report as the API answers it; a test names what it is about, the rest is a plausible open tender. */
export function reportRow(change: Partial<ReportRow> = {}): ReportRow {
  return { ...ROW, ...change }
}
