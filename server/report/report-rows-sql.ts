import sql, { join, raw, type Sql } from 'sql-template-tag'
import { DOCUMENT_FACT_SOURCE } from '#contract/catalogue/fact-source.ts'
import { PERSON_KEY_PREFIX } from '#contract/catalogue/natural-person.ts'
import { getProjectFact, isReportFact, REPORT_FACT_NAMES, REPORT_FACTS } from '#contract/catalogue/project-facts.ts'
import { type OtherReportSortField, REPORT_COLUMNS } from '#contract/catalogue/report-columns.ts'
import { FIT_ORDERING } from '#contract/matching/fit.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { activeContractEndDatesByProjectSql } from '#server/catalogue/contract/contract-ends-sql.ts'
import { inLatestDataLoadsCondition } from '#server/matching/latest-loads.ts'
import { type DataLoadConditionFn, pursuitNoteCountSql, pursuitStagePositionSql, pursuitsSql } from './match-sql.ts'
import type {
  FitRanking,
  ReportRowFileDetail,
  ReportScope,
  StoredReportPage,
  StoredReportProject,
  StoredReportRow,
} from './report-queries.ts'

const OTHER_SORT_SQL: Readonly<Record<OtherReportSortField, (organisationId: number) => Sql>> = {
  pursuit_stage: pursuitStagePositionSql,
  pursuit_notes: pursuitNoteCountSql,
}

/** Only sorts of the catalogue, so that `ordering` cannot reach other columns. */
const SORT_SQL = new Map<string, (organisationId: number) => Sql>(
  REPORT_COLUMNS.flatMap(({ field, sort }) => {
    if (!sort) return []
    const column = isReportFact(field) ? sql`m.${raw(REPORT_FACTS[field].column)}` : undefined
    return [[sort, column ? () => column : OTHER_SORT_SQL[sort as OtherReportSortField]] as const]
  }),
)

/** Formats the scores as a JSON object, in which PostgreSQL finds a key by binary search. */
const formatFitOrder = (scores: ReadonlyMap<string, number>): string => JSON.stringify(Object.fromEntries(scores))

function fitOrderSql(fit: FitRanking | undefined, newest: Sql): Sql {
  if (!fit) throw new Error('an order by fit was not resolved')
  if (!fit.scores) return sql`m.submission_ends_on asc nulls last, m.project_id`
  // The array is hashed, which rejects most of 650,000 rows in half the time of looking them up in the object.
  const hasScore = sql`m.project_id = any (${[...fit.scores.keys()]}::text[])`
  return sql`case when ${hasScore} then (${formatFitOrder(fit.scores)}::jsonb -> m.project_id)::int end desc nulls last, ${newest}`
}

/**
 * Returns the `order by` list for the `ordering` parameter, such as `-project_budget`. The default is newest movement
 * first, and for semantic searches best `deep_score`, then newest. Unknown values sort last in both directions. The
 * project id makes the order total, so that pages neither skip nor repeat rows.
 */
export function reportOrderSql(
  { ordering, ai_deep_search__in: sentences }: ReportSearch,
  { organisationId, fit }: Pick<ReportScope, 'organisationId' | 'fit'>,
): Sql {
  const newest = sql`m.movement_on desc nulls last, m.project_id`
  if (ordering === undefined) return sentences ? sql`m.deep_score desc, ${newest}` : newest
  if (ordering === FIT_ORDERING) return fitOrderSql(fit, newest)
  const descending = ordering.startsWith('-')
  const column = SORT_SQL.get(descending ? ordering.slice(1) : ordering)!(organisationId)
  return descending ? sql`${column} desc nulls last, m.project_id` : sql`${column} asc nulls last, m.project_id`
}

/** Aggregates the `value` of each project in `rows` as JSON pairs, which `toMapByProjectId` reads. */
export const aggregateProjectValuePairsSql = (rows: Sql) =>
  sql`(select json_agg(json_build_array(x.project_id, x.value)) from (${rows}) x)`

