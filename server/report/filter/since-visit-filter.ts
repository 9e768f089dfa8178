import { changedSinceLastVisitCondition } from '#server/report/change-status-sql.ts'
import { flagMatchesChangedSinceReportVisit } from '#server/report/engine/change-codes.ts'
import type { ReportFilter } from './report-filter.ts'

export const SINCE_VISIT_FILTER: ReportFilter<true> = {
  matches:
    () =>
    (row, { sinceVisit }) =>
      sinceVisit.has(row.project_id),
  condition: (_, scope) => changedSinceLastVisitCondition(scope),
  mask: () => flagMatchesChangedSinceReportVisit,
  maskVersion: ({ visit }) => visit?.loads,
  facet: null,
}
