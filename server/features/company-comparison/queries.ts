import sql, { empty } from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'
import {
  BID_COLUMNS,
  type BidColumns,
  COVERAGE_COLUMNS,
  type CoverageColumns,
  type DiscountColumns,
  discountColumns,
  YEAR_COLUMNS,
  type YearColumns,
} from '#server/features/company/company-scope.ts'
import { type ComparisonScope, factsSql, sizeBandSql } from './facts-sql.ts'

/** Most rows of each block of a comparison; its totals say how many there are. */
const MOST_COMMON = 500
const MOST_PRICES = 3_000
const MOST_DEPARTMENTS = 40

export type StoredSummary = {
  readonly place: number
  readonly wins: number
  readonly value_satang: number | null
  readonly median_contract_satang: number | null
  readonly active_contracts: number
  readonly departments: number
  readonly last_win_on: string | null
} & BidColumns &
  DiscountColumns &
  CoverageColumns

export type StoredMeeting = {
  readonly a: number
  readonly b: number
  readonly met: number
  readonly a_won: number
  readonly b_won: number
  readonly others_won: number
  readonly undecided: number
  readonly mean_gap: number | null
  readonly median_gap: number | null
  readonly n_gap: number
  readonly last_met_on: string | null
}

type Slice = { readonly place: number; readonly wins: number; readonly value_satang: number | null }

export type StoredComparison = {
  readonly scope: CoverageColumns & YearColumns
  readonly summaries: readonly StoredSummary[]
  readonly meetings: readonly StoredMeeting[]
  /** Ids, newest first. */
  readonly common: readonly string[]
  readonly common_total: number
  readonly prices: readonly {
    readonly place: number
    readonly project_id: string
    readonly date: string
    readonly ratio: number
    readonly is_winner: boolean
    readonly criteria: string
  }[]
  readonly prices_total: number
  readonly departments: readonly { readonly department: string; readonly cells: readonly Slice[] }[]
  readonly departments_total: number
  readonly mix: readonly ({
    readonly dimension: 'method' | 'type' | 'size' | 'province'
    readonly code: number | null
    /** Of a method or type. */
    readonly text: string | null
  } & Slice)[]
}

/** Price offered against the reference price; what was won at where no offer is known and it was the one winner's (D20). */
const RATIO = sql`(case
  when f.bid_satang is not null then f.bid_satang::float8 / nullif(f.reference_satang, 0)
  when f.is_winner and not f.is_against_budget then f.value_satang::float8 / nullif(f.discount_base_satang, 0) end)`

const SUMMARIES = sql`
  select f.place, count(*) filter (where f.is_winner) as wins, sum(f.value_satang) filter (where f.is_winner) as value_satang,
    max(f.decided_on) filter (where f.is_winner) as last_win_on, ${BID_COLUMNS}, ${discountColumns()}, ${COVERAGE_COLUMNS}
  from facts f group by f.place`

const MEETINGS = sql`
  select a.place as a, b.place as b, count(*) as met,
    count(*) filter (where a.is_winner) as a_won, count(*) filter (where b.is_winner) as b_won,
    count(*) filter (where a.is_decided and not a.is_winner and not b.is_winner) as others_won,
    count(*) filter (where not a.is_decided) as undecided,
    avg(g.gap) as mean_gap, percentile_cont(0.5) within group (order by g.gap) as median_gap, count(g.gap) as n_gap, max(a.day) as last_met_on
  from facts a
  join facts b on b.project_id = a.project_id and b.place > a.place
  cross join lateral (select (b.bid_satang - a.bid_satang)::float8 / nullif(a.reference_satang, 0) as gap) g
  where a.coverage > 0 and b.coverage > 0
  group by a.place, b.place`

/**
 * All figures of a comparison in one statement, so that what the companies did is read once. Project names are not in it: `loadCommonProjects` and
 * `loadProjectNames` have them for the few rows that are shown.
 */
