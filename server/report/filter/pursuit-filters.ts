import sql, { type Sql } from 'sql-template-tag'
import type { ReportRow } from '#contract/report/report.ts'
import type { ListFilterValue } from '#contract/report/report-param-kinds.ts'
import { UNASSIGNED_FILTER_VALUE } from '#contract/report/report-params.ts'
import { hasMarkCondition, pursuitNotesSql, teamLabelCondition } from '#server/report/pursuit-sql.ts'
import { matchesLabels } from './label-filter.ts'
import { countMarkedValuesSql, countTrueMarksSql, toTrueMarkCounts } from './mark-facet.ts'
import type { MarkFacet, MatchMaskFn, PursuedProject, ReportFilter, ReportRowPredicate } from './report-filter.ts'

type Values = readonly (string | number)[]

const positionsOf = (pursued: readonly PursuedProject[]) => Int32Array.from(pursued, ({ position }) => position)

/**
 * Few matches have a stage, owner or team label, so only those are visited. A match without a value counts as
 * `UNASSIGNED_FILTER_VALUE`.
 */
const maskOf =
  (valuesOf: (project: PursuedProject) => Values) =>
  ({ values, negated }: ListFilterValue): MatchMaskFn =>
  ({ tab, pursued }) => {
    const selected = new Set(values)
    const passes = (of: Values) =>
      Number(
        (of.length === 0 ? [UNASSIGNED_FILTER_VALUE] : of).some((value) => selected.has(String(value))) !== negated,
      )
    const passing = new Uint8Array(tab.rows.length).fill(passes([]))
    for (const project of pursued) passing[project.position] = passes(valuesOf(project))
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
  count: ({ query: { pursued }, countPassing }) => {
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

export const PURSUIT_STAGE_FILTER: ReportFilter<ListFilterValue> = {
  matches: matchesPursuit((row) => row.pursuit?.stage),
  condition: (filter, { organisationId }) =>
    hasMarkCondition(filter, pursuedIdsSql(organisationId), (ids) => sql`c.stage = any (${[...ids]}::text[])`),
  mask: maskOf(stagesOf),
  facet: facetOf(stagesOf, { table: sql`pursuits`, value: sql`mark.stage` }),
}

export const PURSUIT_OWNER_FILTER: ReportFilter<ListFilterValue> = {
  matches: matchesPursuit((row) => row.pursuit?.owner),
  condition: (filter, { organisationId }) =>
    hasMarkCondition(
      filter,
      sql`${pursuedIdsSql(organisationId)} and c.owner_id is not null`,
      (ids) => sql`c.owner_id = any (${ids.map(Number)}::int[])`,
    ),
  mask: maskOf(ownersOf),
  facet: facetOf(ownersOf, { table: sql`pursuits`, value: sql`mark.owner_id::text` }),
}

export const TEAM_LABEL_FILTER: ReportFilter<ListFilterValue> = {
  matches: matchesLabels(({ teamLabels }) => teamLabels),
  condition: (filter, { organisationId }) => teamLabelCondition(filter, organisationId),
  mask: maskOf(labelsOf),
  facet: facetOf(labelsOf, { table: sql`team_label_assignments`, value: sql`mark.label_id` }),
}

const notedPositions = (pursued: readonly PursuedProject[]) => positionsOf(pursued.filter(({ notes }) => notes > 0))

export const PURSUIT_NOTES_FILTER: ReportFilter<true> = {
  matches: () => (row) => (row.pursuit?.notes ?? 0) > 0,
  condition: (_, { organisationId }) =>
    sql`m.project_id in (select n.project_id from ${pursuitNotesSql(organisationId)})`,
  mask: () => (query) => query.flagAt([notedPositions(query.pursued)]),
  facet: {
    part: 'marks',
    countSql: ({ joinMatch, scope }) =>
      countTrueMarksSql(
        sql`(select distinct n.project_id from ${pursuitNotesSql(scope.organisationId)}) mark ${joinMatch}`,
      ),
    count: ({ query, countPassing }) => toTrueMarkCounts(countPassing(notedPositions(query.pursued))),
  },
}