/**
 * Selects the changes by the load that last changed each project. If that load is one of the latest loads, the changes
 * of all latest loads are merged, from the first old value to the last new value.
 */
const changesOf = (isLatest: DataLoadConditionFn) => sql`
  select y.project_id, json_agg(json_build_object('field', y.field, 'old', y.old, 'new', y.new, 'seen_at', y.seen_at) order by y.field) as value
  from (
    select c.project_id, c.field, (array_agg(c.old_value order by c.load_id))[1] as old, (array_agg(c.new_value order by c.load_id desc))[1] as new,
      max(l.published_at) as seen_at
    from shown m
    join project_changes c on c.project_id = m.project_id
    join loads l on l.id = c.load_id
    where m.change = 2 and (c.load_id = m.changed_load or (${isLatest(sql`m.changed_load`)} and ${isLatest(sql`c.load_id`)}))
    group by c.project_id, c.field
  ) y where y.old is distinct from y.new group by y.project_id`

const FILE_ORDER = sql`order by a.published_on nulls first, a.url`
const FILES: Readonly<Record<ReportRowFileDetail, Sql>> = {
  listed: sql`json_agg(json_build_object('name', a.name, 'url', a.url, 'step', a.step, 'published_date', a.published_on) ${FILE_ORDER})`,
  counted: sql`json_agg(a.url ${FILE_ORDER})`,
}
export const projectFilesSql = (ids: Sql, files: ReportRowFileDetail): Sql =>
  sql`select a.project_id, ${FILES[files]} as value from attachments a where a.project_id = any (${ids}) group by a.project_id`

/** Fields that were filled from a document, with the page (decision 0077). */
const fromDocuments = (ids: Sql) => sql`
  select v.project_id, json_agg(json_build_object('field', v.fact, 'page', v.told -> 'page') order by v.fact) as value
  from document_values v join field_sources f on f.project_id = v.project_id
  where v.project_id = any (${ids}) and f.fields -> v.fact ->> 0 = ${DOCUMENT_FACT_SOURCE} group by v.project_id`

const doubtsOf = (ids: Sql) => sql`
  select u.project_id, u.doubts as value from project_doubts u where u.project_id = any (${ids}) and u.doubts <> '[]'`

const personWinnersOf = (ids: Sql) => sql`
  select n.project_id, json_agg(n.name) as value from (
    select c.project_id, c.winner_name as name from contracts c
    where c.project_id = any (${ids}) and c.winner_name is not null and c.winner_tin like ${`${PERSON_KEY_PREFIX}%`}
    union select b.project_id, b.name from bidders b where b.project_id = any (${ids}) and b.tin like ${`${PERSON_KEY_PREFIX}%`}
  ) n group by n.project_id`

/** Match reasons of `w`: the keywords that matching recorded, in their current state. Skips deleted keywords. */
const reasons = (organisationId: number) => sql`
  select json_agg(json_build_object('list', k.list, 'word', k.word, 'group', g.name, 'page', r.reason -> 'page', 'terms', (
      select coalesce(json_agg(json_build_object('term', t.term, 'source', t.source, 'similarity', round(t.similarity::numeric, 2)::float8,
        'approved', t.state = 'approved', 'side', case when t.facet > 0 then (
          select s.term from keyword_terms s where s.keyword_id = k.id and s.facet = t.facet order by s.similarity desc, s.position limit 1
        ) end) order by t.facet, t.similarity desc, t.term_key), '[]')
      from keyword_terms t where t.keyword_id = k.id and (r.reason -> 'terms' ? t.term_key or r.reason -> 'terms' ? t.term)
    )) order by r.place)
  from jsonb_array_elements(w.reasons) with ordinality r (reason, place)
  join keywords k on k.id = (r.reason ->> 'keyword')::int and k.organisation_id = ${organisationId}::int
    and k.list in ('include', 'ai_include', 'deptsub_include')
  left join keyword_groups g on g.id = k.group_id`

export const matchWordsSql = (organisationId: number, ids: Sql): Sql => sql`(
  select json_agg(json_build_array(w.id, w.matched_words, w.matched_by, (${reasons(organisationId)})))
  from match_words w where w.organisation_id = ${organisationId}::int and w.id in (${ids}))`

