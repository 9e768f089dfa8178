import sql from 'sql-template-tag'
import type { ListFilterValue } from '#contract/report/report-param-kinds.ts'
import { UNASSIGNED_FILTER_VALUE } from '#contract/report/report-params.ts'
import { hasMarkCondition } from '#server/report/pursuit-sql.ts'
import { countMarkedValuesSql } from './mark-facet.ts'
import type { ReportFilter, ReportFilterContext, ReportRowPredicate } from './report-filter.ts'

export const matchesLabels =
  (labelsOf: (context: ReportFilterContext) => ReadonlyMap<string, readonly string[]>) =>
  (filter: ListFilterValue): ReportRowPredicate => {
    const values = new Set(filter.values)
    return (row, context) => {
      const labels = labelsOf(context).get(row.project_id) ?? []
      const isMatch =
        labels.length === 0 ? values.has(UNASSIGNED_FILTER_VALUE) : labels.some((label) => values.has(label))
      return isMatch !== filter.negated
    }
  }

export const LABEL_FILTER: ReportFilter<ListFilterValue> = {
  matches: matchesLabels(({ labels }) => labels),
  condition: (filter, { userId }) =>
    hasMarkCondition(
      filter,
      sql`select la.project_id from label_assignments la where la.user_id = ${userId}::int`,
      (ids) => sql`la.label_id = any (${[...ids]}::text[])`,
    ),
  mask:
    ({ values, negated }) =>
    (query) => {
      const { labels, labelled } = query
      const labelPositions = values.flatMap((label) => labels.get(label) ?? [])
      if (!values.includes(UNASSIGNED_FILTER_VALUE)) return query.flagAt(labelPositions, negated)
      const passing = query.flagAt([labelled], true)
      for (const positions of labelPositions) for (const position of positions) passing[position] = 1
      return negated ? passing.map((passes) => passes ^ 1) : passing
    },
  markKind: 'labelled',
  facet: {
    part: 'marks',
    unmarkedValue: UNASSIGNED_FILTER_VALUE,
    countSql: ({ joinMatch, scope }) =>
      countMarkedValuesSql(
        sql`select mark.label_id as value, mark.project_id from label_assignments mark ${joinMatch} where mark.user_id = ${scope.userId}::int`,
      ),
    count: ({ query: { labels, labelled }, countPassing }) => ({
      options: Array.from(labels, ([value, positions]) => ({ value, count: countPassing(positions) })),
      marked: countPassing(labelled),
    }),
  },
}
