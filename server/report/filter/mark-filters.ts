import sql, { type Sql } from 'sql-template-tag'
import type { ReportRow } from '#contract/report/report.ts'
import type { ListFilterValue } from '#contract/report/report-param-kinds.ts'
import { UNASSIGNED_FILTER_VALUE } from '#contract/report/report-params.ts'
import { hasMarkCondition, hiddenProjectIdsSql, pursuitNotesSql, teamLabelCondition } from '#server/report/match-sql.ts'
import type {
  MarkCounts,
  MarkFacet,
  PursuedProject,
  ReportFilter,
  ReportFilterContext,
  ReportRowPredicate,
  SelectMatchesFn,
} from '#server/report/report-queries.ts'

const countTrueMarksSql = (marks: Sql) =>
  sql`(select json_build_object('options', json_build_array(json_build_object('value', 'true', 'count', count(*)))) from ${marks})`

const toTrueMarkCounts = (count: number): MarkCounts => ({ options: [{ value: 'true', count }] })

/** Selects `MarkCounts` of `marks`, a query of `value` and `project_id`. A project may have several values. */
const countMarkedValuesSql = (marks: Sql) => sql`(
    with marks as materialized (${marks})
    select json_build_object(
      'marked', (select count(distinct project_id) from marks),
      'options', coalesce((select json_agg(l) from (select value, count(*) from marks group by 1) l), '[]')
    ))`

export const STARRED_PROJECTS_FILTER: ReportFilter<true, MarkFacet> = {
  matches:
    () =>
    (row, { bookmarks }) =>
      bookmarks.has(row.project_id),
  condition: (_, { userId }) =>
    sql`m.project_id in (select b.project_id from bookmarks b where b.user_id = ${userId}::int)`,
  select: () => (matches) => matches.flagAt([matches.bookmarked]),
  facet: {
    part: 'marks',
    countSql: ({ joinMatch, scope }) =>
      countTrueMarksSql(sql`bookmarks mark ${joinMatch} where mark.user_id = ${scope.userId}::int`),
    count: ({ matches, countPassing }) => toTrueMarkCounts(countPassing(matches.bookmarked)),
  },
}

/** Shows only hidden projects. Searches without this filter never do (`reportSearchCondition`, `compileReportMatcher`). */
export const HIDDEN_PROJECTS_FILTER: ReportFilter<true, MarkFacet> = {
  matches:
    () =>
    (row, { hidden }) =>
      hidden.has(row.project_id),
  condition: (_, { userId }) => sql`m.project_id in (${hiddenProjectIdsSql(userId)})`,
  select: () => (matches) => matches.flagAt([matches.hidden]),
  facet: {
    part: 'marks',
    countSql: ({ joinMatchEvenHidden, scope }) =>
      countTrueMarksSql(sql`hidden_projects mark ${joinMatchEvenHidden} where mark.user_id = ${scope.userId}::int`),
    count: ({ matches, countPassing }) => toTrueMarkCounts(countPassing(matches.hidden, { withHidden: true })),
  },
  showsHidden: true,
}

const matchesLabels =
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

export const LABEL_FILTER: ReportFilter<ListFilterValue, MarkFacet> = {
  matches: matchesLabels(({ labels }) => labels),
  condition: (filter, { userId }) =>
    hasMarkCondition(
      filter,
      sql`select la.project_id from label_assignments la where la.user_id = ${userId}::int`,
      (ids) => sql`la.label_id = any (${[...ids]}::text[])`,
    ),
  select:
    ({ values, negated }) =>
    (matches) => {
      const { labels, labelled } = matches
      const labelPositions = values.flatMap((label) => labels.get(label) ?? [])
      if (!values.includes(UNASSIGNED_FILTER_VALUE)) return matches.flagAt(labelPositions, negated)
      const passing = matches.flagAt([labelled], true)
      for (const positions of labelPositions) for (const position of positions) passing[position] = 1
      return negated ? passing.map((passes) => passes ^ 1) : passing
    },
  facet: {
    part: 'marks',
    unmarkedValue: UNASSIGNED_FILTER_VALUE,
    countSql: ({ joinMatch, scope }) =>
      countMarkedValuesSql(
        sql`select mark.label_id as value, mark.project_id from label_assignments mark ${joinMatch} where mark.user_id = ${scope.userId}::int`,
      ),
    count: ({ matches: { labels, labelled }, countPassing }) => ({
      options: Array.from(labels, ([value, positions]) => ({ value, count: countPassing(positions) })),
      marked: countPassing(labelled),
    }),
  },
}

type Values = readonly (string | number)[]

const positionsOf = (pursued: readonly PursuedProject[]) => Int32Array.from(pursued, ({ position }) => position)

/**
 * Few matches have a stage, owner or team label, so only those are visited. A match without a value counts as
 * `UNASSIGNED_FILTER_VALUE`.
 */
