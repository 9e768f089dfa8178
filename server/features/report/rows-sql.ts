import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import { DOCUMENT_SOURCE } from '#contract/project/fact-source.ts'
import type { MatchReason, ReportRow } from '#contract/report/report.ts'
import type { ReportSortField } from '#contract/report/report-columns.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { inLatestLoads } from '#server/features/matching/latest-loads.ts'
import { contractEnds } from './contract-ends-sql.ts'
import type { DeepScore } from './deep/deep-hits.ts'
import { CHANGE_NUMBER } from './filter-sql.ts'
import { noteCount, pursuitOf, stagePlace } from './pursuit-sql.ts'

/** What each sort field sorts by; a field that stands here is all that `ordering` can reach. */
const SORT_SQL = {
  project_budget: () => sql`m.budget_satang`,
  project_estimate_budget: () => sql`m.estimate_satang`,
  project_winner_budget: () => sql`m.winner_satang`,
  draft_published_date: () => sql`m.draft_published_on`,
  draft_discussion_end_date: () => sql`m.draft_discussion_ends_on`,
  bidding_invite_date: () => sql`m.bidding_invited_on`,
  submission_end_date: () => sql`m.submission_ends_on`,
  pursuit_stage: stagePlace,
  pursuit_notes: noteCount,
} satisfies Record<ReportSortField, (organisationId: number) => Sql>

/**
 * `order by` list for the `ordering` parameter, such as `-project_budget`; absent = newest movement first, of a search by meaning the
 * closest first (`deep_score` of `matchesOf`) and of equally close ones the newest.
 * Unknown values stand last both ways, and the project id makes the order total, so that pages neither skip nor repeat.
 */
export function orderSql({ ordering, ai_deep_search__in: meant }: ReportSearch, organisationId: number): Sql {
  const newest = sql`m.movement_on desc nulls last, m.project_id`
  if (ordering === undefined) return meant ? sql`m.deep_score desc, ${newest}` : newest
  const descending = ordering.startsWith('-')
  const column = SORT_SQL[(descending ? ordering.slice(1) : ordering) as ReportSortField](organisationId)
  return descending ? sql`${column} desc nulls last, m.project_id` : sql`${column} asc nulls last, m.project_id`
}

/** One row as the database answers it: money in satang, dates ISO, provinces DOPA codes. */
export type StoredRow = {
  project_id: string
  change: number
  changes: { field: string; old: string | null; new: string | null; seen_at: string }[] | null
  name: string
  matched_words: string[]
  matched_by: ('name' | 'ai' | 'deptsub' | 'document')[]
  match_reasons: MatchReason[] | null
  rescued_from: string | null
  dept_name: string
  dept_sub_name: string
  dept_province: number | null
  project_province: number | null
  budget_satang: number | null
  estimate_satang: number | null
  criteria: string
  movement: string
  movement_on: string | null
  draft_published_on: string | null
  draft_discussion_ends_on: string | null
  bidding_invited_on: string | null
  submission_ends_on: string | null
  submission_time: string | null
  status: string
  winner_name: string | null
  winner_count: number
  winner_satang: number | null
  method: string
  method_type: string
  remark: string | null
  winner_announced_on: string | null
  attachments?: { name: string; url: string; step: string; published_date: string | null }[] | null
  /** Of rows that only count their files: their addresses, in the order of the files. */
  attachment_urls?: string[] | null
  is_archived: boolean
  is_sme: boolean
  pursuit: ReportRow['pursuit']
  /** Absent where rows are not those of a report. */
  /** Absent where rows are not those of a report; null: no contract is under way. */
  contract_ends?: string[] | null
  from_documents?: { field: string; page: number }[] | null
  /** What a search by meaning found in it. */
  deep: DeepScore | null
}

/** A page of the report as the database answers it: the counts over all that is found, and the rows shown. */
export type StoredPage = {
  total: number
  /** numeric: the sum of many budgets may leave the range of int8. */
  total_budget_satang: string
  all: number
  new: number
  updated: number
  discussion_7d: number
  submission_7d: number
  since_visit: number
  hidden: number
  hidden_by_user: number
  data_time: string | null
  customer_config: {
    report_start_date?: string | null
    start_date_report?: string | null
    end_date_report?: string | null
  }
  has_rules: boolean
  last_match_date: string | null
  pursuit_version: number | null
  rows: StoredRow[]
}

