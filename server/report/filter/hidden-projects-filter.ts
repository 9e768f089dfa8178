import sql from 'sql-template-tag'
import { countTrueMarksSql, toTrueMarkCounts } from './mark-facet.ts'
import type { ReportFilter } from './report-filter.ts'

export const hiddenProjectIdsSql = (userId: number) =>
  sql`select h.project_id from hidden_projects h where h.user_id = ${userId}::int`

/** Shows only hidden projects. Searches without this filter never do (`reportSearchCondition`, `compileReportMatcher`). */
export const HIDDEN_PROJECTS_FILTER: ReportFilter<true> = {
  matches:
    () =>
    (row, { hidden }) =>
      hidden.has(row.project_id),
  condition: (_, { userId }) => sql`m.project_id in (${hiddenProjectIdsSql(userId)})`,
  mask: () => (query) => query.flagAt([query.hidden]),
  markKind: 'hidden',
  facet: {
    part: 'marks',
    countSql: ({ joinMatchEvenHidden, scope }) =>
      countTrueMarksSql(sql`hidden_projects mark ${joinMatchEvenHidden} where mark.user_id = ${scope.userId}::int`),
    count: ({ query, countPassing }) => toTrueMarkCounts(countPassing(query.hidden, { withHidden: true })),
  },
  showsHidden: true,
}
