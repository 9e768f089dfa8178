import sql, { empty, type Sql } from 'sql-template-tag'
import type { MatchReason } from '#contract/report.ts'
import { REPORT_DEFAULT_PAGE_SIZE, type ReportSearch } from '#contract/report-params.ts'
import type { Db } from '#server/db/db.ts'
import { type DeepScore, deepHitsOf } from './deep-hits.ts'
import { withDeepSearch } from './deep-search.ts'
import {
  allOf,
  CHANGE_NUMBER,
  conditionsOfMatches,
  type FilterCondition,
  filterConditions,
  LATEST_LOAD,
  matchesOf,
  reportCondition,
  sinceVisit,
  type TabScope,
  tabCondition,
  visibleCondition,
} from './filter-sql.ts'
import { orderSql } from './sort-sql.ts'

/** Whose report, of which day. */
export type ReportScope = TabScope

/** One row as the database answers it: money in satang, dates ISO, provinces DOPA codes. */
export type StoredRow = {
  project_id: string
  change: number
  changes: { field: string; old: string | null; new: string | null; seen_at: string }[] | null
  name: string
  matched_words: string[]
  matched_by: ('name' | 'ai' | 'deptsub')[]
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
  attachments: { name: string; url: string; step: string; published_date: string | null }[] | null
  is_archived: boolean
  is_sme: boolean
  /** What a search by meaning found in it. */
  deep: DeepScore | null
}

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
  rows: StoredRow[]
}

const CHANGES = sql`select json_agg(json_build_object('field', c.field, 'old', c.old_value, 'new', c.new_value, 'seen_at', l.published_at) order by c.field)
  from project_changes c join loads l on l.id = c.load_id
  where c.project_id = m.project_id and c.load_id = m.changed_load`

const ATTACHMENTS = sql`select json_agg(json_build_object('name', a.name, 'url', a.url, 'step', a.step, 'published_date', a.published_on) order by a.published_on nulls first, a.url)
  from attachments a where a.project_id = m.project_id`

/** Why the row matched: the entries that matching wrote down, as they are now; one deleted since is gone. */
const reasons = (organisationId: number) => sql`
  select json_agg(json_build_object('list', k.list, 'word', k.word, 'group', g.name, 'terms', (
      select coalesce(json_agg(json_build_object('term', t.term, 'source', t.source, 'similarity', round(t.similarity::numeric, 2)::float8,
        'approved', t.state = 'approved', 'side', case when t.facet > 0 then (
          select s.term from keyword_terms s where s.keyword_id = k.id and s.facet = t.facet order by s.similarity desc, s.position limit 1
        ) end) order by t.facet, t.similarity desc, t.term_key), '[]')
      from keyword_terms t where t.keyword_id = k.id and (r.reason -> 'terms' ? t.term_key or r.reason -> 'terms' ? t.term)
    )) order by r.place)
  from jsonb_array_elements(m.reasons) with ordinality r (reason, place)
  join keywords k on k.id = (r.reason ->> 'keyword')::int and k.organisation_id = ${organisationId}::int
    and k.list in ('include', 'ai_include', 'deptsub_include')
  left join keyword_groups g on g.id = k.group_id`

const rescuedFrom = (organisationId: number) => sql`
  select r.word from match_rescues r where r.organisation_id = ${organisationId}::int and r.project_id = m.project_id`

/** The page's rows with all that they show; `picked` selects their project ids. */
function rowsSql(organisationId: number, picked: Sql, order: Sql): Sql {
  return sql`
    select m.project_id, x.change, case when x.change = 2 then (${CHANGES}) end as changes, p.name, m.matched_words, m.matched_by,
      (${reasons(organisationId)}) as match_reasons, (${rescuedFrom(organisationId)}) as rescued_from,
      d.name as dept_name, d.sub_name as dept_sub_name, d.province as dept_province, p.project_province, p.budget_satang,
      p.estimate_satang, p.criteria, p.movement, p.movement_on, p.draft_published_on, p.draft_discussion_ends_on,
      p.bidding_invited_on, p.submission_ends_on, p.submission_time, p.status, p.winner_name, p.winner_count, p.winner_satang,
      p.method, p.method_type, p.remark, p.winner_announced_on, (${ATTACHMENTS}) as attachments, p.is_archived, p.is_sme
    from (${picked}) page
    join project_matches m on m.organisation_id = ${organisationId}::int and m.project_id = page.project_id
    join projects p on p.project_id = m.project_id
    join departments d on d.id = p.department_id
    cross join lateral (select ${CHANGE_NUMBER} as change) x
    order by ${order}`
}

/**
 * One page of the report with its totals and the counters of the tab, in one statement, so that all of it speaks of the same moment
 * even while a load is being published. The caller sees only the rows of `scope.organisationId`.
 */