const selectByPursuits =
  (valuesOf: (project: PursuedProject) => Values) =>
  ({ values, negated }: ListFilterValue): SelectMatchesFn =>
  (matches) => {
    const selected = new Set(values)
    const passes = (of: Values) =>
      Number(
        (of.length === 0 ? [UNASSIGNED_FILTER_VALUE] : of).some((value) => selected.has(String(value))) !== negated,
      )
    const passing = matches.flagAt([], passes([]) === 1)
    for (const project of matches.pursued) passing[project.position] = passes(valuesOf(project))
    return passing
  }

const facetOf = (
  valuesOf: (project: PursuedProject) => Values,
  { table, value }: { readonly table: Sql; readonly value: Sql },
): MarkFacet => ({
  part: 'marks',
  unmarkedValue: UNASSIGNED_FILTER_VALUE,
  countSql: ({ joinMatch, scope }) =>
    countMarkedValuesSql(sql`select ${value} as value, mark.project_id from ${table} mark ${joinMatch}
      where mark.organisation_id = ${scope.organisationId}::int and ${value} is not null`),
  count: ({ matches: { pursued }, countPassing }) => {
    const byValue = Map.groupBy(
      pursued.flatMap((project) => valuesOf(project).map((value) => ({ value: String(value), project }))),
      ({ value }) => value,
    )
    const countOf = (projects: readonly PursuedProject[]) => countPassing(positionsOf(projects))
    return {
      options: Array.from(byValue, ([value, group]) => ({
        value,
        count: countOf(group.map(({ project }) => project)),
      })),
      marked: countOf(pursued.filter((project) => valuesOf(project).length > 0)),
    }
  },
})

const matchesPursuit =
  (readValue: (row: ReportRow) => string | number | null | undefined) =>
  ({ values, negated }: ListFilterValue): ReportRowPredicate => {
    const selected = new Set(values)
    return (row) => selected.has(String(readValue(row) ?? UNASSIGNED_FILTER_VALUE)) !== negated
  }

const orNone = (value: string | number | null): Values => (value === null ? [] : [value])
const stagesOf = ({ stage }: PursuedProject) => orNone(stage)
const ownersOf = ({ owner }: PursuedProject) => orNone(owner)
const labelsOf = ({ labels }: PursuedProject) => labels

const pursuedIdsSql = (organisationId: number) =>
  sql`select c.project_id from pursuits c where c.organisation_id = ${organisationId}::int`

export const PURSUIT_STAGE_FILTER: ReportFilter<ListFilterValue, MarkFacet> = {
  matches: matchesPursuit((row) => row.pursuit?.stage),
  condition: (filter, { organisationId }) =>
    hasMarkCondition(filter, pursuedIdsSql(organisationId), (ids) => sql`c.stage = any (${[...ids]}::text[])`),
  select: selectByPursuits(stagesOf),
  facet: facetOf(stagesOf, { table: sql`pursuits`, value: sql`mark.stage` }),
}

export const PURSUIT_OWNER_FILTER: ReportFilter<ListFilterValue, MarkFacet> = {
  matches: matchesPursuit((row) => row.pursuit?.owner),
  condition: (filter, { organisationId }) =>
    hasMarkCondition(
      filter,
      sql`${pursuedIdsSql(organisationId)} and c.owner_id is not null`,
      (ids) => sql`c.owner_id = any (${ids.map(Number)}::int[])`,
    ),
  select: selectByPursuits(ownersOf),
  facet: facetOf(ownersOf, { table: sql`pursuits`, value: sql`mark.owner_id::text` }),
}

export const TEAM_LABEL_FILTER: ReportFilter<ListFilterValue, MarkFacet> = {
  matches: matchesLabels(({ teamLabels }) => teamLabels),
  condition: (filter, { organisationId }) => teamLabelCondition(filter, organisationId),
  select: selectByPursuits(labelsOf),
  facet: facetOf(labelsOf, { table: sql`team_label_assignments`, value: sql`mark.label_id` }),
}

const notedPositions = (pursued: readonly PursuedProject[]) => positionsOf(pursued.filter(({ notes }) => notes > 0))

export const PURSUIT_NOTES_FILTER: ReportFilter<true, MarkFacet> = {
  matches: () => (row) => (row.pursuit?.notes ?? 0) > 0,
  condition: (_, { organisationId }) =>
    sql`m.project_id in (select n.project_id from ${pursuitNotesSql(organisationId)})`,
  select: () => (matches) => matches.flagAt([notedPositions(matches.pursued)]),
  facet: {
    part: 'marks',
    countSql: ({ joinMatch, scope }) =>
      countTrueMarksSql(
        sql`(select distinct n.project_id from ${pursuitNotesSql(scope.organisationId)}) mark ${joinMatch}`,
      ),
    count: ({ matches, countPassing }) => toTrueMarkCounts(countPassing(notedPositions(matches.pursued))),
  },
}