export async function loadFigures(db: Db, scope: ComparisonScope): Promise<StoredComparison> {
  const criteria = scope.search.project_criteria_for_consideration
  const [found] = await db.query<StoredComparison>(sql`
    with ${factsSql(scope)},
    offers as materialized (
      select f.place, f.project_id, f.day as date, ${RATIO} as ratio, f.is_winner, f.criteria
      from facts f
      where ${RATIO} is not null and f.day is not null ${
        criteria === undefined
          ? empty
          : sql`and f.criteria = any (array(select v.id from match_values v where v.kind = 'criteria' and v.value = any (${[...criteria]}::text[])))`
      }
    ),
    newest_offers as (select o.* from offers o order by o.date desc, o.project_id, o.place limit ${MOST_PRICES}::int),
    by_unit as materialized (
      select f.place, f.department_id, count(*) as wins, sum(f.value_satang) as value_satang from facts f where f.is_winner group by 1, 2
    ),
    by_department as materialized (
      select d.name collate "C" as name, u.place, sum(u.wins) as wins, sum(u.value_satang) as value_satang
      from by_unit u join departments d on d.id = u.department_id group by 1, 2
    ),
    department_counts as (select w.place, count(*) as departments from by_department w group by w.place),
    departments_won as materialized (select w.name, sum(w.wins) as wins from by_department w group by w.name),
    top_departments as (select w.* from departments_won w order by w.wins desc, w.name limit ${MOST_DEPARTMENTS}::int),
    won as (
      select f.place, f.method, f.method_type, f.project_province, ${sizeBandSql(sql`f.value_satang`)} as size, f.value_satang
      from facts f where f.is_winner
    ),
    kinds as (
      select case when grouping(w.method) = 0 then 'method' when grouping(w.method_type) = 0 then 'type' when grouping(w.size) = 0 then 'size' else 'province' end
        as dimension, coalesce(w.method, w.method_type, w.size, w.project_province) as code, w.place, count(*) as wins, sum(w.value_satang) as value_satang
      from won w group by grouping sets ((w.place, w.method), (w.place, w.method_type), (w.place, w.size), (w.place, w.project_province))
    ),
    amounts as (
      select c.place, percentile_cont(0.5) within group (order by c.amount) as median
      from (select f.place, unnest(f.contract_amounts) as amount from facts f where f.is_winner) c group by c.place
    ),
    active as (
      select c.place, count(*) as contracts from (select f.place, unnest(f.open_until) as until from facts f where f.is_winner) c
      where c.until >= ${scope.today}::date group by c.place
    )
    select
      (select to_json(x) from (select ${COVERAGE_COLUMNS}, ${YEAR_COLUMNS} from per_project f) x) as scope,
      (select coalesce(json_agg(x order by x.place), '[]') from (
        select s.*, m.median as median_contract_satang, coalesce(n.contracts, 0) as active_contracts,
          coalesce(w.departments, 0) as departments
        from (${SUMMARIES}) s left join amounts m on m.place = s.place left join active n on n.place = s.place
        left join department_counts w on w.place = s.place) x) as summaries,
      (select coalesce(json_agg(x), '[]') from (${MEETINGS}) x) as meetings,
      (select coalesce(json_agg(x.project_id), '[]') from (
        select p.project_id from per_project p where p.parts > 1 order by p.day desc nulls last, p.project_id limit ${MOST_COMMON}::int) x) as common,
      (select count(*) from per_project p where p.parts > 1) as common_total,
      (select coalesce(json_agg(x), '[]') from (
        select o.place, o.project_id, o.date, o.ratio, o.is_winner, v.value as criteria
        from newest_offers o join match_values v on v.id = o.criteria order by o.date, o.project_id, o.place) x) as prices,
      (select count(*) from offers) as prices_total,
      (select coalesce(json_agg(x order by x.wins desc, x.department), '[]') from (
        select t.name as department, t.wins, json_agg(json_build_object('place', w.place, 'wins', w.wins, 'value_satang', w.value_satang)) as cells
        from top_departments t join by_department w on w.name = t.name group by t.name, t.wins) x) as departments,
      (select count(*) from departments_won) as departments_total,
      (select coalesce(json_agg(x), '[]') from (
        select k.*, v.value as text from kinds k left join match_values v on v.id = k.code and k.dimension in ('method', 'type')) x) as mix`)
  return found!
}