export async function loadPage(db: Db, search: ReportSearch, asked: ReportScope): Promise<StoredPage> {
  const scope = await withDeepSearch(db, [search], asked)
  const { organisationId } = scope
  const hits = deepHitsOf(search, scope.deep)
  const conditions = filterConditions(search, scope)
  const order = orderSql(search)
  const rowOrder = orderSql(search.ordering === undefined ? {} : { ordering: search.ordering })
  const size = search.page_size ?? REPORT_DEFAULT_PAGE_SIZE
  // What the counters count and what the filters filter are the same rows, except in the view of the hidden ones.
  const isApart = search.project_hidden || hits !== undefined || conditions.some((condition) => condition.readsText)
  const plan = (isApart ? searchingApart : readingIndex)(search, conditions, scope)
  const picked = sql`${plan.passing} order by ${order} limit ${size}::int offset ${((search.page ?? 1) - 1) * size}::int`
  const [page] = await db.query<StoredPage>(sql`
    ${plan.prepared}
    select totals.*, o.customer_config,
      (select count(*) from match_exclusions e where e.organisation_id = o.id and e.load_id = ${LATEST_LOAD}) as hidden,
      (${hiddenByUser(search, scope)}) as hidden_by_user,
      (select max(l.published_at) from loads l where l.state = 'published') as data_time,
      exists (
        select from keywords k where k.organisation_id = o.id and k.list in ('include', 'ai_include', 'deptsub_include')
      ) as has_rules,
      o.newest_outside_window as last_match_date,
      coalesce((select json_agg(r) from (${rowsSql(organisationId, picked, rowOrder)}) r), '[]') as rows
    from organisations o
    cross join (${plan.totals}) totals
    where o.id = ${organisationId}::int`)
  if (!page) throw new Error(`no organisation ${organisationId}`)
  const rows = page.rows.map((row) => ({ ...row, deep: hits?.get(row.project_id) ?? null }))
  // Newest first they are already, and equally close ones stay so.
  if (hits && search.ordering === undefined) rows.sort((a, b) => b.deep!.score - a.deep!.score)
  return { ...page, rows }
}

/** How many projects of the tab the user hid: one look-up by primary key for each. */
const hiddenByUser = (search: ReportSearch, scope: ReportScope) => sql`
  select count(*) from hidden_projects h
  cross join lateral (
    select from project_matches m where m.project_id = h.project_id and ${tabCondition(scope, search)} offset 0
  ) found
  where h.user_id = ${scope.userId}::int`

/** How a page is computed; `passing` selects the rows that pass as `m`, ready for an order and a limit. */
type PagePlan = { readonly prepared: Sql; readonly passing: Sql; readonly totals: Sql }

/** The counters of the tab, whatever the filters. */
const counters = ({ today }: ReportScope) => {
  const week = (column: Sql) => sql`count(*) filter (where ${column} between ${today}::date and ${today}::date + 7)`
  return sql`count(*) as "all", count(*) filter (where t.change = 1) as new, count(*) filter (where t.change = 2) as updated, count(*) filter (where t.since_visit) as since_visit,
    ${week(sql`t.draft_discussion_ends_on`)} as discussion_7d, ${week(sql`t.submission_ends_on`)} as submission_7d`
}
const counted = (scope: ReportScope) =>
  sql`m.draft_discussion_ends_on, m.submission_ends_on, ${CHANGE_NUMBER} as change, ${sinceVisit(scope)} as since_visit`

/** All in the covering index: totals and counters in one scan of it, the page's own rows mostly from its order. */
function readingIndex(search: ReportSearch, conditions: readonly FilterCondition[], scope: ReportScope): PagePlan {
  const filters = allOf(conditions)
  const rows = visibleCondition(scope, search)
  return {
    prepared: empty,
    passing: sql`select m.project_id from project_matches m where ${rows} and ${filters}`,
    totals: sql`
      select ${counters(scope)}, count(*) filter (where t.passes) as total,
        coalesce(sum(t.budget_satang) filter (where t.passes), 0) as total_budget_satang
      from (
        select m.budget_satang, ${counted(scope)}, (${filters}) as passes from project_matches m where ${rows}
        offset 0 -- keeps each condition evaluated once a row
      ) t`,
  }
}

/** Texts, and the hidden projects, are searched once: what passes is kept for the total and for the page; the counters still come from the index. */
function searchingApart(search: ReportSearch, conditions: readonly FilterCondition[], scope: ReportScope): PagePlan {
  const filters = allOf(conditionsOfMatches(conditions))
  return {
    prepared: sql`
      with hits as materialized (
        select m.project_id, m.movement_on, m.budget_satang, m.estimate_satang, m.winner_satang, m.draft_published_on, m.draft_discussion_ends_on,
          m.bidding_invited_on, m.submission_ends_on${search.ai_deep_search__in ? sql`, m.deep_score` : empty}
        from ${matchesOf(search, scope)} where ${reportCondition(scope, search)} and ${filters}
      )`,
    passing: sql`select m.project_id from hits m`,
    totals: sql`
      select c.*, h.*
      from (select ${counters(scope)} from (select ${counted(scope)} from project_matches m where ${visibleCondition(scope, search)} offset 0) t) c,
        (select count(*) as total, coalesce(sum(budget_satang), 0) as total_budget_satang from hits) h`,
  }
}
