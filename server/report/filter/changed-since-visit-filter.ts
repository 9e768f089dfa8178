import { changedSinceLastVisitCondition } from '#server/report/change-status-sql.ts'
import type { ReportFilter } from './report-filter.ts'

export const CHANGED_SINCE_VISIT_FILTER: ReportFilter<true> = {
  matches:
    () =>
    (row, { sinceVisit }) =>
      sinceVisit.has(row.project_id),
  condition: (_, scope) => changedSinceLastVisitCondition(scope),
  mask: () => (query) => query.flagChangedSinceVisit(),
  facet: null,
}