const rescuesOf = (organisationId: number, ids: Sql) => sql`
  select r.project_id, r.word as value from match_rescues r where r.organisation_id = ${organisationId}::int and r.project_id = any (${ids})`

const PROJECT_FIELDS = new Map<string, string>([
  ...REPORT_FACT_NAMES.map((name) => {
    const { column, departmentColumn } = getProjectFact(name)
    return [column, departmentColumn ? `d.${departmentColumn}` : `p.${column}`] as const
  }),
  ['is_movement_undated', 'p.is_movement_undated'],
  ['other_winners', 'p.other_winners'],
])
const REPORT_ROW_FIELDS = ['project_id', 'change', 'words_id', ...PROJECT_FIELDS.keys()]

export const PROJECT_COLUMNS_SQL = raw(
  Array.from(PROJECT_FIELDS, ([name, column]) => `${column} as ${name}`).join(', '),
)
/** One JSON array per field, because repeating 28 field names per row took half as long as reading the rows. */
const FIELD_LISTS = join(REPORT_ROW_FIELDS.map((name) => sql`${raw(`'${name}'`)}, json_agg(${raw(`r.${name}`)})`))

/** Columns of a page that do not depend on the search. */
export type ReportPageColumns = Pick<
  StoredReportPage,
  'hidden' | 'data_time' | 'customer_config' | 'has_rules' | 'last_match_date' | 'pursuit_version'
>
/** Selects `ReportPageColumns`. `o` is `organisations`. */
export const reportPageColumnsSql = (organisationId: number, isLatest = inLatestDataLoadsCondition): Sql => sql`
  o.customer_config, o.newest_outside_window as last_match_date,
  (select count(*) from match_exclusions e where e.organisation_id = ${organisationId}::int and ${isLatest(sql`e.load_id`)}) as hidden,
  (select max(l.published_at) from loads l where l.state = 'published') as data_time,
  exists (
    select from keywords k where k.organisation_id = ${organisationId}::int and k.list in ('include', 'ai_include', 'deptsub_include')
  ) as has_rules,
  (select b.version from pursuit_boards b where b.organisation_id = ${organisationId}::int) as pursuit_version`

type RowsOptions = {
  readonly isLatest?: DataLoadConditionFn
  readonly files?: ReportRowFileDetail
}

/**
 * Returns SQL for one JSON value with everything these rows contain, for `toStoredReportRows`. Related tables are read once for
 * all rows and joined by the caller, because lookups per row in seven tables cost more than the rows. `selection`
 * selects `project_id, words_id, changed_load, change, place` of one organisation's matches.
 */
export function reportRowsSql(
  organisationId: number,
  selection: Sql,
  { isLatest = inLatestDataLoadsCondition, files = 'listed' }: RowsOptions = {},
): Sql {
  const ids = sql`array(select m.project_id from shown m)`
  return sql`(
    with shown as materialized (${selection})
    select json_build_object(
      'rows', (select json_build_object(${FIELD_LISTS}) from (
        select m.project_id, m.change, m.words_id, ${PROJECT_COLUMNS_SQL}
        from shown m
        join projects p on p.project_id = m.project_id
        join departments d on d.id = p.department_id
        order by m.place
      ) r),
      'words', ${matchWordsSql(organisationId, sql`select m.words_id from shown m`)}, 'changes', ${aggregateProjectValuePairsSql(changesOf(isLatest))}, 'rescues', ${aggregateProjectValuePairsSql(rescuesOf(organisationId, ids))},
      'pursuits', ${aggregateProjectValuePairsSql(pursuitsSql(organisationId, ids))}, 'files', ${aggregateProjectValuePairsSql(projectFilesSql(ids, files))}, 'from_documents', ${aggregateProjectValuePairsSql(fromDocuments(ids))},
      'doubts', ${aggregateProjectValuePairsSql(doubtsOf(ids))}, 'person_winners', ${aggregateProjectValuePairsSql(personWinnersOf(ids))},
      'contract_ends', ${aggregateProjectValuePairsSql(activeContractEndDatesByProjectSql(ids))}
    ))`
}