/** What the load that changed it last has changed, and while that is one of the latest, what these have: from the first old value to the last new one. */
const CHANGES = sql`select json_agg(json_build_object('field', x.field, 'old', x.old, 'new', x.new, 'seen_at', x.seen_at) order by x.field)
  from (
    select c.field, (array_agg(c.old_value order by c.load_id))[1] as old, (array_agg(c.new_value order by c.load_id desc))[1] as new,
      max(l.published_at) as seen_at
    from project_changes c join loads l on l.id = c.load_id
    where c.project_id = m.project_id
      and (c.load_id = m.changed_load or (${inLatestLoads(sql`m.changed_load`)} and ${inLatestLoads(sql`c.load_id`)}))
    group by c.field
  ) x where x.old is distinct from x.new`

/** What a row has of its files: all of them, or how many. */
export type RowFiles = 'listed' | 'counted'

const FILE_ORDER = sql`order by a.published_on nulls first, a.url`
export const ATTACHMENTS = sql`select json_agg(json_build_object('name', a.name, 'url', a.url, 'step', a.step, 'published_date', a.published_on) ${FILE_ORDER})
  from attachments a where a.project_id = m.project_id`
const ATTACHMENT_URLS = sql`select json_agg(a.url ${FILE_ORDER}) from attachments a where a.project_id = m.project_id`

/** Fields that a document filled, with its page (decision 0077). */
export const FROM_DOCUMENTS = sql`select json_agg(json_build_object('field', v.fact, 'page', v.told -> 'page') order by v.fact)
  from document_values v join field_sources f on f.project_id = v.project_id
  where v.project_id = m.project_id and f.fields -> v.fact ->> 0 = ${DOCUMENT_SOURCE}`

/** Why the row matched: the entries that matching wrote down, as they are now; one deleted since is gone. */
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

const rescuedFrom = (organisationId: number) => sql`
  select r.word from match_rescues r where r.organisation_id = ${organisationId}::int and r.project_id = m.project_id`

/** What a row shows of the project itself; aliases `p` and `d`. */
export const PROJECT_COLUMNS = sql`p.name, d.name as dept_name, d.sub_name as dept_sub_name, d.province as dept_province, p.project_province,
  p.budget_satang, p.estimate_satang, p.criteria, p.movement, p.movement_on, p.draft_published_on, p.draft_discussion_ends_on,
  p.bidding_invited_on, p.submission_ends_on, p.submission_time, p.status, p.winner_name, p.winner_count, p.winner_satang, p.method,
  p.method_type, p.remark, p.winner_announced_on, p.is_archived, p.is_sme, (${contractEnds()}) as contract_ends`

type RowsOptions = {
  /** Where a row stands in the latest load, when that is known. */
  readonly change?: Sql
  readonly files?: RowFiles
}

/** Rows with all that they show, as `StoredRow` without `deep`; `picked` selects their project ids as `page`, of one organisation's matches. */
export function rowsSql(
  organisationId: number,
  picked: Sql,
  order: Sql,
  { change = CHANGE_NUMBER, files = 'listed' }: RowsOptions = {},
): Sql {
  return sql`
    select m.project_id, x.change, case when x.change = 2 then (${CHANGES}) end as changes, w.matched_words, w.matched_by,
      (${reasons(organisationId)}) as match_reasons, (${rescuedFrom(organisationId)}) as rescued_from, ${PROJECT_COLUMNS},
      (${pursuitOf(organisationId)}) as pursuit,
      ${files === 'listed' ? sql`(${ATTACHMENTS}) as attachments` : sql`(${ATTACHMENT_URLS}) as attachment_urls`},
      (${FROM_DOCUMENTS}) as from_documents
    from (${picked}) page
    join report_matches m on m.organisation_id = ${organisationId}::int and m.project_id = page.project_id
    join match_words w on w.organisation_id = m.organisation_id and w.id = m.words_id
    join projects p on p.project_id = m.project_id
    join departments d on d.id = p.department_id
    cross join lateral (select ${change} as change) x
    order by ${order}`
}
