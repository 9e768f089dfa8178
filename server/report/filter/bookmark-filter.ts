import sql from 'sql-template-tag'
import { countMarkedProjectMatches } from '#server/report/engine/failed-filter-conditions.ts'
import { flagMatchesAtPositions } from './flag-matches.ts'
import { countTrueOptionSql, toTrueOption } from './mark-facet.ts'
import type { ReportFilter } from './report-filter.ts'

export const BOOKMARK_FILTER: ReportFilter<true> = {
  matches:
    () =>
    (row, { bookmarks }) =>
      bookmarks.has(row.project_id),
  condition: (_, { userId }) =>
    sql`m.project_id in (select b.project_id from bookmarks b where b.user_id = ${userId}::int)`,
  mask: () => (query) => flagMatchesAtPositions(query, [query.bookmarked]),
  markKind: 'bookmarked',
  facet: {
    part: 'marks',
    countSql: ({ joinMatch, scope }) =>
      countTrueOptionSql(sql`bookmarks mark ${joinMatch} where mark.user_id = ${scope.userId}::int`),
    count: ({ name, query, failed }) => toTrueOption(countMarkedProjectMatches(failed, query.bookmarked, name)),
  },
}
