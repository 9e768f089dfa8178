import type { ProjectDetail } from '../contract/report/project-detail.ts'
import type { ReportRow } from '../contract/report/report.ts'
import { reportRow } from './report-row.ts'

export function projectDetail({
  row,
  ...change
}: Partial<Omit<ProjectDetail, 'row'>> & { row?: Partial<ReportRow> } = {}): ProjectDetail {
  return {
    row: reportRow(row),
    fiscal_year: 2570,
    contract_signed_date: null,
    district: null,
    subdistrict: null,
    source: 'egp-rss',
    first_seen_at: '2026-11-01T02:00:00.000Z',
    changed_at: '2026-11-21T02:00:00.000Z',
    data_time: '2026-11-21T02:00:00.000Z',
    fact_sources: [],
    announcements: [],
    history: [],
    last_looked_at: null,
    attachments: [],
    bidders: [],
    bidder_coverage: 'none',
    contracts: [],
    ...change,
  }
}
