import sql, { empty, join, type Sql } from 'sql-template-tag'
import { getArchivedScope } from '#contract/report/archived-scope.ts'
import type { ReportFilterName, ReportSearch } from '#contract/report/report-params.ts'
import { REPORT_FILTER_SET } from '#server/report/filter/report-filters.ts'
import { hiddenProjectIdsSql } from './match-sql.ts'
import type { ReportScope } from './report-queries.ts'

export type ReportFilterCondition = {
  readonly name: ReportFilterName
  readonly readsText: boolean
  readonly isJoined: boolean
  /** A condition on `m` (`report_matches`) that is true or false, never null. */
  readonly sql: Sql
}

export function buildReportFilterConditions(search: ReportSearch, scope: ReportScope): ReportFilterCondition[] {
  return REPORT_FILTER_SET.getActiveFilters(search).flatMap(({ name, filter, value, isOnlyReasonForArchived }) => {
    const { readsText = false, isJoined = false } = filter
    const condition = { name, readsText, isJoined, sql: filter.condition(value, scope, search) }
    if (!isOnlyReasonForArchived) return [condition]
    // Makes delivered work fail twice, so no facet counts it as excluded by this filter alone.
    return [condition, { ...condition, sql: sql`(not m.is_archived or ${condition.sql})` }]
  })
}

export function joinFilterConditions(conditions: readonly ReportFilterCondition[]): Sql {
  return conditions.length === 0
    ? sql`true`
    : join(
        conditions.map((condition) => condition.sql),
        ' and ',
      )
}

/** Bigint with bit i set when condition i fails, because all filters together exceed 32 bits. */
export function failedFilterConditionsMaskSql(conditions: readonly ReportFilterCondition[]): Sql {
  if (conditions.length === 0) return sql`0::bigint`
  return join(
    conditions.map((condition, i) => sql`(case when ${condition.sql} then 0 else ${2 ** i}::bigint end)`),
    ' | ',
  )
}

export function removeSemanticSearchCondition(conditions: readonly ReportFilterCondition[]): ReportFilterCondition[] {
  return conditions.filter(({ isJoined }) => !isJoined)
}

export function organisationMatchCondition({ organisationId }: ReportScope, search: ReportSearch): Sql {
  const isArchived = getArchivedScope(search)
  return sql`m.organisation_id = ${organisationId}::int${isArchived === undefined ? empty : sql` and m.is_archived = ${isArchived}::boolean`}`
}

export function unhiddenMatchCondition(scope: ReportScope, search: ReportSearch): Sql {
  // PostgreSQL evaluates this subquery as a hash. If nothing is hidden, it costs a probe of an empty table per row.
  return sql`${organisationMatchCondition(scope, search)} and m.project_id not in (${hiddenProjectIdsSql(scope.userId)})`
}

export function reportSearchCondition(scope: ReportScope, search: ReportSearch): Sql {
  return search.project_hidden ? organisationMatchCondition(scope, search) : unhiddenMatchCondition(scope, search)
}