type ProjectValuePairs<T> = readonly (readonly [id: string, value: T])[] | null
type ListedRow = Pick<StoredReportRow, 'project_id' | 'change'> & StoredReportProject & { readonly words_id: number }

type Files = NonNullable<StoredReportRow['attachments']>

export type MatchDescription = readonly [
  words: StoredReportRow['matched_words'],
  by: StoredReportRow['matched_by'],
  reasons: StoredReportRow['match_reasons'],
]

export type PackedReportRows = {
  readonly rows: { readonly [N in keyof ListedRow]: readonly ListedRow[N][] | null }
  readonly words: readonly (readonly [id: number, ...MatchDescription])[] | null
  readonly changes: ProjectValuePairs<NonNullable<StoredReportRow['changes']>>
  readonly rescues: ProjectValuePairs<string>
  readonly pursuits: ProjectValuePairs<NonNullable<StoredReportRow['pursuit']>>
  readonly files: ProjectValuePairs<Files | string[]>
  readonly from_documents: ProjectValuePairs<NonNullable<StoredReportRow['from_documents']>>
  readonly doubts: ProjectValuePairs<NonNullable<StoredReportRow['doubts']>>
  readonly contract_ends: ProjectValuePairs<NonNullable<StoredReportRow['contract_ends']>>
  readonly person_winners: ProjectValuePairs<string[]>
}

function rowAt(lists: PackedReportRows['rows'], at: number): Omit<ListedRow, 'words_id'> {
  const row: Record<string, unknown> = {}
  for (const name of REPORT_ROW_FIELDS) row[name] = lists[name as keyof ListedRow]![at]
  // The loop copied every field of `ListedRow`, but TypeScript cannot follow that.
  return row as ListedRow
}

export const toMapByProjectId = <T>(pairs: ProjectValuePairs<T>): ReadonlyMap<string, T> => new Map(pairs)

export const toMatchDescriptionsById = (words: PackedReportRows['words']): ReadonlyMap<number, MatchDescription> =>
  new Map(words?.map(([id, ...of]) => [id, of]))

export const describeMatch = ([matched_words, matched_by, match_reasons]: MatchDescription) => ({
  matched_words,
  matched_by,
  match_reasons,
})

export function toStoredReportRows(parts: PackedReportRows, files: ReportRowFileDetail = 'listed'): StoredReportRow[] {
  const words = toMatchDescriptionsById(parts.words)
  const [changes, rescues, pursuits] = [
    toMapByProjectId(parts.changes),
    toMapByProjectId(parts.rescues),
    toMapByProjectId(parts.pursuits),
  ]
  const [filesById, documents, doubts, ends, personWinners] = [
    toMapByProjectId(parts.files),
    toMapByProjectId(parts.from_documents),
    toMapByProjectId(parts.doubts),
    toMapByProjectId(parts.contract_ends),
    toMapByProjectId(parts.person_winners),
  ]
  const ids = parts.rows.project_id ?? []
  return ids.flatMap((id, at): StoredReportRow[] => {
    const row = rowAt(parts.rows, at)
    const why = words.get(parts.rows.words_id![at]!)
    if (!why) return []
    const rowFiles = filesById.get(id) ?? null
    const related = {
      ...describeMatch(why),
      changes: changes.get(id) ?? null,
      rescued_from: rescues.get(id) ?? null,
      pursuit: pursuits.get(id) ?? null,
      from_documents: documents.get(id) ?? null,
      doubts: doubts.get(id) ?? null,
      contract_ends: ends.get(id) ?? null,
      person_winners: personWinners.get(id) ?? null,
      deep: null,
    }
    // Mutates the row, because copying 28 fields again took as long as reading them.
    if (files === 'listed') return [Object.assign(row, related, { attachments: rowFiles as Files | null })]
    return [Object.assign(row, related, { attachment_urls: rowFiles as string[] | null })]
  })
}
