import type { ProjectDetail } from '#contract/project-detail.ts'
import type { ReportRow } from '#contract/report.ts'
import { biddersOf } from './bidders.ts'
import type { StoredDetail } from './queries.ts'

const moment = (text: string) => new Date(text).toISOString()

/** The wire form: an allow-list, so that a new column never leaks. */
export function presentDetail(row: ReportRow, detail: StoredDetail, lastLookedAt: string | null): ProjectDetail {
  return {
    row,
    fiscal_year: detail.fiscal_year,
    contract_signed_date: detail.contract_signed_on,
    district: detail.district,
    subdistrict: detail.subdistrict,
    source: detail.source,
    first_seen_at: moment(detail.first_seen_at),
    changed_at: moment(detail.changed_at),
    data_time: detail.data_time && moment(detail.data_time),
    announcements: detail.announcements,
    history: detail.history.map((change) => ({ ...change, seen_at: moment(change.seen_at) })),
    last_looked_at: lastLookedAt && moment(lastLookedAt),
    attachments: detail.attachments.map((file) => ({ ...file, first_seen_at: moment(file.first_seen_at) })),
    ...biddersOf(detail),
    contracts: detail.contracts.map(({ amount_satang, ...contract }) => ({
      ...contract,
      amount: amount_satang === null ? null : amount_satang / 100,
    })),
  }
}
