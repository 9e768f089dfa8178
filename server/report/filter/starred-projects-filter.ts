import sql from 'sql-template-tag'
import { countTrueMarksSql, toTrueMarkCounts } from './mark-facet.ts'
import type { ReportFilter } from './report-filter.ts'

export const STARRED_PROJECTS_FILTER: ReportFilter<true> = {
  matches:
    () =>
    (row, { bookmarks }) =>
      bookmarks.has(row.project_id),
  condition: (_, { userId }) =>
    sql`m.project_id in (select b.project_id from bookmarks b where b.user_id = ${userId}::int)`,
  mask: () => (query) => query.flagAt([query.bookmarked]),
  markKind: 'bookmarked',
  facet: {
    part: 'marks',
    countSql: ({ joinMatch, scope }) =>
      countTrueMarksSql(sql`bookmarks mark ${joinMatch} where mark.user_id = ${scope.userId}::int`),
    count: ({ query, countPassing }) => toTrueMarkCounts(countPassing(query.bookmarked)),
  },
}
